"""SubclassedArray: the base of classes that programs derive from `nd4py.ndarray`.

Design: an object holds a plain array, does with it what is asked, and gives results of its own class, for which it
calls `__array_finalize__`, as NumPy's guide to subclassing has it.  To all other code of nd4py it is an object whose
memory is shared, as NumPy's arrays are: functions compute on the plain array.  Functions of rows, reductions and scans
come back here, so that their results have the class.  Rejected: a class in C, since arrays change their type as
they are deferred and released; rules for every function, which would run what a program overrides amid nd4py's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from types import GenericAlias
from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.array.array_type import ArrayType, as_class_of, is_subclassed
from ..._exec.autodiff.nodes import is_array
from ..._exec.dispatch.dispatch import call
from ..._spec.ops import ALL
from ..creation.basic_creation import asarray
from .numpy_protocols import counterpart

__all__: list[str] = []

Member = Callable[..., Any]


def plain(x: Any) -> Any:
    """The plain array of one, also of those in tuples, lists and dicts; anything else as it is."""
    if is_subclassed(x):
        return x._plain
    if type(x) is tuple or type(x) is list:
        return type(x)(map(plain, x))
    return {name: plain(value) for name, value in x.items()} if type(x) is dict else x


def kept(found: Any, x: Any) -> Any:
    """What the plain array of `x` gave, as arrays of the class of `x`."""
    if is_array(found):
        return as_class_of(x, found)
    if type(found) is list and found and is_array(found[0]):
        return [kept(item, x) for item in found]
    if isinstance(found, tuple):
        items = [kept(item, x) for item in found]
        return found._make(items) if hasattr(found, "_make") else tuple(items)
    return found


def wrapped(found: Any, operands: tuple[Any, ...], function: Any) -> Any:
    """What a function gave for the plain arrays of operands, as the operand of most priority wraps it."""
    if isinstance(found, tuple):
        return tuple(wrapped(item, operands, function) for item in found)
    first = max(filter(is_subclassed, operands), key=lambda x: x.__array_priority__, default=None)
    if first is None or not is_array(found):
        return found
    return first.__array_wrap__(found, None if function is None else (function, operands, 0), False)


def overrides(x: Any) -> bool:
    """Whether `x` is of a class that has an `__array_ufunc__` of its own."""
    return is_subclassed(x) and type(x).__array_ufunc__ is not SubclassedArray.__array_ufunc__


class SubclassedArray(metaclass=ArrayType):
    """An array of a class that a program derives from `nd4py.ndarray`: a plain array, and what the program adds."""

    __slots__ = ("__weakref__", "_plain")
    __array_priority__ = 0.0
    _plain: Any

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """An uninitialised array, of the arguments of `nd4py.ndarray`.  Raises as that does."""
        if not args and "shape" not in keywords:
            raise TypeError(f"{cls.__name__}: give a shape, or take an array as one of this class, x.view(cls)")
        return cls._of(NDArray(*args, **keywords))

    @classmethod
    def _of(cls, array: Any, template: Any = None) -> Any:
        """An object of the class over the memory of a plain array.

        template: what `__array_finalize__` is given: the array that the new one is made from, None where there is none
        """
        x = object.__new__(cls)
        hold(x, array)
        if cls.__array_finalize__ is not None:
            x.__array_finalize__(template)
        return x

    @classmethod
    def __class_getitem__(cls, item: Any) -> Any:
        return GenericAlias(cls, item)

    def __array_finalize__(self, obj: Any) -> None:
        """What a class overrides to give its objects attributes; called for each new one."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """A result as an array of this class."""
        return array if type(array) is type(self) else type(self)._of(asarray(array), self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """What a universal function, ours or NumPy's, gives for plain arrays, wrapped as their operands say."""
        out = keywords.get("out")
        if isinstance(ufunc, numpy.ufunc):
            found = self._plain.__array_ufunc__(ufunc, method, *plain(inputs), **plain(keywords))
        else:
            function = ufunc if method == "__call__" else getattr(ufunc, method)
            found = function(*plain(inputs), **plain({**keywords, "out": out[0]} if out else keywords))
        if out and found is not NotImplemented:
            return out[0] if len(out) == 1 else out
        return wrapped(found, inputs, ufunc)

    def __array_function__(self, function: Any, types: Any, args: Any, keywords: Any) -> Any:
        """NEP 18: NumPy's functions, as plain arrays have it."""
        return self._plain.__array_function__(function, types, args, keywords)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The same bytes as another dtype or class.  Raises as `nd4py.ndarray.view` does."""
        if isinstance(dtype, ArrayType):
            dtype, type = None, dtype
        kind = self.__class__ if type is None else type
        is_derived = hasattr(kind, "_of")
        y = self._plain.view(dtype, None if is_derived else kind)
        return kind._of(y, self) if is_derived else y

    def __getitem__(self, key: Any) -> Any:
        key = plain(key)
        y = self._plain[key]
        is_element = y.ndim == 0 and not any(item is ... for item in (key if type(key) is tuple else (key,)))
        return y if is_element else kept(y, self)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._plain[plain(key)] = plain(value)

    def __iter__(self) -> Iterator[Any]:
        if self._plain.ndim == 0:
            raise TypeError("iteration over an array without dimensions")
        return (self[i] for i in range(len(self._plain)))

    def __len__(self) -> int:
        return len(self._plain)

    def __repr__(self) -> str:
        text = repr(self._plain)
        if not text.startswith("array("):
            return text
        name = type(self).__name__
        return f"{name}({text[6:]}".replace("\n      ", "\n" + " " * (len(name) + 1))

    def __hash__(self) -> int:
        return hash(self._plain)

    def __reduce__(self) -> Any:
        return emptied, (type(self),), (self._plain, dict(vars(self)) if hasattr(self, "__dict__") else {})

    def __setstate__(self, state: Any) -> None:
        array, attributes = state
        hold(self, array)
        for name, value in attributes.items():
            setattr(self, name, value)


def hold(x: Any, array: Any) -> None:
    """Give an object its plain array, past a `__setattr__` of its class."""
    object.__setattr__(x, "_plain", array)


def emptied(kind: Any) -> Any:
    """An object of a class that a pickle fills."""
    return kind._of(NDArray((0,)))


# Operators.


def binary(name: str, operation: Member, row: str | None, is_reflected: bool) -> Member:
    """An operator with two operands, which is a row's where `row` names one."""

    def operated(self: Any, other: Any) -> Any:
        if hasattr(type(other), "__array_ufunc__") and type(other).__array_ufunc__ is None:
            return NotImplemented
        operands = (other, self) if is_reflected else (self, other)
        function = None if row is None else counterpart("numpy", row)
        if function is not None and any(map(overrides, operands)):
            return function(*operands)
        return wrapped(operation(*plain(operands)), operands, function)

    return named(operated, name)


