"""Arrays of nested sequences: Python's numbers, NumPy's, arrays and buffers."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Sequence
from math import nan
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import ALL_DTYPES, PYTHON_TYPES, DType, dtype_of, numpy_name
from ..._core.interop.buffers import from_buffer, from_raw_bytes
from ..._core.layout.shape import MAX_DIMENSIONS
from ..._core.lazy_modules import LazyModule
from ..._exec.conversion import astype, filled
from ..._exec.creation import empty, made_outside, plain_numbers
from ..._mem.sizes import shortened
from ..._mem.workspace.scopes import current_workspace
from ..._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_INT, NUMBER, promote
from ..manipulation.manipulation import stack
from .data_types import iinfo

if TYPE_CHECKING:
    import array as typed
else:
    typed = LazyModule("array", globals())

__all__: list[str] = []

LEVELS = (list, tuple, range, deque)
NUMBERS = (bool, int, float, complex)
HALF = 2**63
READERS: dict[str, Callable[[str], Any]] = {"i": int, "u": int, "f": float, "c": complex}


def made_of_sequence(obj: Any, target: DType | None, convert: Callable[..., NDArray]) -> NDArray:
    """As `from_sequence`; in the scope of a workspace only the result lies there."""
    if target is None or current_workspace() is None:
        return from_sequence(obj, target, convert)
    return astype(made_outside(from_sequence, obj, target, convert), target, True)


def from_sequence(obj: Any, target: DType | None, convert: Callable[..., NDArray]) -> NDArray:
    """An array of a Python scalar or nested sequences of scalars, arrays and buffers.

    target: the dtype, which must be able to hold them, or None for their common one; convert: `asarray`, for the arrays
    and buffers among them.
    Raises TypeError, ValueError for ragged sequences, OverflowError for an int outside the range of the dtype.
    """
    if target is None or (target.kind == "f" and type(obj) is not bool):
        plain = plain_numbers(obj)
        if plain is not None:
            return plain
    elif type(obj) is int and target.kind in "iu":
        low, high = limits_of(target.number)
        if low <= obj <= high:
            return filled((), target, obj)
    elif type(obj) is list and target.kind in "iub":
        plain = plain_numbers(obj)
        if plain is not None and (target.kind == "b" or target.name == DEFAULT_INT or is_within(plain, target)):
            return plain
    if type(obj) in PYTHON_TYPES and not (type(obj) is int and (target is not None or obj.bit_length() > 63)):
        return filled((), PYTHON_TYPES[type(obj)], obj)
    if not isinstance(obj, LEVELS):
        return from_scalars([obj], (), target)
    types = types_within(obj, 0)
    if all(kind in PYTHON_TYPES or issubclass(kind, (numpy.generic, NoneType, str, *NUMBERS)) for kind in types):
        shape = shape_of(obj)
        flat: list[Any] = []
        flatten(obj, shape, flat)
        return from_scalars(flat, shape, target)
    return stacked(obj, target or common_dtype(leaves_of(obj, convert)), convert)


def is_within(x: NDArray, target: DType) -> bool:
    """Whether `x` has whole numbers that an integer dtype holds, which is not asked of an `x` of another dtype."""
    if x.dtype.name != DEFAULT_INT:
        return x.dtype.kind != "u"
    low, high = limits_of(target.number)
    return bool(low <= x.min().item() and x.max().item() <= high)


@functools.cache
def limits_of(number: int) -> tuple[int, int]:
    """The least and the greatest number of an integer dtype."""
    limits = iinfo(ALL_DTYPES[number])
    return limits.min, limits.max


def types_within(obj: Any, depth: int) -> set[type]:
    """The types of the items in nested sequences.  Raises ValueError where they are too deep, or hold themselves."""
    if depth == MAX_DIMENSIONS:
        raise ValueError(f"asarray: sequences are nested deeper than the {MAX_DIMENSIONS} dimensions an array can have")
    types = set(map(type, obj))
    for kind in [kind for kind in types if issubclass(kind, LEVELS)]:
        types.remove(kind)
    if any(isinstance(item, LEVELS) for item in obj):
        types = types.union(*(types_within(item, depth + 1) for item in obj if isinstance(item, LEVELS)))
    return types


def from_scalars(flat: list[Any], shape: Shape, target: DType | None) -> NDArray:
    """An array of Python's and NumPy's numbers in C order; None among them is NaN where a floating dtype is given."""
    given = {type(item) for item in flat} - PYTHON_TYPES.keys()
    if NoneType in given and shape and target is not None and target.kind in "fc":
        missing = nan if target.kind == "f" else complex(nan, nan)
        return from_scalars([missing if item is None else item for item in flat], shape, target)
    if given and target is not None and target.kind in READERS and any(issubclass(kind, str) for kind in given):
        return from_scalars([number_in(item, target) for item in flat], shape, target)
    if any(issubclass(kind, NUMBERS) and not issubclass(kind, numpy.generic) for kind in given):
        return from_scalars([plain_number(item) for item in flat], shape, target)
    if given:
        names = {kind: numpy_name(kind) for kind in given}
        if not all(issubclass(kind, numpy.generic) and name in NUMBER for kind, name in names.items()):
            odd = next(item for item in flat if names.get(type(item), "bool") not in NUMBER)
            raise TypeError(
                "asarray: None is no number; write nan for what is missing, or give dtype=float"
                if odd is None
                else f"asarray: cannot make an array of {type_name(odd)} {odd!r}; "
                "give numbers, bools, buffers or sequences of them"
                + (", and dtype=float where texts hold numbers" if isinstance(odd, str) else "")
            )
        target = target or common_dtype(flat)
        flat = [item.item() if isinstance(item, numpy.generic) else item for item in flat]
        return astype(from_scalars(flat, shape, target), target, False)
    kinds = {type(item) for item in flat}
    if kinds == {bool}:
        return astype(reshaped("b", flat, shape), "bool")
    if complex in kinds:
        parts = [part for item in flat for part in (complex(item).real, complex(item).imag)]
        return from_raw_bytes(typed.array("d", parts), dtype_of(DEFAULT_COMPLEX)).reshape(shape)
    if float in kinds or not kinds:
        return reshaped("d", flat, shape)
    return from_ints(flat, shape, target)


def plain_number(item: Any) -> Any:
    """A number of a class derived from one of Python's, such as an IntEnum, as Python's; anything else as it is."""
    if type(item) in PYTHON_TYPES or isinstance(item, numpy.generic):
        return item
    found: Any = next((kind for kind in NUMBERS if isinstance(item, kind)), None)
    return item if found is None else found(item)


def number_in(item: Any, target: DType) -> Any:
    """The number that a text holds; anything else as it is.  Raises ValueError for a text that holds none."""
    if not isinstance(item, str):
        return item
    try:
        return READERS[target.kind](item)
    except ValueError:
        raise ValueError(f"asarray: {shortened(item)} holds no number that {target} has") from None


def from_ints(flat: list[int], shape: Shape, target: DType | None) -> NDArray:
    """An array of Python ints.  Raises OverflowError where `target` cannot hold one of them."""
    if target is not None and target.kind in "iu":
        least, greatest = limits_of(target.number)
        low, high = min(flat), max(flat)
        if low < least or high > greatest:
            given = low if low < least else high
            raise OverflowError(f"asarray: {given} is outside the range of {target} [{least}, {greatest}]")
    try:
        return reshaped("q", flat, shape)
    except OverflowError:
        pass
    try:
        return reshaped("d" if target is not None and target.kind in "fc" else "Q", flat, shape)
    except OverflowError:
        raise OverflowError(
            f"asarray: ints from {min(flat)} to {max(flat)} fit no integer dtype; give them as floats"
        ) from None


def reshaped(typecode: str, flat: Sequence[Any], shape: Shape) -> NDArray:
    """The array over a typed copy of `flat`."""
    if not flat:
        return empty(shape)
    return from_buffer(typed.array(typecode, flat)).reshape(shape)


def shape_of(obj: Any) -> Shape:
    """The shape that the first item of each level announces."""
    shape = []
    while isinstance(obj, LEVELS):
        shape.append(len(obj))
        obj = obj[0] if len(obj) else None
    return tuple(shape)


def flatten(obj: Any, shape: Shape, flat: list[Any]) -> None:
    """Append the scalars of nested sequences in C order.  Raises ValueError where a level's sizes differ."""
    if not shape:
        if isinstance(obj, LEVELS):
            raise ValueError("asarray: nested sequences are ragged: a sequence was given where a scalar was expected")
        flat.append(obj)
        return
    if not isinstance(obj, LEVELS) or len(obj) != shape[0]:
        given = len(obj) if isinstance(obj, LEVELS) else f"a {type_name(obj)}"
        raise ValueError(f"asarray: nested sequences are ragged: expected {shape[0]} items, given {given}")
    if len(shape) == 1 and all(type(item) in (bool, int, float) for item in obj):
        flat.extend(obj)
        return
    for item in obj:
        flatten(item, shape[1:], flat)


