"""What is said of keywords that a class does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import CO_VARKEYWORDS
from typing import Any, TypeVar, cast

__all__: list[str] = []

Function = TypeVar("Function", bound=Callable[..., Any])


def unknown_setting(who: str, name: str, known: Sequence[str], spellings: Mapping[str, Sequence[str]]) -> str:
    """What is said of a keyword that is none: the nearest known one, or the one that others call so.

    spellings: by known keywords, what other libraries call them
    """
    close = [own for own, others in spellings.items() if name in others and own in known]
    close = close or get_close_matches(name, known, n=1)
    hint = f" Did you mean {' and '.join(map(repr, close))}?" if close else ""
    return f"{who}: there is no setting {name!r}.{hint} Known: {', '.join(known)}"


def keywords_of(function: Any) -> Sequence[str] | None:
    """The names of the arguments of a method but for the first, None where it takes any keyword, or is not Python's."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & CO_VARKEYWORDS:
        return None
    names: Sequence[str] = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return names


def telling_settings(init: Function, spellings: Mapping[str, Sequence[str]]) -> Function:
    """A method `__init__` that tells of an unknown keyword as `unknown_setting` does."""
    known = keywords_of(init)
    if known is None:
        return init

    @wraps(init)
    def checked(self: Any, *values: Any, **settings: Any) -> None:
        for name in settings:
            if name not in known:
                raise TypeError(unknown_setting(type(self).__name__, name, known, spellings))
        init(self, *values, **settings)

    return cast(Function, checked)
