"""Reshaping, joining, repeating and padding.

The files, as the build lists them:

- manipulation.py: Reshaping and joining.
- packed_bits.py: Bits packed into bytes, and unpacked.
- padding.py: Padding.
- rearranging.py: roll, tile, meshgrid, tril, triu and diag.
- repeating.py: repeat: slices repeated, each as often as a count says.
- shapes.py: The shape of what may be an array or a list: NumPy's functions for it.
"""
