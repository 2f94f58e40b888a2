"""Lazy imports: modules that are imported when something in them is first used.

Design: the package has a module-level `__getattr__` (PEP 562), as NumPy has.  The interpreter then looks up each of its
attributes anew, which takes some 20 ns for every `nd.zeros`; importing all functions took every program 25 ms.  A
namespace such as `nd4py.linalg` has one until its first use, when it gets all its names.  Imports take the
interpreter's own locks: threads that come at once find the same objects.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from .public_types import name_types


class LazyModule:
    """Stands for the module `name` until something in it is asked for.

    The module then takes the place of this object in `namespace`, the dictionary of the module that has it as a global,
    so that later uses cost what they cost without it.
    """

    def __init__(self, name: str, namespace: dict[str, Any]) -> None:
        self.__name__ = name
        self._namespace = namespace

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._imported(), attribute)

    def __dir__(self) -> list[str]:
        return dir(self._imported())

    def _imported(self) -> Any:
        module = importlib.import_module(self.__name__)
        for name in [name for name, value in self._namespace.copy().items() if value is self]:
            self._namespace[name] = module
        return module

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name: functions that use it go to other processes, by cloudpickle."""
        return importlib.import_module, (self.__name__,)

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}, not imported yet>"


class LazyFunction:
    """A function of a module that need not be imported yet."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    @functools.cached_property  # asking for an import takes a microsecond
    def imported(self) -> Callable[..., Any]:
        """The function, its module imported if need be."""
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.name)
        return function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.imported(*args, **keywords)


class LateFunctions(dict[str, Any]):
    """The functions of a namespace by their names, each imported at its first use."""

    def __init__(self, namespace: Any) -> None:
        super().__init__()
        self._namespace = namespace

    def __missing__(self, name: str) -> Any:
        found = self[name] = getattr(self._namespace, name)
        return found


def public_names(source: str, public: str) -> dict[str, Any]:
    """What the module `source` makes public, its types named as those of the module `public`."""
    module = importlib.import_module(source)
    found = {name: getattr(module, name) for name in module.__all__}
    name_types(found, public)
    return found


def late_names(sources: dict[str, str], namespace: dict[str, Any]) -> Callable[[str], Any]:
    """`__getattr__` of a package whose public names come from its files when they are first used.

    sources: public name -> file of the package, such as "sorting.sets".
    namespace: the package's dictionary, which gets the names of a file as it is imported.
    """
    package = namespace["__name__"]

    def get(name: str) -> Any:
        if name not in sources:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        namespace.update(public_names(f"{package}.{sources[name]}", package.partition(".")[0]))
        return namespace[name]

    return get


def names_at_first_use(source: str, namespace: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module that has the public names of the module `source`, from its first use on.

    namespace: the module's dictionary.  The two are gone from it once it has the names.
    """

    def fill() -> None:
        found = public_names(source, namespace["__name__"])
        namespace.update(found, __all__=list(found))
        namespace.pop("__getattr__", None)
        namespace.pop("__dir__", None)

    def get(name: str) -> Any:
        if name == "__all__" or not name.startswith("__"):  # importing asks for `__path__` and its like
            fill()
        if name in namespace:
            return namespace[name]
        raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")

    def names() -> list[str]:
        fill()
        return sorted(namespace)

    return get, names
