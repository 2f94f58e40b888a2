"""What is said of arguments that a function does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import CO_VARARGS, CO_VARKEYWORDS
from typing import Any, Self, TypeVar, cast

__all__: list[str] = []

Function = TypeVar("Function", bound=Callable[..., Any])
NOTHING: Mapping[str, Sequence[str]] = {}


def unknown_setting(who: str, name: str, known: Sequence[str], spellings: Mapping[str, Sequence[str]]) -> str:
    """What is said of a keyword that is none: the nearest known one, or the one that others call so.

    spellings: by known keywords, what other libraries call them
    """
    close = [own for own, others in spellings.items() if name in others and own in known]
    close = close or get_close_matches(name, known, n=1)
    hint = f" Did you mean {' and '.join(map(repr, close))}?" if close else ""
    return f"{who}: there is no setting {name!r}.{hint} Known: {', '.join(known) or 'none'}"


def keywords_of(function: Any) -> Sequence[str] | None:
    """The names of the arguments of a method but for the first, None where it takes any keyword, or is not Python's."""
    if function is object.__init__:
        return ()
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & CO_VARKEYWORDS:
        return None
    names: Sequence[str] = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return names


def too_many(who: str, method: Any, n_given: int) -> str | None:
    """What is said of more arguments by position than a method takes; None where there are not."""
    code = getattr(method, "__code__", None)
    if code is None and method is not object.__init__:
        return None
    n_taken = 0 if code is None else code.co_argcount - 1
    if n_given <= n_taken or (code is not None and code.co_flags & CO_VARARGS):
        return None
    names = () if code is None else code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    taken = ", ".join(names[:n_taken]) or "none"
    others = f"; others go by name: {', '.join(names[n_taken:])}" if names[n_taken:] else ""
    return f"{who}: takes {taken} by position, given {n_given} arguments{others}"


def check_arguments(
    who: str,
    method: Any,
    known: Sequence[str] | None,
    n_given: int,
    settings: Mapping[str, Any],
    spellings: Mapping[str, Sequence[str]] = NOTHING,
    of_others: Mapping[str, Sequence[str]] = NOTHING,
) -> None:
    """Raise TypeError for keywords that a method does not know, and for more arguments by position than it takes.

    known: its keywords, None where it takes any    n_given: how many are given by position
    of_others: what to do, by keywords that belong to something else
    """
    for name in settings if known is not None else ():
        for advice, names in of_others.items():
            if name in names:
                raise TypeError(f"{who}: there is no setting {name!r}; {advice}")
        if name not in (known or ()):
            raise TypeError(unknown_setting(who, name, known or (), spellings))
    if n_given and (told := too_many(who, method, n_given)) is not None:
        raise TypeError(told)


def telling_settings(
    method: Function,
    spellings: Mapping[str, Sequence[str]],
    who: str | None = None,
    of_others: Mapping[str, Sequence[str]] = NOTHING,
) -> Function:
    """A method that tells of an unknown keyword as `unknown_setting` does, and of too many arguments.

    who: what messages begin with; None for the name of the class    of_others: as `check_arguments` takes them
    """
    known = keywords_of(method)

    @wraps(method)
    def checked(self: Any, *values: Any, **settings: Any) -> Any:
        check_arguments(who or type(self).__name__, method, known, len(values), settings, spellings, of_others)
        return method(self, *values, **settings)

    return cast(Function, checked)


def telling_arguments(method: Function) -> Function:
    """A method that tells of arguments that it does not take."""
    return telling_settings(method, {}, None if method.__name__ == "__init__" else method.__name__)


class TellingArguments:
    """The base class of classes that tell of arguments that they do not take."""

    def __new__(cls, *values: Any, **settings: Any) -> Self:
        check_arguments(cls.__name__, cls.__init__, keywords_of(cls.__init__), len(values), settings)
        return super().__new__(cls)
