"""Sorting, searching and sets.

The files, as the build lists them:

- numpy_sets.py: Sets in NumPy's form: unique elements with what is asked for, unions, intersections and differences.
- partitioning.py: partition, argpartition, lexsort and sort_complex.
- searching.py: searchsorted: binary search in sorted arrays.
- sets.py: Set functions: unique elements, and membership.
- sorting.py: sort, argsort and topk.
"""
