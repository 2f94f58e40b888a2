"""Promotion: the dtype and shape that operands have in common: arrays, Python's scalars, which are weak, or NumPy's."""

import operator
import sys
from collections import deque

import numpy

from cpython.bool cimport PyBool_Check
from cpython.complex cimport PyComplex_Check
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_Check
from cpython.object cimport PyTypeObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport fields, is_array, is_deferred, materialized
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.dispatch.row_table cimport MAX_ROWS, bool_rows, compute, promoted, rows
from nd4py.cpu.isa.isa cimport loops

from ..._core.array.array_type import ArrayType
from ..._core.array.released import type_name
from ..._core.devices import backends
from ..._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER
from ..._spec.ops import ALL
from .row_table import row_number

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)
    bint PyObject_TypeCheck(object x, PyTypeObject* kind) noexcept

cdef PyTypeObject* array_type = <PyTypeObject*>ArrayType
cdef int BOOL = NUMBER["bool"], INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"], FLOAT64 = NUMBER["float64"]
cdef int COMPLEX128 = NUMBER["complex128"]
cdef object LARGEST_WHOLE = int(sys.float_info.max)
cdef int FLOAT = NUMBER[DEFAULT_FLOAT], INT = NUMBER[DEFAULT_INT], COMPLEX = NUMBER[DEFAULT_COMPLEX]
cdef dict RANKS = {
    "bool": LOGICAL, "signed integer": WHOLE, "unsigned integer": WHOLE, "real floating": REAL,
    "complex floating": PAIR,
}
cdef list limits = [
    (0, 1) if row.kind == "bool" else (-(2 ** (8 * row.itemsize - 1)), 2 ** (8 * row.itemsize - 1) - 1)
    if row.kind == "signed integer" else (0, 2 ** (8 * row.itemsize) - 1)
    for row in DTYPES
]
cdef long long lowest[16]                # of whole numbers; the range is empty for dtypes that plain ints do not enter
cdef long long highest[16]
cdef int sizes[16]
cdef int FIRST_FLOAT = [row.kind for row in DTYPES].index("real floating")
cdef tuple FOREIGN = (numpy.ndarray, numpy.generic)
cdef tuple CONVERTED = (*FOREIGN, list, tuple, range, deque)
cdef dict scalar_kinds = {}              # by the types of NumPy's scalars

for position, row in enumerate(DTYPES):
    ranks[position] = RANKS[row.kind]
    sizes[position] = row.itemsize
    lowest[position], highest[position] = 1, 0
    if ranks[position] == WHOLE:
        lowest[position], highest[position] = limits[position][0], min(limits[position][1], 2 ** 63 - 1)
    pair_of[position] = NUMBER[DEFAULT_COMPLEX if row.real == DEFAULT_FLOAT else next(
        other.name for other in DTYPES if other.kind == "complex floating"
    )]


# Rows that compare, by their operators: whether they hold where the left operand is less, and where it is greater.
cdef enum:
    LESS = 1
    GREATER = 2
cdef dict TRUTHS = {"eq": 0, "ne": LESS | GREATER, "lt": LESS, "le": LESS, "gt": GREATER, "ge": GREATER}
cdef int truths[MAX_ROWS]
cdef int EQUAL = row_number("equal"), NOT_EQUAL = row_number("not_equal")
cdef int LOGICAL_AND = row_number("logical_and"), LOGICAL_OR = row_number("logical_or")

for position, row in enumerate(ALL):
    truths[position] = TRUTHS.get(row.operator, 0)
    has_stand_in[position] = row.operator in TRUTHS or bool_rows[position] >= 0 or row.is_composed
    is_composed[position] = row.is_composed


# Scalars.


cdef bint is_scalar(object item) noexcept:
    """Whether `item` is a Python bool, int, float or complex (NumPy's float64 and complex128 are two)."""
    return PyFloat_Check(item) or PyLong_Check(item) or PyComplex_Check(item)


cdef object adopt(object item):
    """NumPy's arrays and scalars as arrays over the same memory, lists and tuples as new ones, deferred arrays with
    their values; anything else, Python's scalars too, as it is."""
    if type(item) is NDArray:
        return item
    if is_deferred(item):
        return materialized(item)
    if is_subclassed(item):
        return adopt(item._plain)
    return upcalls.asarray(item) if isinstance(item, CONVERTED) and not is_scalar(item) else item


cdef bint is_subclassed(object item) noexcept:
    """Whether `item` is an array of a class that a program derived from `nd4py.ndarray`."""
    return type(item) is not NDArray and PyObject_TypeCheck(<object>Py_TYPE(item), array_type)


