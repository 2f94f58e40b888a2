"""The table of operations as C arrays: what dispatch and chains look up of a row while they run."""

from __future__ import annotations

from .. import dtypes
from ..costs import PICOSECONDS, PICOSECONDS_PER_BYTE
from ..fingerprint import fingerprint
from ..op import Op
from ..ops import ALL
from .row_render import LICENCE, fused_numbers

# As `Result` in nd4py/_exec/dispatch/row_table.pxd.
RESULTS = {"same": 0, "bool": 1, "total": 2, "index": 3, "real": 4}
NOT_FUSED = -1  # as in nd4py/cpu/program/program.pxd


def dispatch_table() -> str:
    """The header with the rows, their costs, and the dtypes that follow from dtypes."""
    rows = "".join(f"  {{{', '.join(map(str, cells(op)))}}},  // {op.name}\n" for op in ALL)
    costs = "".join(f"  {{{', '.join(map(repr, nanoseconds(op)))}}},  // {op.name}\n" for op in ALL)
    return (
        f'{LICENCE}#define ND_TABLES "{fingerprint()}"\n'
        f"enum {{ N_ROWS = {len(ALL)}, N_DTYPES = {len(dtypes.DTYPES)} }};\n"
        "struct TableRow { int n_in, n_out, n_params, condition, result, fused_row, has_shortcuts, is_cheap; };\n"
        f"static const struct TableRow TABLE_ROWS[] = {{\n{rows}}};\n"
        f"static const double TABLE_COSTS[][N_DTYPES] = {{\n{costs}}};\n{dtype_tables()}"
    )


def cells(op: Op) -> list[int]:
    """The members of a `TableRow`."""
    fused = fused_numbers().get(op.name, NOT_FUSED)
    is_cheap = fused != NOT_FUSED and op.name not in PICOSECONDS
    condition = op.args.index("condition") if "condition" in op.args else -1
    sizes = (len(op.args), len(op.outputs), len(op.params))
    return [*sizes, condition, RESULTS[op.result], fused, int(bool(op.when_scalar)), int(is_cheap)]


def nanoseconds(op: Op) -> list[float]:
    """What an element of each dtype costs on one thread."""
    measured = PICOSECONDS.get(op.name, {})
    moved = PICOSECONDS_PER_BYTE * (len(op.args) + len(op.outputs))
    return [measured.get(row.compute, moved * row.itemsize) / 1000 for row in dtypes.DTYPES]


def dtype_tables() -> str:
    """The dtypes that two promote to (-1: none), and those that one is computed in, summed to, and has parts of."""
    promoted = "".join(
        f"  {{{', '.join(str(number(dtypes.promote(left.name, right.name))) for right in dtypes.DTYPES)}}},\n"
        for left in dtypes.DTYPES
    )
    columns = {
        name: ", ".join(str(number(getattr(row, column))) for row in dtypes.DTYPES)
        for name, column in (("COMPUTE", "compute"), ("TOTAL", "total"), ("REAL_PART", "real"))
    }
    lists = "".join(f"static const int TABLE_{name}[] = {{{numbers}}};\n" for name, numbers in columns.items())
    return f"static const int TABLE_PROMOTED[][N_DTYPES] = {{\n{promoted}}};\n{lists}"


def number(dtype: str | None) -> int:
    """The number of a dtype; -1 for none."""
    return -1 if dtype is None else dtypes.NUMBER[dtype]
