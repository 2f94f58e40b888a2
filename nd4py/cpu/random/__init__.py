"""Random numbers: distributions that fill arrays from one counter-based stream.

The files, as the build lists them:

- random.pyx: Random numbers on the CPU: a stream of Philox blocks that all threads fill arrays from.
- random_continuous.h: Real numbers made of one uniform number each, or of two in pairs: a formula over each tile.
- random_counts.h: Counts (kernels/math/counts.h) in tiles.
- random_integers.h: Whole numbers that are equally likely, and what they choose: permutations, samples, categories.
- random_loops.h: Filling a range of elements with random numbers: what all distributions share.
- random_table.h: The distributions that fill an array element by element: their names and loops.
- random_trials.h: Rejection (kernels/math/trials.h) in tiles.
"""
