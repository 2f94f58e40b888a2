"""Sorting on devices.

The files, as the build lists them:

- device_sort.py: Sorted lines, and places in them, on a device.
"""
