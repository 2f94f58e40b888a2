"""The safetensors format: a header of text that says where each array lies, then the arrays.

    8 bytes          length of the header, a little-endian number
    header           JSON: {name: {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...}
    arrays           in C order, little-endian, without gaps

https://github.com/huggingface/safetensors

Design: read and written here, not by the package `safetensors` (0.8), whose NumPy side has no bfloat16 and maps files
for reading only.  The tests compare both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.dtype import DType, dtype_of
from ..._core.interop.buffers import byte_view
from ..manipulation.manipulation import ascontiguous
from .content import Content

NAMES = {
    "BOOL": "bool",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
}
CODES = {name: code for code, name in NAMES.items()}
METADATA = "__metadata__"
LENGTH_BYTES = 8
MAX_HEADER_BYTES = 100_000_000  # the limit of the package, too
ALIGNMENT = 8


class Tensors(dict[str, NDArray]):
    """Arrays by name, and the texts that were saved with them: `metadata`, a dict."""

    metadata: dict[str, str]


def read_safetensors(content: Content) -> Tensors:
    """The arrays of a file by name.  Raises ValueError for a header that does not fit the file, or an unknown dtype."""
    length = int.from_bytes(content.read(LENGTH_BYTES, "the length of the header"), "little")
    if length > min(MAX_HEADER_BYTES, content.size - LENGTH_BYTES):
        raise content.damaged(f"a header of {length} bytes does not fit a file of {content.size} bytes")
    header = parsed(content, content.read(length, "the header"))
    metadata = header.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise content.damaged(f"its {METADATA} is no object of texts")
    start = LENGTH_BYTES + length
    entries = {name: Entry.of(content, name, entry) for name, entry in header.items()}
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin != end:
            raise content.damaged(f"array {name!r} begins at byte {entry.begin} of the data, not at byte {end}")
        end = entry.end
    if start + end != content.size:
        raise content.damaged(f"its arrays end at byte {start + end}, the file at byte {content.size}")
    tensors = Tensors(
        (name, content.elements(entry.dtype, entry.shape, start + entry.begin, f"array {name!r}"))
        for name, entry in entries.items()
    )
    tensors.metadata = metadata
    return tensors


def parsed(content: Content, text: bytes) -> dict[str, Any]:
    """The header as a dict.  Raises ValueError for other JSON, or a name that comes twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise content.damaged("its header has a name twice")
        return found

    header = json.loads(text.decode("utf-8"), object_pairs_hook=unique)
    if not isinstance(header, dict):
        raise content.damaged(f"its header is a {type(header).__name__}, not an object")
    return header


@dataclass(frozen=True)
class Entry:
    """Where an array lies, in bytes from the end of the header."""

    dtype: DType
    shape: Shape
    begin: int
    end: int

    @classmethod
    def of(cls, content: Content, name: str, entry: Any) -> Entry:
        """What an entry of the header says.  Raises ValueError if it contradicts itself."""
        if not isinstance(entry, dict) or not {"dtype", "shape", "data_offsets"} <= set(entry):
            raise content.damaged(f"the entry of {name!r} needs dtype, shape and data_offsets")
        code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(code, str) or code not in NAMES:
            raise content.damaged(f"array {name!r} has the dtype {code!r}; nd4py has {', '.join(NAMES)}")
        if not is_sizes(shape) or not is_sizes(offsets) or len(offsets) != 2:
            raise content.damaged(f"array {name!r} has the shape {shape!r} at the bytes {offsets!r}")
        dtype, (begin, end) = dtype_of(NAMES[code]), offsets
        if end - begin != math.prod(shape) * dtype.itemsize:
            raise content.damaged(f"array {name!r} of {code} and shape {shape} cannot have {end - begin} bytes")
        return cls(dtype, tuple(shape), begin, end)


def is_sizes(value: Any) -> bool:
    """Whether a piece of JSON is a list of whole numbers >= 0."""
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def write_safetensors(file: Any, arrays: Mapping[str, NDArray], metadata: Mapping[str, str]) -> None:
    """Write arrays by name.  Raises TypeError for a dtype that the format lacks, ValueError for the name of
    metadata."""
    header: dict[str, Any] = {METADATA: dict(metadata)} if metadata else {}
    # The largest elements first, so that all are aligned; then by name, so that the same arrays make the same file.
    names = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    end = 0
    for name in names:
        x = arrays[name]
        if name == METADATA:
            raise ValueError(f"safetensors: {METADATA} is no name for an array; pass metadata=")
        if x.dtype.name not in CODES:
            raise TypeError(
                f"safetensors has no {x.dtype}; save {name!r} as .npz, or convert it: x.astype('complex64')"
            )
        begin, end = end, end + x.nbytes
        header[name] = {"dtype": CODES[x.dtype.name], "shape": list(x.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    file.write(len(text).to_bytes(LENGTH_BYTES, "little") + text)
    for name in names:
        file.write(memoryview(byte_view(ascontiguous(arrays[name]))))
