"""Indexing by index arrays and boolean masks on devices.

The files, as the build lists them:

- gathering.py: Reading and writing of elements by indices or masks on a device.
"""
