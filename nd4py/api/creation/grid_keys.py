"""Arrays written as an index: mgrid, ogrid, r_ and c_; s_ and index_exp, which give the index itself; ix_."""

from __future__ import annotations

import math
from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.whole_numbers import real
from ..._exec.concat import as_array
from ..indexing.nonzero import nonzero
from ..manipulation.manipulation import concat, swapaxes
from .basic_creation import python_number
from .creation import arange, asarray, linspace
from .data_types import result_type
from .grids import indices

__all__ = ["c_", "index_exp", "ix_", "mgrid", "ogrid", "r_", "s_"]

SCALARS = (bool, int, float, complex)


class Named:
    """An object of which there is one, by its name; copies and pickles are the object itself."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"nd4py.{self.__name__}"


def steps_of(name: str, key: Any) -> tuple[Any, Any, int]:
    """First number, step and number of steps that a slice stands for; a complex step says how many there are."""
    if not isinstance(key, slice):
        raise TypeError(f"{name}: an index must be a slice, start:stop:step, given {type_name(key)}")
    if key.stop is None:
        raise ValueError(f"{name}: a slice needs an end, given {key}")
    start, stop, step = (
        python_number(name, default if value is None else value)
        for value, default in ((key.start, 0), (key.stop, 0), (key.step, 1))
    )
    for what, end in (("start", start), ("stop", stop)):
        real(f"{name}: {what}", end)
    if isinstance(step, complex):
        n = int(abs(step)) if math.isfinite(abs(step)) else -1
        if n < 0:
            raise ValueError(f"{name}: {step} is no number of steps")
        return float(start), (stop - start) / (n - 1) if n > 1 else 1.0, n
    if step == 0 or not math.isfinite((stop - start) / step):
        raise ValueError(f"{name}: from {start} to {stop} in steps of {step} is no finite number of elements")
    return start, step, max(0, math.ceil((stop - start) / step))


class Grid(Named):
    """`mgrid[0:3, 0:4]`: index grids, dense or (`ogrid`) open.  Indexing raises TypeError for anything but slices."""

    def __init__(self, name: str, sparse: bool) -> None:
        super().__init__(name)
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, tuple):
            start, step, n = steps_of(self.__name__, key)
            return arange(n) * step + start
        steps = [steps_of(self.__name__, each) for each in key]
        is_real = any(isinstance(number, float) for start, step, _ in steps for number in (start, step))
        is_real = is_real or any(isinstance(each.stop, float) for each in key)
        grids: Any = indices([n for *_, n in steps], dtype="float64" if is_real else "int64", sparse=self.sparse)
        if self.sparse:
            return tuple(x * step + start for x, (start, step, _) in zip(grids, steps, strict=True))
        for i, (start, step, _) in enumerate(steps):
            if (start, step) != (0, 1):
                grids[i] = grids[i] * step + start
        return grids


mgrid = Grid("mgrid", False)
ogrid = Grid("ogrid", True)


class Joined(Named):
    """`r_[0:3, 7, x]`: numbers, slices and arrays joined along an axis.

    Indexing raises ValueError for texts that are no directive ("axis", "axis,ndmin" or "axis,ndmin,first") and for
    those that ask NumPy for a matrix.
    """

    def __init__(self, name: str, axis: int, ndmin: int, first: int) -> None:
        super().__init__(name)
        self.defaults = (axis, ndmin, first)

    def __getitem__(self, key: Any) -> NDArray:
        given = key if isinstance(key, tuple) else (key,)
        axis, ndmin, first = self.defaults
        if given and isinstance(given[0], str):
            numbers = self.directive(given[0])
            axis, ndmin, first = (*numbers, *self.defaults[len(numbers) :])
            given = given[1:]
        pieces = [self.piece(each, ndmin, first) for each in given]
        if not pieces:
            raise ValueError(f"{self.__name__}: needs one array or number at least")
        dtype = result_type(*(each if isinstance(each, SCALARS) else x for each, x in zip(given, pieces, strict=True)))
        return concat([x.astype(dtype, copy=False) for x in pieces], axis)

    def directive(self, text: str) -> list[int]:
        """The numbers of a directive."""
        try:
            numbers = [int(number) for number in text.split(",")]
        except ValueError:
            numbers = []
        if not 1 <= len(numbers) <= 3:
            raise ValueError(f"{self.__name__}: no directive {text!r}; nd4py has no matrices, give 'axis,ndmin,first'")
        return numbers

    def piece(self, item: Any, ndmin: int, first: int) -> NDArray:
        """One of the items as an array of `ndmin` axes at least; `first` is where the axes that it had begin."""
        if isinstance(item, str):
            raise ValueError(f"{self.__name__}: a directive, here {item!r}, comes first")
        if isinstance(item, slice):
            start, step, n = steps_of(self.__name__, item)
            is_counted = item.step is not None and isinstance(python_number(self.__name__, item.step), complex)
            x = linspace(start, float(item.stop), n) if is_counted else arange(start, item.stop, step)
            x = at_least(ndmin, x)
            return swapaxes(x, -1, first) if ndmin > 1 and first != -1 else x
        x = asarray(item) if isinstance(item, SCALARS) else as_array(item)
        n_new = ndmin - x.ndim
        y = at_least(ndmin, x)
        if first == -1 or n_new <= 0 or isinstance(item, SCALARS):
            return y
        place = first + n_new + 1 if first < 0 else first
        axes = list(range(ndmin))
        return y.permute_dims((*axes[:place], *axes[n_new:], *axes[place:n_new]))


def at_least(ndim: int, x: NDArray) -> NDArray:
    """The view of `x` with axes of size 1 in front, `ndim` in all."""
    return x[(None,) * (ndim - x.ndim) + (...,)] if x.ndim < ndim else x


r_ = Joined("r_", 0, 1, -1)
c_ = Joined("c_", -1, 2, 0)


class Key(Named):
    """`s_[1:3, ...]`: the index between the brackets, always as a tuple for `index_exp`.  Indexing raises nothing."""

    def __init__(self, name: str, always_tuple: bool) -> None:
        super().__init__(name)
        self.always_tuple = always_tuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self.always_tuple and not isinstance(key, tuple) else key


s_ = Key("s_", False)
index_exp = Key("index_exp", True)


def ix_(*args: Any) -> tuple[NDArray, ...]:
    """Indices that name a block: `x[ix_(rows, columns)]` are the elements of these rows in these columns.

    args: sequences of one axis, of ints or bools.  Returns an array for each, along an axis of its own.
    Raises ValueError for more axes.

    >>> nd.arange(9).reshape(3, 3)[nd.ix_([0, 2], [1, 2])].tolist()
    [[1, 2], [7, 8]]
    """
    result = []
    for i, given in enumerate(args):
        x = as_array(given)
        if x.ndim != 1:
            raise ValueError(f"ix_: needs arrays of 1 dimension, given shape {x.shape}")
        if x.size == 0 and not isinstance(given, NDArray):
            x = x.astype("int64")
        x = nonzero(x)[0] if x.dtype.kind == "b" else x
        result.append(x.reshape((1,) * i + (x.size,) + (1,) * (len(args) - i - 1)))
    return tuple(result)
