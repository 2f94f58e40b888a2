"""New arrays in host memory: uninitialised, filled with one value, or with the numbers of nested lists."""

from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.object cimport PyObject
from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy, memset
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.element_sizes cimport copy_element
from nd4py._core.layout.shape cimport MAX_NDIM, parse_shape
from nd4py._exec.copying cimport new_like, write
from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.workspace.scopes cimport current_workspace, get_current, make_current, n_captures

from .._core.dtype import dtype_of
from .._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT, NUMBER

cdef int FLOAT = NUMBER[DEFAULT_FLOAT], INT = NUMBER[DEFAULT_INT], BOOL = NUMBER["bool"]
cdef enum:
    SMALL_BYTES = 65536                  # below which one thread writes zeros faster than a plan is made
cdef object noticed = None                # what gets every array that is made anew


def notice(function: Callable[[NDArray, bool], Any] | None) -> None:
    """From now on, give what `function` makes of a new array of the host in its place; None for the array itself.

    It is told whether the elements are uninitialised.
    """
    cdef Section section
    enter(&section)
    global noticed
    noticed = function


cpdef object fresh(object x, bint is_empty=False):
    """A new array of the host as who asked for it gets it."""
    return x if noticed is None else noted(x, is_empty)


cdef object noted(object x, bint is_empty):
    """The same while somebody gets them."""
    cdef Section section
    enter(&section)
    cdef object function = noticed       # which another thread may be about to replace
    return x if function is None else function(x, is_empty)


cdef NDArray host_empty(object shape, object dtype):
    """An array of uninitialised elements, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int overflow, number = FLOAT
    if dtype is not None:
        number = dtype_of(dtype).number
    if type(shape) is int:
        sizes[0] = PyLong_AsLongAndOverflow(shape, &overflow)
        if 0 <= sizes[0] <= 0x7FFFFFFF:
            return new_array(number, 1, sizes)
    return new_array(number, parse_shape(shape, sizes), sizes)


cdef NDArray host_zeros(object shape, object dtype):
    """The same of zeros."""
    return zeroed(host_empty(shape, dtype))


cdef NDArray zeroed(NDArray y):
    """An array without gaps, filled with zeros."""
    cdef Py_ssize_t n_bytes = y.info.size * y.info.itemsize
    if n_bytes <= SMALL_BYTES and not n_captures:
        memset(y.data, 0, n_bytes)
    else:
        write(y, 0)
    return y


cdef NDArray host_like(object x, object dtype):
    """An array of uninitialised elements of the shape of an array of the host, with its axes in memory in its order."""
    cdef NDArray given = <NDArray><PyObject*>x
    return new_like(given, given.number if dtype is None else dtype_of(dtype).number)


cdef NDArray host_ones(object shape, object dtype):
    """The same of ones."""
    cdef NDArray y = host_empty(shape, dtype)
    write(y, 1)
    return y


def empty(shape: Sizes, dtype: DTypeLike | None = None) -> NDArray:
    """An array of uninitialised elements in host memory, float64 by default."""
    return host_empty(shape, dtype)


def zeros(shape: Sizes, dtype: DTypeLike | None = None) -> NDArray:
    """An array of zeros in host memory, float64 by default."""
    return host_zeros(shape, dtype)


def ones(shape: Sizes, dtype: DTypeLike | None = None) -> NDArray:
    """An array of ones in host memory, float64 by default."""
    return host_ones(shape, dtype)


def made_outside(function: Callable[..., NDArray], *args) -> NDArray:
    """What a function makes of `args`, beside any workspace: what is needed only on the way to a result."""
    if get_current() == NULL:
        return function(*args)
    current = current_workspace()
    make_current(None)
    try:
        return function(*args)
    finally:
        make_current(current)


def plain_numbers(obj) -> NDArray | None:
    """The array of a Python float (float64), an int in 64 bits (int64) or a bool, or of nested lists and tuples of one
    of them, of ints with floats, or of arrays of one dtype and shape; None for anything else: other elements, other
    kinds together, ragged or empty sequences."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = 0, axis
    cdef NDArray x
    item = obj
    while type(item) is list or type(item) is tuple:
        if ndim == MAX_NDIM or len(item) == 0:
            return None
        shape[ndim] = len(item)
        item = item[0]
        ndim += 1
    cdef int number = FLOAT if type(item) is float else INT if type(item) is int else BOOL
    cdef int n_levels = ndim
    if type(item) is NDArray and ndim > 0:
        x = <NDArray>item
        if ndim + x.info.ndim > MAX_NDIM:
            return None
        number = x.number
        for axis in range(x.info.ndim):
            shape[ndim] = x.info.shape[axis]
            ndim += 1
    elif number == BOOL and type(item) is not bool:
        return None
    cdef NDArray y = read_all(obj, shape, n_levels, ndim, number)
    if y is None and number == INT:      # floats may follow
        y = read_all(obj, shape, n_levels, ndim, FLOAT)
    return y


