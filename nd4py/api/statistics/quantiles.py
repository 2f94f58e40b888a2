"""Quantiles, by all of NumPy's methods.

Hyndman & Fan 1996, "Sample Quantiles in Statistical Packages", https://doi.org/10.2307/2684934, number the rules for
where quantile q of n elements lies; the names are NumPy's.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..._core.annotations import Axes, Operand, Shape
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant, is_array
from ..._exec.concat import as_array, is_any_tracked
from ..._exec.device.placement import filled_beside
from ..arguments import into, tells_its_name
from ..creation.data_types import DType, float64, result_type
from ..elementwise.elementwise import (
    add,
    ceil,
    divide,
    equal,
    floor,
    isfinite,
    isnan,
    lerp,
    logical_not,
    maximum,
    minimum,
    multiply,
    round,
    where,
)
from ..indexing.take import take
from ..indexing.take_along_axis import take_along_axis
from ..operands import (
    as_number,
    as_real,
    axes_of,
    beside,
    count_along,
    is_inexact,
    numbers_beside,
    widened,
    without_axes,
)
from ..reductions.reductions import all, any, max, min, sum
from ..reductions.scans import cumulative_sum
from ..sorting.partitioning import partition
from ..sorting.sorting import argsort, sort

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

# index(n, q): where quantile q of n sorted elements lies, counted from 0, as floating numbers.
# share(index): how far from the element below it towards the one above; None takes the element at the index itself.
Place: TypeAlias = Callable[[NDArray, NDArray], NDArray]
Share: TypeAlias = Callable[[NDArray], NDArray]


def between(alpha: float, beta: float, n: NDArray, q: NDArray) -> NDArray:
    """n * q + alpha + q * (1 - alpha - beta), counted from 1."""
    return n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0


def fraction(index: NDArray) -> NDArray:
    """What is left of an index above a whole number."""
    return index - floor(index)


def linear_index(n: NDArray, q: NDArray) -> NDArray:
    """The index that lies q of the way from the first element to the last."""
    return (n - 1.0) * q


def next_index(n: NDArray, q: NDArray) -> NDArray:
    """The first element with at least n * q elements up to it."""
    return ceil(n * q - 1.0)


def closest_index(n: NDArray, q: NDArray) -> NDArray:
    """The element nearest to n * q, counted from 1; of two the one with an even number."""
    index = n * q - 1.5
    below = floor(index)
    return where((index == below) & (below % 2.0 == 1.0), below, below + 1.0)


METHODS: dict[str, tuple[Place, Share | None]] = {
    "inverted_cdf": (next_index, None),
    "averaged_inverted_cdf": (lambda n, q: n * q - 1.0, lambda index: where(fraction(index) == 0.0, 0.5, 1.0)),
    "closest_observation": (closest_index, None),
    "interpolated_inverted_cdf": (partial(between, 0.0, 1.0), fraction),
    "hazen": (partial(between, 0.5, 0.5), fraction),
    "weibull": (partial(between, 0.0, 0.0), fraction),
    "linear": (linear_index, fraction),
    "median_unbiased": (partial(between, 1 / 3, 1 / 3), fraction),
    "normal_unbiased": (partial(between, 3 / 8, 3 / 8), fraction),
    "lower": (lambda n, q: floor(linear_index(n, q)), None),
    "higher": (lambda n, q: ceil(linear_index(n, q)), None),
    "midpoint": (linear_index, lambda index: where(fraction(index) == 0.0, 0.0, 0.5)),
    "nearest": (lambda n, q: round(linear_index(n, q)), None),
}


PARTITIONED_FROM = 8192  # elements of a row, from which on partitions take less time than sorting


class Sorted(NamedTuple):
    """The rows of an array along the axes of a quantile, sorted where it is asked for."""

    rows: NDArray  # (rows, elements), NaN last among those that are sorted
    counts: NDArray  # (rows,) or (1,): the elements to count with, as float64
    is_undefined: NDArray | None  # (rows,): where the quantiles are NaN


def sorted_rows(x: NDArray, axes: Shape, skips_nan: bool, first: int = 0, last: int | None = None) -> Sorted:
    """The rows of `x` along `axes`.  With `skips_nan` NaN does not count, else it makes the quantiles NaN.

    first, last: the positions that are looked at, where that is known.
    """
    kept = tuple(i for i in range(x.ndim) if i not in axes)
    n = count_along(x.shape, axes)
    rows = x.permute_dims(kept + axes).reshape((count_along(x.shape, kept), n))
    if (
        last is not None
        and n >= PARTITIONED_FROM
        and last - first < n // 4
        and not is_any_tracked([rows])
        and x.dtype.kind != "c"
    ):
        is_undefined = isnan(max(rows, axis=1)) if is_inexact(x) else None
        return Sorted(partition(rows, (first, last)), filled_beside(rows, (1,), "float64", n), is_undefined)
    rows = sort(rows, axis=-1)
    if not is_inexact(x):
        return Sorted(rows, filled_beside(rows, (1,), "float64", n), None)
    if not skips_nan:
        return Sorted(rows, filled_beside(rows, (1,), "float64", n), isnan(constant(rows)[:, -1]))
    counts = sum(logical_not(isnan(constant(rows))), axis=1)
    return Sorted(rows, counts.astype("float64"), equal(counts, 0))


def ends(places: NDArray, n: int) -> tuple[int, int]:
    """The first and the last position of n elements that quantiles between `places` and the next ones look at."""
    first, last = (int(end(places)) if places.size else 0 for end in (min, max))
    return builtins.min(builtins.max(first, 0), n - 1), builtins.min(builtins.max(last + 1, 0), n - 1)


def elements_at(ordered: Sorted, index: NDArray) -> NDArray:
    """The element at `index`, whole numbers (quantiles, rows or 1), of each row; ends stand for what is beyond them."""
    n_rows, n = ordered.rows.shape
    inside = maximum(minimum(constant(index), ordered.counts - 1.0), 0.0).astype("int64")
    return take(ordered.rows.reshape((n_rows * n,)), add(inside, multiply(numbers_beside(index, 0, n_rows), n)))


def quantiles_of(name: str, x: NDArray, q: NDArray, axes: Shape, method: str, skips_nan: bool) -> NDArray:
    """Quantiles q, (quantiles, 1) of float64, of the rows of `x` along `axes`: (quantiles, rows)."""
    index_of, share = METHODS[method]
    n, places = count_along(x.shape, axes), None
    if not skips_nan and n >= PARTITIONED_FROM:
        places = floor(index_of(filled_beside(x, (1,), "float64", n), q))
    ordered = sorted_rows(x, axes, skips_nan, *(() if places is None else ends(places, n)))
    index = index_of(ordered.counts, q)
    if share is None:
        return defined(elements_at(ordered, index), ordered.is_undefined)
    below = floor(constant(index))
    low, high = (widened(as_real(name, elements_at(ordered, whole))) for whole in (below, below + 1.0))
    return defined(lerp(low, high, share(index).astype(low.dtype, copy=False)), ordered.is_undefined)


def defined(values: NDArray, is_undefined: NDArray | None) -> NDArray:
    """`values`, with NaN where they are undefined."""
    return values if is_undefined is None else where(is_undefined, float("nan"), values)


def arranged(
    name: str, x: Any, q: Any, axis: Axes, method: str, keepdims: bool, skips_nan: bool, weights: Any = None
) -> NDArray:
    """Quantiles with the axes of q in front of those of x.  Raises as `quantile` does."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"{name}: method must be one of {', '.join(METHODS)}; given {method!r}")
    x = ordered_numbers(name, x)
    numbers = beside(x, as_real(name, q))
    if not all((numbers >= 0.0) & (numbers <= 1.0)):
        most = 100 if "percentile" in name else 1
        low, high = (most * each(numbers).item() for each in (min, max))
        raise ValueError(f"{name}: q must lie between 0 and {most}, given {low:g} to {high:g}")
    axes = axes_of(name, axis, x.ndim)
    shape = numbers.shape + without_axes(x.shape, axes, keepdims)
    dtype = floating_dtype(x) if METHODS[method][1] else x.dtype
    if METHODS[method][1] and is_array(q):
        dtype = result_type(dtype, numbers)
    if count_along(x.shape, axes) == 0:
        return filled_beside(x, shape, floating_dtype(x), float("nan"))
    if weights is not None:
        values = weighted(name, x, numbers, axes, method, skips_nan, weights)
        return values.astype(dtype, copy=False).reshape(shape)
    values = quantiles_of(name, x, numbers.astype("float64").reshape((numbers.size, 1)), axes, method, skips_nan)
    return values.astype(dtype, copy=False).reshape(shape)


