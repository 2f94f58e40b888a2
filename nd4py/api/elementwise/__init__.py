"""Elementwise functions and comparisons of arrays.

The files, as the build lists them:

- comparisons.py: Whether arrays are equal, or nearly.
- elementwise.py: Elementwise functions.
- where_clip.py: where and clip, in the forms users call.
- zero_products.py: Products of elements one of which is zero, where partial products overflow.
"""
