"""Linear models, and support vector machines for numbers."""

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


class SVMRegressor:
    """The sum of the kernels of x and the support vectors.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        n = given.get("n_supports", 0)
        self.coefficients = numpy.asarray(given["coefficients"], numpy.float32)
        self.vectors = numpy.asarray(given["support_vectors"], numpy.float32).reshape(n, -1) if n else None
        self.kernel = given.get("kernel_type", "LINEAR") if n else "LINEAR"
        self.gamma, self.offset, self.degree = [*(given.get("kernel_params") or []), 0.0, 0.0, 0.0][:3]
        self.rho = float((given.get("rho") or [0.0])[0])
        self.is_one_class = bool(given.get("one_class", 0))
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> Any:
        x = as_floats(x).astype(nd.float32)
        kernels = x if self.vectors is None else self._kernels(x, nd.asarray(self.vectors))
        y = nd.matmul(kernels, nd.asarray(self.coefficients)[:, None]) + self.rho
        return nd.where(y > 0, 1.0, -1.0).astype(nd.float32) if self.is_one_class else self.transform(y)

    def _kernels(self, x: Any, vectors: Any) -> Any:
        if self.kernel == "RBF":
            squares = nd.sum(nd.square(x[:, None, :] - vectors), axis=-1)
            return nd.exp(-self.gamma * squares)
        products = nd.matmul(x, vectors.T)
        if self.kernel == "LINEAR":
            return products
        shifted = products * self.gamma + self.offset
        return nd.tanh(shifted) if self.kernel == "SIGMOID" else shifted ** int(self.degree)


OPERATORS: Rows = {
    "ai.onnx.ml:LinearClassifier": [(1, 1, LinearClassifier)],
    "ai.onnx.ml:LinearRegressor": [(1, 1, LinearRegressor)],
    "ai.onnx.ml:SVMRegressor": [(1, 1, SVMRegressor)],
}
LIMITS: Limits = {"LinearClassifier": has_no_choice}
