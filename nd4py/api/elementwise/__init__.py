"""Elementwise functions, and whether arrays are equal.

The files, as the build lists them:

- comparisons.py: Whether arrays are equal, or nearly.
- elementwise.py: Elementwise functions.
- where_clip.py: Functions that choose between operands: rows of the table in the forms users call.
- zero_products.py: Products with a zero among their elements.
"""
