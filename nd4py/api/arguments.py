"""Checks of arguments, and the names that errors begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

import numpy

from .._core.array.array import NDArray
from .._core.array.released import type_name
from .._core.whole_numbers import count as count
from .._core.whole_numbers import items as items
from .._core.whole_numbers import named as named
from .._core.whole_numbers import real as real
from .._core.whole_numbers import whole as whole
from .._exec.autodiff.nodes import is_array as is_array
from .._exec.device.placement import is_traced as is_traced
from .._exec.device.placement import refuse_traced as refuse_traced
from .._exec.device.placement import to_check as to_check

__all__: list[str] = []

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = TypeVar("Kind")
IN_WORDS = (TypeError, ValueError, IndexError, OverflowError, MemoryError, NotImplementedError)


class ShapesError(TypeError, ValueError):
    """Shapes do not fit: a ValueError, as elsewhere, and the TypeError that NumPy raises in some functions."""


def instance(what: str, value: Any, wanted: Any) -> Any:
    """`value`, which must be an object of a class.  Raises TypeError."""
    if not isinstance(value, wanted):
        article = "an" if wanted.__name__[0] in "AEIOU" else "a"
        raise TypeError(f"{what} must be {article} {wanted.__name__}, given {type_name(value)}")
    return value


def is_missing(value: Any) -> bool:
    """Whether a value stands for one that is not there: None, or pandas.NA."""
    return value is None or type(value).__name__ == "NAType"


def looped(what: str, value: Any) -> Iterable[Any]:
    """`value`, which is looped over.  Raises TypeError for what cannot be."""
    if not isinstance(value, Iterable):
        raise TypeError(f"{what} must be something to loop over, given {type_name(value)}")
    return value


def array(what: str, value: Any) -> Any:
    """`value`, which must be an array of nd4py, on any device.  Raises TypeError."""
    return having(what, value, "an nd4py array", "dtype", "is_attached")


def having(what: str, value: Any, kind: str, *attributes: str) -> Any:
    """`value`, which stands for a `kind` and must have these attributes.  Raises TypeError."""
    missing = [name for name in attributes if not hasattr(value, name)]
    if missing or isinstance(value, type):
        raise TypeError(f"{what} must be {kind} with {' and '.join(attributes)}, given {type_name(value)}")
    return value


def into(name: str, result: NDArray, out: Any) -> NDArray:
    """`result`, or `out`, of ours or NumPy's, with it where that is given.

    Raises TypeError for an `out` that is no array or of a lower kind than the result, ValueError for another shape.
    """
    if type(out) is tuple and len(out) == 1:  # NumPy's way to give the results of any function
        (out,) = out
    if out is None:
        return result
    if isinstance(out, numpy.ndarray):
        if not numpy.can_cast(result.dtype.__numpy_dtype__, out.dtype, "same_kind"):
            raise TypeError(f"{name}: the result is {result.dtype}, out is {out.dtype}; give out that dtype")
    else:
        array(f"{name}: out", out)
    if out.shape != result.shape:
        raise ValueError(f"{name}: the result has shape {result.shape}, out has {out.shape}")
    out[...] = result
    written: NDArray = out
    return written


def both_into(
    name: str, results: tuple[NDArray, NDArray], out: Any, second: NDArray | None = None
) -> tuple[NDArray, NDArray]:
    """Two results, or the arrays of the pair `out` with them, which may be given one after the other.

    Raises TypeError for an `out` that is no pair.
    """
    if second is not None:
        out = out, second
    if out is None:
        return results
    if not isinstance(out, tuple | list) or len(out) != 2:
        raise TypeError(f"{name}: out must be a pair of arrays, given {type_name(out)}")
    return into(name, results[0], out[0]), into(name, results[1], out[1])


def rename(error: BaseException, name: str) -> None:
    """Let the message of `error` begin with `name` where it begins with the name of another function."""
    inner, colon, rest = str(error).partition(": ")
    if colon and inner.replace(".", "_").isidentifier():
        error.args = (f"{name}: {rest}", *error.args[1:])


def tells_its_name(function: Function) -> Function:
    """`function`, whose errors begin with its own name.  Not for functions that call what the user gave them."""
    name = function.__name__

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except IN_WORDS as error:
            rename(error, name)
            raise

    return call  # type: ignore[return-value]


def methods_by_name(kind: type[Kind]) -> type[Kind]:
    """A class whose methods, inherited ones too, Python's errors of arguments call by their names alone: their base
    classes are not public."""
    for base in kind.__mro__[:-1]:
        for name, method in vars(base).items():
            if isinstance(method, FunctionType):
                method.__qualname__ = name
    return kind


def of_texts(error: TypeError) -> TypeError:
    """What is said of labels that became no array: mostly they are texts."""
    return TypeError(
        f"labels must be numbers: {error}.  Of texts, classes, numbers = numpy.unique(labels, return_inverse=True) "
        "and nd.one_hot(numbers, len(classes)) make labels of classes"
    )
