"""Functions with a driver of their own, by where their arrays are: the host's, or what a device's backend has instead.

Design: a backend's functions stand in a table under the names that callers use, so that nobody above asks where an
array is.  What a backend lacks is composed of rows where there is a way, and an error with words where there is none.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, overload

from .._core.devices import Backend, UnsupportedOnDevice, asked_function, backends, ways_on
from .._core.lazy import LazyFunction
from .device_functions import fetched, is_elsewhere, place
from .nodes import is_array

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def by_place(name: str, function: Function, otherwise: Callable[..., Any] | None = None) -> Function: ...


@overload
def by_place(name: str, function: LazyFunction, otherwise: Callable[..., Any] | None = None) -> Callable[..., Any]: ...


def by_place(name: str, function: Any, otherwise: Callable[..., Any] | None = None) -> Any:
    """`function` on arrays of the host; on those of a device what its backend has under `name`, of the same arguments.

    otherwise: what computes the same from rows alone, for backends that have no function of that name
    The result raises UnsupportedOnDevice where there is neither, ValueError for arrays of different devices.
    """

    on_host: Callable[..., Any] = function

    def imported_first(*operands: Any, **attributes: Any) -> Any:
        nonlocal on_host
        on_host = function.imported()
        return on_host(*operands, **attributes)

    if isinstance(function, LazyFunction):
        on_host = imported_first

    @functools.wraps(on_host)
    def chosen(*operands: Any, **attributes: Any) -> Any:
        if not backends or not is_elsewhere(*operands):  # most processes know of no device
            return on_host(*operands, **attributes)
        backend, device = place(name, *(x for x in operands if is_array(x)))
        own = backend.functions.get(name, otherwise)
        try:
            if own is None:
                raise UnsupportedOnDevice(f"{name} has no kernels for {backend.family} devices; {ways(name)}")
            return own(*operands, **attributes)
        except UnsupportedOnDevice:
            if not backend.falls_back(name):
                raise
        return sent(on_host(*(fetched(x) for x in operands), **attributes), backend, device)

    return chosen


def unsupported(why: str) -> UnsupportedOnDevice:
    """The error that says why a device cannot do what was asked, and what to do."""
    return UnsupportedOnDevice(f"{why}; {ways('this function')}")


def ways(name: str) -> str:
    """What to do where there are no kernels, in words: for the function of the namespace that was called."""
    return ways_on(asked_function(name))


def sent(result: Any, backend: Backend, device: int) -> Any:
    """A result of the host on a device: an array, several, or anything else as it is."""
    if isinstance(result, tuple):
        items = [sent(item, backend, device) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    return backend.from_host(result, device) if is_array(result) else result
