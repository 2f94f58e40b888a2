"""Features made ready for a model: scaled, normalized, cut into two, filled in, picked, put together."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..operator_rows import Rows

SMALLEST = 1e-30  # of a length that is divided by


def as_float32(x: Any) -> Any:
    return x.astype(nd.float32)


class Scaler:
    """(x - offset) * scale, of each feature or of all.  given: the attributes of the node"""

    def __init__(self, *, offset: Any = None, scale: Any = None) -> None:
        self.offset = numpy.asarray(offset or [0.0], numpy.float32)
        self.scale = numpy.asarray(scale or [1.0], numpy.float32)

    def __call__(self, x: Any) -> Any:
        return (as_float32(x) - nd.asarray(self.offset)) * nd.asarray(self.scale)


def normalizer(x: Any, *, norm: str = "MAX") -> Any:
    """Each example by its largest, absolute or Euclidean length."""
    x = as_float32(x)
    if norm == "MAX":
        length = nd.max(nd.abs(x), axis=-1, keepdims=True)
    elif norm == "L1":
        length = nd.sum(nd.abs(x), axis=-1, keepdims=True)
    else:
        length = nd.sqrt(nd.sum(nd.square(x), axis=-1, keepdims=True))
    return x / nd.maximum(length, SMALLEST)


def binarizer(x: Any, *, threshold: float = 0.0) -> Any:
    return (x > threshold).astype(x.dtype)


class Imputer:
    """x with other numbers in the place of one, or of what is missing.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        self.new = numpy.asarray(given.get("imputed_value_floats") or given.get("imputed_value_int64s") or [])
        is_whole = not given.get("imputed_value_floats")
        self.old = given.get("replaced_value_int64", 0) if is_whole else given.get("replaced_value_float", 0.0)

    def __call__(self, x: Any) -> Any:
        is_old = nd.isnan(x) if self.old != self.old else x == self.old
        return nd.where(is_old, nd.asarray(self.new).astype(x.dtype), x)


def array_feature_extractor(x: Any, places: Any) -> Any:
    """The elements along the last axis at `places`; those of one line become a matrix."""
    found = nd.take(x, places.reshape(-1), axis=-1)
    return found.reshape(1, -1) if x.ndim == 1 else found


class FeatureVectorizer:
    """Inputs side by side.  given: the number of features of each"""

    def __init__(self, *, inputdimensions: Any = None) -> None:
        self.sizes = inputdimensions

    def __call__(self, *inputs: Any) -> Any:
        rows = [
            as_float32(x if x.ndim > 1 else x.reshape(1, -1)).reshape(x.shape[0] if x.ndim > 1 else 1, -1)
            for x in inputs
        ]
        sizes = self.sizes or [row.shape[1] for row in rows]
        return nd.concat([row[:, :size] for row, size in zip(rows, sizes, strict=True)], axis=1)


OPERATORS: Rows = {
    "ai.onnx.ml:ArrayFeatureExtractor": [(1, 1, array_feature_extractor)],
    "ai.onnx.ml:Binarizer": [(1, 1, binarizer)],
    "ai.onnx.ml:FeatureVectorizer": [(1, 1, FeatureVectorizer)],
    "ai.onnx.ml:Imputer": [(1, 1, Imputer)],
    "ai.onnx.ml:Normalizer": [(1, 1, normalizer)],
    "ai.onnx.ml:Scaler": [(1, 1, Scaler)],
}
