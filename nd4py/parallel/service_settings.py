"""Settings of a model that answers requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py.api.arguments import real, whole
from nd4py.api.unknown_settings import TellingArguments as TellingArguments

LONGEST_WAIT = 1e9  # seconds, thirty years: locks and queues refuse waits of any length
MODES = ("batched", "sequential", "in_place")


@dataclass(frozen=True)
class ServiceSettings:
    """How the requests for a model wait, and are computed together.

    max_wait: seconds
    """

    mode: str
    batch_limit: int
    queue_limit: int
    max_wait: float
    least_rows: int
    when_full: str
    weight: float


def checked_settings(
    who: str, mode: Any, batch_limit: Any, queue_limit: Any, max_wait_us: Any, least_rows: Any, when_full: Any,
    weight: Any = 1.0,
) -> ServiceSettings:  # fmt: skip
    """The settings.  Raises ValueError for values out of range, TypeError for what is no number."""
    settings = ServiceSettings(
        mode=_one_of(MODES, mode, f"{who}: mode"),
        batch_limit=at_least(1, batch_limit, f"{who}: batch_limit"),
        queue_limit=at_least(1, queue_limit, f"{who}: queue_limit"),
        max_wait=min(1e-6 * _positive(max_wait_us, f"{who}: max_wait_us", or_zero=True), LONGEST_WAIT),
        least_rows=at_least(1, least_rows, f"{who}: least_rows"),
        when_full=_one_of(("refuse", "wait"), when_full, f"{who}: when_full"),
        weight=_positive(weight, f"{who}: weight"),
    )
    if settings.least_rows > settings.batch_limit:
        raise ValueError(f"{who}: least_rows={least_rows} is more than batch_limit={batch_limit}; lower it")
    return settings


def checked_seconds(timeout: Any) -> float | None:
    """A time limit, or None.  Raises ValueError for a negative one, TypeError for what is no number."""
    return None if timeout is None else min(_positive(timeout, "timeout", or_zero=True), LONGEST_WAIT)


def at_least(least: int, value: Any, what: str) -> int:
    """A whole number.  Raises ValueError for one that is too small, TypeError for what is none."""
    number = whole(what, value)
    if number < least:
        raise ValueError(f"{what} must be at least {least}, got {value}")
    return number


def _positive(value: Any, what: str, *, or_zero: bool = False) -> float:
    number = float(real(what, value))
    if not (0.0 < number < float("inf") or (or_zero and number == 0.0)):
        raise ValueError(f"{what} must be a number of at least 0{'' if or_zero else ', and not 0'}, got {value}")
    return number


def _one_of(choices: tuple[str, ...], value: Any, what: str) -> str:
    if value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}, got {value!r}")
    return str(value)
