"""Indexing functions, such as take and nonzero.

The files, as the build lists them:

- index_add.py: index_add: values added to the slices that index arrays name.
- nonzero.py: nonzero and its kin: the indices of the elements that are not zero.
- one_hot.py: One-hot encoding.
- put_along_axis.py: put_along_axis: values written to the elements that indices name along an axis.
- take.py: take: the slices along an axis that indices name.
- take_along_axis.py: take_along_axis: the elements that indices name along an axis.
"""
