"""Element types of ONNX and the dtypes that hold them."""

from typing import Any

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


def type_name(element_type: int) -> str:
    """The name that ONNX has for an element type, in lower case: "float8e4m3fn"."""
    known = TensorProto.DataType.DESCRIPTOR.values_by_number
    return known[element_type].name.lower() if element_type in known else f"element type {element_type}"


def array_of(tensor: TensorProto) -> Any:
    """The array that a tensor of a file holds.  Raises ValueError where its bytes do not fill its shape."""
    try:
        values = numpy_helper.to_array(tensor)
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
