"""The rows of an array that a short index array names, read and written at once: without a plan, threads and Python.

Design: `x[[1, 2]]` of a few elements took seven times as long when it was planned as a long one is.
"""

from libc.stdint cimport int64_t
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.array.array_base cimport mark_written
from nd4py._core.element_sizes cimport copy_element
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._core.observing.observers cimport n_observers
from nd4py._exec.copying cimport check_writable, shares
from nd4py._exec.indexing.assignment cimport store_directly
from nd4py._mem.workspace.scopes cimport n_captures

from ..._spec.dtypes import NUMBER

cdef int INT64 = NUMBER["int64"]
cdef enum:
    FEW_BYTES = 32768                    # of rows that are moved at once

cdef struct FewRows:
    const int64_t* numbers
    Py_ssize_t n
    Py_ssize_t n_bytes                   # of each
    int ndim
    Py_ssize_t shape[MAX_NDIM]


cdef bint are_few_rows(FewRows* rows, object given, object key) noexcept:
    """Whether a key is a short array of int64 that names rows of an array without gaps, all of them within it.

    False too where operations are recorded or observed.
    """
    cdef NDArray x, index
    cdef int axis
    cdef Py_ssize_t i
    if type(given) is not NDArray or type(key) is not NDArray or n_captures or n_observers:
        return False
    x, index = <NDArray>given, <NDArray>key
    rows.ndim = index.info.ndim + x.info.ndim - 1
    if index.number != INT64 or x.info.ndim == 0 or index.info.ndim == 0 or rows.ndim > MAX_NDIM or x.node is not None:
        return False
    if not (x.info.is_contiguous and index.info.is_contiguous and x.info.size and index.info.size):
        return False
    cdef int64_t n_rows = x.info.shape[0]
    rows.numbers, rows.n = <const int64_t*>index.data, index.info.size
    rows.n_bytes = x.info.itemsize * (x.info.size // n_rows)
    if rows.n > FEW_BYTES // rows.n_bytes:
        return False
    for axis in range(index.info.ndim):
        rows.shape[axis] = index.info.shape[axis]
    for axis in range(1, x.info.ndim):
        rows.shape[axis + index.info.ndim - 1] = x.info.shape[axis]
    for i in range(rows.n):
        if not -n_rows <= rows.numbers[i] < n_rows:
            return False
    return True


cdef inline int64_t from_front(int64_t number, Py_ssize_t n_rows) noexcept:
    """The number of a row, counted from the first one; without a branch, which random signs would make slow."""
    return number + (n_rows if number < 0 else 0)


cdef inline char* row_at(const FewRows* rows, Py_ssize_t i, NDArray x) noexcept:
    """Where a row of `x` begins."""
    return x.data + rows.n_bytes * from_front(rows.numbers[i], x.info.shape[0])


cdef NDArray read_few_rows(object given, object key):
    """The rows that a key names; None where there is more to it."""
    cdef FewRows rows
    cdef NDArray y
    if not are_few_rows(&rows, given, key):
        return None
    y = new_array((<NDArray>given).number, rows.ndim, rows.shape)
    read_rows(&rows, <NDArray>given, y.data)
    return y


cdef void read_rows(const FewRows* rows, NDArray x, char* y) noexcept:
    """Copy the rows.  Of sizes that are known a copy is one instruction, and the size is looked at once."""
    cdef const int64_t* numbers = rows.numbers
    cdef const char* data = x.data
    cdef Py_ssize_t n_rows = x.info.shape[0], n_bytes = rows.n_bytes, i
    if n_bytes == 1:
        for i in range(rows.n):
            y[i] = data[from_front(numbers[i], n_rows)]
    elif n_bytes == 2:
        for i in range(rows.n):
            memcpy(y + i * 2, data + 2 * from_front(numbers[i], n_rows), 2)
    elif n_bytes == 4:
        for i in range(rows.n):
            memcpy(y + i * 4, data + 4 * from_front(numbers[i], n_rows), 4)
    else:
        for i in range(rows.n):
            copy_element(data + n_bytes * from_front(numbers[i], n_rows), y + i * n_bytes, n_bytes)


cdef bint write_few_rows(object given, object key, object value) except -1:
    """Write elements, or one for all, to the rows that a key names; false where there is more to it, and then nothing
    is written."""
    cdef FewRows rows
    cdef char element[16]
    cdef const char* source = element
    cdef Py_ssize_t step = 0, i
    if not are_few_rows(&rows, given, key):
        return False
    cdef NDArray x = <NDArray>given
    if shares(<NDArray>key, x):
        return False
    check_writable("assignment", x)
    if type(value) is NDArray and (<NDArray>value).info.ndim:
        if not is_beside(<NDArray>value, x, &rows):
            return False
        source, step = (<NDArray>value).data, rows.n_bytes
    elif x.info.ndim != 1 or not store_directly(value, x.number, element):
        return False
    mark_written(x)
    for i in range(rows.n):
        copy_element(source + i * step, row_at(&rows, i, x), rows.n_bytes)
    return True


cdef bint is_beside(NDArray values, NDArray x, const FewRows* rows) noexcept:
    """Whether values have the dtype and the shape of rows of `x`, lie without gaps, and elsewhere."""
    cdef int axis
    if values.number != x.number or values.node is not None or values.info.ndim != rows.ndim:
        return False
    for axis in range(rows.ndim):
        if values.info.shape[axis] != rows.shape[axis]:
            return False
    return values.info.is_contiguous and not shares(values, x)
