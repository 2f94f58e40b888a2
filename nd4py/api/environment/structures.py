"""Nested tuples, named ones too, lists, dicts and dataclasses, as arguments and results of functions of functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

__all__: list[str] = []


def parts_of(tree: Any) -> dict[Any, Any] | None:
    """The items of a structure by their keys, None for anything else."""
    if isinstance(tree, dict):
        return dict(tree)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return {field.name: getattr(tree, field.name) for field in dataclasses.fields(tree) if field.init}
    return dict(enumerate(tree)) if isinstance(tree, tuple | list) else None


def with_parts(tree: Any, parts: dict[Any, Any]) -> Any:
    """A structure like `tree` of other items."""
    if isinstance(tree, dict):
        return parts
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        return dataclasses.replace(tree, **parts)
    items = parts.values()
    return type(tree)(*items) if isinstance(tree, tuple) and hasattr(tree, "_fields") else type(tree)(items)


def rebuilt(tree: Any, replace: Callable[[Any], Any]) -> Any:
    """A copy of a structure with every item that is none itself replaced."""
    parts = parts_of(tree)
    return replace(tree) if parts is None else with_parts(tree, {key: rebuilt(x, replace) for key, x in parts.items()})


def leaves_of(tree: Any) -> list[Any]:
    """The items of a structure that are none themselves, in order."""
    found: list[Any] = []
    rebuilt(tree, found.append)
    return found


def with_leaves(tree: Any, leaves: Iterable[Any]) -> Any:
    """A structure like `tree` of other items, as `leaves_of` lists them."""
    items = iter(leaves)
    return rebuilt(tree, lambda _: next(items))


def place_of(tree: Any, item: Any) -> str | None:
    """How an item of a structure is written, "['layer'][0]"; an empty text for the structure itself, None for none."""
    parts = parts_of(tree)
    if parts is None:
        return "" if tree is item else None
    has_names = not isinstance(tree, dict | tuple | list) or hasattr(tree, "_fields")
    names = dict(zip(parts, getattr(tree, "_fields", parts), strict=True)) if has_names else {}
    for key, part in parts.items():
        if (inside := place_of(part, item)) is not None:
            return f".{names[key]}{inside}" if has_names else f"[{key!r}]{inside}"
    return None


def are_alike(one: Any, other: Any) -> bool:
    """Whether two structures have items at the same keys."""
    mine, others = parts_of(one), parts_of(other)
    if mine is None or others is None:
        return mine is others
    return mine.keys() == others.keys() and all(are_alike(mine[key], others[key]) for key in mine)
