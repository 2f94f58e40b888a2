"""Attention: in blocks on the host, with the matrix of all pairs elsewhere.

Design: a matrix of all pairs of queries and keys is nowhere in the host's memory, forward or backward.  Devices, and
`nd.vmap`, have no loops of blocks; there it is made of other operations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..autodiff.nodes import constant
from ..autodiff.tape import leaf
from ..device.placement import numbers_beside
from ..dispatch.by_backend import by_backend
from ..dispatch.row_functions import row_function
from .driver_table import attention
from .recurrent_steps import gradients_of

exp, where = row_function("exp"), row_function("where")
HIDDEN = -1e30  # a score whose weight is 0 beside any other, and not NaN where all are
HEADS_FIRST = (0, 2, 1, 3)  # turns (batch, length, heads, size) into (batch, heads, length, size), and back


class Attended(NamedTuple):
    """The result, and what its gradient needs."""

    y: NDArray
    sums: NDArray | None


class Values(NamedTuple):
    """The result alone."""

    y: NDArray


def blockwise(keeps: bool, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float) -> Any:
    """Attention in blocks, of operands with four axes."""
    y, sums = attention(*map(with_dense_rows, (q, k, v)), mask, is_causal, scale, keeps)
    return Attended(y.permute_dims(HEADS_FIRST), sums) if keeps else Values(y.permute_dims(HEADS_FIRST))


def of_all_pairs(keeps: bool, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float) -> Any:
    """The same of other functions, with the matrix of all pairs."""
    scores = (q @ k.permute_dims((0, 1, 3, 2))) * scale
    seen = None if mask is None else mask != 0
    if is_causal:
        n_queries, n_keys = scores.shape[2:]
        last = numbers_beside(q, n_keys - n_queries, n_keys).reshape((n_queries, 1))
        own = numbers_beside(q, 0, n_keys) <= last
        seen = own if seen is None else seen & own
    if seen is not None:
        scores = where(seen, scores, HIDDEN)
    weights = exp(scores - constant(scores.max(-1, keepdims=True)))
    weights = weights / weights.sum(-1, keepdims=True)
    return Values((weights if seen is None else where(seen, weights, 0.0)) @ v)


def gradients_of_all_pairs(dy: Any, q: Any, k: Any, v: Any, mask: Any, is_causal: bool, scale: float) -> Any:
    """The gradients of q, k and v there."""
    leaves = [leaf(x) for x in (q, k, v)]
    q, k, v = (x for x, _ in leaves)
    y = of_all_pairs(False, q, k, v, mask, is_causal, scale).y
    return gradients_of([(y, dy)], leaves)


def with_dense_rows(x: NDArray) -> NDArray:
    """`x`, or a copy, without gaps along its last axis."""
    return x if x.strides[-1] == x.dtype.itemsize or x.shape[-1] == 1 else dense(x)


run_attention = by_backend("dot_product_attention", blockwise, of_all_pairs)
