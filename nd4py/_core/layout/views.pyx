"""Views: the shape and strides that indexing, reshaping, permuting and broadcasting lead to."""

import operator
from numbers import Integral

from cpython.object cimport PyObject
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.string cimport memset
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern, intern_contiguous, normalize_axis, parse_shape

from ..._mem.sizes import shortened
from ..whole_numbers import is_whole, items, whole

cdef extern from "Python.h":
    # An int of any size, the nearest Py_ssize_t for one that is beyond; `otherwise` is NULL.
    Py_ssize_t clipped_index "PyNumber_AsSsize_t"(object number, PyObject* otherwise) except? -1

cdef enum:
    MAX_ITEMS = 2 * MAX_NDIM + 1         # of an index: every axis taken, as many new ones, an Ellipsis
    MAX_INDEX_TYPES = 64


cdef enum:                               # the kinds of items in an index
    INT = 0
    SLICE = 1
    NEW_AXIS = 2
    REST = 3                             # an Ellipsis
    ELEMENTS = 4                         # an array, a sequence or a bool: no view has it


cdef set index_types = set()             # of NumPy's integers and the like, once one was an index
cdef set array_types = set()             # of arrays, once one without dimensions was an index


cdef ShapeInfo index_info(ShapeInfo info, object key, Py_ssize_t* offset):
    """The view that ints, slices, one Ellipsis and None select, and where it starts; None for any other index.

    Raises IndexError when an index is out of range, or there are too many.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int kinds[MAX_ITEMS]
    cdef bint is_tuple = type(key) is tuple
    cdef Py_ssize_t n_items = PyTuple_GET_SIZE(key) if is_tuple else 1
    cdef int ndim = 0, axis = 0, n_rest
    cdef Py_ssize_t i
    if info.ndim > 0 and is_plain_index(key):
        offset[0] = position(info, key, 0) * info.strides[0]
        return intern(info.itemsize, info.ndim - 1, info.shape + 1, info.strides + 1)
    if not classify(info, key, kinds, &n_rest):
        return None
    offset[0] = 0
    for i in range(n_items):
        item = <object>PyTuple_GET_ITEM(key, i) if is_tuple else key
        if kinds[i] == INT:
            offset[0] += position(info, item, axis) * info.strides[axis]
            axis += 1
        elif kinds[i] == SLICE:
            slice_axis(info, item, axis, &shape[ndim], &strides[ndim], offset)
            axis += 1
            ndim += 1
        elif kinds[i] == NEW_AXIS:
            shape[ndim] = 1
            strides[ndim] = 0
            ndim += 1
        else:
            copy_axes(info, axis, axis + n_rest, shape, strides, &ndim)
            axis += n_rest
    copy_axes(info, axis, info.ndim, shape, strides, &ndim)
    return intern(info.itemsize, ndim, shape, strides)


cdef Py_ssize_t element_offset(ShapeInfo info, object key) except? -1:
    """Where the element begins that an int for each axis names; NO_ELEMENT for any other key.

    Raises IndexError when an int is out of range.
    """
    cdef Py_ssize_t offset = 0
    cdef int i
    if type(key) is not tuple:
        return position(info, key, 0) * info.strides[0] if info.ndim == 1 and is_plain_index(key) else NO_ELEMENT
    if PyTuple_GET_SIZE(key) != info.ndim:
        return NO_ELEMENT
    for i in range(info.ndim):
        item = <object>PyTuple_GET_ITEM(key, i)
        if not is_plain_index(item):
            return NO_ELEMENT
        offset += position(info, item, i) * info.strides[i]
    return offset


cdef bint names_element(object key) noexcept:
    """Whether a key that leaves no axis stands for an element, not for a view of it: it has no Ellipsis."""
    if type(key) is not tuple:
        return key is not Ellipsis
    for item in <tuple>key:
        if item is Ellipsis:
            return False
    return True


cdef bint classify(ShapeInfo info, object key, int* kinds, int* n_rest) except -1:
    """The kind of every item of an index, and the axes an Ellipsis stands for; false when it holds an array.

    Raises IndexError for too many items or a second Ellipsis.
    """
    cdef bint is_tuple = type(key) is tuple
    cdef Py_ssize_t n_items = PyTuple_GET_SIZE(key) if is_tuple else 1
    cdef Py_ssize_t i
    cdef int counts[5]
    memset(counts, 0, sizeof(counts))
    if n_items > MAX_ITEMS:
        raise IndexError(f"too many indices: {n_items} for an array of shape {info.shape_tuple}")
    for i in range(n_items):
        kinds[i] = kind_of(<object>PyTuple_GET_ITEM(key, i) if is_tuple else key)
        counts[kinds[i]] += 1
    if counts[REST] > 1:
        raise IndexError("an index may have one Ellipsis at most")
    if counts[ELEMENTS]:
        return False
    n_rest[0] = info.ndim - counts[INT] - counts[SLICE]
    if n_rest[0] < 0:
        raise IndexError(f"too many indices: {counts[INT] + counts[SLICE]} for an array of shape {info.shape_tuple}")
    if info.ndim - counts[INT] + counts[NEW_AXIS] > MAX_NDIM:
        raise IndexError(f"an array has at most {MAX_NDIM} dimensions")
    return True


cdef int kind_of(object item) except -1:
    if type(item) is int:
        return INT
    if type(item) is slice:
        return SLICE
    if item is None:
        return NEW_AXIS
    if item is Ellipsis:
        return REST
    return INT if is_index(item) else ELEMENTS


cdef inline bint is_plain_index(object item) except -1:
    """Whether `item` is an int, or of a type whose numbers were found to be indices."""
    if type(item) is int:
        return True
    if type(item) is slice:              # most of the others, without asking sets of types
        return False
    return type(item) in index_types or type(item) in array_types and item.ndim == 0 and item.dtype.kind in "iu"


cdef bint is_index(object item) except -1:
    """Whether `item` stands for one int: NumPy's integers and ours without dimensions do, bools and floats do not."""
    if is_plain_index(item):
        return True
    if isinstance(item, bool) or isinstance(item, (list, tuple)) or getattr(item, "shape", ()):
        return False
    try:
        operator.index(item)
    except TypeError:
        return False
    if "bool" in str(getattr(item, "dtype", "")):
        return False
    if isinstance(item, Integral) and len(index_types) < MAX_INDEX_TYPES:        # such a type's numbers are all alike
        index_types.add(type(item))
    elif hasattr(item, "is_attached"):   # an array of ours
        array_types.add(type(item))
    return True


