"""Copies and conversions on devices.

The files, as the build lists them:

- copies.py: Copies, conversions and fills on a device, from any layout to any other.
"""
