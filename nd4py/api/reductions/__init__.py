"""Reductions, cumulative results and normalization.

The files, as the build lists them:

- complex_variance.py: The variance of complex numbers: that of their real parts and that of their imaginary parts
  together.
- nan_reductions.py: Reductions that ignore NaN, and replacement of NaN.
- normalization.py: The softmax family, layer normalization, and that by the root of the mean of squares.
- reductions.py: Reductions.
- running.py: cumsum and cumprod: NumPy's running results, over the flattened array where no axis is given.
- scans.py: Running results along an axis.
- selected_elements.py: Reductions of the elements that a mask selects, from an initial value on, written into an array
  that is given.
"""
