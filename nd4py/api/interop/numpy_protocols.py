"""NumPy's functions applied to our arrays: NEP 13 (`__array_ufunc__`) and NEP 18 (`__array_function__`).

Design: a NumPy function that the namespace has under the same name runs here, gradients included, whenever every
argument that was given has a counterpart.  All others run in NumPy, over the same memory and without a copy, and
their arrays come back as ours: the caller asked for NumPy's function, so its rules hold where ours say nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.array.array_base import mark_written
from ..._spec.ops import OPS
from ..creation.basic_creation import asarray

__all__: list[str] = []

ReturnsAny = Callable[..., Any]
SCALARS = (bool, int, float, complex)
HANDLED = (NDArray, numpy.ndarray, numpy.generic, *SCALARS, list, tuple)
# NumPy's argument names, and ours where they differ.
ARGUMENTS = {"ddof": "correction", "a_min": "min", "a_max": "max"}
# Functions whose arguments, left out, mean something else here: NumPy runs them unless these are given.
NEEDED = {"squeeze": {"axis"}}
UFUNC_METHODS = {op.ufunc: op.name for op in OPS if op.ufunc}
NEUTRAL = {"where": True, "casting": "same_kind", "order": "K", "subok": True, "dtype": None, "signature": None}


def namespaces() -> dict[str, Any]:
    """Ours for each of NumPy's modules."""
    ours = NDArray.__array_namespace__(asarray(0))
    return {"numpy": ours, "numpy.linalg": getattr(ours, "linalg", None), "numpy.fft": getattr(ours, "fft", None)}


@functools.cache
def counterpart(module: str, name: str) -> ReturnsAny | None:
    """Our function for a NumPy function, or None."""
    namespace = namespaces().get(module)
    function = getattr(namespace, name, None)
    return function if callable(function) and not isinstance(function, type) else None


def array_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a universal function of NumPy, as our arrays; NotImplemented for operands of other libraries."""
    out = keywords.get("out", ())
    given = (*inputs, *(item for item in out if item is not None), keywords.get("where", True))
    if not all(isinstance(item, HANDLED) for item in given):
        return NotImplemented
    plain = {name: value for name, value in keywords.items() if name != "out" and not is_neutral(name, value)}
    if method == "__call__" and not plain and len(out) <= 1:
        function = counterpart("numpy", ufunc.__name__)
        if function is not None:
            result = function(*map(as_operand, inputs))
            return written(result, out[0]) if out and out[0] is not None else result
    name = UFUNC_METHODS.get(f"{ufunc.__name__}.{method}", "")
    if name and len(inputs) == 1 and not out and set(plain) <= {"axis", "keepdims"}:
        function = counterpart("numpy", name)
        if function is not None:
            return function(as_operand(inputs[0]), **{"axis": 0, **plain})
    for item in inputs[:1] if method == "at" else out:
        if isinstance(item, NDArray):
            mark_written(item)  # before: it may be interrupted
    result = getattr(ufunc, method)(*to_numpy(inputs), **to_numpy(keywords))
    if len(out) > 1:
        return tuple(to_ours(found) if item is None else item for item, found in zip(out, result, strict=True))
    return out[0] if out and out[0] is not None else to_ours(result)


def is_neutral(name: str, value: Any) -> bool:
    """Whether a keyword of a universal function has its default value."""
    return name in NEUTRAL and isinstance(value, type(NEUTRAL[name])) and value == NEUTRAL[name]


def as_operand(item: Any) -> Any:
    """Lists as arrays; scalars and arrays as they are."""
    return asarray(item) if isinstance(item, list | tuple) else item


def written(result: NDArray, out: Any) -> Any:
    """`out`, ours or NumPy's, with the result in it."""
    target = out if isinstance(out, NDArray) else asarray(out, copy=False)
    target[...] = result
    return out


def array_function(function: Any, types: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a NumPy function, as our arrays; NotImplemented beside array types of other libraries."""
    if not all(issubclass(kind, NDArray | numpy.ndarray) for kind in types):
        return NotImplemented
    ours = counterpart(function.__module__, function.__name__)
    if ours is not None:
        call = translate(function, ours, args, keywords)
        if call is not None:
            return ours(*call[0], **call[1])
    return to_ours(function(*to_numpy(args), **to_numpy(keywords)))


def translate(
    function: Any, ours: ReturnsAny, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]] | None:
    """NumPy's arguments as ours: positional ones and keywords.  None where one of them has no counterpart."""
    theirs, expected_here = signature_of(function), signature_of(ours)
    if theirs is None or expected_here is None:
        return None
    try:
        given = theirs.bind(*args, **keywords).arguments
    except TypeError:
        return None
    expected = list(expected_here.parameters.values())
    names = list(theirs.parameters)
    others = [given.pop(name, {}) for name in names if theirs.parameters[name].kind is inspect.Parameter.VAR_KEYWORD]
    used = {name: value for name, value in given.items() if not is_default(value, theirs.parameters[name].default)}
    for each in others:  # keywords that NumPy's signature does not name
        used.update(each)
    if not NEEDED.get(function.__name__, set()) <= set(used):
        return None
    positional = [parameter for parameter in expected if parameter.kind is parameter.POSITIONAL_ONLY]
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in expected):
        return (list(args), keywords) if not keywords and all(isinstance(item, HANDLED) for item in args) else None
    values = []
    for parameter, name in zip(positional, names, strict=False):
        if name not in used:
            if parameter.default is parameter.empty:
                return None
            break
        values.append(used.pop(name))
    renamed = {ARGUMENTS.get(name, name): value for name, value in used.items()}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    accepted = {parameter.name for parameter in expected if parameter.kind in named}
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in expected)
    return (values, renamed) if takes_all or set(renamed) <= accepted else None


@functools.cache
def signature_of(function: Any) -> inspect.Signature | None:
    """The signature of a function, NumPy's or ours, where it tells one."""
    try:
        return inspect.signature(function)
    except ValueError:
        return None


def is_default(value: Any, default: Any) -> bool:
    """Whether an argument was left as it is."""
    return value is default or (
        isinstance(default, str | bool | int | float) and type(value) is type(default) and value == default
    )


def to_numpy(item: Any) -> Any:
    """Our arrays inside containers as NumPy's, over the same memory.

    Raises TypeError for an array that is being differentiated: NumPy could not carry its gradient.
    """
    if isinstance(item, NDArray):
        return numpy.asarray(item)
    if isinstance(item, list | tuple | deque):
        values = [to_numpy(value) for value in item]
        return tuple(values) if isinstance(item, tuple) else values
    if isinstance(item, dict):
        return {name: to_numpy(value) for name, value in item.items()}
    return item


def to_ours(item: Any) -> Any:
    """NumPy's arrays and scalars inside results as ours; what nd4py has no dtype for stays NumPy's."""
    if isinstance(item, numpy.ndarray | numpy.generic):
        return asarray(item) if item.dtype.kind in "biufc" and item.dtype.itemsize <= 16 else item
    if isinstance(item, list):
        return [to_ours(value) for value in item]
    if isinstance(item, tuple):
        values = [to_ours(value) for value in item]
        return type(item)(*values) if hasattr(item, "_fields") else tuple(values)
    return item
