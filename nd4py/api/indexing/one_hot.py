"""One-hot encoding."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.graphs.launch_recording import is_capturing
from ..._exec.device.placement import filled_beside, is_traced
from ..elementwise.elementwise import less, where
from ..manipulation.manipulation import expand_dims
from ..reductions.reductions import any
from .put_along_axis import put_along_axis
from .take import integers

__all__ = ["one_hot"]


def one_hot(indices: Any, n: int, /, *, dtype: DTypeLike = "float32") -> NDArray:
    """An array of the shape (*indices.shape, n) with a one at each index and zeros elsewhere.

    Raises IndexError for indices outside [0, n).

    >>> nd.one_hot([0, 2], 3)
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    array = integers("one_hot", indices)
    if is_capturing() or is_traced(array):
        array = where(less(array, 0), n, array.astype("int64"))  # out of range, which a call of the graph finds
    elif array.dtype.name.startswith("int") and bool(any(less(array, 0))):
        raise IndexError(f"one_hot: indices must lie in [0, {n}), given a negative one")
    result = filled_beside(array, (*array.shape, n), dtype, 0)
    put_along_axis(result, expand_dims(array, -1), True)
    return result