def weighted(name: str, x: NDArray, q: NDArray, axes: Shape, method: str, skips_nan: bool, weights: Any) -> NDArray:
    """Quantiles, (quantiles, rows), of elements that count as often as weights say.  Raises ValueError for weights
    that are negative, infinite, NaN, all 0, of another shape, or with another method."""
    if method != "inverted_cdf":
        raise ValueError(f"{name}: weights need method='inverted_cdf', given {method!r}")
    counts = as_real(f"{name}: weights", beside(x, as_array(weights))).astype("float64", copy=False)
    if counts.shape != x.shape:
        if len(axes) != 1 or counts.shape != (x.shape[axes[0]],):
            raise ValueError(f"{name}: weights must have shape {x.shape}, or that of one axis; given {counts.shape}")
        counts = counts.reshape((-1, *(1,) * (x.ndim - 1 - axes[0]))).broadcast_to(x.shape)
    if not all(counts >= 0.0):
        raise ValueError(f"{name}: weights must not be negative")
    kept = tuple(i for i in range(x.ndim) if i not in axes)
    shape = (count_along(x.shape, kept), count_along(x.shape, axes))
    rows, shares = (y.permute_dims(kept + axes).reshape(shape) for y in (x, counts))
    if not all(isfinite(shares)) or not all(any(shares != 0.0, axis=1)):
        raise ValueError(f"{name}: weights must be finite, and not all 0")
    nan = isnan(constant(rows)) if is_inexact(x) else None
    if nan is not None and skips_nan:
        shares = where(nan, 0.0, shares)
    order = argsort(constant(rows), axis=1)
    rows, shares = take_along_axis(rows, order, axis=1), take_along_axis(shares, order, axis=1)
    reached = cumulative_sum(shares, axis=1)
    reached = divide(reached, reached[:, -1:])
    reached = where(reached == 0.0, -1.0, reached)  # no quantile lies where nothing has counted yet
    below = sum(reached[None] < q.astype("float64").reshape((q.size, 1, 1)), axis=2)
    places = minimum(below, shape[1] - 1)
    values = take_along_axis(rows, places.mT, axis=1).mT
    if nan is None:
        return values
    return defined(values, all(nan, axis=1) if skips_nan else any(nan, axis=1))


