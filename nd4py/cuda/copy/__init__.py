"""Copies and conversions on devices.

The files, as the build lists them:

- copies.py: Elements copied, converted and filled on a device, from any layout to any other.
"""
