"""What NumPy's universal functions have beside the call: methods such as `nd.add.reduce`, and `nin`, `nout`.

Design: each function is an object of a compiled class, which calls with operands alone and no keywords leave at once
for the row; the function in Python, whose signature it shows, runs all others.  The methods are attributes, imported
when the first of them is used.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..._core.lazy_modules import LazyFunction
from ..._exec.dispatch.dispatch import UniversalFunction
from ..._exec.dispatch.row_table import row_number
from ..._spec.ops import OPS

if TYPE_CHECKING:
    from .ufunc_types import universal as universal
else:

    def universal(function):
        """The function of a row, called without a frame of Python's where no keyword is given."""
        return UniversalFunction(function, row_number(function.__name__))


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
