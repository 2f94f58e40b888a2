"""Scans: running results along an axis, such as cumulative sums.

The files, as the build lists them:

- scan.pyx: Scans along one axis.
- scan_loops.inc: Scan loops: running results along a line.
- scan_module.h: Extension module of the scan loops.
"""
