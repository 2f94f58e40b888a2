"""Checks of the shape, strides and address that another library gives, before an array is made over its memory.

Design: buffers, DLPack tensors and the interfaces of NumPy and CUDA all become one `Claim`, so that no way in can
forget a check.  Fields may be NULL, sizes negative, strides of any number; none of it may lead to an address that is
computed wrongly.  An exporter that is wrong without contradicting itself cannot be detected.
"""

from libc.stdint cimport int64_t
from nd4py._core.element_sizes cimport alignments, itemsizes
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern

cdef Py_ssize_t MOST_ELEMENTS = 0x7FFFFFFFFFFFFFFF // 16   # no element is larger than 16 bytes
cdef Py_ssize_t FARTHEST = <Py_ssize_t>1 << 57             # no processor has more addresses


cdef ShapeInfo checked(const Claim* claim):
    """Where the elements of another library's array lie.

    Raises BufferError for what contradicts itself or is out of alignment, ValueError for too many axes or elements.
    """
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t n, step, reach, low = 0, high = 0, itemsize = itemsizes[claim.number]
    cdef Py_ssize_t alignment = alignments[claim.number]
    cdef int i
    n = read_sizes(claim, sizes)
    cdef bint is_odd = claim.address % alignment != 0
    step = itemsize
    for i in range(claim.ndim - 1, -1, -1):
        strides[i] = step if claim.strides == NULL else read_stride(claim, i, step, n and sizes[i] > 1)
        step *= max(sizes[i], 1)
        if n == 0 or sizes[i] < 2:
            continue
        reach = (sizes[i] - 1) * strides[i]              # at most FARTHEST, as `read_stride` sees to
        low, high = low + min(reach, 0), high + max(reach, 0)
        is_odd = is_odd or strides[i] % alignment != 0
    if n:
        check_range(claim, low, high + itemsize, is_odd)
    return intern(itemsize, claim.ndim, sizes, strides)


cdef ShapeInfo checked_description(object found, size_t address, Py_ssize_t before, Py_ssize_t behind):
    """The same of a `Description` of elements from `address` on, with so many bytes around it or UNKNOWN."""
    cdef int64_t shape[MAX_NDIM]
    cdef int64_t strides[MAX_NDIM]
    cdef int i, ndim = len(found.shape)
    for i in range(ndim):
        shape[i] = found.shape[i]
        strides[i] = found.strides[i] if found.strides else 0
    cdef Claim claim = Claim(address, found.number, ndim, &shape[0], NULL, 1, before, behind)
    if found.strides:
        claim.strides = &strides[0]
    return checked(&claim)


cdef Py_ssize_t read_sizes(const Claim* claim, Py_ssize_t* sizes) except -1:
    """The sizes of the axes; returns how many elements there are."""
    cdef Py_ssize_t n = 1
    cdef bint is_empty = False
    cdef int i
    if claim.ndim < 0:
        raise BufferError(f"the exporter says {claim.ndim} dimensions; pass a copy of its elements")
    if claim.ndim > MAX_NDIM:
        raise ValueError(f"an array has at most {MAX_NDIM} dimensions, given {claim.ndim}")
    if claim.ndim and claim.shape == NULL:
        raise BufferError(f"the exporter says {claim.ndim} dimensions but not their sizes; pass a copy of its elements")
    for i in range(claim.ndim):
        sizes[i] = claim.shape[i]
        if sizes[i] < 0:
            raise BufferError(f"the exporter says that axis {i} has {sizes[i]} elements; pass a copy of its elements")
        if sizes[i] > MOST_ELEMENTS // n:
            raise ValueError(f"shape {shape_of(claim)} has more elements than memory can address (2^63 bytes)")
        n *= max(sizes[i], 1)
        is_empty = is_empty or sizes[i] == 0
    return 0 if is_empty else n


cdef Py_ssize_t read_stride(const Claim* claim, int axis, Py_ssize_t step, bint is_used) except? -1:
    """The stride of an axis in bytes; `step`, that of C order, where it is never followed and may be absurd."""
    cdef Py_ssize_t most = FARTHEST // MAX_NDIM // claim.unit // max(claim.shape[axis] - 1, 1)
    cdef int64_t stride = claim.strides[axis]
    if -most <= stride <= most:
        return stride * claim.unit
    if is_used:
        raise BufferError(
            f"the exporter says shape {shape_of(claim)} with a stride of {stride} along axis {axis}, which leads out "
            "of all memory; pass a copy of its elements"
        )
    return step


cdef int check_range(const Claim* claim, Py_ssize_t low, Py_ssize_t high, bint is_odd) except -1:
    """Bytes `low` to `high` around the address are used."""
    if claim.address == 0:
        raise BufferError(f"the exporter gives no memory (NULL) for shape {shape_of(claim)}; pass a copy")
    cdef size_t start = claim.address
    if start < <size_t>-low or start > ~<size_t>0 - <size_t>high:
        raise BufferError(f"the exporter's strides lead from address {claim.address:#x} out of all memory; pass a copy")
    if claim.before != UNKNOWN and (-low > claim.before or high > claim.behind):
        raise BufferError(
            f"shape {shape_of(claim)} with these strides uses bytes {low} to {high}, but the exporter has "
            f"{-claim.before} to {claim.behind}; pass a copy of its elements"
        )
    if is_odd:
        alignment = alignments[claim.number]
        raise BufferError(f"the buffer's elements are not aligned to {alignment} bytes; pass a copy")
    return 0


cdef tuple shape_of(const Claim* claim):
    """The sizes as given."""
    return tuple([claim.shape[i] for i in range(claim.ndim)])
