"""Look-up of names in configurations, and the names that packages offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import ModuleType
from typing import TypeVar

Entry = TypeVar("Entry")

# What takes the place of a function of one's own, by the kind that is looked up.
OWN = {
    "activation": " A function of your own goes into a layer, nn.LambdaLayer(function), behind the one it belongs to.",
    "loss": " A loss of your own is an object of a class that derives from nn.Loss.",
    "weight_init": " Initial weights of your own are an object of a class that derives from nn.Distribution.",
}


def look_up(table: Mapping[str, Entry], name: object, kind: str) -> Entry:
    """The entry of `table` called `name`.

    kind: what the table lists, for the message ("activation", "loss" ...)
    Raises ValueError that names the closest match and everything that exists.
    """
    if isinstance(name, str) and name in table:
        return table[name]
    if callable(name) and not isinstance(name, type):
        raise ValueError(f"unknown {kind} {name!r}.{OWN.get(kind, '')} Names: {', '.join(sorted(table))}")
    spellings = {known.lower(): known for known in table}
    close = get_close_matches(str(name).lower(), spellings, n=1)
    hint = f" Did you mean {spellings[close[0]]!r}?" if close else ""
    raise ValueError(f"unknown {kind} {name!r}.{hint} Known: {', '.join(sorted(table))}")


def public_names(namespace: Mapping[str, object]) -> list[str]:
    """What a package offers, sorted: the names in it that are neither modules nor begin with an underscore."""
    return sorted(
        name for name, found in namespace.items() if not name.startswith("_") and not isinstance(found, ModuleType)
    )


def classes_of(package: ModuleType, base: type, but: Iterable[type] = ()) -> dict[str, type]:
    """The classes derived from `base` that a package offers, by their names, without those in `but`."""
    found = [vars(package)[name] for name in public_names(vars(package))]
    return {
        each.__name__: each
        for each in found
        if isinstance(each, type) and issubclass(each, base) and each not in (base, *but)
    }
