"""Sorting, argsort, the largest elements, binary search, and groups of equal elements.

The files, as the build lists them:

- search.pyx: Binary search in sorted contiguous arrays, and the lines between the elements that it finds.
- search_loops.inc: Binary-search loops in a sorted array.
- sort.pyx: Sorting and argsort along the last axis of contiguous arrays.
- sort_elements.inc: Conversion of elements to sort keys, and back.
- sort_groups.inc: Groups of equal elements in a sorted line.
- sort_line.pyx: Sorting of one long line by all threads: encode, pack, spread into buckets, sort the buckets.
- sort_lines.inc: Sorting of whole lines of one dtype, each by one thread.
- sort_loops.h: Sorting loops of one instruction set, as the Cython drivers see them.
- sort_module.h: Extension module of the sorting and searching loops.
- sort_network.inc: Sorting networks in registers.
- sort_order.inc: Sort items: keys packed with their positions, ties, and groups of equal elements.
- sort_quick.inc: Quicksort of keys in vector registers.
- sort_spread.inc: Distribution of a long line into buckets.
- sort_vectors.inc: Vector operations on sort keys, for registers of any width.
- unique.pyx: Groups of equal elements of a contiguous array, in the order of their values.
"""
