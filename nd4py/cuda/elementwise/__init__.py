"""Elementwise operations on devices.

The files, as the build lists them:

- device_eager.py: Eager execution of rows, each by what serves its operands best.
- device_map.py: Map rows on a device.
"""
