"""Parts of the loop table: rows that are compiled together, apart from all others.

Design: a row's text stands in the functors of its own part alone, so a changed row has its part compiled anew and no
other; and parts are compiled side by side.  Each tells by a hash of its own whether it was built from these rows.
"""

from __future__ import annotations

from .. import dtypes
from ..fingerprint import fingerprint
from ..op import Op
from ..ops import LOOPS, OPS
from .row_render import (
    CHOICES,
    COMPILED,
    LICENCE,
    digest,
    dtypes_hash,
    entry,
    functors,
    fused_numbers,
    fused_rows,
    is_join,
)

# Families whose loops are made of the dtypes alone.
WITHOUT_ROWS = ("normalize", "move", "conv", "product", "sort", "recurrent", "attention")
WRITTEN = frozenset(op.name for op in OPS)  # by hand; the other rows are gradients of these


def part_of(op: Op) -> str:
    """The part that a row is compiled in."""
    if op.family == "reduce" and any(
        row.merge in CHOICES for row in LOOPS if row.name in (op.name, *op.same_as.values())
    ):
        return "reduce_choices"
    if op.family == "reduce" and not is_join(op) and not op.same_as:
        return "reduce_steps"
    if op.family != "map":
        return op.family
    if op.name not in WRITTEN:
        return "map_gradients"
    return "map_functions" if op.is_costly else "map"


# Numbers of rows, in their order, by part.
PARTS: dict[str, list[int]] = {}
for _number, _op in enumerate(LOOPS):
    PARTS.setdefault(part_of(_op), []).append(_number)


def is_fused_join(op: Op) -> bool:
    """Whether a pass of several cheap rows may end in a reduction."""
    return op.family == "reduce" and is_join(op)


def part_hash(part: str) -> str:
    """Identifies the rows that a part is compiled from: loops and drivers refuse to work together when theirs differ.

    Where rows stand in the whole table does not matter to their loops.
    """
    rows = [[getattr(LOOPS[row], column) for column in COMPILED] for row in PARTS[part]]
    gradients = [LOOPS[row].vjp for row in PARTS[part] if part == "scan"]
    runs = fused_numbers() if part == "reduce" else {}
    joined = [(op.name, runs[op.name], op.expr) for op in LOOPS if op.name in runs]
    joined += [(op.name, -1, op.merge) for op in LOOPS if part == "reduce" and is_fused_join(op)]
    return digest((rows, gradients, joined, dtypes.DTYPES))


def part_functors(part: str) -> str:
    """The header of a part's functors.

    The reductions know the rows of chains by name (`fused_rows`), so those are declared there.  No others are: a row
    that is added leaves the headers of other parts as they are.
    """
    own = {LOOPS[row].name for row in PARTS[part]}
    known = [op.name for op in LOOPS if op.name in fused_numbers() or is_fused_join(op)]
    if part == "reduce":  # which also has the passes of several cheap rows
        own |= set(known)
    declared = " ".join(f"struct op_{name};" for name in known if name not in own and part.startswith("reduce"))
    return functors([op for op in LOOPS if op.name in own], declared)


def part_table(part: str) -> str:
    """ROWS[row of the part][dtype]."""
    rows = "".join(
        f"  {{{', '.join(entry(LOOPS[row], dtype) for dtype in dtypes.DTYPES)}}},  // {LOOPS[row].name}\n"
        for row in PARTS[part]
    )
    return f'{LICENCE}#define ND_TABLE_HASH "{part_hash(part)}"\nconst RowLoops ROWS[] = {{\n{rows}}};\n'


def part_headers() -> dict[str, str]:
    """What is compiled from the rows, by the header's name."""
    headers = {"fused_rows": fused_rows()}
    for part in PARTS:
        headers[f"{part}_functors"] = part_functors(part)
        headers[f"{part}_table"] = part_table(part)
    return headers


def list_of_parts(tables: dict[str, str]) -> str:
    """The header that says which modules of loops there are, of which hash, and where the rows of each belong.

    tables: hashes of families whose loops make a table of their own
    """
    numbers = "".join(f"static const short {part}_rows[] = {{{', '.join(map(str, PARTS[part]))}}};\n" for part in PARTS)
    hashes = {part: (part_hash(part), len(PARTS[part]), f"{part}_rows") for part in PARTS}
    hashes |= {family: (tables.get(family) or dtypes_hash(), 0, "nullptr") for family in WITHOUT_ROWS}
    parts = "".join(f'  {{"{family}", "{hash_}", {n}, {rows}}},\n' for family, (hash_, n, rows) in hashes.items())
    return (
        f'{LICENCE}#define ND_TABLES "{fingerprint()}"\n{numbers}'
        "static const struct LoopPart { const char* family; const char* hash; int n_rows; const short* rows; } "
        f"LOOP_PARTS[] = {{\n{parts}}};\nenum {{ N_LOOP_PARTS = {len(hashes)} }};\n"
    )
