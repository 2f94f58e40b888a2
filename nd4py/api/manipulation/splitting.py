"""split, array_split and unstack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count, whole
from ..._exec.concat import any_array
from ..arguments import tells_its_name
from .manipulation import ALL

__all__ = ["array_split", "split", "unstack"]


def unstack(x: Operand, /, axis: int = 0) -> tuple[NDArray, ...]:
    """The slices of `x` along `axis`, as views.  Raises ValueError for a wrong axis.

    >>> [x.tolist() for x in nd.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    x = any_array(x)
    before = (ALL,) * normalize_axis(axis, x.ndim)
    return tuple(x[(*before, i)] for i in range(x.shape[len(before)]))


PIECES = "array_split: the number of pieces"


@tells_its_name
def split(x: Operand, /, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[NDArray]:
    """Pieces of `x` along `axis`, as views: a number of equal ones, or the positions they are cut at.

    indices_or_sections: a number of pieces, or a sequence of the positions.
    Raises ValueError when the axis does not divide into equal pieces.

    >>> [piece.tolist() for piece in nd.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    """
    x = any_array(x)
    size = x.shape[normalize_axis(axis, x.ndim)]
    if not isinstance(indices_or_sections, Iterable) and size % count(PIECES, indices_or_sections, 1):
        raise ValueError(f"split: {size} slices do not divide into {indices_or_sections} equal pieces; use array_split")
    return array_split(x, indices_or_sections, axis)


@tells_its_name
def array_split(x: Operand, /, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[NDArray]:
    """Pieces of `x` along `axis`, as views: a number of them, the first ones longer by one, or where they are cut.

    indices_or_sections: a number of pieces, or a sequence of the positions.
    Raises ValueError for fewer pieces than one.

    >>> [piece.tolist() for piece in nd.array_split([1, 2, 3, 4, 5], 2)]
    [[1, 2, 3], [4, 5]]
    """
    x = any_array(x)
    before = (ALL,) * normalize_axis(axis, x.ndim)
    size = x.shape[len(before)]
    if isinstance(indices_or_sections, Iterable):
        borders, n_empty = [0, *(whole("array_split: a position", i) for i in indices_or_sections), size], 0
    else:
        n = count(PIECES, indices_or_sections, 1)
        borders = [size // n * i + min(i, size % n) for i in range(min(n, size) + 1)]
        n_empty = n - len(borders) + 1
    pieces = [x[(*before, slice(start, end))] for start, end in pairwise(borders)]
    try:
        return pieces + [x[(*before, slice(size, size))]] * n_empty
    except MemoryError:
        raise MemoryError(
            f"array_split: no memory for a list of {len(pieces) + n_empty} pieces; ask for fewer"
        ) from None
