"""Reductions, the index of the largest or smallest element, and normalization along an axis.

The files, as the build lists them:

- argreduce_module.h: Extension module of the loops that find the index of the largest or smallest element.
- normalize.pyx: Normalization of lines along one axis.
- normalize_module.h: Extension module of two-pass reductions and normalization.
- reduce.pyx: Reductions over axes.
- reduce_argmax.inc: The index of the best element of a line.
- reduce_lanes.inc: Vector lanes of reductions.
- reduce_loops.inc: Reduction loops.
- reduce_masks.inc: Where elements are: one bit for each of 64, by the comparisons of vectors of 64 bytes, which make
  masks.
- reduce_module.h: Extension module of sums and products, and of fused loops.
- reduce_moments.inc: Two-pass reductions, such as variances.
- reduce_normalize.inc: Normalization loops: softmax, its logarithm, and standardizing.
- reduce_rows_module.h: Extension modules of other reductions: of those that choose an element, and of those whose steps
  are no mergers.
- reduce_segments.pyx: Segments: reductions of the elements between given starts along one axis.
"""
