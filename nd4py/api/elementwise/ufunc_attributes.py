"""What NumPy's universal functions have beside the call: methods such as `nd.add.reduce`, and `nin`, `nout`.

Design: the functions stay plain functions, which are called twice as fast as objects of a class of ours; so these are
attributes of theirs.  The methods are imported when the first of them is used.
"""

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
UNIVERSAL: list[Any] = []  # the functions that have them


def bind_methods(*methods: Any) -> None:
    """Give the functions the methods themselves, now that their file is imported: calls go no longer by its name."""
    for function in UNIVERSAL:
        function.__dict__.update({method.__name__: partial(method, function) for method in methods})


def attach_methods(functions: dict[str, Any]) -> None:
    """Give the functions of rows the attributes of universal functions."""
    methods: list[tuple[str, Any]] = [
        (name, LazyFunction(f"{__package__}.{file}", name)) for file, names in METHODS.items() for name in names
    ]
    for op in OPS:
        if op.is_universal:
            function = functions[op.name]
            UNIVERSAL.append(function)
            function.__dict__.update({name: partial(method, function) for name, method in methods})
            function.__dict__.update(nin=len(op.args), nout=1, nargs=len(op.args) + 1, identity=op.neutral)
