"""Reshaping, joining, repeating and padding.

The files, as the build lists them:

- manipulation.py: Reshaping and joining.
- padding.py: Padding.
- rearranging.py: roll, tile, meshgrid, tril, triu and diag.
- repeating.py: repeat: slices repeated, each as often as a count says.
"""