def unary(name: str, operation: Member, row: str | None) -> Member:
    """An operator with one operand."""

    def operated(self: Any) -> Any:
        function = None if row is None else counterpart("numpy", row)
        if function is not None and overrides(self):
            return function(self)
        return wrapped(operation(self._plain), (self,), function)

    return named(operated, name)


def in_place(name: str, operation: Member, row: str | None) -> Member:
    """An operator that writes to the array."""

    def operated(self: Any, other: Any) -> Any:
        if row is not None and (overrides(self) or overrides(other)):
            function: Any = counterpart("numpy", row)
            return function(self, other, out=self)
        return kept(operation(self._plain, plain(other)), self)

    return named(operated, name)


# What plain arrays have, of their own class.


def method(name: str) -> Member:
    """A method whose results have the class, or are what `out` names."""

    def forwarded(self: Any, *args: Any, **keywords: Any) -> Any:
        found = getattr(self._plain, name)(*plain(args), **plain(keywords))
        if keywords.get("out") is not None:
            return keywords["out"]
        is_plain = name in PLAIN or (name in COUNTS and found.ndim == 0)
        return found if is_plain else kept(found, self)

    return named(forwarded, name)


def attribute(name: str) -> property:
    """An attribute that has the class where it is an array."""

    def get(self: Any) -> Any:
        found = getattr(self._plain, name)
        return found if name in PLAIN else kept(found, self)

    def put(self: Any, value: Any) -> None:
        setattr(self._plain, name, plain(value))

    return property(get, put, doc=getattr(NDArray, name).__doc__)


