"""ShapeInfo: shape, strides and item size of an array, immutable and interned; and the layout of results.

Design: arrays of equal item size, shape and strides share one ShapeInfo, so "same layout" is one pointer compare in
dispatch.  The cache has a fixed number of slots, in sets of a few ways: a description may lie in any way of the set
that its hash names, the one used last in front, and a new one evicts the last of its set.  Threads without a GIL may
describe one layout twice: pointers that differ say nothing, and who compares them then takes the longer way.

Design: the result of an elementwise operation has its axes in the order of its operands, as with NumPy's order="K", so
that nothing is transposed on the way: of two axes the one with the larger strides stays outside, and where operands
disagree it is the one that comes first.  Elements lie without gaps.  Axes along which an operand is repeated, or has
one element, say nothing.  This holds for operations that run at once and for deferred ones on the host; results on
devices are in C order.
"""

import operator

from cpython.object cimport PyObject
from cython cimport no_gc
from libc.string cimport memcmp
from nd4py._mem.free_threads cimport FREE_THREADS, Section, enter_own

from ..whole_numbers import is_whole

cdef extern from * nogil:
    bint multiply_overflows "__builtin_mul_overflow"(Py_ssize_t, Py_ssize_t, Py_ssize_t*)

cdef enum:
    N_SETS = 512                         # a power of two
    N_WAYS = 8

MAX_DIMENSIONS: int = MAX_NDIM
cdef Py_ssize_t LARGEST = 0x7FFFFFFFFFFFFFFF
cdef list without_axes = [None] * 17     # the ShapeInfo of an array without dimensions, by its item size
cdef list slots = [None] * (N_SETS * N_WAYS)
cdef Py_ssize_t n_hits = 0
cdef Py_ssize_t n_misses = 0
cdef Py_ssize_t n_held = 0


class AxisError(ValueError, IndexError):
    """An array has no such axis: NumPy's error is a ValueError and an IndexError too."""


class AxesError(AttributeError, ValueError):
    """An array has no such attribute for want of axes, or for having too many: `hasattr` says so without an error."""


@no_gc                                   # what `bytewise` holds has none itself
cdef class ShapeInfo:
    """Item size, shape and strides (bytes) of an array.  Made by `intern` only."""

    def __cinit__(self):
        self.shape = self.numbers
        self.strides = self.numbers

    def __dealloc__(self):
        if self.bytewise is not None and self.bytewise.latest == <PyObject*>self:
            self.bytewise.latest = NULL

    @property
    def shape_tuple(self) -> Shape:
        """The sizes as a tuple."""
        if self.sizes is None:
            know_sizes(self)
        return self.sizes

    @property
    def strides_tuple(self) -> Shape:
        """The strides in bytes as a tuple."""
        return tuple([self.strides[i] for i in range(self.ndim)])


cdef int know_sizes(ShapeInfo info) except -1:
    """Make the tuple of the shape, once and for good."""
    cdef Section section
    enter_own(&section, <PyObject*>info)
    if info.sizes is None:
        info.sizes = tuple([info.shape[i] for i in range(info.ndim)])
    return 0


cdef ShapeInfo intern(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides):
    """The one ShapeInfo of this description."""
    global n_hits, n_misses, n_held
    if ndim == 0 and without_axes[itemsize] is not None:
        return <ShapeInfo>without_axes[itemsize]
    cdef size_t code = <size_t>itemsize * 31 + <size_t>ndim
    cdef int i, way
    for i in range(ndim):
        code = (code ^ <size_t>shape[i]) * <size_t>0x9E3779B97F4A7C15
        code = (code ^ <size_t>strides[i]) * <size_t>0xC2B2AE3D27D4EB4F
        code ^= code >> 29
    cdef Py_ssize_t first = <Py_ssize_t>((code ^ (code >> 32)) & (N_SETS - 1)) * N_WAYS
    cdef ShapeInfo info
    for way in range(N_WAYS):
        held = slots[first + way]
        if held is None:
            n_held += 1
            break
        info = <ShapeInfo>held
        if (info.ndim == ndim and info.itemsize == itemsize
                and (ndim == 0                               # without axes there are no numbers to point to
                     or memcmp(info.shape, shape, ndim * sizeof(Py_ssize_t)) == 0
                     and memcmp(info.strides, strides, ndim * sizeof(Py_ssize_t)) == 0)):
            n_hits += 1
            if way:
                move_to_front(first, way, info)
            return info
    n_misses += 1
    info = describe(itemsize, ndim, shape, strides)
    if ndim == 0:
        without_axes[itemsize] = info
    move_to_front(first, min(way, N_WAYS - 1), info)
    return info


cdef int move_to_front(Py_ssize_t first, int way, ShapeInfo info) except -1:
    """Put `info` into the first way of a set; those before `way` move up by one, over what was there."""
    cdef int i
    for i in range(way, 0, -1):
        slots[first + i] = slots[first + i - 1]
    slots[first] = info
    return 0


