"""Views of diagonals: the elements whose index is the same along several axes."""

from nd4py._core.array.array cimport NDArray, new_view
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._core.layout.views cimport diagonal_info


def diagonal_view(NDArray x, int axis1, int axis2, Py_ssize_t offset=0) -> NDArray:
    """The view of x[..., i, ..., i + offset, ...]: without the two axes, with one for i at the end.

    Raises ValueError for an axis out of range or given twice.  The view is unknown to the tape.
    """
    cdef Py_ssize_t start = 0
    cdef ShapeInfo info = diagonal_info(x.info, axis1, axis2, offset, &start)
    return new_view(x, x.data + start, info)