cdef NDArray read_all(object obj, const Py_ssize_t* shape, int n_levels, int ndim, int number):
    """The array of a shape and dtype with all that the sequences hold, or None."""
    cdef NDArray y = new_array(number, ndim, shape)
    cdef char* end = y.data
    return y if read(obj, shape, n_levels, ndim, number, &end) else None


cdef bint read(object items, const Py_ssize_t* shape, int n_levels, int ndim, int number, char** end) except -1:
    """Append the numbers of sequences that are nested so many levels deep, of arrays or of numbers, at `end`; false
    where the items are not what the shape and the first number announce."""
    if n_levels == 0:
        return read_array(items, shape, ndim, number, end)
    if not (type(items) is list or type(items) is tuple) or len(items) != shape[0]:
        return False
    for item in items:
        if not (read(item, shape + 1, n_levels - 1, ndim - 1, number, end) if ndim > 1
                else read_array(item, shape + 1, 0, number, end)):
            return False
    return True


cdef bint read_array(object item, const Py_ssize_t* shape, int ndim, int number, char** end) except -1:
    """Append an array of a shape and dtype, with one axis or without gaps, or a number."""
    cdef NDArray x
    cdef Py_ssize_t i, n_bytes
    if type(item) is not NDArray:
        return ndim == 0 and (number == FLOAT or number == INT or number == BOOL) and read_number(item, number, end)
    x = <NDArray>item
    if x.number == INT and number == FLOAT and ndim == x.info.ndim == 0 and x.node is None and not n_captures:
        (<double*>end[0])[0] = <double>(<int64_t*>x.data)[0]
        end[0] += 8
        return True
    if x.number != number or x.node is not None or x.info.ndim != ndim or n_captures:
        return False
    if ndim and memcmp(x.info.shape, shape, ndim * sizeof(Py_ssize_t)) != 0:
        return False
    if x.info.is_contiguous:
        n_bytes = x.info.size * x.info.itemsize
        memcpy(end[0], x.data, n_bytes)
        end[0] += n_bytes
    elif ndim == 1:
        for i in range(shape[0]):
            copy_element(x.data + i * x.info.strides[0], end[0], x.info.itemsize)
            end[0] += x.info.itemsize
    else:
        return False
    return True


cdef inline bint read_number(object item, int number, char** end) except -1:
    """Append one number; false where it is of another kind than those of the dtype."""
    cdef int overflow = 0
    if number == BOOL:
        if type(item) is not bool:
            return False
        end[0][0] = item is True
        end[0] += 1
        return True
    if number == FLOAT and type(item) is float:
        (<double*>end[0])[0] = PyFloat_AS_DOUBLE(item)
    elif number == FLOAT:
        if type(item) is not int:
            return False
        (<double*>end[0])[0] = <double>PyLong_AsLongLongAndOverflow(item, &overflow)
    else:
        if type(item) is not int:
            return False
        (<int64_t*>end[0])[0] = PyLong_AsLongLongAndOverflow(item, &overflow)
    end[0] += 8
    return overflow == 0
