"""The journal of a change that happens as a whole or not at all, on the host and on devices."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from .committing import commit

JOURNAL = "_journal"  # where an owner keeps what is decided and not yet all written


def change_together(owner: Any, targets: tuple[NDArray, ...], sources: tuple[NDArray, ...], **changes: Any) -> None:
    """Copy each source into its target and set attributes of `owner`: done or not done, whatever interrupts it.

    On the host it is one step.  Copies on a device take several; `owner._journal` then says what is to be done before
    the first of them, and what an interrupt leaves is finished by `finish`, which owners call before they look.
    Raises what `nd4py._exec.autodiff.committing.commit` does; nothing has changed then.
    """
    if all(isinstance(array, NDArray) for array in targets + sources):
        commit(targets, sources, vars(owner), changes)
        return
    vars(owner)[JOURNAL] = (targets, sources, changes)  # decided
    try:
        finish(owner)
    except BaseException:
        finish(owner)
        raise


def finish(owner: Any) -> None:
    """Carry out what is decided; again where it was interrupted, which changes nothing of what is there already."""
    if (journal := vars(owner)[JOURNAL]) is None:
        return
    targets, sources, changes = journal
    for target, source in zip(targets, sources, strict=True):
        write(target, source)
    vars(owner).update(changes | {JOURNAL: None})


def write(target: NDArray, source: NDArray) -> None:
    """Copy the elements of `source` into `target`."""
    target[...] = source.astype(target.dtype, copy=False)