cdef object plain_scalar(object item):
    """A bool, integer or floating number of NumPy as the Python scalar it stands for; anything else as it is."""
    kind = scalar_kinds.get(type(item))
    if kind is None:
        if not isinstance(item, FOREIGN[1]):
            return item
        kind = scalar_kinds[type(item)] = kind_of(item)
    if kind == "f":
        return float(item)
    if kind == "i" or kind == "u":
        return operator.index(item)
    return bool(item) if kind == "b" else item


cdef str kind_of(object item):
    """The letter of a NumPy scalar's kind; none for floats that Python's do not hold."""
    return item.dtype.kind if item.dtype.itemsize <= 8 else ""


cdef object no_operand(int op, int k, object item):
    """The error for an operand that is neither array nor scalar."""
    return TypeError(
        f"{ALL[op].name}: {ALL[op].args[k]} must be an nd4py array or a Python scalar, "
        f"given {type_name(item)}; convert it with asarray"
    )


cdef Rank scalar_rank(object item) noexcept:
    if PyFloat_Check(item):
        return REAL
    if PyComplex_Check(item):
        return PAIR
    return LOGICAL if PyBool_Check(item) else WHOLE


cdef int scalar_number(object item) noexcept:
    """The dtype a Python scalar has where no array gives it one."""
    cdef Rank rank = scalar_rank(item)
    return BOOL if rank == LOGICAL else INT if rank == WHOLE else FLOAT if rank == REAL else COMPLEX


cdef int weak_number(int number, object item) noexcept:
    """The dtype that an array of dtype `number` and a Python scalar promote to: the array's unless the scalar's kind
    is higher."""
    cdef Rank rank = scalar_rank(item)
    if rank <= ranks[number]:
        return number
    return pair_of[number] if rank == PAIR and ranks[number] == REAL else scalar_number(item)


cdef str caller(int op):
    """What takes the scalar, for messages: an operation, or -1 for an assignment."""
    return ALL[op].name if op >= 0 else "assignment"


cdef int check_scalar(int op, object item, int number) except -1:
    """Raises TypeError for a scalar of a kind above the dtype's, OverflowError for an int outside its range."""
    if scalar_rank(item) > ranks[number]:
        raise TypeError(
            f"{caller(op)}: the scalar {item!r} does not fit {DTYPES[number].name}; convert the array first"
        )
    if ranks[number] > WHOLE:
        if PyLong_Check(item) and not -LARGEST_WHOLE <= item <= LARGEST_WHOLE:
            raise OverflowError(
                f"{caller(op)}: an int of {item.bit_length()} bits is outside the range of {DTYPES[number].name}"
            )
        return 0
    low, high = limits[number]
    if not low <= item <= high:
        raise OverflowError(f"{caller(op)}: {item} is outside the range of {DTYPES[number].name} [{low}, {high}]")
    return 0


cdef object as_kind_of(object item, int number):
    """A scalar as a number that a dtype holds, which NumPy assigns in its place: what stands before the point among
    integers, and among bools whether it is other than 0.

    Raises TypeError for a complex number among real ones, ValueError for NaN and OverflowError for an infinity among
    integers.
    """
    cdef Rank rank = scalar_rank(item)
    if ranks[number] == LOGICAL:
        return bool(item)
    if rank <= ranks[number]:
        return item
    if rank == PAIR:
        raise TypeError(f"assignment: the scalar {item!r} does not fit {DTYPES[number].name}; take its real part")
    if item != item:
        raise ValueError(f"assignment: NaN is no {DTYPES[number].name}; replace it first, as by nan_to_num")
    if item - item != 0:
        low, high = limits[number]
        raise OverflowError(
            f"assignment: {item!r} is outside the range of {DTYPES[number].name} [{low}, {high}]"
        )
    return int(item)


def check_kind(str name, int given, int number, bint is_converted) -> None:
    """Raises TypeError for values of dtype `given` where elements of dtype `number` take none of their kind: where
    values are converted, as assignments convert them, that is complex ones, else any of a higher kind."""
    if ranks[given] <= ranks[number] or (is_converted and (ranks[given] != PAIR or ranks[number] == LOGICAL)):
        return
    values, dtype = DTYPES[given].name, DTYPES[number].name
    remedy = "take values.real" if ranks[given] == PAIR else f"convert first, values.astype('{dtype}')"
    raise TypeError(f"{name}: {values} values do not fit {dtype}; {remedy}")


