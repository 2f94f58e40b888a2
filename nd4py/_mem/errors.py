"""Exceptions of memory and workspaces."""

from __future__ import annotations

__all__ = ["MemoryFaultError", "WorkspaceError"]


class WorkspaceError(RuntimeError):
    """A workspace is used wrongly, or an array is used after the scope that held its memory.

    The message names the array, the workspace, the generations (how often the scope was entered) and what to do.

    >>> with nd.workspace("step"):
    ...     x = nd.ones(3)
    >>> try:
    ...     x + 1
    ... except nd.WorkspaceError:
    ...     print("x outlived its workspace")
    x outlived its workspace
    """


def belongs_to_process(what: str, remedy: str) -> TypeError:
    """The error for a copy or a pickle of an object that is not a value: memory, settings, devices."""
    return TypeError(f"{what} belongs to this process and can be neither copied nor pickled; {remedy}")


class MemoryFaultError(RuntimeError):
    """Memory was written beyond a block or after it was freed, or freed twice; found under ND4PY_DEBUG_MEMORY=1.

    >>> issubclass(nd.memory.MemoryFaultError, RuntimeError)
    True
    """
