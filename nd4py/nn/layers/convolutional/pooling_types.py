"""Kinds of pooling: what the numbers of a window become."""

from __future__ import annotations

import math

from nd4py import api as nd

from .spatial_layer import paired

POOLING_TYPES = {pooling_type: pooling_type for pooling_type in ("max", "avg", "sum", "pnorm")}


def pooled(
    x: nd.NDArray,
    pooling_type: str,
    pnorm: int,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    edges: tuple[int, ...],
) -> nd.NDArray:
    """One number for each window of images or volumes; padding takes no part in it.

    edges: padding elements in front of and behind each axis in turn
    """
    maximum, mean = (nd.max_pool2d, nd.avg_pool2d) if x.ndim == 4 else (nd.max_pool3d, nd.avg_pool3d)
    if pooling_type == "max":
        return maximum(x, kernel, stride=stride, padding=edges)
    if pooling_type == "avg":
        return mean(x, kernel, stride=stride, padding=edges)
    if pooling_type == "pnorm":
        x = nd.abs(x) ** pnorm
    if any(edges):  # zeros add nothing to a sum
        x = nd.pad(x, ((0, 0), (0, 0), *paired(edges)))
    sums = mean(x, kernel, stride=stride) * math.prod(kernel)
    return sums if pooling_type == "sum" else root(sums, pnorm)


def root(powers: nd.NDArray, pnorm: int) -> nd.NDArray:
    """powers ** (1 / pnorm), the norm of what the `powers` are sums of.

    The root's slope at 0 is infinite; 0 is a subgradient of the norm.
    """
    if pnorm == 1:
        return powers
    is_zero = powers == 0.0
    return nd.where(is_zero, 0.0, nd.where(is_zero, 1.0, powers) ** (1.0 / pnorm))
