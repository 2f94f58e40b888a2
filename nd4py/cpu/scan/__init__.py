"""Scans: running results along an axis.

The files, as the build lists them:

- scan.pyx: Run a scan along one axis: lines are shared by the threads, and long ones cut into pieces.
- scan_loops.inc: Running results along a line.
- scan_module.h: Running results.
"""
