"""Reductions, cumulative results and normalization.

The files, as the build lists them:

- nan_reductions.py: Reductions that ignore NaN, and replacement of NaN.
- normalization.py: The softmax family and layer normalization.
- reductions.py: Reductions.
- scans.py: Running results along an axis.
"""
