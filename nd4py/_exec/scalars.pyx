"""Python scalars as operands: weak, they take the dtype of the arrays beside them."""

from cpython.bool cimport PyBool_Check
from cpython.float cimport PyFloat_Check
from cpython.long cimport PyLong_Check
from nd4py.cpu.isa cimport loops

from .._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER
from .._spec.ops import ALL

cdef int BOOL = NUMBER["bool"], INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"], FLOAT64 = NUMBER["float64"]
cdef int FLOAT = NUMBER[DEFAULT_FLOAT], INT = NUMBER[DEFAULT_INT]
cdef list kinds = [row.kind for row in DTYPES]
cdef list limits = [
    (0, 1) if row.kind == "bool" else (-(2 ** (8 * row.itemsize - 1)), 2 ** (8 * row.itemsize - 1) - 1)
    if row.kind == "signed integer" else (0, 2 ** (8 * row.itemsize) - 1)
    for row in DTYPES
]


cdef bint is_scalar(object item) noexcept:
    """Whether `item` is a Python bool, int or float (NumPy's float64 is one)."""
    return PyFloat_Check(item) or PyLong_Check(item)


cdef int scalar_number(object item) noexcept:
    """The dtype a Python scalar has where no array gives it one."""
    return FLOAT if PyFloat_Check(item) else (BOOL if PyBool_Check(item) else INT)


cdef int check_scalar(int op, object item, int number) except -1:
    """Raises TypeError for a scalar of a kind above the dtype's, OverflowError for an int outside its range."""
    kind = kinds[number]
    if PyBool_Check(item) or kind == "real floating":
        return 0
    if PyFloat_Check(item) or kind == "bool":
        raise TypeError(
            f"{ALL[op].name}: the scalar {item!r} does not fit {DTYPES[number].name}; convert the array first"
        )
    low, high = limits[number]
    if not low <= item <= high:
        raise OverflowError(f"{ALL[op].name}: {item} is outside the range of {DTYPES[number].name} [{low}, {high}]")
    return 0


cdef int store_scalar(object item, int number, char* to) except -1:
    """Write a checked scalar as an element of dtype `number`."""
    cdef double real
    cdef long long whole
    cdef unsigned long long natural
    if kinds[number] == "real floating":
        real = item
        loops().cast[FLOAT64][number](<char*>&real, 0, to, 0, 1)
    elif number == UINT64:
        natural = item
        loops().cast[UINT64][number](<char*>&natural, 0, to, 0, 1)
    else:
        whole = item
        loops().cast[INT64][number](<char*>&whole, 0, to, 0, 1)
    return 0