def leaves_of(obj: Any, convert: Callable[..., NDArray]) -> list[Any]:
    """The items of nested sequences: Python's numbers as they are, all others as arrays."""
    if isinstance(obj, LEVELS):
        return [leaf for item in obj for leaf in leaves_of(item, convert)]
    return [obj if type(obj) in PYTHON_TYPES else convert(obj)]


def common_dtype(leaves: list[Any]) -> DType:
    """The dtype that holds arrays and NumPy's scalars together with Python's numbers.

    Python's count as asarray reads them alone; ints beside uint64 are uint64 where they can be.
    Raises TypeError where there is no such dtype.
    """
    names = {item.dtype.name for item in leaves if type(item) not in PYTHON_TYPES}
    ints = [item for item in leaves if type(item) is int]
    names |= {str(dtype_of(type(item))) for item in leaves if type(item) in PYTHON_TYPES.keys() - {int}}
    if ints:
        is_natural = min(ints) >= 0 and (max(ints) >= HALF or "uint64" in names)
        names.add("uint64" if is_natural else str(dtype_of(int)))
    found = functools.reduce(lambda one, other: one and promote(one, other), sorted(names, key=NUMBER.__getitem__))
    if found is None:
        raise TypeError(f"asarray: {' and '.join(sorted(names))} have no common dtype; give dtype=, or convert first")
    return dtype_of(found)


def stacked(obj: Any, dtype: DType, convert: Callable[..., NDArray]) -> NDArray:
    """Nested sequences that hold arrays, each converted to `dtype`.  Raises ValueError where their shapes differ."""
    if not isinstance(obj, LEVELS):
        return convert(obj, dtype)
    if not len(obj):
        return empty((0,), dtype)
    parts = [stacked(item, dtype, convert) for item in obj]
    shapes = sorted({part.shape for part in parts})
    if len(shapes) > 1:
        raise ValueError(f"asarray: nested sequences are ragged: items have shapes {', '.join(map(str, shapes))}")
    return stack(parts)
