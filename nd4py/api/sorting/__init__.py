"""Sorting, searching and sets.

The files, as the build lists them:

- complex_order.py: The order of complex numbers, which is NumPy's: by the real parts, then by the imaginary parts, with
  NaN behind.
- numpy_sets.py: Sets in NumPy's form: unique elements with what is asked for, unions, intersections and differences.
- partitioning.py: partition, argpartition, lexsort and sort_complex.
- searching.py: searchsorted: binary search in sorted arrays.
- sets.py: Set functions: unique elements, and membership.
- sorting.py: sort, argsort and topk.
"""
