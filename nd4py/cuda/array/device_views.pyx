"""Views of device arrays with strides of their own."""

from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._core.layout.views cimport diagonal_info
from nd4py.cuda.array.device_array cimport DeviceArray, shifted_view

__all__ = ["diagonal_view"]


def diagonal_view(DeviceArray x, int axis1, int axis2, Py_ssize_t offset=0) -> DeviceArray:
    """The view of x[..., i, ..., i + offset, ...]: without the two axes, with one for i at the end.

    Raises ValueError for an axis out of range or given twice.
    """
    cdef Py_ssize_t start = 0
    cdef ShapeInfo info = diagonal_info(x.info, axis1, axis2, offset, &start)
    return shifted_view(x, start, info)
