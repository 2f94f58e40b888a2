"""Look-up of names in configurations."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

Entry = TypeVar("Entry")


def look_up(table: Mapping[str, Entry], name: object, kind: str) -> Entry:
    """The entry of `table` called `name`.

    kind: what the table lists, for the message ("activation", "loss" ...)
    Raises ValueError that names the closest match and everything that exists.
    """
    if isinstance(name, str) and name in table:
        return table[name]
    spellings = {known.lower(): known for known in table}
    close = get_close_matches(str(name).lower(), spellings, n=1)
    hint = f" Did you mean {spellings[close[0]]!r}?" if close else ""
    raise ValueError(f"unknown {kind} {name!r}.{hint} Known: {', '.join(sorted(table))}")