cdef ShapeInfo describe(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides):
    cdef ShapeInfo info = ShapeInfo.__new__(ShapeInfo)
    cdef Py_ssize_t expected = itemsize
    cdef int i
    info.ndim = ndim
    info.itemsize = itemsize
    info.strides = info.numbers + ndim
    info.size = 1
    info.is_contiguous = True
    for i in range(ndim - 1, -1, -1):
        info.shape[i], info.strides[i] = shape[i], strides[i]
        if shape[i] != 1 and strides[i] != expected:
            info.is_contiguous = False
        expected *= shape[i]
        info.size *= shape[i]
    if info.size == 0:
        info.is_contiguous = True
    return info


cdef ShapeInfo intern_contiguous(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape):
    """The ShapeInfo of a C-ordered array without gaps.  Raises ValueError for more bytes than there are addresses."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t step = itemsize
    cdef int i
    if ndim == 0:
        return intern(itemsize, 0, NULL, NULL)
    for i in range(ndim - 1, -1, -1):
        strides[i] = step
        if multiply_overflows(step, max(shape[i], 1), &step):
            sizes = tuple([shape[axis] for axis in range(ndim)])
            raise ValueError(f"shape {sizes} has more elements than memory can address (2^63 bytes)")
    return intern(itemsize, ndim, shape, strides)


cdef int parse_shape(object shape, Py_ssize_t* out) except -1:
    """Read a shape, an int or a sequence of ints, into `out`; returns its length.

    Raises TypeError for other things, ValueError for negative sizes, too many dimensions, or more than 2^63 - 1 bytes.
    """
    cdef int ndim = 0
    cdef Py_ssize_t total = 16           # no element is larger
    if type(shape) is int:
        sizes = (shape,)
    elif type(shape) is tuple and all_ints(<tuple>shape):
        sizes = <tuple>shape
    else:
        sizes = indices_of(shape)
    if len(sizes) > MAX_NDIM:
        raise ValueError(f"an array has at most {MAX_NDIM} dimensions, given {len(sizes)}")
    for size in sizes:
        if size < 0:
            raise ValueError(f"sizes must not be negative, given shape {sizes}")
        if size > LARGEST or (size and total > LARGEST // <Py_ssize_t>size):
            raise ValueError(f"shape {sizes} has more elements than memory can address (2^63 bytes)")
        out[ndim] = size
        ndim += 1
        total *= max(out[ndim - 1], 1)
    return ndim


cdef bint all_ints(tuple sizes) noexcept:
    for size in sizes:
        if type(size) is not int:
            return False
    return True


cdef tuple indices_of(object shape):
    """The sizes of anything that is an int or a sequence of ints, such as an array of them."""
    try:
        return (operator.index(shape),) if is_whole(shape) else tuple(map(operator.index, shape))
    except TypeError:
        raise TypeError(f"shape must be an int or a sequence of ints, given {shape!r}") from None


cpdef int normalize_axis(object axis: SupportsIndex, int ndim) except -1:
    """`axis` counted from the front.  Raises TypeError or ValueError."""
    if type(axis) is not int:
        try:
            axis = operator.index(axis)
        except TypeError:
            raise TypeError(f"axis must be an int, given {axis!r}") from None
    if not -ndim <= axis < ndim:
        raise AxisError(f"axis {axis} is out of range for an array of {ndim} dimension{'s' * (ndim != 1)}")
    cdef int number = axis
    return number + ndim if number < 0 else number


def shape_cache_statistics() -> tuple[int, int, int, int]:
    """(hits, misses, entries, capacity) of the ShapeInfo cache."""
    return n_hits, n_misses, n_held, N_SETS * N_WAYS


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


cdef ShapeInfo other_itemsize(ShapeInfo info, Py_ssize_t itemsize):
    """As `with_itemsize`, of a size that `info` has not been asked for lately."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef ShapeInfo other
    cdef int i
    if info.is_contiguous:
        other = intern_contiguous(itemsize, info.ndim, info.shape)
    else:
        for i in range(info.ndim):
            strides[i] = info.strides[i] // info.itemsize * itemsize
        other = intern(itemsize, info.ndim, info.shape, strides)
    if FREE_THREADS:                     # what one thread knows may go while another reads it
        return other
    if itemsize == 1:
        know_bytewise(info, other)
    elif info.itemsize == 1:
        know_bytewise(other, info)
        info.latest = <PyObject*>other
    return other


cdef int know_bytewise(ShapeInfo info, ShapeInfo bytewise) except -1:
    """Hold a layout of bytes.  The one that was held before, made again since the cache forgot it, is told to forget
    `info`: no other would when `info` goes."""
    if info.bytewise is not None and info.bytewise.latest == <PyObject*>info:
        info.bytewise.latest = NULL
    info.bytewise = bytewise
    return 0


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
