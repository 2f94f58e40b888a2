"""Sorting on devices.

The files, as the build lists them:

- device_sort.py: Sorting and binary search of lines on a device.
"""
