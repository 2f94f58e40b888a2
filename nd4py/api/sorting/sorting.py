"""sort, argsort and topk."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import named, whole
from ..._exec.autodiff.nodes import constant
from ..._exec.autodiff.tape import differentiable, linear
from ..._exec.concat import as_array
from ..._exec.drivers import driver_table
from ..._exec.drivers.driver_table import put_along_last, sorted_lines, take_along_last
from .complex_order import sortable

__all__ = ["argsort", "sort", "topk"]

KINDS = {kind[0]: kind for kind in ("quicksort", "heapsort", "mergesort", "stable")}


class TopK(NamedTuple):
    """The k largest or smallest elements along an axis, and their indices."""

    values: NDArray
    indices: NDArray


def taken_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of taken: g, put to the positions of the elements."""
    x, positions = inputs
    size = x.shape[-1]
    return linear(
        g,
        lambda values: put_along_last(dense(values), positions, size),
        lambda values: take_along_last(dense(values), positions),
    ), None


@differentiable(taken_vjp, keeps_output=False)
def taken(x: NDArray, positions: NDArray) -> NDArray:
    """The elements of every line of the contiguous `x` at `positions`, none of them twice."""
    return take_along_last(x, positions)


def lines_along(x: Any, axis: int | None) -> tuple[NDArray, int]:
    """`x` as contiguous lines along its last axis, and the axis they had; None flattens.  Raises ValueError."""
    x = as_array(x)
    if axis is None:
        return dense(x.reshape(-1)), 0
    ndim = x.ndim
    axis = normalize_axis(axis, ndim)
    if axis != ndim - 1:
        x = x.permute_dims((*range(axis), *range(axis + 1, ndim), axis))
    return x if x.is_contiguous else x.copy(), axis


def along_axis(lines: NDArray, axis: int) -> NDArray:
    """The inverse of `lines_along`: the last axis moved back to `axis`."""
    last = lines.ndim - 1
    if axis == last:
        return lines
    return dense(lines.permute_dims((*range(axis), last, *range(axis, last))))


def check_kind(name: str, kind: str | None, order: object) -> None:
    """Raises ValueError for a sort that NumPy does not have, or for an order of fields.

    NumPy knows its sorts by their first letters: "quick" is one.
    """
    if not isinstance(kind, str) or kind[:1].lower() not in KINDS:
        named(f"{name}: kind", kind, (None, *KINDS.values()))
    if order is not None:
        raise ValueError(f"{name}: order names fields of records, which nd4py lacks; pass None")


def sort(
    x: Operand,
    /,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> NDArray:
    """The elements of `x` in ascending or descending order along `axis`, or of the flattened array (None).

    x: any dtype, at least one axis.  Equal elements, such as -0.0 and 0.0, always keep their order (`stable` and
    `kind`, one of NumPy's sorts, are accepted and change nothing).  NaNs come last, and first when descending: either
    order is the other one read backwards, but for equal elements.  Complex numbers are ordered by their real parts,
    equal ones by their imaginary parts.
    order: None; it names fields of records in NumPy.
    Raises ValueError for a wrong axis, another `kind`, or an `order`.

    >>> nd.sort([3, 1, 2], descending=True)
    array([3, 2, 1], dtype=int64)
    """
    if kind is not None or order is not None:
        check_kind("sort", kind, order)
    lines, axis = lines_along(x, axis)
    if lines.node is None and lines.dtype.kind != "c":
        return along_axis(sorted_lines(lines, descending), axis)
    return along_axis(taken(lines, driver_table.argsort(sortable(constant(lines)), descending)), axis)


def argsort(
    x: Operand,
    /,
    axis: int | None = -1,
    kind: str | None = None,
    order: None = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> NDArray:
    """The indices along `axis`, int64, that sort the elements as `sort` does.

    x: any dtype, at least one axis.  Equal elements always keep their order, whatever `kind` and `stable`.
    Raises ValueError for a wrong axis, another `kind`, or an `order`.

    >>> nd.argsort([30, 10, 20])
    array([1, 2, 0], dtype=int64)
    """
    if kind is not None or order is not None:
        check_kind("argsort", kind, order)
    lines, axis = lines_along(x, axis)
    return along_axis(driver_table.argsort(sortable(lines), descending), axis)


def topk(x: Operand, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> TopK:
    """The k largest elements of `x` along `axis`, or the smallest, and their int64 indices: (values, indices).

    x: any dtype, at least one axis.  The results are the first k of `sort` and `argsort`, descending for
    `largest`: the largest come first, before them NaNs, and of equal elements the first ones.  The order does not
    depend on `sorted`.
    Raises TypeError for a k that is not whole, ValueError for a wrong axis or k outside [0, the size of the axis].

    >>> nd.topk([3, 1, 2], 2)
    TopK(values=array([3, 2], dtype=int64), indices=array([0, 2], dtype=int64))
    """
    lines, axis = lines_along(x, axis)
    k = whole("topk: k", k)
    if not 0 <= k <= lines.shape[-1]:
        raise ValueError(f"topk: k must lie between 0 and the size of the axis, {lines.shape[-1]}; given {k}")
    positions = driver_table.topk(sortable(lines), k, largest)
    return TopK(along_axis(taken(lines, positions), axis), along_axis(positions, axis))
