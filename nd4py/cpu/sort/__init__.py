"""Sorting, argsort, the largest elements, binary search, and groups of equal elements.

The files, as the build lists them:

- search.pyx: Binary searches in sorted contiguous arrays.
- search_loops.inc: Binary searches in a sorted array.
- sort.pyx: Sorted elements, and where they stand, along the last axis of contiguous arrays.
- sort_elements.inc: How elements become keys, and keys elements again.
- sort_groups.inc: Groups of equal elements in a sorted line.
- sort_line.pyx: One line of elements put in order by all threads: encode, pack, spread into buckets, sort the buckets.
- sort_lines.inc: Whole lines of one dtype, each sorted by one thread.
- sort_loops.h: Sorting loops of one instruction-set build, as the Cython drivers see them.
- sort_module.h: Sorting and searching.
- sort_network.inc: Sorting networks: up to MOST_ROWS vectors are sorted in registers, without a branch.
- sort_order.inc: Items between sorting and the answer: keys packed with their positions, ties, and groups of equal
  elements.
- sort_quick.inc: Quicksort of keys by vectors.
- sort_spread.inc: Spreading a long line into buckets: those of higher numbers hold the greater items.
- sort_vectors.inc: Vectors of keys: the few operations that sorting needs, for registers of any width.
- unique.pyx: The groups of equal elements of a contiguous array, in the order of their values; every NaN is a group of
  its own.
"""
