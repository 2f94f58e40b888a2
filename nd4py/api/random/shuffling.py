"""Shuffles in place and along axes, and random bytes."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.array_type import is_subclassed
from ..._core.layout.shape import normalize_axis
from ..._exec.device.placement import is_array
from ..indexing.take import take
from ..indexing.take_along_axis import take_along_axis
from ..manipulation.manipulation import moveaxis
from ..sorting.sorting import argsort
from .composed_shapes import ComposedShapes
from .distribution_parameters import elements_of


class Shuffling(ComposedShapes):
    """Shuffles in place and along axes, and random bytes."""

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put the slices of an array along `axis`, or the items of a list, in random order, in place.

        Raises TypeError for anything else, ValueError for a wrong axis and for arrays that are read-only.

        >>> x = nd.arange(5)
        >>> nd.random.shuffle(x)  # in place
        >>> nd.sort(x)
        array([0, 1, 2, 3, 4], dtype=int64)
        """
        if isinstance(x, list):
            order = self.permutation(len(x)).tolist()
            x[:] = [x[i] for i in order]
            return
        if is_subclassed(x):
            self.shuffle(x._plain, axis)
            return
        if not is_array(x):
            elements_of("shuffle", x, None)  # an array that was released has an error of its own
            raise TypeError(f"shuffle: needs an nd4py array or a list, which are changed in place, given {x!r}")
        along = moveaxis(elements_of("shuffle", x, None), normalize_axis(axis, x.ndim), 0)
        along[...] = take(along, self._order(along.shape[0], x.device), axis=0)

    def permuted(self, x: Any, *, axis: int | None = None, out: NDArray | None = None) -> NDArray:
        """A copy of `x` with the elements of each line along `axis` in a random order of its own; None for all
        elements together.

        out: an array to write to instead, which may be x itself.
        Raises TypeError for what is no array, ValueError for a wrong axis and for an `out` of another shape.

        >>> nd.sort(nd.random.permuted([[1, 2, 3], [4, 5, 6]], axis=1), axis=1)
        array([[1, 2, 3],
               [4, 5, 6]], dtype=int64)
        """
        array = elements_of("permuted", x, None)
        if axis is None:
            result = take(array.reshape(-1), self._order(array.size, array.device), axis=0).reshape(array.shape)
        else:
            axis = normalize_axis(axis, array.ndim)
            keys = self.random(array.shape, device=array.device)
            result = take_along_axis(array, argsort(keys, axis=axis), axis=axis)
        if out is None:
            return result
        if not isinstance(out, NDArray) or out.shape != array.shape:
            raise ValueError(f"permuted: out must be an array of shape {array.shape}")
        out[...] = result
        return out

    def bytes(self, length: int) -> bytes:
        """Random bytes, as many as asked for.  Raises ValueError for a negative number, TypeError for one that is not
        whole.

        length: how many.
        Returns bytes.

        >>> len(nd.random.bytes(8))
        8
        """
        numbers = self.integers(0, 256, length, dtype="uint8")
        try:
            return numbers.tobytes()
        except MemoryError:
            raise MemoryError(f"bytes: no memory for {length} bytes") from None
