"""Python functions applied to parts of arrays: apply_along_axis, apply_over_axes and vectorize."""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..._core.annotations import Axes
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import dtype_of
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import is_whole, items
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..creation.creation import asarray, empty
from ..manipulation.manipulation import broadcast_shapes, expand_dims, moveaxis, reshape, stack
from . import signatures

__all__ = ["apply_along_axis", "apply_over_axes", "vectorize"]


def checked(name: str, function: Any) -> Callable[..., Any]:
    """A function.  Raises TypeError for what cannot be called."""
    if not callable(function):
        raise TypeError(f"{name}: needs a function, given {type_name(function)}")
    called: Callable[..., Any] = function
    return called


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> NDArray:
    """What a function makes of each line along `axis`: func1d(line, *args, **kwargs), called once for each.

    Returns an array in which the axes of the function's result, one shape for all lines, stand in place of `axis`.
    Raises ValueError for an array without elements or results of different shapes, TypeError for what cannot be called.

    >>> nd.apply_along_axis(nd.sum, 0, [[1, 2], [3, 4]]).tolist()
    [4, 6]
    """
    function, x = checked("apply_along_axis", func1d), as_array(arr)
    axis = normalize_axis(axis, x.ndim)
    lines = moveaxis(x, axis, -1)
    outer = lines.shape[:-1]
    if 0 in outer:
        raise ValueError(f"apply_along_axis: no line along axis {axis} of shape {x.shape} to call the function with")
    results = [as_array(function(lines[index], *args, **kwargs)) for index in itertools.product(*map(range, outer))]
    joined = stack([result.astype(results[0].dtype, copy=False) for result in results])
    inner = results[0].shape
    ordered = reshape(joined, (*outer, *inner))
    n, m = len(outer), len(inner)
    return ordered.permute_dims((*range(axis), *range(n, n + m), *range(axis, n)))


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Axes | Iterable[int]) -> NDArray:
    """What a function such as `nd4py.sum` makes of `a` along one axis after the other: func(x, axis), which keeps or
    drops the axis.

    Raises ValueError for a result of another number of axes, TypeError for what cannot be called.
    Returns an array of as many axes as `a` has.

    >>> nd.apply_over_axes(nd.sum, nd.ones((2, 3, 4)), [0, 2]).shape
    (1, 3, 1)
    """
    function, x = checked("apply_over_axes", func), as_array(a)
    for axis in (axes,) if is_whole(axes) else items("apply_over_axes: axes", axes):
        along = normalize_axis(axis, x.ndim)
        result = as_array(function(x, along))
        if result.ndim == x.ndim - 1:
            result = expand_dims(result, along)
        if result.ndim != x.ndim:
            raise ValueError(f"apply_over_axes: the function gives shape {result.shape} for {x.shape}")
        x = result
    return x


