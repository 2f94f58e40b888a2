"""Reductions, running sums, positions of extremes, and losses of classes."""

from __future__ import annotations

from math import inf
from typing import Any

from nd4py import api as nd

from .host_values import one_number, own_axis, whole_numbers
from .operator_rows import Rows


def by_attribute(reduce: Any, x: Any, *, axes: Any = None, keepdims: int = 1) -> Any:
    """Before version 18 the axes are an attribute."""
    return reduce(x, axis=tuple(axes) if axes is not None else None, keepdims=bool(keepdims))


def by_input(reduce: Any, x: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
    """From version 18 on the axes are an input; where it is empty, all axes or none are meant."""
    axis = tuple(whole_numbers(axes)) if axes is not None else ()
    if not axis and noop_with_empty_axes:
        return reduce(nd.expand_dims(x, axis=0), axis=0, keepdims=False)  # what is done to one element
    return reduce(x, axis=axis or None, keepdims=bool(keepdims))


def total(x: Any, **how: Any) -> Any:
    return nd.sum(x, dtype=x.dtype, **how)


def product(x: Any, **how: Any) -> Any:
    return nd.prod(x, dtype=x.dtype, **how)


def mean(x: Any, **how: Any) -> Any:
    return nd.mean(x, **how).astype(x.dtype)


def largest(x: Any, **how: Any) -> Any:
    if x.dtype == nd.bool:
        return nd.any(x, **how)
    return nd.max(x, **how, **({"initial": extreme(x.dtype, -1)} if x.size == 0 else {}))


def smallest(x: Any, **how: Any) -> Any:
    if x.dtype == nd.bool:
        return nd.all(x, **how)
    return nd.min(x, **how, **({"initial": extreme(x.dtype, 1)} if x.size == 0 else {}))


def extreme(dtype: Any, sign: int) -> Any:
    """The largest value of a dtype, or the smallest; what no elements have as minimum or maximum."""
    if nd.isdtype(dtype, "real floating"):
        return sign * inf
    return nd.iinfo(dtype).max if sign > 0 else nd.iinfo(dtype).min


def sum_of_absolutes(x: Any, **how: Any) -> Any:
    return total(nd.abs(x), **how)


def length(x: Any, **how: Any) -> Any:
    is_float = nd.isdtype(x.dtype, "real floating")
    return nd.sqrt(total(nd.square(x if is_float else x.astype(nd.float64)), **how)).astype(x.dtype)


def log_of_sum(x: Any, **how: Any) -> Any:
    return nd.log(total(x, **how)).astype(x.dtype)


def log_of_sum_of_exponentials(x: Any, **how: Any) -> Any:
    if x.size == 0:
        return nd.log(total(nd.exp(x), **how))
    return nd.logsumexp(x, **how).astype(x.dtype)


def sum_of_squares(x: Any, **how: Any) -> Any:
    return total(nd.square(x), **how)


def index_of_extreme(find: Any, x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    if not select_last_index:
        return find(x, axis=axis, keepdims=bool(keepdims))
    return x.shape[axis] - 1 - find(nd.flip(x, axis=axis), axis=axis, keepdims=bool(keepdims))


def largest_elements(x: Any, k: Any, *, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    return tuple(nd.topk(x, one_number(k), axis=axis, largest=bool(largest)))


def running(accumulate: Any, x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Any:
    """Running sums or products along an axis; exclusive ones leave the element itself out."""
    axis = own_axis(one_number(axis), x.ndim)
    x = nd.flip(x, axis=axis) if reverse else x
    if exclusive:
        found = accumulate(x, axis=axis, dtype=x.dtype, include_initial=True)
        found = found[(slice(None),) * axis + (slice(0, x.shape[axis]),)]
    else:
        found = accumulate(x, axis=axis, dtype=x.dtype)
    return nd.flip(found, axis=axis) if reverse else found


def likelihood_loss(
    x: Any, labels: Any, weights: Any = None, *, ignore_index: int | None = None, reduction: str = "mean"
) -> Any:
    """-x at the label of each example; labels that are `ignore_index` count for nothing.

    x: (batch, classes, ...)    labels: (batch, ...)    weights: (classes,)
    """
    is_counted = nd.ones(labels.shape, dtype=nd.bool) if ignore_index is None else labels != ignore_index
    labels = nd.where(is_counted, labels, 0).astype(nd.int64)
    each = nd.ones((), dtype=x.dtype) if weights is None else nd.take(weights, labels)
    each = nd.where(is_counted, each, 0).astype(x.dtype)
    losses = -nd.squeeze(nd.take_along_axis(x, nd.expand_dims(labels, axis=1), axis=1), axis=1) * each
    if reduction == "none":
        return losses
    summed = total(losses)
    return summed / total(each) if reduction == "mean" else summed


def softmax_loss(x: Any, labels: Any, weights: Any = None, *, n_outputs: int = 1, **how: Any) -> Any:
    """The loss of scores, and as a further output the logarithms of the probabilities."""
    logarithms = nd.log_softmax(x, axis=1)
    loss = likelihood_loss(logarithms, labels, weights, **how)
    return (loss, logarithms) if n_outputs > 1 else loss


OPERATORS: Rows = {
    "ArgMax": [(1, 13, index_of_extreme, nd.argmax)],
    "ArgMin": [(1, 13, index_of_extreme, nd.argmin)],
    "CumProd": [(26, 26, running, nd.cumulative_prod)],
    "CumSum": [(11, 14, running, nd.cumulative_sum)],
    "NegativeLogLikelihoodLoss": [(12, 22, likelihood_loss)],
    "ReduceL1": [(1, 13, by_attribute, sum_of_absolutes), (18, 18, by_input, sum_of_absolutes)],
    "ReduceL2": [(1, 13, by_attribute, length), (18, 18, by_input, length)],
    "ReduceLogSum": [(1, 13, by_attribute, log_of_sum), (18, 28, by_input, log_of_sum)],
    "ReduceLogSumExp": [
        (1, 13, by_attribute, log_of_sum_of_exponentials),
        (18, 28, by_input, log_of_sum_of_exponentials),
    ],
    "ReduceMax": [(1, 13, by_attribute, largest), (18, 20, by_input, largest)],
    "ReduceMean": [(1, 13, by_attribute, mean), (18, 18, by_input, mean)],
    "ReduceMin": [(1, 13, by_attribute, smallest), (18, 20, by_input, smallest)],
    "ReduceProd": [(1, 13, by_attribute, product), (18, 18, by_input, product)],
    "ReduceSum": [(1, 11, by_attribute, total), (13, 13, by_input, total)],
    "ReduceSumSquare": [(1, 13, by_attribute, sum_of_squares), (18, 18, by_input, sum_of_squares)],
    "SoftmaxCrossEntropyLoss": [(12, 13, softmax_loss)],
    "TopK": [(10, 24, largest_elements)],
}