cdef Py_ssize_t position(ShapeInfo info, object item, int axis) except -1:
    cdef Py_ssize_t number = clipped_index(item, NULL)
    cdef Py_ssize_t size = info.shape[axis]
    if number < -size or number >= size:
        raise IndexError(f"index {shortened(operator.index(item))} is out of range for axis {axis} of size {size}")
    return number + size if number < 0 else number


cdef void copy_axes(ShapeInfo info, int first, int last, Py_ssize_t* shape, Py_ssize_t* strides, int* ndim) noexcept:
    cdef int axis
    for axis in range(first, last):
        copy_axis(info, axis, shape, strides, ndim[0])
        ndim[0] += 1


cdef void copy_axis(ShapeInfo info, int axis, Py_ssize_t* shape, Py_ssize_t* strides, int to) noexcept:
    shape[to] = info.shape[axis]
    strides[to] = info.strides[axis]


cdef int slice_axis(ShapeInfo info, object item, int axis, Py_ssize_t* size, Py_ssize_t* stride,
                    Py_ssize_t* offset) except -1:
    cdef Py_ssize_t start = 0, stop = 0, step = 0
    PySlice_Unpack(item, &start, &stop, &step)
    size[0] = PySlice_AdjustIndices(info.shape[axis], &start, &stop, step)
    stride[0] = info.strides[axis] * step if size[0] > 1 else info.strides[axis]
    if size[0] > 0:
        offset[0] += start * info.strides[axis]
    return 0


