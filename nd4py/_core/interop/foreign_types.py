"""Element types of other libraries by their names, and `__array_interface__`."""

from __future__ import annotations

import functools
import operator
import re
import struct
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..._spec.dtypes import DTYPES, letter
from ..annotations import Shape
from ..layout.shape import MAX_DIMENSIONS

NATIVE = "<" if sys.byteorder == "little" else ">"
SWAPPED = {"<", ">", "!"} - {NATIVE, "!" if NATIVE == ">" else ""}
CODES = {
    "bool": "?",
    "signed integer": "bhilqn",
    "unsigned integer": "BHILQN",
    "real floating": "efd",
    "complex floating": ("Zf", "Zd", "F", "D"),
}


@functools.cache
def numbers_by_code() -> dict[tuple[str, int], int]:
    """The numbers of dtypes by their codes in struct formats and the bytes of an element."""
    rows = {(row.kind, row.itemsize): number for number, row in enumerate(DTYPES) if row.buffer}
    return {
        (code, size): rows[kind, size] for kind, codes in CODES.items() for code in codes for size in sizes_of(code)
    }


def sizes_of(code: str) -> set[int]:
    """The bytes that an element of a struct format may have: as C has it here, and as the standard says."""
    if code[0] in "ZFD":
        return {8 if code[-1] in "fF" else 16}
    native = struct.calcsize(code)
    return {native} if code in "nN" else {native, struct.calcsize("=" + code)}


@functools.cache
def numbers_by_typestr() -> dict[str, int]:
    """The numbers of dtypes by NumPy's names without byte order, such as "f8"."""
    return {f"{letter(row.kind)}{row.itemsize}": number for number, row in enumerate(DTYPES) if row.buffer}


@functools.lru_cache  # of as many formats as it holds by default: an exporter may have any
def buffer_type(format: str, itemsize: int) -> tuple[int, bool]:
    """The number of the dtype of a buffer's elements, and whether their bytes are in the other order.

    format: as in the module struct, with Z for complex numbers (PEP 3118).  Raises TypeError where there is none.
    """
    order, code = (format[0], format[1:]) if format[:1] in tuple("@=<>!") else ("@", format)
    number = numbers_by_code().get((code, itemsize))
    if number is None:
        raise TypeError(
            f"no dtype for buffer elements of format {format!r} and {itemsize} bytes; convert them to one nd4py has"
        )
    return number, order in SWAPPED and itemsize > 1


class Description(NamedTuple):
    """What `__array_interface__` or `__cuda_array_interface__` says."""

    number: int  # of the dtype
    is_swapped: bool  # whether bytes are in the other order
    shape: Shape
    strides: Shape | None  # in bytes; None: in C order
    address: int | None
    is_readonly: bool
    buffer: Any  # what has the memory instead of an address
    offset: int  # where the elements begin in it


def described(name: str, protocol: str, x: Any) -> Description:
    """What `x` says under the name of a protocol, for a function of this name.

    Raises TypeError for a dtype or a mask, which nd4py lacks, and for fields of another type than NumPy says,
    ValueError for numbers that no memory has.
    """
    found = getattr(x, protocol)
    protocol = f"{name}: {protocol}"
    if not isinstance(found, Mapping):
        raise TypeError(f"{protocol} must be a dict, given {type(found).__name__}")
    if found.get("mask") is not None:
        raise TypeError(f"{protocol}: nd4py has no masks; give the elements without theirs")
    typestr = found.get("typestr")
    parts = re.fullmatch(r"([<>|=])(\w\d+)", typestr) if isinstance(typestr, str) else None
    if parts is None or parts[2] not in numbers_by_typestr():
        raise TypeError(f"{protocol}: no dtype for elements of typestr {typestr!r}")
    shape, strides = numbers_of(protocol, "shape", found.get("shape")), None
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"an array has at most {MAX_DIMENSIONS} dimensions, given {len(shape)}")
    if found.get("strides") is not None:
        strides = numbers_of(protocol, "strides", found["strides"])
        if len(strides) != len(shape):
            raise ValueError(f"{protocol}: {len(strides)} strides do not fit shape {shape}")
    number = numbers_by_typestr()[parts[2]]
    is_swapped = parts[1] in SWAPPED and DTYPES[number].itemsize > 1
    return Description(number, is_swapped, shape, strides, *memory_of(protocol, x, found))


def memory_of(protocol: str, x: Any, found: Mapping[str, Any]) -> tuple[int | None, bool, Any, int]:
    """(address, is_readonly, buffer, offset) of a description."""
    data = found.get("data")
    if not isinstance(data, tuple):
        offset = found.get("offset")
        [start] = numbers_of(protocol, "offset", (0 if offset is None else offset,))
        return None, False, x if data is None else data, start
    if len(data) != 2 or isinstance(data[0], bool):
        raise TypeError(f"{protocol}: data must be (address, is_readonly) or a buffer, given {data!r}")
    address = numbers_of(protocol, "the address of data", (0 if data[0] is None else data[0],))[0]
    if address < 0:
        raise BufferError(f"{protocol}: the address of data must not be negative, given {address}")
    return address, bool(data[1]), None, 0


def numbers_of(protocol: str, what: str, given: Any) -> Shape:
    """A sequence of ints of 64 bits."""
    try:
        numbers = tuple(map(operator.index, given)) if isinstance(given, Sequence) else None
    except TypeError:
        numbers = None
    if numbers is None:
        raise TypeError(f"{protocol}: {what} must be of ints, given {given!r}")
    if any(not -(2**63) <= number < 2**63 for number in numbers):
        raise ValueError(f"{protocol}: {what} must fit 64 bits, given {given!r}")
    return numbers
