"""The memory order of elementwise results.

Design: a result has its axes in the order of its operands, as with NumPy's order="K", so that nothing is transposed on
the way: of two axes the one with the larger strides stays outside, and where operands disagree it is the one that
comes first.  Elements lie without gaps.  Axes along which an operand is repeated, or has one element, say nothing.
This holds for operations that run at once and for deferred ones on the host; results on devices are in C order.
"""

from nd4py._core.layout.shape cimport MAX_NDIM, intern, intern_contiguous


cdef ShapeInfo result_layout(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, int n, PyObject** operands):
    """The layout of a result of a shape that operands, given by their ShapeInfos, broadcast to.

    Raises ValueError for more bytes than there are addresses.
    """
    cdef ShapeInfo info = intern_contiguous(itemsize, ndim, shape)
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t step = itemsize
    cdef int order[MAX_NDIM]
    cdef int i
    if ndim < 2 or info.size == 0 or are_in_c_order(n, operands) or not sort_axes(ndim, n, operands, order):
        return info
    for i in range(ndim - 1, -1, -1):
        strides[order[i]] = step
        step *= shape[order[i]]
    return intern(itemsize, ndim, shape, strides)


cdef ShapeInfo with_itemsize(ShapeInfo info, Py_ssize_t itemsize):
    """The same layout, which has no gaps, of elements of another size."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int i
    if info.itemsize == itemsize:
        return info
    if info.is_contiguous:
        return intern_contiguous(itemsize, info.ndim, info.shape)
    for i in range(info.ndim):
        strides[i] = info.strides[i] // info.itemsize * itemsize
    return intern(itemsize, info.ndim, info.shape, strides)


cdef bint are_in_c_order(int n, PyObject** operands) noexcept:
    cdef int k
    for k in range(n):
        if not (<ShapeInfo>operands[k]).is_contiguous:
            return False
    return True


cdef bint sort_axes(int ndim, int n, PyObject** operands, int* order) noexcept:
    """Sort the axes, the outermost first; whether they change places.  Insertion sort: few are ever out of order."""
    cdef int i, j, target, verdict
    cdef bint is_changed = False
    for i in range(ndim):
        target = i
        for j in range(i - 1, -1, -1):
            verdict = comparison(ndim, n, operands, order[j], i)
            if verdict > 0:
                target = j
            elif verdict < 0:
                break
        for j in range(i, target, -1):
            order[j] = order[j - 1]
        order[target] = i
        is_changed = is_changed or target < i
    return is_changed


cdef int comparison(int ndim, int n, PyObject** operands, int outer, int inner) noexcept:
    """1 where all operands have larger strides along `inner`, -1 where one has not, 0 where none says anything."""
    cdef int k, verdict = 0
    cdef Py_ssize_t a, b
    for k in range(n):
        a = step_along(<ShapeInfo>operands[k], outer - ndim)
        b = step_along(<ShapeInfo>operands[k], inner - ndim)
        if a and b:
            if b <= a:
                return -1
            verdict = 1
    return verdict


cdef Py_ssize_t step_along(ShapeInfo info, int axis) noexcept:
    """The stride along an axis that is counted from the end, without its sign; 0 where the operand is repeated."""
    cdef int i = info.ndim + axis
    return abs(info.strides[i]) if i >= 0 and info.shape[i] != 1 else 0
