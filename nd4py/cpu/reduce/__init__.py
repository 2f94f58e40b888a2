"""Reductions, the index of the largest or smallest element, and normalization along an axis.

The files, as the build lists them:

- argreduce_module.h: Where the largest and smallest elements are.
- normalize.pyx: Normalize lines along one axis: each is measured, and written from what was measured, while it is in
  cache.
- normalize_module.h: Reductions that look at their elements twice, and normalizing by what they find.
- reduce.pyx: Run a reduction: split its axes into kept and reduced ones, and its work into tasks with borders fixed by
  the shape.
- reduce_argmax.inc: Where the best element of a line stands.
- reduce_lanes.inc: Lanes: the elements of a line go round the lanes of vectors, and the lanes are joined at the end,
  neighbours first.
- reduce_loops.inc: Reductions.
- reduce_module.h: Reductions, and passes of several cheap rows.
- reduce_moments.inc: Reductions that look at their elements twice while these are in cache: first for a number near
  them all, the shift, then for sums over the distances from it.
- reduce_normalize.inc: Softmax, its logarithm, and standardizing: y = f((x - shift) - rest) * factor with coefficients
  measured on each line.
- reduce_steps_module.h: Reductions whose steps are no mergers: they end no pass of several rows.
"""
