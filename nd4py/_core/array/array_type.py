"""ArrayType: the class of the class NDArray, which lets programs derive classes from it.

Design: NDArray is a class in C that no class may have as its base: code in C tells arrays by their exact type, which
they change as they are deferred and released.  A class that a program derives gets another base instead, in Python
(`nd4py.api.interop.subclassed_array`), whose objects hold an array; `isinstance` and `issubclass` know of it.
Rejected: a class of NumPy's name beside NDArray, since programs write `type(x) is np.ndarray`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..public_types import let_make
from .array import NDArray


class ArrayType(type):
    """The class of NDArray, and of what is derived from it."""

    derive: Callable[[], type]  # gives what programs derive from in place of NDArray; a layer above fills it in
    base: type | None = None  # the same, once something was derived

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any], **keywords: Any) -> Any:
        """The class that a program derives from NDArray."""
        if NDArray in bases:
            bases = tuple(base_of_derived() if base is NDArray else base for base in bases)
        return super().__new__(cls, name, bases, members, **keywords)


def base_of_derived() -> type:
    """What programs derive from in place of NDArray, which knows of it from now on: before, `isinstance` need not
    ask."""
    if ArrayType.base is None:
        ArrayType.base = ArrayType.derive()
        hooks = {"__instancecheck__": is_instance, "__subclasscheck__": is_derived, "__getattribute__": of_either}
        for name, hook in hooks.items():
            setattr(ArrayType, name, hook)
    return ArrayType.base


def is_instance(cls: type, x: Any) -> bool:
    """`isinstance(x, cls)`."""
    return type.__instancecheck__(cls, x) or (cls is NDArray and is_subclass(type(x)))


def is_derived(cls: type, kind: type) -> bool:
    """`issubclass(kind, cls)`."""
    return type.__subclasscheck__(cls, kind) or (cls is NDArray and is_subclass(kind))


def of_either(cls: type, name: str) -> Any:
    """An attribute of a class; methods that are named with NDArray take arrays of derived classes too."""
    found = type.__getattribute__(cls, name)
    return method_of_either(name) if cls is NDArray and name in vars(ArrayType.base) and callable(found) else found


@functools.cache
def method_of_either(name: str) -> Callable[..., Any]:
    """A method of NDArray, or that of derived classes for their arrays, and for the class that `__new__` is given."""
    found, of_derived = type.__getattribute__(NDArray, name), getattr(ArrayType.base, name)

    @functools.wraps(found)
    def call(x: Any, *args: Any, **keywords: Any) -> Any:
        kind = x if isinstance(x, type) else type(x)
        return (of_derived if is_subclass(kind) else found)(x, *args, **keywords)

    return call


def is_subclass(kind: type) -> bool:
    """Whether a class was derived from NDArray."""
    return ArrayType.base is not None and type.__subclasscheck__(ArrayType.base, kind)


def is_subclassed(x: Any) -> bool:
    """Whether `x` is an array of a class that a program derived from NDArray."""
    return is_subclass(type(x))


def as_class_of(x: Any, array: NDArray) -> Any:
    """A plain array as one of the class of `x`, `x` itself where it is its own."""
    return x if array is x._plain else type(x)._of(array, x)


let_make(NDArray, ArrayType)
