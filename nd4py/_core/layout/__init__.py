"""Where elements lie: shapes and strides, views, plans for walking several operands, overlap.

The files, as the build lists them:

- diagonal_views.pyx: The view of the elements whose index is the same along several axes.
- layouts.py: Small questions about how elements lie, for arrays wherever they are.
- overlap.pyx: Which arrays share memory: the one rule for everything that writes while it reads, on the host and on
  devices.
- plan.pyx: Plan: how several operands of one broadcast shape are walked together.
- shape.pyx: ShapeInfo: the immutable, interned description of where an array's elements lie.
- subarrays.pyx: TAD packs: how an array falls into sub-arrays along some of its dimensions, as ND4J's tensors along
  dimension.
- views.pyx: Views: the geometry of indexing, reshaping, permuting and broadcasting, on ShapeInfo alone.
"""
