"""Elementwise operations, and evenly spaced numbers.

The files, as the build lists them:

- arange.pyx: Evenly spaced numbers.
- argument_range.inc: Loops for functions that need a call for very large arguments.
- half_functions.h: Elementary functions for float16 and bfloat16 results.
- half_loops.inc: Elementwise loops of float16 and bfloat16.
- half_vectors.inc: Functions of sixteen halves at once, held as floats in AVX-512 registers.
- map.pyx: Elementwise loops over a plan, tile by tile, the tiles shared among threads.
- map_blocks.inc: Elementwise loops of costly rows, over dense blocks.
- map_loops.inc: Elementwise loops of all rows.
- map_module.h: Extension module of the elementwise loops.
- power_loops.inc: Loops of powers, in whole registers (kernels/math/lanes.h).
- vector_functions.inc: Functions of whole vectors of floats.
- whole_register.inc: Elementwise loops that compute a whole register at a time (kernels/math/lanes.h).
"""
