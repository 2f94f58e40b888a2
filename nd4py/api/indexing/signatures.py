"""Signatures of functions of parts of arrays, such as "(m,n),(n)->(m)", which `vectorize` loops over."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._exec.concat import as_array
from ..manipulation.manipulation import broadcast_shapes, stack

__all__: list[str] = []

PART = r"\(\s*(?:\w+\s*(?:,\s*\w+\s*)*)?\)"
PARTS = rf"{PART}(?:\s*,\s*{PART})*"
FORM = re.compile(rf"\s*({PARTS})\s*->\s*({PARTS})\s*")


class Signature(NamedTuple):
    """The names of the last axes of each operand, and of each result."""

    operands: list[tuple[str, ...]]
    results: list[tuple[str, ...]]


def parsed(text: Any) -> Signature:
    """A signature.  Raises ValueError for another form."""
    match = FORM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"vectorize: signature must have the form '(m,n),(n)->(m)', given {text!r}")
    operands, results = (
        [tuple(re.findall(r"\w+", part)) for part in re.findall(PART, side)] for side in match.groups()
    )
    return Signature(operands, results)


def sizes_of(signature: Signature, arrays: list[NDArray]) -> dict[str, int]:
    """The size of each named axis.  Raises ValueError where operands differ, or lack axes."""
    sizes: dict[str, int] = {}
    for names, x in zip(signature.operands, arrays, strict=True):
        if x.ndim < len(names):
            raise ValueError(f"vectorize: an operand of shape {x.shape} for the axes {names} of the signature")
        for name, size in zip(names, x.shape[x.ndim - len(names) :], strict=True):
            if sizes.setdefault(name, size) != size:
                raise ValueError(f"vectorize: axis {name!r} has the sizes {sizes[name]} and {size}")
    return sizes


def looped(function: Callable[..., Any], signature: Signature, given: list[Any]) -> tuple[NDArray, ...]:
    """The results of a function of the last axes of its operands, one call for each position along the axes before.

    Raises ValueError for another number of operands or results, or results of other shapes than the signature says.
    """
    if len(given) != len(signature.operands):
        raise ValueError(f"vectorize: the signature has {len(signature.operands)} operands, given {len(given)}")
    arrays = [as_array(x) for x in given]
    sizes = sizes_of(signature, arrays)
    kept = [len(names) for names in signature.operands]
    outer = broadcast_shapes(*(x.shape[: x.ndim - n] for x, n in zip(arrays, kept, strict=True)))
    spread = [x.broadcast_to((*outer, *x.shape[x.ndim - n :])) for x, n in zip(arrays, kept, strict=True)]
    calls = [function(*(x[index] for x in spread)) for index in itertools.product(*map(range, outer))]
    if not calls:
        raise ValueError("vectorize: no elements to call the function with")
    n_results = len(signature.results)
    rows = [call if n_results > 1 else (call,) for call in calls]
    if any(not isinstance(row, tuple) or len(row) != n_results for row in rows):
        raise ValueError(f"vectorize: the signature has {n_results} results, the function gives others")
    columns = zip(*rows, strict=True)
    return tuple(
        joined(list(column), names, sizes, outer) for column, names in zip(columns, signature.results, strict=True)
    )


def joined(values: list[Any], names: tuple[str, ...], sizes: dict[str, int], outer: Shape) -> NDArray:
    """The results of all calls as one array."""
    arrays = [as_array(value) for value in values]
    for x in arrays:
        if x.ndim != len(names) or any(sizes.setdefault(name, n) != n for name, n in zip(names, x.shape, strict=True)):
            raise ValueError(f"vectorize: a result of shape {x.shape} for the axes {names} of the signature")
    return stack(arrays).reshape((*outer, *arrays[0].shape))
