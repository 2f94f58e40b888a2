"""seterr, geterr and errstate: NumPy's settings for floating-point errors.

nd4py's loops raise no warnings and no errors for overflow, division by zero or NaN: results are infinite or NaN, which
`nd4py.isfinite` finds, and of which `nd4py.set_panic` makes errors.  The settings are accepted, kept, and given back,
and they are NumPy's own, so that NumPy's functions obey them.  They change nothing in nd4py.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from typing import Any

import numpy

from ..._core.array.released import type_name
from ..._core.whole_numbers import named

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]

MODES = (None, "ignore", "warn", "raise", "call", "print", "log")


def seterr(
    all: str | None = None,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
) -> dict[str, str]:
    """Keep NumPy's settings for floating-point errors; nd4py's own functions never warn, whatever they are.

    all: the mode of every kind of error that is not named; divide, over, under, invalid: "ignore", "warn", "raise",
    "call", "print" or "log".
    Returns the settings before, a dict.  Raises ValueError for another mode than NumPy has.

    >>> before = nd.seterr(divide="ignore")
    >>> nd.seterr(**before)["divide"]
    'ignore'
    """
    given = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
    for name, mode in given.items():
        named(f"seterr: {name}", mode, MODES)
    change: Any = numpy.seterr
    return dict(change(**given))


def geterr() -> dict[str, str]:
    """A dict of NumPy's settings for floating-point errors; nd4py's own functions never warn.  Raises nothing.

    >>> sorted(nd.geterr())
    ['divide', 'invalid', 'over', 'under']
    """
    settings: Any = numpy.geterr()
    return dict(settings)


def seterrcall(func: Callable[..., Any] | Any | None) -> Any:
    """Keep the function that NumPy calls for floating-point errors, or an object with a `write` method; None for none.

    func: a function of two arguments, the kind of error and a flag.
    Returns the one before.  Raises TypeError for anything else.

    >>> before = nd.seterrcall(print)
    >>> nd.seterrcall(before) is print
    True
    """
    if not (func is None or callable(func) or hasattr(func, "write")):
        raise TypeError(f"seterrcall: needs a function or an object with write, given {type_name(func)}")
    return numpy.seterrcall(func)


def geterrcall() -> Any:
    """The function that NumPy calls for floating-point errors, or None.  Raises nothing.

    >>> nd.geterrcall() is None
    True
    """
    return numpy.geterrcall()


class errstate(ContextDecorator):  # noqa: N801 - NumPy's name
    """A context, or a decorator, with other settings of NumPy's for floating-point errors; nd4py's own functions never
    warn.  Raises ValueError for another mode than NumPy has.

    all: the mode of every kind of error that is not named; divide, over, under, invalid: "ignore", "warn", "raise",
    "call", "print" or "log".

    >>> with nd.errstate(divide="ignore"):
    ...     print(nd.asarray(1.0) / 0)
    inf
    """

    def __init__(
        self,
        *,
        all: str | None = None,
        divide: str | None = None,
        over: str | None = None,
        under: str | None = None,
        invalid: str | None = None,
    ) -> None:
        self._settings = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
        for name, mode in self._settings.items():
            named(f"errstate: {name}", mode, MODES)

    def __enter__(self) -> None:
        self._before = seterr(**self._settings)

    def __exit__(self, *error: object) -> None:
        seterr(**self._before)
