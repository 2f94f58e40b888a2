"""Attention of queries to keys."""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import Attributes, Gradients
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.whole_numbers import real
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.nodes import is_array, node_of
from ..._exec.drivers.attentions import (
    HEADS_FIRST,
    Attended,
    gradients_of_all_pairs,
    run_attention,
    with_dense_rows,
)
from ..._exec.drivers.driver_table import attention_gradient
from ..creation.data_types import float32, result_type
from ..manipulation.manipulation import broadcast_to
from ..operands import check_floating

__all__ = ["dot_product_attention"]


def attention_vjp(pieces: Any, inputs: Any, outputs: Any, attributes: Attributes) -> Gradients:
    """Gradients of attention for q, k and v."""
    is_causal, scale = attributes["is_causal"], attributes["scale"]
    if not isinstance(outputs, Attended) or any(is_array(x) and node_of(x) is not None for x in (*inputs, *pieces)):
        q, k, v, mask = inputs
        return [*gradients_of_all_pairs(pieces[0], q, k, v, mask, is_causal, scale), None]
    q, k, v, y, dy = map(with_dense_rows, (*inputs[:3], outputs.y, pieces[0]))
    gradients = attention_gradient(dy, q, k, v, y, outputs.sums, inputs[3], is_causal, scale)
    return [*(each.permute_dims(HEADS_FIRST) for each in gradients), None]


@differentiable_results(attention_vjp)
def tracked_attention(q: Any, k: Any, v: Any, mask: Any, *, is_causal: bool, scale: float, keeps: bool) -> Any:
    """Attention of checked operands with four axes."""
    return run_attention(keeps, q, k, v, mask, is_causal, scale)


def dot_product_attention(
    q: NDArray, k: NDArray, v: NDArray, *, mask: NDArray | None = None, causal: bool = False,
    scale: float | None = None,
) -> NDArray:  # fmt: skip
    """softmax(q @ k.mT * scale) @ v: for each query the mean of the values, weighted by how well their keys fit it.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, equation 1; on the host computed in blocks, so that memory
    grows with the lengths and not with their product (Dao et al. 2022, https://arxiv.org/abs/2205.14135).

    q: (..., queries, size)    k: (..., keys, size)    v: (..., keys, value size)    The axes before are the same for
    all: (batch, heads) say.
    mask: what broadcasts to (..., queries, keys); 0 or False where a query does not see a key
    causal: a query sees no key behind its own: the last query belongs to the last key
    scale: 1 / sqrt(size) if None
    Returns (..., queries, value size); 0 for a query that sees no key.
    Raises ValueError for shapes that do not fit, TypeError for dtypes that are not floating.

    >>> q, k = nd.asarray([[0.0, 0.0], [0.0, 9.0]]), nd.asarray([[9.0, 0.0], [0.0, 9.0]])
    >>> nd.round(nd.dot_product_attention(q, k, nd.asarray([[1.0], [2.0]])), 4)
    array([[1.5],
           [2. ]], dtype=float64)
    """
    check_floating("dot_product_attention", q, k, v)
    if min(q.ndim, k.ndim, v.ndim) < 2 or not fits(q.shape, k.shape, v.shape):
        raise ValueError(
            "dot_product_attention: q must be (..., queries, size), k (..., keys, size) and v (..., keys, value size), "
            f"given {q.shape}, {k.shape} and {v.shape}"
        )
    wanted, stack = result_type(q, k, v), q.shape[:-2]
    dtype = float32 if wanted.itemsize < float32.itemsize else wanted
    scale = 1.0 / math.sqrt(max(q.shape[-1], 1)) if scale is None else real("dot_product_attention: scale", scale)
    seen = visible(mask, (*q.shape[:-1], k.shape[-2]))
    queries, keys, values = (with_four_axes(x.astype(dtype, copy=False)) for x in (q, k, v))
    keeps = any(node_of(x) is not None for x in (q, k, v))
    y = tracked_attention(queries, keys, values, seen, is_causal=bool(causal), scale=scale, keeps=keeps)[0]
    return (y if q.ndim == 4 else y.reshape((*stack, *y.shape[2:]))).astype(wanted, copy=False)


def fits(q: tuple[int, ...], k: tuple[int, ...], v: tuple[int, ...]) -> bool:
    """Whether the shapes of q, k and v go together."""
    return q[:-2] == k[:-2] == v[:-2] and q[-1] == k[-1] and k[-2] == v[-2]


def visible(mask: Any, shape: tuple[int, ...]) -> Any:
    """The mask as bools of four axes that repeat what is broadcast; None for none.

    Raises ValueError for a shape that does not broadcast, TypeError for what is no array.
    """
    if mask is None:
        return None
    if not is_array(mask):
        raise TypeError(f"dot_product_attention: mask must be an array, given {type_name(mask)}; convert it first")
    try:
        return with_four_axes(broadcast_to(mask if mask.dtype.kind == "b" else mask != 0, shape))
    except ValueError:
        raise ValueError(f"dot_product_attention: mask must broadcast to {shape}, given {mask.shape}") from None


def with_four_axes(x: NDArray) -> NDArray:
    """(batch, heads, length, size): axes of 1 where there are less, one axis of several where there are more."""
    if x.ndim == 4:
        return x
    batch = x.shape[0] if x.ndim == 3 else math.prod(x.shape[:-2])
    return x.reshape((batch, 1, *x.shape[-2:]))
