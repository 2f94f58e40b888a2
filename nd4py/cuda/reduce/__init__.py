"""Reductions and normalization on devices.

The files, as the build lists them:

- device_reductions.py: Reductions on a device: one launch or two, whose arguments say where the lines lie.
- normalizing.py: Softmax, its logarithm, and standardized lines on a device: lines brought behind the other axes, then
  one launch.
- reduce_geometry.py: How reductions are launched: the record of their lines, how a line is cut, and the launches one
  after the other.
- reduce_launch.pyx: Reductions without Python in between: what is launched for a layout is planned once, and filled
  with addresses then.
"""
