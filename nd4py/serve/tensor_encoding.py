"""Tensors of the Open Inference Protocol, as numbers in JSON or as bytes, and the arrays that they are.

Design: numbers of JSON become bytes by `struct` before they become NumPy's array.  That refuses whatever is no number,
numbers out of range too, is twice as fast as `numpy.array`, and never makes an array of strings, which takes
the length of the longest one for each.
"""

from __future__ import annotations

import math
import struct
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy

from nd4py import api as nd

from .http_errors import HttpError, bad_request, shown

MOST_AXES = 16


class ElementType(NamedTuple):
    """How the numbers of a datatype are laid out: `dtype` in bytes of a body, `code` of `struct` from JSON."""

    dtype: Any
    code: str


# By the protocol's names: NumPy's name of the layout, and the code.
LAYOUTS = {
    "BOOL": ("|b1", "b"),
    "UINT8": ("|u1", "B"),
    "UINT16": ("<u2", "H"),
    "UINT32": ("<u4", "I"),
    "UINT64": ("<u8", "Q"),
    "INT8": ("|i1", "b"),
    "INT16": ("<i2", "h"),
    "INT32": ("<i4", "i"),
    "INT64": ("<i8", "q"),
    "FP16": ("<f2", "e"),
    "FP32": ("<f4", "f"),
    "FP64": ("<f8", "d"),
}
DATATYPES = {layout: name for name, (layout, _) in LAYOUTS.items()}


def datatype_of(dtype: Any) -> str:
    """The protocol's name of a dtype; of bfloat16, which NumPy does not have, that of what it is sent as.

    Raises ValueError for dtypes that the protocol has no numbers for.
    """
    name = "float32" if str(dtype) == "bfloat16" else str(dtype)
    try:
        return DATATYPES[numpy.dtype(name).str]
    except (KeyError, TypeError):
        raise ValueError(f"the protocol has no datatype for {name}") from None


def datatype_of_array(array: numpy.ndarray) -> str:
    """The protocol's name of an array's dtype.  Raises ValueError for dtypes that the protocol has no numbers for."""
    return datatype_of_letter(array.dtype.char)


@cache
def datatype_of_letter(letter: str) -> str:
    """The same by NumPy's letter for a dtype: to ask that for its layout takes ten microseconds."""
    return datatype_of(numpy.dtype(letter))


@cache
def layout(datatype: str) -> ElementType:
    """The layout of one of the protocol's datatypes."""
    name, code = LAYOUTS[datatype]
    return ElementType(numpy.dtype(name), code)


def element_type(datatype: Any, name: str) -> ElementType:
    """The layout of a datatype that a client named.  Raises HttpError for one that there is none for."""
    if not isinstance(datatype, str) or datatype not in LAYOUTS:
        raise bad_request(f"input {name!r}: datatype must be one of {', '.join(LAYOUTS)}, got {shown(datatype)}")
    return layout(datatype)


def checked_shape(shape: Any, name: str, most_elements: int) -> tuple[int, ...]:
    """The shape of an input.  Raises HttpError for anything but a list of sizes, and for too many elements."""
    if not isinstance(shape, list) or len(shape) > MOST_AXES:
        raise bad_request(f"input {name!r}: shape must be a list of at most {MOST_AXES} sizes, got {shown(shape)}")
    for size in shape:
        if type(size) is not int or size < 0:
            raise bad_request(f"input {name!r}: sizes of a shape are whole numbers from 0, got {shown(size)}")
    if math.prod(shape) > most_elements:
        raise HttpError(413, f"input {name!r}: the shape has more than the {most_elements} elements that are allowed")
    return tuple(shape)


def from_json(data: Any, shape: tuple[int, ...], datatype: str, name: str) -> numpy.ndarray:
    """The array of an input whose numbers are in the JSON, in one list or in lists of lists.

    Raises HttpError for anything but numbers that fit the datatype, and for another number of them than the shape has.
    """
    element, size = element_type(datatype, name), math.prod(shape)
    flat = flattened(data, len(shape), name)
    if len(flat) != size:
        raise bad_request(f"input {name!r}: {size} elements are needed for the shape {list(shape)}, given {len(flat)}")
    if datatype == "BOOL" and not all(type(value) is bool for value in flat):
        raise bad_request(f"input {name!r}: elements of BOOL are true or false")
    try:
        content = struct.pack(f"<{size}{element.code}", *flat)
    except (struct.error, OverflowError):
        kinds = (int, bool, float) if element.dtype.kind == "f" else (int, bool)
        if all(type(value) in kinds for value in flat):
            raise bad_request(f"input {name!r}: a number is out of the range of {datatype}") from None
        raise bad_request(f"input {name!r}: data must be numbers of {datatype}") from None
    return numpy.frombuffer(content, element.dtype).reshape(shape)


def flattened(data: Any, n_axes: int, name: str) -> list[Any]:
    """The elements of a list, or of lists of lists as deep as there are axes.  Raises HttpError for other things."""
    if not isinstance(data, list):
        if n_axes == 0 and isinstance(data, (int, float)):
            return [data]
        raise bad_request(f"input {name!r}: data must be a list, got {shown(data)}")
    depth = 1
    while data and type(data[0]) is list:
        depth += 1
        if depth > n_axes:
            raise bad_request(f"input {name!r}: data is nested deeper than the shape has axes")
        if any(type(part) is not list or len(part) != len(data[0]) for part in data):
            raise bad_request(f"input {name!r}: the lists in data have different lengths")
        data = list(chain.from_iterable(data))
    return data


def from_bytes(content: memoryview, shape: tuple[int, ...], datatype: str, name: str) -> numpy.ndarray:
    """The array of an input that is so many bytes of the body, which it shares.

    Raises HttpError for another number of bytes than the shape has.
    """
    element = element_type(datatype, name)
    n_bytes = math.prod(shape) * element.dtype.itemsize
    if len(content) != n_bytes:
        raise bad_request(
            f"input {name!r}: {n_bytes} bytes are needed for {datatype} of the shape {list(shape)}, "
            f"binary_data_size is {len(content)}"
        )
    return numpy.frombuffer(content, element.dtype).reshape(shape)


def host_array(output: nd.NDArray) -> numpy.ndarray:
    """An output as it is sent: contiguous, in memory of the host, in a dtype that the protocol has."""
    if output.dtype is nd.bfloat16:
        output = nd.astype(output, "float32")
    return numpy.asarray(output, order="C")