def named(function: Any, name: str) -> Member:
    """A function that shows itself as the method of plain arrays of that name."""
    function.__name__, function.__qualname__ = name, f"ndarray.{name}"
    function.__doc__ = getattr(NDArray, name).__doc__
    done: Member = function
    return done


# What gives plain arrays, as in NumPy, and what gives plain numbers.
PLAIN = ("base", "nonzero", "searchsorted", "trace", "where")
COUNTS = ("argmax", "argmin", "count_nonzero")
UNARY = ("neg", "pos", "abs", "invert")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift", "matmul")
KEPT_BY_OBJECT = frozenset((
    "class", "delattr", "dict", "dir", "doc", "getattribute", "getstate", "init", "init_subclass", "module", "new",
    "pyx_vtable", "reduce_ex", "setattr", "sizeof", "subclasshook", "weakref",
))  # fmt: skip


def members() -> dict[str, Any]:
    """What plain arrays have beside what is written above."""
    rows = {op.operator: op.name for op in ALL if op.operator}
    found: dict[str, Any] = {
        f"__{name}__": unary(f"__{name}__", getattr(operator, f"__{name}__"), rows.get(name)) for name in UNARY
    }
    for name in (*COMPARISONS, *BINARY):
        operation = getattr(operator, f"__{name}__")
        found[f"__{name}__"] = binary(f"__{name}__", operation, rows.get(name), False)
        if name in BINARY:
            found[f"__r{name}__"] = binary(f"__r{name}__", operation, rows.get(name), True)
            found[f"__i{name}__"] = in_place(f"__i{name}__", getattr(operator, f"__i{name}__"), rows.get(name))
    for name in dir(NDArray):
        if name not in found and name not in vars(SubclassedArray) and name.strip("_") not in KEPT_BY_OBJECT:
            found[name] = method(name) if callable(getattr(NDArray, name)) else attribute(name)
    return found


# What dispatch asks for.


def row_of_subclass(op: int, operands: tuple[Any, ...], params: tuple[Any, ...], out: Any) -> Any:
    """A row where an operand, or what is to be written, is of a class that a program derived."""
    row = ALL[op]
    function: Any = counterpart("numpy", row.name)
    targets = () if out is None else tuple(out) if isinstance(out, tuple | list) else (out,)
    others = [x for x in (*operands, *targets) if overrides(x)]
    if others and row.is_universal and not params:
        for x in others:
            found = x.__array_ufunc__(function, "__call__", *operands, **({"out": targets} if targets else {}))
            if found is not NotImplemented:
                return found
        raise TypeError(f"{row.name}: no operand's __array_ufunc__ takes the others")
    found = call(op, plain(operands), params, plain(out))
    return out if targets else found if row.name in PLAIN else wrapped(found, operands, function)


def of_subclass(function: Member, op: int, x: Any, *settings: Any) -> Any:
    """What a reduction or a scan of a plain array gives, of the class of `x`."""
    found = function(op, x._plain, *settings)
    is_count = found.ndim == 0 and ALL[op].name in COUNTS
    return found if is_count else x.__array_wrap__(found)


def base() -> type:
    """What programs derive classes from in place of NDArray, with all its members."""
    for name, member in members().items():
        setattr(SubclassedArray, name, member)
    return SubclassedArray