cdef ShapeInfo reshape_info(ShapeInfo info, object shape):
    """The view with the same elements in another shape, one size of which may be -1; None when only a copy has it.

    Raises ValueError when the sizes do not fit.
    """
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = plain_sizes(shape, info.size, sizes)
    if ndim >= 0:
        if info.is_contiguous:
            return intern_contiguous(info.itemsize, ndim, sizes)
        return strided_reshape(info, ndim, sizes)
    ndim = parse_shape(complete_shape(info, shape), sizes)
    cdef Py_ssize_t total = 1
    cdef int i
    for i in range(ndim):
        total *= sizes[i]
    if total != info.size:
        raise ValueError(f"reshape: cannot give {info.size} elements of shape {info.shape_tuple} the shape {shape}")
    if info.is_contiguous:
        return intern_contiguous(info.itemsize, ndim, sizes)
    return strided_reshape(info, ndim, sizes)


cdef int plain_sizes(object shape, Py_ssize_t total, Py_ssize_t* sizes) except -2:
    """Read a tuple of a few positive ints whose product is `total`, one of which may be left out as -1.

    Returns how many, or -1 for any other shape.
    """
    cdef Py_ssize_t i, n, product = 1, left_out = -1
    if type(shape) is int:
        shape = (shape,)
    if type(shape) is not tuple:
        return -1
    n = PyTuple_GET_SIZE(shape)
    if n > MAX_NDIM:
        return -1
    for i in range(n):
        item = <object>PyTuple_GET_ITEM(shape, i)
        if type(item) is int and item == -1 and left_out < 0:
            left_out = i
            continue
        if type(item) is not int or not 0 < item <= total // product:
            return -1
        sizes[i] = item
        product *= sizes[i]
    if left_out >= 0 and total > 0 and total % product == 0:
        sizes[left_out] = total // product
        return <int>n
    return <int>n if product == total and left_out < 0 else -1


