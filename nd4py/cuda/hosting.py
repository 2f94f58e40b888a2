"""Functions without kernels, run on the host with copies of device arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.array.array import NDArray
from .array.device_array import DeviceArray
from .array.transfer import from_host, to_host
from .fallback import counts

__all__ = ["on_host"]


def on_host(function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Any:
    """`function(*args, **keywords)` on copies in host memory of all device arrays among the arguments.

    Arrays it returns, alone or in a tuple or list, are copied back to the device of the first one.  Counted in
    `fallbacks()` under the function's name.
    Returns what the function returns, and raises what it raises.

    >>> x = nd.ones(3, device="cuda:0")
    >>> nd.cuda.on_host(nd.sum, x).device
    'cuda:0'
    """
    given = [x for x in (*args, *keywords.values()) if isinstance(x, DeviceArray)]
    result = function(*map(fetched, args), **{name: fetched(x) for name, x in keywords.items()})
    if not given:
        return result
    counts[getattr(function, "__name__", str(function))] += 1
    return returned(result, given[0].device_number)


def fetched(x: Any) -> Any:
    """A device's array as one on the host; lists and tuples of them too."""
    if isinstance(x, DeviceArray):
        return to_host(x)
    return type(x)(map(fetched, x)) if type(x) in (list, tuple) else x


def returned(result: Any, device: int) -> Any:
    """Arrays on the host as arrays on a device; named tuples and lists of them too."""
    if isinstance(result, tuple):
        items = [returned(item, device) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    if isinstance(result, list):
        return [returned(item, device) for item in result]
    return from_host(result, device) if isinstance(result, NDArray) else result