def ordered_numbers(name: str, x: Any) -> NDArray:
    """`x` as an array of numbers that can be sorted; bools become float64."""
    x = as_array(x)
    return x if x.dtype.category in ("signed integer", "unsigned integer") else as_real(name, x)


def floating_dtype(x: NDArray) -> DType:
    """The dtype that means of elements of `x` have."""
    return x.dtype if is_inexact(x) else float64


def quantile(
    x: Operand,
    /,
    q: Any,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> NDArray:
    """What a share q of the elements along `axis` does not exceed.

    x: real numbers of any shape    q: numbers from 0 to 1, of any shape.
    method: the rule for a quantile between two elements, one of inverted_cdf, averaged_inverted_cdf,
    closest_observation, interpolated_inverted_cdf, hazen, weibull, linear, median_unbiased, normal_unbiased, lower,
    higher, midpoint, nearest.
    out: takes the result; overwrite_input: accepted, x stays as it is.
    weights: how often each element counts, of the shape of x or of its axis `axis`, for the method inverted_cdf alone.
    Returns the shape of q, then that of x without `axis`; integers become float64 where they are interpolated.
    NaN along `axis`, and no elements, give NaN.
    Raises ValueError for q outside 0 to 1, an unknown method or a wrong axis, TypeError for complex numbers.

    >>> nd.quantile([1.0, 2.0, 3.0, 4.0], [0.25, 0.75])
    array([1.75, 3.25], dtype=float64)
    """
    return into("quantile", arranged("quantile", x, q, axis, method, keepdims, False, weights), out)


@tells_its_name
def nanquantile(
    x: Operand,
    /,
    q: Any,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> NDArray:
    """`quantile` of the elements that are not NaN; NaN where there are none.

    Returns and raises as `quantile` does, but NaN only where all elements are.

    >>> nd.nanquantile([1.0, nd.nan, 3.0], 0.5)
    array(2., dtype=float64)
    """
    return into("nanquantile", arranged("nanquantile", x, q, axis, method, keepdims, True, weights), out)


def percentile(
    x: Operand,
    /,
    q: Any,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> NDArray:
    """`quantile` with q from 0 to 100.  Returns and raises as `quantile` does.

    >>> nd.percentile([1.0, 2.0, 3.0, 4.0], 25)
    array(1.75, dtype=float64)
    """
    return into("percentile", arranged("percentile", x, hundredths(q), axis, method, keepdims, False, weights), out)


@tells_its_name
def nanpercentile(
    x: Operand,
    /,
    q: Any,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> NDArray:
    """`nanquantile` with q from 0 to 100.  Returns and raises as `nanquantile` does.

    overwrite_input, method: as for `quantile`.

    >>> nd.nanpercentile([1.0, nd.nan, 3.0], 50)
    array(2., dtype=float64)
    """
    return into(
        "nanpercentile", arranged("nanpercentile", x, hundredths(q), axis, method, keepdims, True, weights), out
    )


def hundredths(q: Any) -> Any:
    """q / 100: an array for an array, else a list or number."""
    shares = divide(as_real("percentile", q), 100.0)
    return shares if is_array(q) else shares.tolist()


def median(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> NDArray:
    """The middle element along `axis` in sorted order, or the mean of the two in the middle.

    x: numbers of any shape; integers become float64, complex ones are ordered as by `sort`.  NaN along `axis`, and no
    elements, give NaN.
    out: takes the result; overwrite_input: accepted, x stays as it is.
    Raises ValueError for a wrong axis, TypeError for an argument that cannot become an array.

    >>> nd.median([3.0, 1.0, 2.0, 10.0])
    array(2.5, dtype=float64)
    """
    return into("median", middle("median", x, axis, keepdims, False), out)


@tells_its_name
def nanmedian(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> NDArray:
    """`median` of the elements that are not NaN; NaN where there are none.  Returns and raises as `median` does.

    >>> nd.nanmedian([3.0, nd.nan, 1.0])
    array(2., dtype=float64)
    """
    return into("nanmedian", middle("nanmedian", x, axis, keepdims, True), out)


def middle(name: str, x: Any, axis: Axes, keepdims: bool, skips_nan: bool) -> NDArray:
    """The mean of the two elements in the middle, which are one where their number is odd."""
    x = as_array(x)
    x = x if x.dtype.kind == "c" else ordered_numbers(name, x)
    axes = axes_of(name, axis, x.ndim)
    shape = without_axes(x.shape, axes, keepdims)
    if count_along(x.shape, axes) == 0:
        return filled_beside(x, shape, floating_dtype(x), float("nan"))
    n = count_along(x.shape, axes)
    ordered = sorted_rows(x, axes, skips_nan, (n - 1) // 2, None if skips_nan else n // 2)
    if skips_nan:
        above = floor(ordered.counts * 0.5)
        pair = [elements_at(ordered, i) for i in (ordered.counts - 1.0 - above, above)]
    else:
        pair = [ordered.rows[:, (n - 1) // 2], ordered.rows[:, n // 2]]
    low, high = (widened(as_number(elements)) for elements in pair)
    values = defined(add(low, high) * 0.5, ordered.is_undefined)
    return values.astype(floating_dtype(x), copy=False).reshape(shape)
