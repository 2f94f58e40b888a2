"""Loops over the elements of arrays: ndindex, ndenumerate, broadcast and flatiter.

They are there for programs that have them.  A loop in Python over the elements of an array takes a hundred times as
long as an operation on all of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.whole_numbers import count, items, whole
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..._mem.sizes import shortened
from ..manipulation.editing import resize
from ..manipulation.manipulation import broadcast_shapes
from ..operands import beside
from .writing import write_at

__all__ = ["broadcast", "flatiter", "ndenumerate", "ndindex"]


class ndindex:  # noqa: N801 - NumPy's name
    """The indices of all elements of a shape in C order, as tuples: `for index in nd.ndindex(3, 2)`.

    Raises TypeError for sizes that are no whole numbers, ValueError for negative ones.

    >>> list(nd.ndindex(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    def __init__(self, *shape: Any) -> None:
        given = items("ndindex: shape", shape[0]) if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
        sizes = tuple(count("ndindex: a size", size) for size in given)
        count("ndindex: the number of indices", math.prod(sizes))
        self._indices = nested_indices(sizes)

    def __iter__(self) -> Iterator[Shape]:
        return self._indices

    def __next__(self) -> Shape:
        return next(self._indices)


LISTED = 1 << 20  # sizes of axes whose numbers are held at once


def nested_indices(sizes: Shape) -> Iterator[Shape]:
    """The indices of a shape in C order."""
    if sum(sizes) <= LISTED:
        return itertools.product(*map(range, sizes))
    return ((i, *rest) for i in range(sizes[0]) for rest in nested_indices(sizes[1:]))


class ndenumerate:  # noqa: N801
    """Index and element, one after the other in C order: `for index, element in nd.ndenumerate(x)`.

    Raises TypeError for an argument that cannot become an array.

    >>> [(index, x.item()) for index, x in nd.ndenumerate(nd.asarray([5, 6]))]
    [((0,), 5), ((1,), 6)]
    """

    def __init__(self, arr: Any) -> None:
        x = as_array(arr)
        self._pairs = zip(nested_indices(x.shape), x.reshape(-1), strict=True)

    def __iter__(self) -> Iterator[tuple[Shape, NDArray]]:
        return self._pairs

    def __next__(self) -> tuple[Shape, NDArray]:
        return next(self._pairs)


class broadcast:  # noqa: N801
    """What arrays broadcast to: `shape`, `ndim` and `size`; to loop over it gives a tuple of their elements each time.

    Raises ValueError for shapes that do not broadcast, TypeError for arguments that cannot become arrays.

    >>> nd.broadcast(nd.ones((3, 1)), nd.ones(4)).shape
    (3, 4)
    """

    def __init__(self, *args: Any) -> None:
        given = [as_array(x) for x in args]
        self.shape = broadcast_shapes(*(x.shape for x in given))
        self.ndim = self.nd = len(self.shape)
        self.size = math.prod(self.shape)
        self.numiter = len(given)
        self._arrays = [x.broadcast_to(self.shape) for x in given]
        self.reset()

    @property
    def iters(self) -> tuple[flatiter, ...]:
        """An iterator over each of the arrays, as it is broadcast."""
        return tuple(flatiter(x) for x in self._arrays)

    def reset(self) -> None:
        """Begin the loop again.  Raises nothing."""
        self.index = 0
        self._indices = nested_indices(self.shape)

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[NDArray, ...]:
        index = next(self._indices)
        self.index += 1
        return tuple(x[index] for x in self._arrays)


def coordinates(position: int, shape: Shape) -> Shape:
    """The index of the element at a position in C order."""
    index = []
    for size in shape[::-1]:
        position, i = divmod(position, size)
        index.append(i)
    return tuple(index[::-1])


class flatiter:  # noqa: N801
    """`x.flat`: the elements of an array in C order, to loop over, to read by position, and to write.

    Raises TypeError for what is no array.

    >>> x = nd.zeros((2, 2))
    >>> x.flat[1:3] = 7
    >>> x.tolist()
    [[0.0, 7.0], [7.0, 0.0]]
    """

    def __init__(self, array: NDArray) -> None:
        self.base = array if is_array(array) else as_array(array)
        self.index = 0

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> flatiter:
        return self

    def __next__(self) -> NDArray:
        if self.index >= self.base.size:
            raise StopIteration
        self.index += 1
        return self.base[coordinates(self.index - 1, self.base.shape)]

    @property
    def coords(self) -> Shape:
        """The index of the element that comes next."""
        return coordinates(self.index, self.base.shape)

    def __getitem__(self, key: Any) -> NDArray:
        return self.base.reshape(-1)[key].copy()

    def __setitem__(self, key: Any, value: Any) -> None:
        x = self.base
        values = beside(x, as_array(value)).reshape(-1)
        if x.is_contiguous:
            part = x.reshape(-1)
            if values.size > 1:
                values = resize(values, part[key].size)
                part[key] = values.reshape(part[key].shape)
            else:
                part[key] = values if values.size != 1 else values.reshape(())
            return
        positions = beside(x, as_array(range(x.size)))[key].reshape(-1)
        write_at(x, positions, values if values.size == 1 else resize(values, positions.size))

    def copy(self) -> NDArray:
        """The elements as a new array of one axis.  Raises MemoryError."""
        return self.base.flatten()

    def element(self, index: Sequence[Any]) -> Any:
        """One element as a Python scalar: that at a position in C order, or at an index for each axis.

        Raises IndexError for an index out of range, ValueError for another number of them.
        """
        given = items("item: the index", index)
        given = given[0] if len(given) == 1 and isinstance(given[0], tuple) else given
        where = tuple(whole("item: an index", i) for i in given)
        if len(where) == 1 and self.base.ndim != 1:
            if not -self.base.size <= where[0] < self.base.size:
                raise IndexError(f"item: position {shortened(where[0])} is out of range for {self.base.size} elements")
            where = coordinates(where[0] % self.base.size, self.base.shape)
        if len(where) != self.base.ndim:
            raise ValueError(f"item: {len(where)} indices for an array of shape {self.base.shape}")
        return self.base[where].item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.base.reshape(-1).__array__(dtype, copy)
