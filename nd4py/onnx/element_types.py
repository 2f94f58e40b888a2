"""Element types of ONNX and the dtypes that hold them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy
import onnx
from onnx import TensorProto, numpy_helper

from nd4py import api as nd

DTYPES: dict[int, Any] = {
    TensorProto.BOOL: nd.bool,
    TensorProto.INT8: nd.int8,
    TensorProto.INT16: nd.int16,
    TensorProto.INT32: nd.int32,
    TensorProto.INT64: nd.int64,
    TensorProto.UINT8: nd.uint8,
    TensorProto.UINT16: nd.uint16,
    TensorProto.UINT32: nd.uint32,
    TensorProto.UINT64: nd.uint64,
    TensorProto.FLOAT16: nd.float16,
    TensorProto.BFLOAT16: nd.bfloat16,
    TensorProto.FLOAT: nd.float32,
    TensorProto.DOUBLE: nd.float64,
    TensorProto.COMPLEX64: nd.complex64,
    TensorProto.COMPLEX128: nd.complex128,
}

# Element types that nd4py has no dtype for; NumPy's arrays hold them, texts as objects.
HOST_DTYPES: dict[int, Any] = {
    TensorProto.STRING: object,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz,
    TensorProto.FLOAT8E8M0: ml_dtypes.float8_e8m0fnu,
    TensorProto.FLOAT4E2M1: ml_dtypes.float4_e2m1fn,
    TensorProto.UINT4: ml_dtypes.uint4,
    TensorProto.INT4: ml_dtypes.int4,
    TensorProto.UINT2: ml_dtypes.uint2,
    TensorProto.INT2: ml_dtypes.int2,
}


def type_name(element_type: int) -> str:
    """The name that ONNX has for an element type, in lower case: "float8e4m3fn"."""
    known = TensorProto.DataType.DESCRIPTOR.values_by_number
    return known[element_type].name.lower() if element_type in known else f"element type {element_type}"


def array_of(tensor: TensorProto) -> Any:
    """The array that a tensor of a file holds, NumPy's for element types that nd4py has no dtype for.

    Raises ValueError where its bytes do not fill its shape.
    """
    try:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type in HOST_DTYPES:
            return numpy.asarray(values, dtype=HOST_DTYPES[tensor.data_type])
        return nd.asarray(values, copy=True)
    except (ValueError, TypeError, OverflowError, MemoryError) as error:
        raise ValueError(
            f"tensor {tensor.name!r}: shape {list(tensor.dims)} and its data do not fit: {error}"
        ) from error


def element_types_in(value_type: onnx.TypeProto) -> set[int]:
    """The element types that a value of this type holds; those of sequences and optionals count."""
    kind = value_type.WhichOneof("value")
    if kind == "tensor_type":
        return {value_type.tensor_type.elem_type} - {TensorProto.UNDEFINED}
    if kind in ("sequence_type", "optional_type"):
        return element_types_in(getattr(value_type, kind).elem_type)
    return set()
