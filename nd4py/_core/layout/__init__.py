"""Memory layouts: shapes and strides, views, plans for walking several operands, overlap.

The files, as the build lists them:

- layouts.py: Small functions on shapes and axes, for arrays on the host and on devices.
- overlap.pyx: Whether two arrays share memory.
- plan.pyx: Plan: the order in which an operation walks several operands of one broadcast shape.
- shape.pyx: ShapeInfo: shape, strides and item size of an array, immutable and interned; and the layout of results.
- subarrays.pyx: TAD packs, the sub-arrays of an array along some of its dimensions as ND4J's tensors along dimension;
  and diagonals, the elements whose index is the same along several axes.
- views.pyx: Views: the shape and strides that indexing, reshaping, permuting and broadcasting lead to.
"""
