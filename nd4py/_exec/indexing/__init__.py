"""Indexing with arrays: x[key] and x[key] = value, on the host and on devices.

The files, as the build lists them:

- along_axis.py: take_along_axis and its kin: elements named by an array of indices along an axis.
- assignment.pyx: The values that x[key] = value writes, converted and checked before anything is written.
- device_indexing.py: Indexing with arrays on devices.
- few_rows.pyx: The rows of an array that a short index array names, read and written at once: without a plan, threads
  and Python.
- host_indexing.pyx: Indexing with arrays on the host: integers of any shape, and boolean masks.
- index_keys.pyx: The parser of index keys: a view, and the index arrays of some of its axes.
- indexing.py: Indexing by a parsed key, on the host and on devices, with its gradient.
- subarrays_by_backend.py: Views of sub-arrays over some dimensions, and of diagonals, on the host and on devices.
"""