cdef bint store_plain_scalar(object item, int number, char* to) noexcept:
    """Write a Python float or int as an element of dtype `number`; false where that needs a check or a conversion."""
    cdef int overflow = 0
    cdef long long whole = 0
    if type(item) is int:
        whole = PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow:
            return False
    elif not PyFloat_Check(item) or ranks[number] != REAL:
        return False
    if ranks[number] == REAL:
        if number == FLOAT64:
            (<double*>to)[0] = <double>whole if type(item) is int else PyFloat_AS_DOUBLE(item)
        else:
            (<float*>to)[0] = <float>(<double>whole if type(item) is int else PyFloat_AS_DOUBLE(item))
        return True
    if not lowest[number] <= whole <= highest[number]:
        return False
    if sizes[number] == 8:
        (<int64_t*>to)[0] = whole
    elif sizes[number] == 4:
        (<int32_t*>to)[0] = <int32_t>whole
    elif sizes[number] == 2:
        (<int16_t*>to)[0] = <int16_t>whole
    else:
        (<int8_t*>to)[0] = <int8_t>whole
    return True


cdef int store_operand(object item, int number, char* element) except -1:
    """As `store_scalar`, of a number among bools its truth."""
    return store_scalar(bool(item) if number == BOOL else item, number, element)


cdef int store_scalar(object item, int number, char* to) except -1:
    """Write a checked scalar as an element of dtype `number`."""
    cdef double parts[2]
    cdef long long whole
    cdef unsigned long long natural
    if ranks[number] == PAIR:
        value = complex(item)
        parts[0], parts[1] = value.real, value.imag
        loops.cast[COMPLEX128][number](<char*>parts, 0, to, 0, 1)
    elif ranks[number] == REAL:
        parts[0] = item
        loops.cast[FLOAT64][number](<char*>parts, 0, to, 0, 1)
    elif number == UINT64:
        natural = item
        loops.cast[UINT64][number](<char*>&natural, 0, to, 0, 1)
    else:
        whole = item
        loops.cast[INT64][number](<char*>&whole, 0, to, 0, 1)
    return 0


# Dtypes and shapes.


cdef int common_number(int op, int left, int right) except -1:
    """The dtype two operands promote to.  Raises TypeError where there is none."""
    cdef int number = promoted[left][right]
    if number < 0:
        raise TypeError(
            f"{ALL[op].name}: {DTYPES[left].name} and {DTYPES[right].name} have no common dtype; "
            f"convert one of them, such as x.astype({max(DTYPES[left].name, DTYPES[right].name, key=rank)!r})"
        )
    return number


def rank(name: str) -> int:
    """How far to the right a dtype stands in the promotion order."""
    return NUMBER[name]


cdef int computed_number(int op, int number) except -1:
    """The dtype that operands of dtype `number` are computed in: their own, or the default float where the row takes
    floats alone.  Raises TypeError where the row has neither."""
    if loops.rows[op][compute[number]] != NULL:
        return number
    if number < FIRST_FLOAT and loops.rows[op][INT] == NULL and loops.rows[op][FLOAT] != NULL:
        return FLOAT
    return raise_no_loop(op, number)


cdef int raise_no_loop(int op, int number) except -1:
    name = DTYPES[number].name
    types = ALL[op].types
    target = next((row.name for row in DTYPES if row.name in types and row.kind == "real floating"), types[0])
    remedy = f"convert first, x.astype({target!r})"
    if DTYPES[number].kind == "complex floating":
        remedy = "complex numbers have no order; take nd4py.real(x) or nd4py.abs(x)"
    raise TypeError(f"{ALL[op].name}: no {name} loop (it has {', '.join(types)}); {remedy}")


cdef int promote_operands(int op, tuple operands) except -1:
    """The dtype that the operands of a row promote to, halves included."""
    cdef int number = -1, k
    for k in range(rows[op].n_in):
        item = operands[k]
        if not is_array(item) and not is_scalar(item):
            raise no_operand(op, k, item)
        if is_array(item) and k != rows[op].condition:
            number = fields(item).number if number < 0 else common_number(op, number, fields(item).number)
    for k in range(rows[op].n_in):
        if not is_array(operands[k]) and k != rows[op].condition:
            number = weak_number(number, operands[k]) if number >= 0 else scalar_number(operands[k])
    number = computed_number(op, number)
    for k in range(rows[op].n_in):
        if not is_array(operands[k]) and k != rows[op].condition:
            check_scalar(op, operands[k], number)
    return number


