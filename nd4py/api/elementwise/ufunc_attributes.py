"""What NumPy's universal functions have beside the call: methods such as `nd.add.reduce`, and `nin`, `nout`.

Design: the functions stay plain functions, which are called twice as fast as objects of a class of ours; so these are
attributes of theirs.  The methods are imported when the first of them is used.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..._core.lazy_modules import LazyFunction
from ..._spec.ops import OPS

if TYPE_CHECKING:
    from .ufunc_types import universal as universal
else:

    def universal(function):
        """The function itself; type checkers learn what else it has."""
        return function


__all__: list[str] = []

# The methods, by the file that each is in.
METHODS = {
    "ufunc_methods": ("reduce", "accumulate", "outer"),
    "ufunc_reduceat": ("reduceat",),
    "ufunc_at": ("at",),
}


class LateMethod:
    """A method of a universal function until its first call, which puts the method itself in its place."""

    __slots__ = ("_file", "_function", "_name")

    def __init__(self, function: Any, file: str, name: str) -> None:
        self._function, self._file, self._name = function, file, name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        method = partial(LazyFunction(f"{__package__}.{self._file}", self._name).imported, self._function)
        self._function.__dict__[self._name] = method
        return method(*args, **keywords)


def attach_methods(functions: dict[str, Any]) -> None:
    """Give the functions of rows the attributes of universal functions."""
    methods = [(name, file) for file, names in METHODS.items() for name in names]
    for op in OPS:
        if op.is_universal:
            function = functions[op.name]
            function.__dict__.update({name: LateMethod(function, file, name) for name, file in methods})
            function.__dict__.update(nin=len(op.args), nout=1, nargs=len(op.args) + 1, identity=op.neutral)
