"""Lazy imports: modules that are imported when something in them is first used.

Design: the package itself has no module-level `__getattr__`: the interpreter would then remember no attribute of it,
and every `nd.zeros` cost a third more.  A namespace such as `nd4py.linalg` has one until its first use, when it gets
all its names.  Imports take the interpreter's own locks: threads that come at once find the same objects.
"""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple


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

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}, not imported yet>"


class LazyFunction(NamedTuple):
    """A function of a module that need not be imported yet."""

    module: str
    name: str

    def imported(self) -> Callable[..., Any]:
        """The function, its module imported if need be."""
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.name)
        return function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.imported()(*args, **keywords)


def names_at_first_use(source: str, namespace: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module that has the public names of the module `source`, from its first use on.

    namespace: the module's dictionary.  The two are gone from it once it has the names.
    """

    def fill() -> None:
        module = importlib.import_module(source)
        namespace.update({name: getattr(module, name) for name in module.__all__}, __all__=module.__all__)
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
