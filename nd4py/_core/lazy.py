"""A module that is imported when something in it is first asked for.

Design: a module-level `__getattr__` would do the same, but the interpreter then remembers no attribute of the package,
and every `nd.zeros` costs a third more.  Importing the module puts it in the place of this object.
"""

import importlib
from typing import Any


class LazyModule:
    """Stands for the module `name` until it is imported."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self.__name__), attribute)

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(self.__name__))

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}, not imported yet>"
