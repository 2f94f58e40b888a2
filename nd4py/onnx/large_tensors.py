"""Large tensors of a model: read straight into arrays, while everything else is a protocol buffer.

Design: the onnx package turns a model that it checks into bytes and back several times, and a protocol buffer is a copy
of its file: weights were in memory five times.  Their bytes are left out of what is checked, which has inputs of their
types meanwhile, and go from the file into arrays.  A file whose parts do not fit together is left to the reader of
protocol buffers, which says what is wrong.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, BinaryIO

from onnx import GraphProto, ModelProto, TensorProto, helper

from nd4py import api as nd

from .element_types import DTYPES

LEAST_BYTES = 1 << 12  # smaller tensors may say shapes and axes, which checks look at
PATH = 7, 5, 9  # the numbers of ModelProto.graph, GraphProto.initializer and TensorProto.raw_data in onnx.proto
VARINT, LENGTH, FIXED_BYTES = 0, 2, {1: 8, 5: 4}  # wire types, https://protobuf.dev/programming-guides/encoding
PLAIN = {
    TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.INT8,
    TensorProto.INT16, TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32,
    TensorProto.UINT64,
}  # fmt: skip
DESCRIPTION = {"dims", "data_type", "name", "doc_string", "metadata_props"}  # fields of a tensor beside its data

Fill = Callable[[memoryview], Any]  # puts bytes into memory
Part = tuple[int, int, Fill]  # the number of an initializer, how many bytes its data have, and what has them


class LargeTensors:
    """The large initializers of a model's graph as arrays, by name."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self._declared: set[str] = set()

    def take(self, graph: GraphProto, parts: list[Part]) -> None:
        """Make arrays of initializers whose data are not in the graph, or put these in.

        Raises ValueError where data do not fit the shape.
        """
        counts = Counter(tensor.name for tensor in graph.initializer)
        for number, n_bytes, fill in parts:
            tensor = graph.initializer[number]
            is_plain = tensor.data_type in PLAIN and {field.name for field, _ in tensor.ListFields()} <= DESCRIPTION
            if is_plain and tensor.name and counts[tensor.name] == 1:
                self.arrays[tensor.name] = array_from(tensor, n_bytes, fill)
            else:
                content = bytearray(n_bytes)
                fill(memoryview(content))
                tensor.raw_data = bytes(content)

    def declare(self, graph: GraphProto) -> None:
        """Inputs in the place of the initializers that are arrays."""
        inputs = {value.name for value in graph.input}
        for tensor in graph.initializer:
            if tensor.name in self.arrays and tensor.name not in inputs:
                graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
                self._declared.add(tensor.name)
        keep(graph.initializer, lambda tensor: tensor.name not in self.arrays)

    def undeclare(self, graph: GraphProto) -> None:
        """Take these inputs out again."""
        keep(graph.input, lambda value: value.name not in self._declared)


def keep(entries: Any, wanted: Callable[[Any], bool]) -> None:
    kept = [entry for entry in entries if wanted(entry)]
    del entries[:]
    entries.extend(kept)


def array_from(tensor: TensorProto, n_bytes: int, fill: Fill) -> Any:
    """An array of a tensor's shape.  Raises ValueError where there are not as many bytes."""
    dtype, sizes = DTYPES[tensor.data_type], tuple(tensor.dims)
    n_wanted = prod(sizes) * dtype.itemsize if min(sizes, default=0) >= 0 else -1
    if n_bytes != n_wanted:
        raise ValueError(
            f"tensor {tensor.name!r}: shape {list(sizes)} and its data do not fit: {n_wanted} bytes are needed, given "
            f"{n_bytes}"
        )
    # Graphs keep packed weights of arrays that own their memory, and no view of another dtype does; bfloat16 has no
    # memoryview.
    found = nd.empty(sizes, dtype="uint16" if dtype == nd.bfloat16 else dtype, device="cpu")
    fill(memoryview(found).cast("B"))
    found = nd.copy(found.view(dtype)) if dtype == nd.bfloat16 else found
    return nd.asarray(found, device=nd.empty(0).device)


def parts_of_file(file: BinaryIO) -> tuple[bytes, list[Part]]:
    """A model's bytes without the data of its large initializers, and these, while the file is open.

    All bytes and no parts where the file is damaged.
    """
    end = file.seek(0, io.SEEK_END)
    file.seek(0)
    try:
        reader = Reader(file)
        return reader.without_data(end, PATH), reader.parts
    except EOFError:
        file.seek(0)
        return file.read(), []


class Reader:
    """Reads the fields of protocol buffers.  Raises EOFError where they do not fit together."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._n_initializers = 0
        self.parts: list[Part] = []

    def without_data(self, end: int, path: tuple[int, ...]) -> bytes:
        """The bytes of a message up to `end`, without the data that its fields on `path` lead to."""
        file, found = self._file, bytearray()
        while (start := file.tell()) < end:
            tag = self._varint()
            wire_type = tag & 7
            n_bytes = self._varint() if wire_type in (LENGTH, VARINT) else FIXED_BYTES.get(wire_type, end)
            body = file.tell()
            stop = body if wire_type == VARINT else body + n_bytes
            if stop > end:
                raise EOFError
            is_on_path = wire_type == LENGTH and tag >> 3 == path[0]
            if is_on_path and len(path) > 1:
                self._n_initializers += path == PATH[1:]
                inner = self.without_data(stop, path[1:])
                found += varint(tag) + varint(len(inner)) + inner
            elif is_on_path and n_bytes >= LEAST_BYTES:
                self._add(body, n_bytes)
            else:
                file.seek(start)
                found += file.read(stop - start)
            file.seek(stop)
        return bytes(found)

    def _add(self, position: int, n_bytes: int) -> None:
        number = self._n_initializers - 1
        if self.parts and self.parts[-1][0] == number:  # the last of several fields counts: for others to read
            raise EOFError
        self.parts.append((number, n_bytes, partial(self._read_into, position)))

    def _read_into(self, position: int, memory: memoryview) -> None:
        self._file.seek(position)
        if self._file.readinto(memory) != len(memory):  # type: ignore[attr-defined]
            raise ValueError("onnx.load: the file was cut short while it was read")

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._file.read(1)
            if not byte:
                raise EOFError
            value |= (byte[0] & 127) << shift
            if byte[0] < 128:
                return value
        raise EOFError


def varint(value: int) -> bytes:
    """A whole number as protocol buffers write it."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def parts_of_model(source: ModelProto) -> tuple[ModelProto, list[Part]]:
    """A copy of a model without the data of its large initializers, and these."""
    model = ModelProto()
    parts: list[Part] = []
    copy_fields(source, model, "graph")
    if source.HasField("graph"):
        copy_fields(source.graph, model.graph, "initializer")
    for number, tensor in enumerate(source.graph.initializer):
        added = model.graph.initializer.add()
        if len(tensor.raw_data) < LEAST_BYTES:
            added.CopyFrom(tensor)
        else:
            copy_fields(tensor, added, "raw_data")
            parts.append((number, len(tensor.raw_data), partial(fill_from, tensor)))
    return model, parts


def fill_from(tensor: TensorProto, memory: memoryview) -> None:
    memory[:] = tensor.raw_data


def copy_fields(source: Any, target: Any, without: str) -> None:
    """Copy all fields of a message but one."""
    for field, value in source.ListFields():
        if field.name == without:
            continue
        if hasattr(value, "CopyFrom"):
            getattr(target, field.name).CopyFrom(value)
        elif hasattr(value, "MergeFrom"):
            getattr(target, field.name).MergeFrom(value)
        else:
            setattr(target, field.name, value)
