"""Random numbers: distributions that fill arrays from one counter-based stream.

The files, as the build lists them:

- random.pyx: Streams of random numbers, from which all threads fill arrays.
- random_continuous.h: Continuous distributions made from one or two uniform numbers: a formula over each tile.
- random_counts.h: Distributions of counts (kernels/math/counts.h) in tiles.
- random_integers.h: Random integers, permutations, samples and categories.
- random_loops.h: Frame of the loops that fill arrays with random numbers.
- random_table.h: Table of distributions: their names and loops.
- random_trials.h: Rejection sampling (kernels/math/trials.h) in tiles.
"""
