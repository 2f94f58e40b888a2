"""Reductions, running results and normalization.

The files, as the build lists them:

- nan_reductions.py: Reductions that pass over NaN, beside the rows nansum, nanprod, nanmax and nanmin; and numbers in
  place of NaN.
- normalization.py: The softmax family and layer normalization.
- reductions.py: Reductions.
- scans.py: Running results along an axis.
"""
