"""Indexing functions, such as take and nonzero.

The files, as the build lists them:

- index_add.py: index_add: values added to slices at given indices.
- nonzero.py: nonzero and its kin: the indices of the elements that are not zero.
- one_hot.py: One-hot encoding.
- put_along_axis.py: put_along_axis: values written to elements at given indices along an axis.
- take.py: take: slices at given indices along an axis.
- take_along_axis.py: take_along_axis: elements at given indices along an axis.
"""
