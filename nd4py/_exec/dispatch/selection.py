"""Calls of rows with NumPy's keywords of universal functions: where, dtype, casting, order, signature."""

from __future__ import annotations

from typing import Any

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


def check_cast(op: int, what: str, first: DType, last: DType, casting: str) -> None:
    """Raises TypeError unless elements of one dtype may become another one."""
    if not may_cast(first, last, casting):
        raise TypeError(f"{ALL[op].name}: {what} of {first} cannot become {last} with casting={casting!r}")


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
    if casting is not None:
        named("casting", casting, CASTINGS)
    if order is not None:
        order = named_order(f"{ALL[op].name}: order", order, ORDERS)
    wanted = None
    if signature is not None:
        *takes, wanted = signature_of(op, signature, dtype)
        operands = tuple(
            x if to is None else in_dtype(op, x, to, casting or "same_kind")
            for x, to in zip(operands, takes, strict=True)
        )
    elif dtype is not None:
        operands = converted(op, operands, dtype_of(dtype), casting or "same_kind")
    if order == "A":
        operands = tuple(map(as_array, operands))
        order = "F" if all(x.flags.f_contiguous for x in operands) else "C"
    if wanted is not None or (casting is not None and out is not None):
        result: Any = call(op, operands, (), None)
        if wanted is not None and result.dtype is not wanted:
            raise TypeError(f"{ALL[op].name}: results of these operands are {result.dtype}, signature has {wanted}")
        if out is not None:
            check_cast(op, "a result", result.dtype, out.dtype, casting or "same_kind")
            return put_selected(astype(result, out.dtype, False), out, where)
        result = result if is_everywhere(where) else call(WHERE, (mask_of(where), result, False), (), None)
    elif is_everywhere(where):
        result = call(op, operands, (), out)
    else:
        other = False if out is None else out
        result = call(WHERE, (mask_of(where), call(op, operands, (), None), other), (), out)
    return result if out is not None else in_memory_order(result, order)


def is_everywhere(where: Any) -> bool:
    """Whether `where` leaves no element out."""
    return where is True or where is None


def signature_of(op: int, signature: Any, dtype: Any) -> list[DType | None]:
    """The dtypes of the operands and of the result, None for any.

    Raises TypeError for what is no signature of the row, and beside `dtype`.
    """
    row = ALL[op]
    if dtype is not None:
        raise TypeError(f"{row.name}: give signature or dtype, not both")
    n = len(row.args)
    if isinstance(signature, str):
        takes, _, makes = signature.replace(" ", "").partition("->")
        listed: tuple[Any, ...] = (*takes, *makes)
        is_one = len(takes) == n and len(makes) == 1
    else:
        listed = items(f"{row.name}: signature", signature)
        is_one = len(listed) == n + 1
    if not is_one:
        example = f"{'f' * n}->{'?' if row.result == 'bool' else 'f'}"
        raise TypeError(
            f"{row.name}: signature must name the dtypes of {n} operand{'s' * (n > 1)} and of the result, such as "
            f"{example!r} or a tuple of {n + 1}, given {signature!r}; for one dtype of all give dtype="
        )
    return [None if each is None else dtype_of(each) for each in listed]


def in_dtype(op: int, x: Any, wanted: DType, casting: str) -> Any:
    """An operand as an array of a dtype.  Raises TypeError where `casting` forbids it."""
    return astype(as_array(converted_operand(op, x, wanted, casting)), wanted, False)


def converted(op: int, operands: tuple[Any, ...], wanted: DType, casting: str) -> tuple[Any, ...]:
    """Operands with which a row makes results of a dtype.  Raises TypeError where there are none."""
    row = ALL[op]
    if row.result == "bool":
        if wanted != "bool":
            raise TypeError(f"{row.name}: results are bools, given dtype={wanted}; convert them, .astype('{wanted}')")
        return operands
    if wanted.kind in "bui" and not any(dtype_of(name).kind in "bui" for name in row.types):
        raise TypeError(f"{row.name}: no {wanted} loop (it has {', '.join(row.types)}); convert the result")
    found = [converted_operand(op, x, wanted, casting) for x in operands]
    if all(type(x) in PYTHONS_NUMBERS for x in found):
        found[0] = astype(as_array(found[0]), wanted, False)
    return tuple(found)


def converted_operand(op: int, x: Any, wanted: DType, casting: str) -> Any:
    """An operand in a dtype, or a number of Python's that takes that of the other one.  Raises as `converted`."""
    kind = PYTHONS_NUMBERS.get(type(x))
    if kind is not None and KINDS.index(kind) <= KINDS.index(wanted.kind):
        return x
    array = as_array(x)
    check_cast(op, "an operand", array.dtype, wanted, casting)
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
