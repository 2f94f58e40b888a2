"""The view of the elements whose index is the same along several axes."""

from nd4py._core.array cimport NDArray, new_view
from nd4py._core.shape cimport MAX_NDIM, intern, normalize_axis


def diagonal_view(NDArray x, int axis1, int axis2, Py_ssize_t offset=0):
    """The view of x[..., i, ..., i + offset, ...]: without the two axes, with one for i at the end.

    Raises ValueError for an axis out of range or given twice.  The view is unknown to the tape.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int first = normalize_axis(axis1, x.info.ndim), second = normalize_axis(axis2, x.info.ndim), ndim = 0, i
    cdef Py_ssize_t rows, columns
    if first == second:
        raise ValueError(f"diagonal: the axes must differ, given {axis1} and {axis2} of {x.info.ndim} dimensions")
    for i in range(x.info.ndim):
        if i != first and i != second:
            shape[ndim] = x.info.shape[i]
            strides[ndim] = x.info.strides[i]
            ndim += 1
    rows = x.info.shape[first] + min(offset, 0)
    columns = x.info.shape[second] - max(offset, 0)
    shape[ndim] = max(min(rows, columns), 0)
    strides[ndim] = x.info.strides[first] + x.info.strides[second]
    cdef char* data = x.data
    if shape[ndim] > 0:
        data += max(offset, 0) * x.info.strides[second] - min(offset, 0) * x.info.strides[first]
    return new_view(x, data, intern(x.info.itemsize, ndim + 1, shape, strides))
