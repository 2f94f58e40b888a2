"""Arrays of element types that nd4py has no dtype for: NumPy holds floats of 8 bits and fewer, integers of 4 bits and
fewer, and texts, on the way into a model, out of it, and between the few operators that take them.

Design: these types stand in files for weights that are quantized, and become wider before anything is computed with
them, so they need conversions but no loops.  `ml_dtypes`, which the onnx package needs too, has their dtypes.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy
from onnx import TensorProto, numpy_helper

from nd4py import api as nd

from ..element_types import DTYPES, HOST_DTYPES

FLOATS_OF_8_BITS = (
    TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E4M3FNUZ, TensorProto.FLOAT8E5M2, TensorProto.FLOAT8E5M2FNUZ,
)  # fmt: skip
INTEGERS = (TensorProto.INT4, TensorProto.UINT4, TensorProto.INT2, TensorProto.UINT2)
# Operators that may have inputs or outputs of these types.
TAKES_HOST_ARRAYS = {
    "Cast", "CastLike", "Constant", "DequantizeLinear", "Equal", "Identity", "LabelEncoder", "LinearClassifier",
    "OneHotEncoder", "QuantizeLinear", "SVMClassifier", "StringConcat", "StringNormalizer", "StringSplit",
    "TfIdfVectorizer", "TreeEnsembleClassifier",
}  # fmt: skip


def is_host(x: Any) -> bool:
    return isinstance(x, numpy.ndarray)


def element_type_of(x: Any) -> int:
    """The number that ONNX has for the dtype of an array."""
    types = HOST_DTYPES if is_host(x) else DTYPES
    return next(number for number, dtype in types.items() if x.dtype == dtype)


def converted(x: Any, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
    """`x` in an element type, where one of both is of the host.

    saturate: floats of 8 bits take the largest number for what is larger, else infinity or NaN
    round_mode: of powers of two, `float8e8m0`
    """
    values = numpy.asarray(x)
    if to in DTYPES:
        return wide(values).astype(DTYPES[to])
    if to == TensorProto.STRING:
        return values.astype(numpy.str_).astype(object)
    if values.dtype == object:
        values = values.astype(numpy.float64)
    if to == TensorProto.FLOAT8E8M0:
        return numpy_helper.to_float8e8m0(values.astype(numpy.float32), bool(saturate), round_mode)
    if to in FLOATS_OF_8_BITS and saturate:
        return numpy_helper.saturate_cast(values.astype(numpy.float32), numpy.dtype(HOST_DTYPES[to]))
    return values.astype(HOST_DTYPES[to])


def wide(values: Any) -> Any:
    """An array of nd4py's that holds the same numbers."""
    if not is_host(values):
        return values
    if values.dtype == object:
        return nd.asarray(values.astype(numpy.float64))
    is_whole = any(values.dtype == HOST_DTYPES[each] for each in INTEGERS)
    if is_whole or any(values.dtype == HOST_DTYPES[each] for each in HOST_DTYPES):
        return nd.asarray(values.astype(numpy.int32 if is_whole else numpy.float32))
    return nd.asarray(values)


def quantized(quotient: Any, zero_point: Any, to: int, saturate: int) -> Any:
    """x / scale with the zero point added, as the nearest numbers of an element type of the host."""
    if to not in INTEGERS:
        return converted(quotient if zero_point is None else quotient + zero_point, to, saturate)
    steps = nd.round(quotient)
    limits = ml_dtypes.iinfo(HOST_DTYPES[to])
    steps = steps if zero_point is None else steps + zero_point
    return numpy.asarray(nd.clip(steps, int(limits.min), int(limits.max))).astype(HOST_DTYPES[to])
