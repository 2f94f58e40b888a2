"""What layers of attention have in common: heads, and masks of keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...parameters import Parameter


def projection(name: str, n_in: int, n_out: int) -> Parameter:
    """A weight (n_in, n_out)."""
    return Parameter(name, (n_in, n_out), n_in, n_out)


def projected(params: Any, names: str, x: nd.NDArray) -> nd.NDArray:
    """x @ W + b by the parameters W and b whose names are `names` behind these letters; without b where it is missing.

    All steps of all sequences are rows of one product: so is the gradient of W, which a stack of products would add up.
    Raises TypeError for no mapping of names to arrays, ValueError for one without the weights.
    """
    if "W" + names not in instance("forward: params", params, Mapping):
        raise ValueError(f"forward: params must have the weights W{names}, given {list(params)}")
    z: nd.NDArray = nd.reshape(x, (-1, x.shape[-1])) @ params["W" + names]
    z = z + params["b" + names] if "b" + names in params else z
    return nd.reshape(z, (*x.shape[:-1], z.shape[1]))


def in_heads(x: nd.NDArray, n_heads: int) -> nd.NDArray:
    """(batch, length, n_heads * size) as (batch, n_heads, length, size), without a copy."""
    batch, length, size = x.shape
    return nd.permute_dims(nd.reshape(x, (batch, length, n_heads, size // n_heads)), (0, 2, 1, 3))


def out_of_heads(y: nd.NDArray) -> nd.NDArray:
    """The way back."""
    batch, n_heads, length, size = y.shape
    return nd.reshape(nd.permute_dims(y, (0, 2, 1, 3)), (batch, length, n_heads * size))


def keys_seen(mask: nd.NDArray | None) -> nd.NDArray | None:
    """The mask (batch, length) as that of keys (batch, 1, 1, length)."""
    return None if mask is None else nd.reshape(mask, (mask.shape[0], 1, 1, mask.shape[1])) != 0
