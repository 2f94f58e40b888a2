"""What a function returns, taken apart into arrays and put together again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Leaf(NamedTuple):
    """Stands for the array with this number."""

    number: int


def flattened(result: Any, is_array: Callable[[Any], bool], leaves: list[Any]) -> Any:
    """`result`, of tuples, lists and dictionaries, with a Leaf in place of each array, which goes to `leaves`."""
    if is_array(result):
        leaves.append(result)
        return Leaf(len(leaves) - 1)
    if isinstance(result, tuple | list):
        return _like(result, [flattened(item, is_array, leaves) for item in result])
    if isinstance(result, dict):
        return {key: flattened(item, is_array, leaves) for key, item in result.items()}
    return result


def rebuilt(skeleton: Any, arrays: list[Any]) -> Any:
    """The result with these arrays."""
    if isinstance(skeleton, Leaf):
        return arrays[skeleton.number]
    if isinstance(skeleton, tuple | list):
        return _like(skeleton, [rebuilt(item, arrays) for item in skeleton])
    if isinstance(skeleton, dict):
        return {key: rebuilt(item, arrays) for key, item in skeleton.items()}
    return skeleton


def _like(given: Any, items: list[Any]) -> Any:
    return type(given)(*items) if hasattr(given, "_fields") else type(given)(items)