cdef object stand_in(int op, object left, object right, int left_number, int right_number):
    """(row, operands) of what runs in place of a row of `has_stand_in`; None where the row itself does.

    left_number, right_number: the dtype of an operand that is an array, else -1.
    Two bools are added as `logical_or` joins them, and one is its own magnitude, `logical_or` with itself.  A Python
    int that the dtype of whole numbers has no room for is less than all of them, or greater: the array is compared with
    itself to the same result.  Whole numbers with and without signs that have no common dtype are compared where the
    one with signs is not negative.  Complex numbers are ordered by their parts.
    """
    if is_composed[op] and (is_complex(left, left_number) or is_complex(right, right_number)):
        name, operands = upcalls.row_of_complex(ALL[op].name, left, right)
        return row_number(name), operands
    if bool_rows[op] >= 0:
        if is_bool(left, left_number) and is_bool(right, right_number):
            return bool_rows[op], (left, right)
        return None
    if left_number >= 0 and right_number >= 0:
        return mixed_comparison(op, left, right, left_number, right_number)
    cdef bint is_left = left_number >= 0
    cdef int number = left_number if is_left else right_number
    cdef object item = right if is_left else left
    if number < 0 or ranks[number] != WHOLE or not PyLong_Check(item) or PyBool_Check(item):
        return None
    low, high = limits[number]
    if low <= item <= high:
        return None
    cdef bint array_is_less = item > high
    holds = (LESS if array_is_less == is_left else GREATER) & truths[op]
    return EQUAL if holds else NOT_EQUAL, (left if is_left else right,) * 2


cdef object mixed_comparison(int op, object left, object right, int left_number, int right_number):
    """The stand-in for a comparison of arrays of whole numbers without a common dtype; None for other dtypes."""
    if ranks[left_number] != WHOLE or ranks[right_number] != WHOLE or promoted[left_number][right_number] >= 0:
        return None
    cdef bint is_left = limits[left_number][0] < 0
    with_signs = left if is_left else right
    functions = upcalls.functions
    without = functions["astype"](with_signs, DTYPES[right_number if is_left else left_number].name)
    rest = functions[ALL[op].name](*((without, right) if is_left else (left, without)))
    if truths[op] & (LESS if is_left else GREATER):
        return LOGICAL_OR, (functions["less"](with_signs, 0), rest)
    return LOGICAL_AND, (functions["greater_equal"](with_signs, 0), rest)


cdef inline bint is_bool(object item, int number) noexcept:
    """Whether an operand, of dtype `number` where it is an array, is a bool."""
    return number == BOOL if number >= 0 else PyBool_Check(item)


cdef inline bint is_complex(object item, int number) noexcept:
    """Whether an operand, of dtype `number` where it is an array, is a complex number."""
    return ranks[number] == PAIR if number >= 0 else PyComplex_Check(item)


cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1:
    """The shape all operands broadcast to; returns its length."""
    cdef int ndim = 0, i, shift
    cdef NDArray array
    for item in operands:
        if is_array(item):
            ndim = max(ndim, fields(item).info.ndim)
    for i in range(ndim):
        shape[i] = 1
    for item in operands:
        if not is_array(item):
            continue
        array = fields(item)
        shift = ndim - array.info.ndim
        for i in range(array.info.ndim):
            if array.info.shape[i] == 1:
                continue
            if shape[i + shift] != 1 and shape[i + shift] != array.info.shape[i]:
                given = " and ".join([str(x.shape) for x in operands if is_array(x)])
                raise ValueError(f"{ALL[op].name}: shapes {given} do not broadcast")
            shape[i + shift] = array.info.shape[i]
    return ndim


# On devices and other backends.


cdef dict known = backends


def computed_row(int op, tuple operands, backend) -> tuple[int, tuple[Any, ...], int]:
    """(row, operands, dtype) of what runs for a map row on arrays of a backend and scalars, promoted."""
    while has_stand_in[op]:
        numbers = [backend.dtype_number(item) if type(item) in known else -1 for item in operands]
        other = stand_in(op, operands[0], operands[len(operands) - 1], numbers[0], numbers[len(numbers) - 1])
        if other is None:
            break
        op, operands = other
    return op, operands, promoted_number(op, operands, backend)


cdef int promoted_number(int op, tuple operands, object backend) except -1:
    """The dtype that operands, arrays on a device and scalars, promote to."""
    cdef int number = -1, k
    for k in range(rows[op].n_in):
        item = operands[k]
        if type(item) in known:
            if k != rows[op].condition:
                other = backend.dtype_number(item)
                number = other if number < 0 else common_number(op, number, other)
    for k in range(rows[op].n_in):
        if type(operands[k]) not in known and k != rows[op].condition:
            number = weak_number(number, operands[k]) if number >= 0 else scalar_number(operands[k])
    number = computed_number(op, number)
    for k in range(rows[op].n_in):
        if type(operands[k]) not in known and k != rows[op].condition:
            check_scalar(op, operands[k], number)
    return number
