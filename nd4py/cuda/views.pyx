"""Views of arrays on a device with strides of their own."""

from nd4py._core.shape cimport MAX_NDIM, ShapeInfo, intern, normalize_axis
from nd4py.cuda.array cimport DeviceArray, new_device_view


def diagonal_view(DeviceArray x, int axis1, int axis2, Py_ssize_t offset=0):
    """The view of x[..., i, ..., i + offset, ...]: without the two axes, with one for i at the end.

    Raises ValueError for an axis out of range or given twice.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int first = normalize_axis(axis1, x.info.ndim), second = normalize_axis(axis2, x.info.ndim), ndim = 0, i
    cdef Py_ssize_t start = 0
    if first == second:
        raise ValueError(f"diagonal: the axes must differ, given {axis1} and {axis2} of {x.info.ndim} dimensions")
    for i in range(x.info.ndim):
        if i != first and i != second:
            shape[ndim] = x.info.shape[i]
            strides[ndim] = x.info.strides[i]
            ndim += 1
    shape[ndim] = max(min(x.info.shape[first] + min(offset, 0), x.info.shape[second] - max(offset, 0)), 0)
    strides[ndim] = x.info.strides[first] + x.info.strides[second]
    if shape[ndim] > 0:
        start = max(offset, 0) * x.info.strides[second] - min(offset, 0) * x.info.strides[first]
    cdef ShapeInfo info = intern(x.info.itemsize, ndim + 1, shape, strides)
    return new_device_view(x, x.place + start, info)
