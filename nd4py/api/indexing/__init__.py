"""Indexing functions, such as take and nonzero.

The files, as the build lists them:

- applying.py: Python functions applied to parts of arrays: apply_along_axis, apply_over_axes and vectorize.
- choosing.py: Elements chosen from several arrays: choose, select and piecewise.
- flat_positions.py: Positions in C or Fortran order and indices of all axes: unravel_index and ravel_multi_index.
- index_add.py: index_add: values added to slices at given indices.
- iterating.py: Loops over the elements of arrays: ndindex, ndenumerate, broadcast and flatiter.
- nditer.py: nditer: a loop over the elements of one array or of several that broadcast together, which may write to
  them.
- nonzero.py: nonzero and its kin: the indices of the elements that are not zero.
- one_hot.py: One-hot encoding.
- put_along_axis.py: put_along_axis: values written to elements at given indices along an axis.
- sharing_memory.py: Whether arrays share memory: shares_memory and may_share_memory.
- signatures.py: Signatures of functions of parts of arrays, such as "(m,n),(n)->(m)", which `vectorize` loops over.
- take.py: take: slices at given indices along an axis.
- take_along_axis.py: take_along_axis: elements at given indices along an axis.
- triangles.py: Indices of diagonals and triangles: diag_indices, tril_indices, triu_indices and mask_indices.
- writing.py: NumPy's functions that write to an array: copyto, fill_diagonal, place, put and putmask.
"""
