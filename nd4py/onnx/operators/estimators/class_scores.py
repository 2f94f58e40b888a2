"""Scores of classes: what they are turned into, and the labels of the best."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy

from nd4py import api as nd

NEARLY_ZERO = 1e-7


def unchanged(scores: Any) -> Any:
    return scores


def softmax_of_others(scores: Any) -> Any:
    """The softmax over scores that are not 0; those are left as they are."""
    is_other = nd.abs(scores) > NEARLY_ZERO
    most = nd.max(scores, axis=-1, keepdims=True)
    parts = nd.where(is_other, nd.exp(scores - most), scores * nd.exp(-most))
    total = nd.sum(parts, axis=-1, keepdims=True)
    return nd.where(total == 0, 0.5, parts / nd.where(total == 0, 1, total)).astype(scores.dtype)


def probit(scores: Any) -> Any:
    """The normal quantiles of probabilities, by Winitzki's approximation that ONNX's own implementations have."""
    x = 2 * scores - 1
    log = nd.log((1 - x) * (1 + x))
    v = 2 / (pi * 0.147) + 0.5 * log
    return 2**0.5 * nd.sign(x) * nd.sqrt(nd.sqrt(v * v - log / 0.147) - v)


def softmax(scores: Any) -> Any:
    return nd.softmax(scores, axis=-1)


TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "NONE": unchanged, "LOGISTIC": nd.sigmoid, "PROBIT": probit, "SOFTMAX": softmax, "SOFTMAX_ZERO": softmax_of_others,
}  # fmt: skip


def second_scores(score: Any, transform: str, *, is_probability: bool) -> Any:
    """The scores of two classes where only that of the second is computed.

    score: (n, 1)    transform: NONE or LOGISTIC
    """
    if transform == "NONE" and is_probability:
        return nd.concat([1 - score, score], axis=1)
    return TRANSFORMS[transform](nd.concat([-score, score], axis=1))


def labels_of(labels: list[Any], chosen: Any) -> Any:
    """The labels at these positions: whole numbers, or texts."""
    if labels and isinstance(labels[0], str):
        return numpy.asarray(labels, dtype=object)[numpy.asarray(chosen)]
    return nd.take(nd.asarray(numpy.asarray(labels, dtype=numpy.int64)), chosen, axis=0)
