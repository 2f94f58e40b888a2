"""The table of dtypes.  A row has every name that a dtype goes by, and the rules that follow from its kind.

A row's position is its number: the loop tables, the casts and the arrays all count in this order.
Half types load to and store from their compute type, float32: within a loop of their own where `Op.has_half_loop` says
so and the processor converts halves, else tile by tile.
"""

from __future__ import annotations

from typing import NamedTuple


class DTypeRow(NamedTuple):
    """One element type.  `itemsize` is in bytes; `buffer` is its struct format ("" where none exists)."""

    name: str
    kind: str  # "bool" | "signed integer" | "unsigned integer" | "real floating" | "complex floating"
    itemsize: int
    cpp: str  # C++ and CUDA type it is stored as
    compute: str  # dtype its loops compute in
    accumulate: str  # dtype sums and products are carried in
    total: str  # dtype that sum and prod return (array API 2024.12, "sum")
    real: str  # dtype of its absolute value and of its parts
    buffer: str  # PEP 3118 format
    dlpack: tuple[int, ...]  # (type code, bits)


def _row(
    name: str,
    kind: str,
    itemsize: int,
    cpp: str,
    *,
    compute: str | None = None,
    accumulate: str | None = None,
    total: str | None = None,
    real: str | None = None,
    buffer: str = "",
    dlpack: tuple[int, ...] = (),
) -> DTypeRow:
    return DTypeRow(
        name, kind, itemsize, cpp, compute or name, accumulate or name, total or name, real or name, buffer, dlpack
    )


_INT = {"accumulate": "int64", "total": "int64"}
_UINT = {"accumulate": "uint64", "total": "uint64"}
_WIDE = {"accumulate": "float64"}

DTYPES = (
    _row("bool", "bool", 1, "bool", **_INT, buffer="?", dlpack=(6, 8)),
    _row("int8", "signed integer", 1, "int8_t", **_INT, buffer="b", dlpack=(0, 8)),
    _row("int16", "signed integer", 2, "int16_t", **_INT, buffer="h", dlpack=(0, 16)),
    _row("int32", "signed integer", 4, "int32_t", **_INT, buffer="i", dlpack=(0, 32)),
    _row("int64", "signed integer", 8, "int64_t", **_INT, buffer="q", dlpack=(0, 64)),
    _row("uint8", "unsigned integer", 1, "uint8_t", **_UINT, buffer="B", dlpack=(1, 8)),
    _row("uint16", "unsigned integer", 2, "uint16_t", **_UINT, buffer="H", dlpack=(1, 16)),
    _row("uint32", "unsigned integer", 4, "uint32_t", **_UINT, buffer="I", dlpack=(1, 32)),
    _row("uint64", "unsigned integer", 8, "uint64_t", **_UINT, buffer="Q", dlpack=(1, 64)),
    _row("float16", "real floating", 2, "nd_half", compute="float32", **_WIDE, buffer="e", dlpack=(2, 16)),
    _row("bfloat16", "real floating", 2, "nd_bfloat16", compute="float32", **_WIDE, dlpack=(4, 16)),
    _row("float32", "real floating", 4, "float", **_WIDE, buffer="f", dlpack=(2, 32)),
    _row("float64", "real floating", 8, "double", buffer="d", dlpack=(2, 64)),
    _row(
        "complex64",
        "complex floating",
        8,
        "nd_complex<float>",
        accumulate="complex128",
        real="float32",
        buffer="Zf",
        dlpack=(5, 64),
    ),
    _row("complex128", "complex floating", 16, "nd_complex<double>", real="float64", buffer="Zd", dlpack=(5, 128)),
)

BY_NAME = {row.name: row for row in DTYPES}
COMPLEX_OF = {row.real: row.name for row in DTYPES if row.kind == "complex floating"}  # by the dtype of the parts
NUMBER = {row.name: number for number, row in enumerate(DTYPES)}
KINDS = ("bool", "signed integer", "unsigned integer", "real floating", "complex floating")
LOOP_TYPES = tuple(row.name for row in DTYPES if row.compute == row.name)
BYTE = "uint8"
EXPONENT = "int32"
DEFAULT_FLOAT = "float64"
DEFAULT_COMPLEX = "complex128"
DEFAULT_INT = "int64"


def names(*kinds: str) -> tuple[str, ...]:
    """The names of the loop dtypes of these kinds, in table order."""
    return tuple(row.name for row in DTYPES if row.kind in kinds and row.compute == row.name)


def promote(left: str, right: str) -> str | None:
    """The dtype that `left` and `right` (names) promote to; None for uint64 with signed integers.

    Within a kind as the array API says; kinds are mixed as NumPy mixes them: the result is the smallest dtype of the
    higher kind that holds the values of both, where floats hold integers of half their width.
    """
    low, high = sorted((BY_NAME[left], BY_NAME[right]), key=lambda row: KINDS.index(row.kind))
    if low.kind == high.kind:
        if {left, right} == {"float16", "bfloat16"}:
            return "float32"
        return max(low, high, key=lambda row: row.itemsize).name
    if low.kind == "bool":
        return high.name
    if high.kind == "unsigned integer":
        return None if high.itemsize == 8 else f"int{8 * max(low.itemsize, 2 * high.itemsize)}"
    precision = BY_NAME[high.real].itemsize
    needed = min(2 * low.itemsize, 8) if "integer" in low.kind else low.itemsize
    if needed <= precision:
        return high.name
    return {"real floating": {4: "float32", 8: "float64"}, "complex floating": {8: "complex128"}}[high.kind][needed]


def letter(kind: str) -> str:
    """NumPy's letter for a kind."""
    return {"bool": "b", "complex floating": "c", "real floating": "f", "unsigned integer": "u"}.get(kind, "i")
