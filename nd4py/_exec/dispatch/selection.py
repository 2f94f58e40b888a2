"""Calls with NumPy's keywords of universal functions: where, dtype, casting, order, signature.

Design: rows of the table, and functions composed of them, take the keywords by the same code: what it asks of either is
a name, the names of the operands, the dtypes and how the results are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..._core.annotations import DTypeLike
from ..._core.dtype import DType, dtype_of
from ..._core.whole_numbers import items, named, named_order
from ..._spec.dtypes import promote
from ..._spec.ops import ALL
from ..concat import as_array
from ..conversion import astype
from ..order_in_memory import in_memory_order
from .dispatch import call
from .row_table import row_number

WHERE = row_number("where")
PYTHONS_NUMBERS = {bool: "b", int: "u", float: "f", complex: "c"}  # and the lowest kind of dtype that holds them
KINDS = "buifc"  # of dtypes, as they are promoted
ORDERS = ("C", "F", "A", "K")
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def may_cast(first: DType, last: DType, casting: str) -> bool:
    """Whether elements of one dtype may become another one, as `can_cast` says.  Raises ValueError for another rule."""
    named("casting", casting, CASTINGS)
    if casting in ("no", "equiv"):
        return first == last
    if casting == "unsafe" or promote(first.name, last.name) == last.name:
        return True
    return casting == "same_kind" and KINDS.index(first.kind) <= KINDS.index(last.kind)


class Composed(NamedTuple):
    """What the keywords ask of a function that is composed of rows: `types` are those of its first result."""

    name: str
    args: tuple[str, ...]
    types: tuple[str, ...]
    n_out: int = 1
    result: str = "same"


def check_cast(row: Any, what: str, first: DType, last: DType, casting: str) -> None:
    """Raises TypeError unless elements of one dtype may become another one."""
    if not may_cast(first, last, casting):
        raise TypeError(f"{row.name}: {what} of {first} cannot become {last} with casting={casting!r}")


def call_selected(
    op: int,
    operands: tuple[Any, ...],
    out: Any,
    where: Any,
    dtype: DTypeLike | None,
    casting: str | None,
    order: str | None = None,
    signature: Any = None,
) -> Any:
    """`call` of a row whose operands are converted to `dtype` first, and whose result is taken where a mask holds.

    Elsewhere `out` keeps its elements; a new array has 0 there.  `casting`, by default "same_kind", says which operands
    `dtype` may be given for; where it is given, `out` takes results of every dtype that may become its own.
    `order` says how a new array lies in memory, `signature` the dtypes of the operands and of the result.
    Raises TypeError for a mask that is not of bools, where `casting` forbids a conversion, and for a dtype that the row
    has no results of.
    """
    if type(out) is tuple and len(out) == 1:  # NumPy's way to give the results of any function
        out = out[0]
    row = ALL[op]
    operands, order, (wanted,) = prepared(row, operands, dtype, casting, order, signature, 1)
    if wanted is None and is_everywhere(where) and (casting is None or out is None):
        result = call(op, operands, (), out)
        return result if out is not None else in_memory_order(result, order)
    return finished(row, call(op, operands, (), None), out, wanted, where, casting, order)


def call_composed(
    row: Composed,
    run: Callable[..., Any],
    operands: tuple[Any, ...],
    out: Any,
    where: Any,
    dtype: DTypeLike | None,
    casting: str | None,
    order: str | None,
    signature: Any,
) -> Any:
    """The same of a function that is composed of rows: its result, or a tuple of several.

    run: the function of operands alone.  out: an array, or as many of them, or None, as there are results.
    """
    operands, order, wanted = prepared(row, operands, dtype, casting, order, signature, row.n_out)
    results = run(*operands)
    if row.n_out == 1:
        out = out[0] if type(out) is tuple and len(out) == 1 else out
        return finished(row, results, out, wanted[0], where, casting, order)
    outs = items(f"{row.name}: out", (None,) * row.n_out if out is None else out)
    if len(outs) != row.n_out:
        raise ValueError(f"{row.name}: out needs {row.n_out} arrays, given {len(outs)}")
    return tuple(
        finished(row, result, each, to, where, casting, order)
        for result, each, to in zip(results, outs, wanted, strict=True)
    )


def prepared(
    row: Any,
    operands: tuple[Any, ...],
    dtype: DTypeLike | None,
    casting: str | None,
    order: str | None,
    signature: Any,
    n_out: int,
) -> tuple[tuple[Any, ...], str | None, list[DType | None]]:
    """The operands in the dtypes that are asked for, the order in memory, and the dtypes of results, None for any."""
    if casting is not None:
        named("casting", casting, CASTINGS)
    if order is not None:
        order = named_order(f"{row.name}: order", order, ORDERS)
    wanted: list[DType | None] = [None] * n_out
    if signature is not None:
        given = signature_of(row, signature, dtype, n_out)
        takes, wanted = given[: len(operands)], given[len(operands) :]
        operands = tuple(
            x if to is None else in_dtype(row, x, to, casting or "same_kind")
            for x, to in zip(operands, takes, strict=True)
        )
    elif dtype is not None:
        operands = converted(row, operands, dtype_of(dtype), casting or "same_kind")
    if order == "A":
        operands = tuple(map(as_array, operands))
        order = "F" if all(x.flags.f_contiguous for x in operands) else "C"
    return operands, order, wanted


def finished(
    row: Any, result: Any, out: Any, wanted: DType | None, where: Any, casting: str | None, order: str | None
) -> Any:
    """A result where the mask holds, in `out` or in a new array."""
    if wanted is not None and result.dtype is not wanted:
        raise TypeError(f"{row.name}: results of these operands are {result.dtype}, signature has {wanted}")
    if out is not None and (wanted is not None or casting is not None or isinstance(row, Composed)):
        check_cast(row, "a result", result.dtype, dtype_of(out.dtype), casting or "same_kind")
        if out.shape != result.shape and is_everywhere(where):
            raise ValueError(f"{row.name}: out has shape {out.shape}, the result {result.shape}")
        return put_selected(astype(result, dtype_of(out.dtype), False), out, where)
    if not is_everywhere(where):
        other = False if out is None else out
        result = call(WHERE, (mask_of(where), result, other), (), out)
    return result if out is not None else in_memory_order(result, order)


def is_everywhere(where: Any) -> bool:
    """Whether `where` leaves no element out."""
    return where is True or where is None


def signature_of(row: Any, signature: Any, dtype: Any, n_out: int) -> list[DType | None]:
    """The dtypes of the operands and of the results, None for any.

    Raises TypeError for what is no signature of the row, and beside `dtype`.
    """
    if dtype is not None:
        raise TypeError(f"{row.name}: give signature or dtype, not both")
    n = len(row.args)
    if isinstance(signature, str):
        takes, _, makes = signature.replace(" ", "").partition("->")
        listed: tuple[Any, ...] = (*takes, *makes)
        is_one = len(takes) == n and len(makes) == n_out
    else:
        listed = items(f"{row.name}: signature", signature)
        is_one = len(listed) == n + n_out
    if not is_one:
        example = f"{'f' * n}->{('?' if row.result == 'bool' else 'f') * n_out}"
        raise TypeError(
            f"{row.name}: signature must name the dtypes of {n} operand{'s' * (n > 1)} and of the "
            f"result{'s' * (n_out > 1)}, such as {example!r} or a tuple of {n + n_out}, given {signature!r}; for one "
            f"dtype of all give dtype="
        )
    return [None if each is None else dtype_of(each) for each in listed]


def in_dtype(row: Any, x: Any, wanted: DType, casting: str) -> Any:
    """An operand as an array of a dtype.  Raises TypeError where `casting` forbids it."""
    return astype(as_array(converted_operand(row, x, wanted, casting)), wanted, False)


def converted(row: Any, operands: tuple[Any, ...], wanted: DType, casting: str) -> tuple[Any, ...]:
    """Operands with which a row makes results of a dtype.  Raises TypeError where there are none."""
    if isinstance(row, Composed) and wanted.name not in row.types:
        raise TypeError(f"{row.name}: no {wanted} results (it has {', '.join(row.types)}); convert the result")
    if row.result == "count":  # whatever the operands are
        return operands
    if row.result == "bool":
        if wanted != "bool":
            raise TypeError(f"{row.name}: results are bools, given dtype={wanted}; convert them, .astype('{wanted}')")
        return operands
    if wanted.kind in "bui" and not any(dtype_of(name).kind in "bui" for name in row.types):
        raise TypeError(f"{row.name}: no {wanted} loop (it has {', '.join(row.types)}); convert the result")
    found = [converted_operand(row, x, wanted, casting) for x in operands]
    if all(type(x) in PYTHONS_NUMBERS for x in found):
        found[0] = astype(as_array(found[0]), wanted, False)
    return tuple(found)


def converted_operand(row: Any, x: Any, wanted: DType, casting: str) -> Any:
    """An operand in a dtype, or a number of Python's that takes that of the other one.  Raises as `converted`."""
    kind = PYTHONS_NUMBERS.get(type(x))
    if kind is not None and KINDS.index(kind) <= KINDS.index(wanted.kind):
        return x
    array = as_array(x)
    check_cast(row, "an operand", array.dtype, wanted, casting)
    return astype(array, wanted, False)


def put_selected(result: Any, out: Any, where: Any) -> Any:
    """`out` with the elements of a result of its dtype, where a mask holds."""
    if is_everywhere(where):
        out[...] = result
        return out
    return call(WHERE, (mask_of(where), result, out), (), out)


def mask_of(where: Any) -> Any:
    """A mask as an array.  Raises TypeError for one that is not of bools."""
    mask = as_array(where)
    if mask.dtype != "bool":
        raise TypeError(f"where must be a mask of bools, given {mask.dtype}; compare first, where != 0")
    return mask
