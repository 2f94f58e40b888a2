"""Elementwise operations, and evenly spaced numbers.

The files, as the build lists them:

- arange.pyx: Evenly spaced numbers.
- argument_range.inc: Rows whose functions are free of branches for near operands alone: sine, cosine and tangent, whose
  exact reduction of very large angles is a call, and the division of floats with a whole quotient, where very large
  quotients are.
- half_functions.h: Elementary functions for results that are rounded to float16 or bfloat16: computed in float to
  2^-18, tails of bfloat16 to 2^-15, which leaves them at most 0.51 units in the last place of the half type from the
  exact result.
- half_loops.inc: Elementwise rows of float16 and bfloat16 in one pass: a block of halves is converted to floats in
  registers, the row's functor runs on them, and its results are rounded to halves again.
- half_vectors.inc: Functions of sixteen halves at once, held as floats, for rows that are one function: AVX-512 takes
  powers of 2 out of a number and puts them back, special values included, and begins an inverse or an inverse root, in
  single instructions that gcc makes of no scalar code.
- map.pyx: Run an elementwise loop over a plan: the tiles shared out among threads.
- map_blocks.inc: Rows whose elements cost more than moving them: one loop, over dense operands.
- map_loops.inc: Elementwise rows.
- map_module.h: Elementwise loops.
- power_loops.inc: Rows of powers, in whole registers (kernels/math/lanes.h).
- vector_functions.inc: Functions of whole vectors of floats, for the rows' expressions where vectors stay in registers.
- whole_register.inc: Rows that are computed a whole register at a time (kernels/math/lanes.h), and what such loops are
  made of.
"""
