"""Functions with a driver for the host and one for each backend, chosen by the arrays they are given.

Design: a backend's functions stand in a table under the names that callers use, so that no layer above asks where an
array is.  A function that a backend lacks is composed of rows where that is possible; else calling it is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..._core.devices import UnsupportedOnDevice, asked_function, ways_on
from .backend_function import BackendFunction, SettingsFunction

Function = TypeVar("Function", bound=Callable[..., Any])


def by_backend(name: str, function: Function, otherwise: Callable[..., Any] | None = None) -> Function:
    """`function` on arrays of the host; on those of a device what its backend has under `name`, of the same arguments,
    which have no keywords.

    otherwise: what computes the same from rows alone, for backends that have no function of that name
    The result raises UnsupportedOnDevice where there is neither, ValueError for arrays of different devices.
    """
    return cast("Function", BackendFunction(name, function, otherwise))


def driver(function: Function) -> Function:
    """`by_backend` under the function's own name, for functions with keywords."""
    chosen: Any = SettingsFunction(function.__name__, function)
    return cast(Function, chosen)


def unsupported(why: str) -> UnsupportedOnDevice:
    """The error that says why a device cannot do what was asked, and what to do."""
    return UnsupportedOnDevice(f"{why}; {ways_on(asked_function('this function'))}")
