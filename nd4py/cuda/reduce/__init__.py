"""Reductions and normalization on devices.

The files, as the build lists them:

- device_reductions.py: Reductions on a device, in one launch or two.
- normalizing.py: Softmax, its logarithm, and standardized lines on a device.
- reduce_geometry.py: Launch geometry of reductions: the record of their lines, and the pieces of long lines.
- reduce_launch.pyx: Fast launches of reductions, without Python in between.
"""
