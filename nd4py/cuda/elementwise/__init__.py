"""Elementwise operations on devices.

The files, as the build lists them:

- device_eager.py: Rows that run now, each by what serves its operands best.
- device_map.py: Map rows on a device: operands of any layout and dtype, then one launch.
"""
