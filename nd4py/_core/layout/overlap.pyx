"""Whether two arrays share memory.

Design: two tests that never say no where the answer is yes.  The bytes between the first and the last of one array lie
apart from those of the other; or both walk in steps of one size and keep to different bytes of it, as the real and
the imaginary parts of an array do, or its even and its odd elements.  A caller that is told yes copies what it reads
first, so a yes too many costs a copy, never a value.  Rejected: the exact answer, which takes a search.
"""

from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo


cdef void extent(ShapeInfo info, Py_ssize_t* low, Py_ssize_t* high) noexcept:
    """The first byte of all elements, and the one behind the last, counted from the first element; none of none."""
    cdef int i
    low[0] = high[0] = 0
    if info.size == 0:
        return
    high[0] = info.itemsize
    for i in range(info.ndim):
        if info.strides[i] < 0:
            low[0] += (info.shape[i] - 1) * info.strides[i]
        else:
            high[0] += (info.shape[i] - 1) * info.strides[i]


cdef bint share_bytes(size_t a, ShapeInfo a_info, size_t b, ShapeInfo b_info) noexcept:
    """Whether an array at address `a` and one at `b` may have a byte in common."""
    cdef Py_ssize_t a_low, a_high, b_low, b_high
    extent(a_info, &a_low, &a_high)
    extent(b_info, &b_low, &b_high)
    if a_low == a_high or b_low == b_high:
        return False
    if a + a_high <= b + b_low or b + b_high <= a + a_low:
        return False
    return not keep_to_other_bytes(a, a_info, b, b_info)


cdef bint keep_to_other_bytes(size_t a, ShapeInfo a_info, size_t b, ShapeInfo b_info) noexcept:
    """Whether two arrays walk in multiples of one step, on different bytes of it."""
    cdef Py_ssize_t step = common_step(b_info, common_step(a_info, 0)), between
    if step == 0:
        return False
    between = <Py_ssize_t>(b - a) % step
    if between < 0:                      # as C's remainder of a negative number is
        between += step
    return between >= a_info.itemsize and step - between >= b_info.itemsize


cdef Py_ssize_t common_step(ShapeInfo info, Py_ssize_t step) noexcept:
    """The greatest common divisor of a step and of the strides of an array."""
    cdef Py_ssize_t stride
    cdef int i
    for i in range(info.ndim):
        stride = abs(info.strides[i]) if info.shape[i] > 1 else 0
        while stride:
            step, stride = stride, step % stride
    return step


cdef bint disturbs(size_t written, ShapeInfo written_info, size_t read, ShapeInfo read_info) noexcept:
    """Whether writing one array element by element may change what is still to be read of the other.

    Where both are the same elements in the same order, each is read before it is written.
    """
    if written == read and written_info is read_info and not may_fold(written_info):
        return False
    return share_bytes(written, written_info, read, read_info)


cdef bint may_fold(ShapeInfo info) noexcept:
    """Whether elements of one array may share bytes, as those of foreign memory seen through a sliding window do."""
    cdef Py_ssize_t reach = info.itemsize, stride, least = 0
    cdef int i, n_left = 0
    cdef bint is_done[MAX_NDIM]
    if info.is_contiguous:
        return False
    for i in range(info.ndim):
        is_done[i] = info.shape[i] == 1
        n_left += not is_done[i]
    while n_left:                        # from the smallest stride on, each step must pass all elements before it
        least = -1
        for i in range(info.ndim):
            if not is_done[i] and (least < 0 or abs(info.strides[i]) < abs(info.strides[least])):
                least = i
        stride = abs(info.strides[least])
        if stride < reach:
            return True
        reach += (info.shape[least] - 1) * stride
        is_done[least] = True
        n_left -= 1
    return False
