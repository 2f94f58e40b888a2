"""Panic: an error at the operation that makes NaN or infinity."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..._core.observing.panic import is_on as is_on
from ..._core.observing.panic import set_kinds, set_place
from ..._core.observing.panic_error import PanicError
from ..._core.whole_numbers import named
from ..._exec.lazy import materialize

__all__ = ["PanicError", "panic", "set_panic"]

MODES = (None, "nan", "inf", "any")


def set_panic(mode: str | None) -> str | None:
    """Raise an error at the operation that makes NaN or infinity, in all threads, until another mode is set.

    mode: "nan", "inf", "any" (either of the two), or None, which raises nothing
    The error is a `PanicError`, which names the operation, the line of the program that called it, the index and value
    of the first such element, and the operands; where one of these had such a value before, it says which. Deferred
    operations fail where they run, which is named by the line that called them: a read of the result raises, and what
    was deferred stays so. Copies, joins, selections and fills make no values and are not searched, nor is what lies on
    devices; graphs run their functions step by step.
    Every operation takes longer meanwhile: its results are read once more, and passes of deferred operations run a
    second time, one by one.
    Returns the mode before.  Raises ValueError for another mode.

    >>> before = nd.set_panic("nan")
    >>> try:
    ...     nd.sqrt(nd.asarray([4.0, -1.0]))
    ... except nd.PanicError as error:
    ...     print(error.operation, error.index)
    sqrt (1,)
    >>> nd.set_panic(before)
    'nan'
    """
    return set_kinds(named("set_panic: mode", mode, MODES))


@contextmanager
def panic(mode: str | None) -> Iterator[None]:
    """Set the mode of `set_panic`, for all threads, inside a `with` block, and the one before when it ends.

    mode: "nan", "inf", "any" or None
    What this thread deferred inside runs at its end.
    Returns a context manager.  Raises ValueError for another mode, PanicError.

    >>> with nd.panic("inf"):
    ...     y = nd.exp(nd.asarray([1.0, 2.0]))
    """
    before = set_kinds(named("panic: mode", mode, MODES))
    try:
        yield
        run_deferred()
    finally:
        set_kinds(before)


def run_deferred() -> None:
    """Run what this thread has deferred.  Raises PanicError; what lacks memory stays deferred."""
    try:
        materialize.flush_chains(False, True)
    except MemoryError:
        return


@contextmanager
def inside(place: str) -> Iterator[None]:
    """What runs inside the block belongs to a part of a network, which errors name.  For where `is_on()`."""
    before = set_place(f" in {place}")
    try:
        yield
    except PanicError as error:
        error.add_note(f"in {place}")
        raise
    finally:
        set_place(before)
