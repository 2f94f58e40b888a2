"""x[key], x[key] = value and their kin, where the key holds arrays: one parser, on the host and on devices.

The files, as the build lists them:

- along_axis.py: Elements that an array of indices names in every line along an axis: taken, added to and written.
- assignment.pyx: What x[key] = value writes: values of a kind that the array can hold, read before anything is written.
- device_indexing.py: x[key] and x[key] = value on devices, where the key holds arrays.
- host_indexing.py: x[key] and x[key] = value on the host, where the key holds arrays: integers of any shape, and
  boolean masks.
- index_keys.pyx: Keys that hold arrays: what x[key] reads, in terms of a view and of integer arrays that index some of
  its axes.
- indexing.py: Elements that a layout names, wherever the array is: read, and added to.
- subarrays_by_backend.py: Sub-arrays over some dimensions, wherever the array is.
"""