cdef object complete_shape(ShapeInfo info, object shape):
    """`shape` with a -1 replaced by the size that is left."""
    sizes = (shape,) if is_whole(shape) else items("reshape: the shape", shape)
    shape = tuple([whole("reshape: a size", size) for size in sizes])
    if -1 not in shape:
        return shape
    if shape.count(-1) > 1:
        raise ValueError(f"reshape: only one size may be -1, given {shape}")
    known = 1
    for size in shape:
        known *= 1 if size == -1 else size
    if known <= 0 or info.size % known:
        raise ValueError(f"reshape: cannot give {info.size} elements of shape {info.shape_tuple} the shape {shape}")
    return tuple([info.size // known if size == -1 else size for size in shape])


cdef ShapeInfo strided_reshape(ShapeInfo info, int ndim, Py_ssize_t* shape):
    """Match runs of old axes that lie without gaps to runs of new axes of the same size."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t old_sizes[MAX_NDIM]
    cdef Py_ssize_t old_strides[MAX_NDIM]
    cdef int n_old = 0, old = 0, new = 0, old_end, new_end, i
    cdef Py_ssize_t old_total, new_total
    for i in range(info.ndim):
        if info.shape[i] != 1:
            old_sizes[n_old] = info.shape[i]
            old_strides[n_old] = info.strides[i]
            n_old += 1
    while old < n_old and new < ndim:
        old_end, new_end = old + 1, new + 1
        old_total, new_total = old_sizes[old], shape[new]
        while old_total != new_total:
            if new_total < old_total:
                new_total *= shape[new_end]
                new_end += 1
            else:
                old_total *= old_sizes[old_end]
                old_end += 1
        for i in range(old, old_end - 1):
            if old_strides[i] != old_strides[i + 1] * old_sizes[i + 1]:
                return None
        strides[new_end - 1] = old_strides[old_end - 1]
        for i in range(new_end - 1, new, -1):
            strides[i - 1] = strides[i] * shape[i]
        old, new = old_end, new_end
    for i in range(new, ndim):
        strides[i] = info.itemsize
    return intern(info.itemsize, ndim, shape, strides)


cdef ShapeInfo transpose_info(ShapeInfo info):
    """The view with the last two axes swapped, of which there are at least two."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int i, last = info.ndim - 1
    for i in range(last - 1):
        shape[i], strides[i] = info.shape[i], info.strides[i]
    shape[last - 1], strides[last - 1] = info.shape[last], info.strides[last]
    shape[last], strides[last] = info.shape[last - 1], info.strides[last - 1]
    return intern(info.itemsize, info.ndim, shape, strides)


cdef ShapeInfo permute_info(ShapeInfo info, object axes):
    """The view with the axes in another order.  Raises ValueError unless `axes` names each axis once."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef bint is_named[MAX_NDIM]
    cdef int i, axis, n_named = 0
    cdef tuple order = axes if type(axes) is tuple else items("permute_dims: axes", axes)
    for i in range(info.ndim):
        is_named[i] = False
    for item in order:
        axis = normalize_axis(item, info.ndim)
        if n_named == info.ndim or is_named[axis]:
            n_named = -1
            break
        is_named[axis] = True
        copy_axis(info, axis, shape, strides, n_named)
        n_named += 1
    if n_named != info.ndim:
        raise ValueError(f"permute_dims: axes must name each of the {info.ndim} axes once, given {order}")
    return intern(info.itemsize, info.ndim, shape, strides)


cdef ShapeInfo diagonal_info(ShapeInfo info, int axis1, int axis2, Py_ssize_t diagonal, Py_ssize_t* start):
    """The view of x[..., i, ..., i + diagonal, ...], without the two axes and with one for i at the end, and where it
    starts, in bytes.

    Raises ValueError for an axis out of range or given twice.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int first = normalize_axis(axis1, info.ndim), second = normalize_axis(axis2, info.ndim), ndim = 0, i
    if first == second:
        raise ValueError(f"diagonal: the axes must differ, given {axis1} and {axis2} of {info.ndim} dimensions")
    for i in range(info.ndim):
        if i != first and i != second:
            copy_axis(info, i, shape, strides, ndim)
            ndim += 1
    cdef Py_ssize_t rows = info.shape[first] + min(diagonal, 0), columns = info.shape[second] - max(diagonal, 0)
    shape[ndim] = max(min(rows, columns), 0)
    strides[ndim] = info.strides[first] + info.strides[second]
    start[0] = 0
    if shape[ndim] > 0:
        start[0] = max(diagonal, 0) * info.strides[second] - min(diagonal, 0) * info.strides[first]
    return intern(info.itemsize, ndim + 1, shape, strides)


cdef ShapeInfo broadcast_info(ShapeInfo info, int ndim, const Py_ssize_t* shape):
    """The view repeated, by strides of 0, to a larger shape.  Raises ValueError when sizes other than 1 differ."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int missing = ndim - info.ndim
    cdef int i
    if missing < 0:
        raise ValueError(f"cannot broadcast shape {info.shape_tuple} to {tuple([shape[i] for i in range(ndim)])}")
    for i in range(ndim):
        if i < missing or info.shape[i - missing] != shape[i]:
            strides[i] = 0
            if i >= missing and info.shape[i - missing] != 1:
                raise ValueError(
                    f"cannot broadcast shape {info.shape_tuple} to {tuple([shape[i] for i in range(ndim)])}"
                )
        else:
            strides[i] = info.strides[i - missing]
    return intern(info.itemsize, ndim, shape, strides)