class vectorize:  # noqa: N801 - NumPy's name
    """A Python function of numbers as a function of arrays: it is called for every element, after broadcasting.

    pyfunc: the function; doc: what its `__doc__` shall be.  Without a function, it is a decorator with these arguments.
    otypes: the dtypes of the results, else those of the first call; excluded: arguments that are not looped over, by
    position or name, as texts never are; cache: whether the first call, which tells how many results there are, is
    kept, as it always is.
    The function gets Python's numbers.  This is a loop in Python: operations on whole arrays take a hundredth.
    signature: such as "(m,n),(n)->(m)", the axes of each operand that one call gets as arrays, and of its results; the
    axes before them are looped over.
    Raises TypeError for what cannot be called or an unknown dtype, ValueError for a signature of another form.

    >>> nd.vectorize(lambda a, b: a if a > b else b)([1, 5, 3], 2).tolist()
    [2, 5, 3]
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any] | None = None,
        otypes: Sequence[Any] | str | None = None,
        doc: str | None = None,
        excluded: Iterable[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        self.signature = None if signature is None else signatures.parsed(signature)
        kinds = tuple(otypes) if isinstance(otypes, str) else items("vectorize: otypes", otypes or ())
        self.otypes = [dtype_of(kind) for kind in kinds] or None
        self.excluded = set()
        for name in items("vectorize: excluded", excluded or ()):
            if not isinstance(name, int | str):
                raise TypeError(f"vectorize: excluded names positions and keywords, given {type_name(name)}")
            self.excluded.add(name)
        self._doc = doc
        self.pyfunc: Callable[..., Any] = self._decorated
        if pyfunc is not None:
            self._take(pyfunc)

    def _take(self, pyfunc: Callable[..., Any]) -> None:
        """Stand for a function.  Raises TypeError for what cannot be called."""
        self.pyfunc = checked("vectorize", pyfunc)
        self.__doc__ = self._doc if self._doc is not None else getattr(pyfunc, "__doc__", None)
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")

    def _decorated(self, pyfunc: Callable[..., Any]) -> vectorize:
        """What a function becomes that is decorated with these arguments."""
        made = copy.copy(self)
        made._take(pyfunc)
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc == self._decorated:
            return self.pyfunc(*args, **kwargs)
        if self.signature is not None:
            return self._by_signature(self.signature, args, kwargs)
        looped = [i for i in range(len(args)) if i not in self.excluded and not isinstance(args[i], str | bytes)]
        named = [name for name in kwargs if name not in self.excluded and not isinstance(kwargs[name], str | bytes)]
        arrays = [as_array(value) for value in (*(args[i] for i in looped), *(kwargs[name] for name in named))]
        if not arrays:
            return self._collected([self.pyfunc(*args, **kwargs)], ())
        shape = broadcast_shapes(*(x.shape for x in arrays))
        columns = [x.broadcast_to(shape).reshape(-1).tolist() for x in arrays]

        def called(*values: Any) -> Any:
            full, keywords = list(args), dict(kwargs)
            for i, value in zip(looped, values, strict=False):
                full[i] = value
            keywords.update(zip(named, values[len(looped) :], strict=True))
            return self.pyfunc(*full, **keywords)

        plain = self.pyfunc if len(looped) == len(args) and not kwargs else called
        return self._collected(list(map(plain, *columns)), shape)

    def _by_signature(self, signature: signatures.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Results of calls with parts of arrays, in the dtypes of `otypes`."""
        places = [i for i in range(len(args)) if i not in self.excluded]

        def called(*parts: Any) -> Any:
            full = list(args)
            for i, value in zip(places, parts, strict=True):
                full[i] = value
            return self.pyfunc(*full, **kwargs)

        found = signatures.looped(called, signature, [args[i] for i in places])
        if self.otypes is not None:
            found = tuple(x.astype(dtype, copy=False) for x, dtype in zip(found, self.otypes, strict=True))
        return found if len(found) > 1 else found[0]

    def _collected(self, results: list[Any], shape: tuple[int, ...]) -> Any:
        """Results of all calls as an array, or as a tuple of arrays where each call gives a tuple."""
        if not results:
            if self.otypes is None:
                raise ValueError("vectorize: no elements to call the function with, and no otypes for the result")
            made = tuple(empty(shape, dtype) for dtype in self.otypes)
            return made if len(made) > 1 else made[0]
        if isinstance(results[0], tuple):
            columns = list(zip(*results, strict=True))
            return tuple(self._column(list(values), i, shape) for i, values in enumerate(columns))
        return self._column(results, 0, shape)

    def _column(self, values: list[Any], i: int, shape: tuple[int, ...]) -> NDArray:
        """The results number i of all calls, in the dtype of the first where none is given."""
        if self.otypes is not None:
            if i >= len(self.otypes):
                raise ValueError(f"vectorize: {len(self.otypes)} otypes for more results")
            dtype = self.otypes[i]
        else:
            dtype = asarray(values[0]).dtype
        plain = [value.item() if is_array(value) else value for value in values]
        return asarray(plain).astype(dtype, copy=False).reshape(shape)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)
