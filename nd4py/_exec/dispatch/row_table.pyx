"""The table of operations as C arrays, for dispatch, and the dtype and shape that operands have in common."""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport fields, is_array
from nd4py._exec.dispatch.scalars cimport check_scalar, is_scalar, no_operand, scalar_number, weak_number
from nd4py.cpu.isa.isa cimport loops

from ..._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER
from ..._spec.fingerprint import check
from ..._spec.ops import ALL

cdef extern from "dispatch_table.gen.h":
    const char* ND_TABLES
    enum:
        N_ROWS
        N_DTYPES

    cdef struct TableRow:
        int n_in, n_out, n_params, condition, result, fused_row
        bint has_shortcuts, is_cheap
    const TableRow TABLE_ROWS[N_ROWS]
    const double TABLE_COSTS[N_ROWS][N_DTYPES]
    const int TABLE_PROMOTED[N_DTYPES][N_DTYPES]
    const int TABLE_COMPUTE[N_DTYPES]
    const int TABLE_TOTAL[N_DTYPES]
    const int TABLE_REAL_PART[N_DTYPES]

check(ND_TABLES)
NUMBERS = {op.name: number for number, op in enumerate(ALL)}
cdef int DEFAULT_INDEX = NUMBER[DEFAULT_INT], DEFAULT_FLOATING = NUMBER[DEFAULT_FLOAT]
cdef int FLOAT32 = NUMBER["float32"], FLOAT64 = NUMBER["float64"]
cdef int FIRST_FLOAT = [row.kind for row in DTYPES].index("real floating")
shortcuts = {
    number: {scalar: NUMBERS[name] for scalar, name in op.when_scalar.items()}
    for number, op in enumerate(ALL) if op.when_scalar
}


cdef void copy_rows() noexcept:
    """What others look up, from what is compiled into this module."""
    cdef int i
    cdef const TableRow* row
    for i in range(N_ROWS):
        row = &TABLE_ROWS[i]
        rows[i] = Row(
            n_in=row.n_in, n_out=row.n_out, n_params=row.n_params, has_shortcuts=row.has_shortcuts,
            condition=row.condition, result=<Result>row.result, fused_row=row.fused_row, is_cheap=row.is_cheap,
        )
        memcpy(costs[i], TABLE_COSTS[i], sizeof(TABLE_COSTS[i]))


cdef void copy_dtypes() noexcept:
    """The same of dtypes."""
    cdef int i
    for i in range(N_DTYPES):
        memcpy(promoted[i], TABLE_PROMOTED[i], sizeof(TABLE_PROMOTED[i]))
    memcpy(compute, TABLE_COMPUTE, sizeof(TABLE_COMPUTE))
    memcpy(total, TABLE_TOTAL, sizeof(TABLE_TOTAL))
    memcpy(real_part, TABLE_REAL_PART, sizeof(TABLE_REAL_PART))


copy_rows()
copy_dtypes()


cdef int result_number(int op, int number) noexcept nogil:
    """The dtype of the result of `op` on operands of dtype `number`."""
    if rows[op].result == SAME:
        return number
    if rows[op].result == BOOL:
        return 0
    if rows[op].result == REAL_PART:
        return real_part[number]
    return total[number] if rows[op].result == TOTAL else DEFAULT_INDEX


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
    if loops().rows[op][compute[number]] != NULL:
        return number
    if number < FIRST_FLOAT and loops().rows[op][DEFAULT_INDEX] == NULL and loops().rows[op][DEFAULT_FLOATING] != NULL:
        return DEFAULT_FLOATING
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


cdef bint is_fused(int op, int number) noexcept:
    """Whether a row on elements of a dtype takes its place in fused runs."""
    return rows[op].fused_row >= 0 and (number == FLOAT32 or number == FLOAT64)


def row_number(name: str) -> int:
    """The number of the row called `name`."""
    return NUMBERS[name]
