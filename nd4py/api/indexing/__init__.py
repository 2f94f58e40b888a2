"""x[key], x[key] = value, and the functions on indices.

The files, as the build lists them:

- index_add.py: Values added to the slices that index arrays name.
- nonzero.py: Positions of the elements that are not zero, and what conditions choose.
- one_hot.py: Positions as rows of zeros with a one.
- put_along_axis.py: Values written to the elements that an array of indices names in every line along an axis.
- take.py: The slices along an axis that an array of indices names.
- take_along_axis.py: From every line along an axis, the elements that an array of indices names.
"""
