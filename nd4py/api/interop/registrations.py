"""Registration with libraries that take arrays of registered types alone: einops and dask.

Design: they have no entry point for it, so nd4py registers when they are imported, whichever comes first, and does not
import them itself.  Rejected: a function for users to call, which nobody finds before the first error.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

__all__: list[str] = []

# Their module -> the file of this folder whose `register` is called once it is there.
REGISTRATIONS = {"einops._backends": "einops_backend", "dask.array": "dask_chunks", "dask.sizeof": "dask_sizes"}


def register_when_imported() -> None:
    """Register with those libraries that are imported already, and with the others when they are."""
    for name, file in REGISTRATIONS.items():
        if name in sys.modules:
            register_by(file)
    if not any(isinstance(finder, Watcher) for finder in sys.meta_path):
        sys.meta_path.insert(0, Watcher())


def register_by(file: str) -> None:
    """Register with the library that a file of this folder is about."""
    importlib.import_module(f"{__package__}.{file}").register()


class Watcher:
    """A finder of modules that finds those of REGISTRATIONS, as Python would, and notes when they are there."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """What Python finds, with a loader that registers; None for other modules."""
        if name not in REGISTRATIONS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = Registering(spec.loader, REGISTRATIONS[name])  # type: ignore[assignment]
        return spec


class Registering:
    """A loader that leaves its place to the library's own, and registers when that is done."""

    def __init__(self, loader: Any, file: str) -> None:
        self.loader, self.file = loader, file

    def create_module(self, spec: ModuleSpec) -> Any:
        """The new module, as the library's own loader makes it."""
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the library's module, then register.  Raises what the module raises."""
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        register_by(self.file)
