"""Linear models, for numbers and for classes."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..operator_rows import Limits, Rows
from .class_scores import TRANSFORMS, labels_of


def as_floats(x: Any) -> Any:
    return x if x.dtype in (nd.float32, nd.float64) else x.astype(nd.float32)


class LinearRegressor:
    """x @ coefficients + intercepts.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        self.weights = numpy.asarray(given["coefficients"], numpy.float32).reshape(given.get("targets", 1), -1)
        self.bias = numpy.asarray(given.get("intercepts") or [0.0], numpy.float32)
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> Any:
        y = nd.matmul(as_floats(x).astype(nd.float32), nd.asarray(self.weights).T) + nd.asarray(self.bias)
        return self.transform(y)


class LinearClassifier:
    """The labels of the best scores, and the scores.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        self.labels = given.get("classlabels_ints") or given.get("classlabels_strings") or []
        bias = given.get("intercepts")
        coefficients = numpy.asarray(given["coefficients"], numpy.float32)
        self.n_scores = len(bias) if bias else max(len(self.labels), 1)
        self.weights = coefficients.reshape(self.n_scores, -1)
        self.bias = numpy.asarray(bias or [0.0] * self.n_scores, numpy.float32)
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> tuple[Any, Any]:
        scores = nd.matmul(as_floats(x).astype(nd.float32), nd.asarray(self.weights).T) + nd.asarray(self.bias)
        if self.n_scores == 1 and len(self.labels) == 2:
            scores = nd.concat([-scores, scores], axis=1)
        return labels_of(self.labels, nd.argmax(scores, axis=1)), self.transform(scores)


def has_no_choice(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a classifier is refused: with one label, or none, implementations differ in the answer."""
    del node, schema, constants
    labels = attributes.get("classlabels_ints") or attributes.get("classlabels_strings") or []
    return None if len(labels) > 1 else "with fewer than two labels"


OPERATORS: Rows = {
    "ai.onnx.ml:LinearClassifier": [(1, 1, LinearClassifier)],
    "ai.onnx.ml:LinearRegressor": [(1, 1, LinearRegressor)],
}
LIMITS: Limits = {"LinearClassifier": has_no_choice}
