"""Whether arrays share memory: shares_memory and may_share_memory."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.whole_numbers import whole
from ..._exec.autodiff.nodes import is_array
from ..._exec.indexing.assignment import may_share
from ..arguments import tells_its_name

__all__ = ["may_share_memory", "shares_memory"]


def seen_by_numpy(x: Any) -> Any:
    """A NumPy array over the memory of `x`, for questions about addresses; anything else as it is."""
    return numpy.asarray(memoryview(x)) if is_array(x) else x


def known(a: Any, b: Any) -> bool | None:
    """Whether arrays share memory, as far as that is plain: not where they have gaps and may fit into each other's."""
    answer = may_share(a, b)
    return None if answer and not (a.is_contiguous and b.is_contiguous) else answer


def shares_memory(a: Any, b: Any, max_work: int | None = None) -> bool:
    """Whether an element of one array lies over one of the other.  NumPy finds out.

    a, b: arrays.
    max_work: how many places may be tried: -1 or None for all, 0 for the first and last bytes alone.
    Raises TypeError for a max_work that is not whole, ValueError for one below -1.

    >>> x = nd.zeros(6)
    >>> nd.shares_memory(x[::2], x[1::2])
    False
    """
    work = -1 if max_work is None else whole("shares_memory: max_work", max_work)
    if not -1 <= work < 2**63:
        raise ValueError(f"shares_memory: max_work must lie in [-1, 2**63), given {work}")
    if work and (answer := known(a, b)) is not None:
        return answer
    solve: Any = numpy.shares_memory
    return bool(solve(seen_by_numpy(a), seen_by_numpy(b), work))


@tells_its_name
def may_share_memory(a: Any, b: Any, max_work: int | None = None) -> bool:
    """Whether the memory that one array spans reaches into that of the other; `shares_memory` says for sure.

    a, b: arrays; max_work: see `shares_memory`.
    Raises as `shares_memory` does.

    >>> x = nd.zeros(6)
    >>> nd.may_share_memory(x[::2], x[1::2])
    True
    """
    if max_work is not None:
        return shares_memory(a, b, max_work)
    answer = known(a, b)
    if answer is not None and (answer or (a.is_contiguous and b.is_contiguous)):
        return answer
    return bool(numpy.may_share_memory(seen_by_numpy(a), seen_by_numpy(b)))
