"""The table of operations as C arrays, for dispatch."""

from nd4py.cpu.isa.isa cimport loops

from ..._spec.costs import PICOSECONDS, PICOSECONDS_PER_BYTE
from ..._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER, promote
from ..._spec.ops import ALL

RESULTS = {"same": SAME, "bool": BOOL, "total": TOTAL, "real": REAL_PART, "index": INDEX}
NUMBERS = {op.name: number for number, op in enumerate(ALL)}
cdef int DEFAULT_INDEX = NUMBER[DEFAULT_INT], DEFAULT_FLOATING = NUMBER[DEFAULT_FLOAT]
cdef int FIRST_FLOAT = [row.kind for row in DTYPES].index("real floating")

shortcuts = {}

for position, op in enumerate(ALL):
    rows[position].n_in = len(op.args)
    rows[position].n_out = len(op.outputs)
    rows[position].n_params = len(op.params)
    rows[position].condition = op.args.index("condition") if "condition" in op.args else -1
    rows[position].has_shortcuts = bool(op.when_scalar)
    shortcuts[position] = {scalar: NUMBERS[name] for scalar, name in op.when_scalar.items()}
    rows[position].result = RESULTS[op.result]
    measured = PICOSECONDS.get(op.name, {})
    moved = PICOSECONDS_PER_BYTE * (len(op.args) + len(op.outputs))
    for i, dtype in enumerate(DTYPES):
        costs[position][i] = measured.get(dtype.compute, moved * dtype.itemsize) / 1000
for i, left in enumerate(DTYPES):
    compute[i] = NUMBER[left.compute]
    total[i] = NUMBER[left.total]
    real_part[i] = NUMBER[left.real]
    for j, right in enumerate(DTYPES[:i + 1]):
        promoted[i][j] = promoted[j][i] = NUMBER.get(promote(left.name, right.name), -1)


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


def row_number(name: str) -> int:
    """The number of the row called `name`."""
    return NUMBERS[name]
