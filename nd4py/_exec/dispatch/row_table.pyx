"""The table of operations as C arrays: what dispatch and chains look up of rows and dtypes."""

from libc.string cimport memcpy

from ..._spec.dtypes import DEFAULT_INT, NUMBER
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
cdef int DEFAULT_INDEX = NUMBER[DEFAULT_INT], BOOL_NUMBER = NUMBER["bool"]
cdef int FLOAT32 = NUMBER["float32"], FLOAT64 = NUMBER["float64"]
shortcuts = {
    number: {scalar: NUMBERS[name] for scalar, name in op.when_scalar.items()}
    for number, op in enumerate(ALL) if op.when_scalar
}
for number, op in enumerate(ALL):
    bool_rows[number] = NUMBERS[op.when_bool] if op.when_bool else -1


cdef int number_of_result(int result, int number) noexcept:
    """The dtype of what a row makes of operands of dtype `number`."""
    if result == SAME:
        return number
    if result == BOOL:
        return BOOL_NUMBER
    if result == REAL_PART:
        return TABLE_REAL_PART[number]
    return TABLE_TOTAL[number] if result == TOTAL else DEFAULT_INDEX


cdef void copy_rows() noexcept:
    """What others look up, from what is compiled into this module."""
    cdef int i, number
    cdef const TableRow* row
    for i in range(N_ROWS):
        row = &TABLE_ROWS[i]
        rows[i] = Row(
            n_in=row.n_in, n_out=row.n_out, n_params=row.n_params, has_shortcuts=row.has_shortcuts,
            condition=row.condition, result=<Result>row.result, is_cheap=row.is_cheap,
        )
        memcpy(costs[i], TABLE_COSTS[i], sizeof(TABLE_COSTS[i]))
        for number in range(N_DTYPES):
            result_numbers[i][number] = number_of_result(row.result, number)
            fused_rows[i][number] = row.fused_row if number == FLOAT32 or number == FLOAT64 else NOT_FUSED


cdef void copy_dtypes() noexcept:
    """The same of dtypes."""
    cdef int i
    for i in range(N_DTYPES):
        memcpy(promoted[i], TABLE_PROMOTED[i], sizeof(TABLE_PROMOTED[i]))
    memcpy(compute, TABLE_COMPUTE, sizeof(TABLE_COMPUTE))


copy_rows()
copy_dtypes()


def row_number(name: str) -> int:
    """The number of the row called `name`."""
    return NUMBERS[name]
