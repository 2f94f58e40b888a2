"""The event files that TensorBoard reads: scalars, histograms, images, graphs and pages of text.

A file is a sequence of records (length, its checksum, an event, its checksum); an event is a protocol buffer:
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/lib/io/record_writer.h
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/util/event.proto
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/summary.proto
https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/graph.proto

Design: written here because it is two pages; tensorboardX imports PyTorch where it is installed, which takes seconds.
"""

from __future__ import annotations

import os
import socket
import struct
import time
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..creation.creation import asarray
from ..manipulation.manipulation import astype
from ..reductions.reductions import max, min, sum
from ..statistics.histograms import histogram
from .png_images import png

VERSION = "brain.Event:2"
VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5  # wire types of protocol buffers
STRING = 7  # DataType of a tensor
POLYNOMIAL = 0x82F63B78  # of CRC-32C, its bits reversed
MASK_DELTA = 0xA282EAD8
SESSION_BEGINS = 1  # the status of a SessionLog


class GraphNode(NamedTuple):
    """A node of a graph: what it is called, what it does, the names of those it reads, and sizes of its output.

    shape: sizes, -1 for those that are not known
    """

    name: str
    operation: str
    inputs: Sequence[str]
    shape: Sequence[int]


def _checksum_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ POLYNOMIAL * (byte & 1)
        table.append(byte)
    return table


class EventFile:
    """A new event file in a folder, which is made if need be, or one that goes on.  Raises OSError where that fails.

    path: of a file that was closed, which is gone on with where it is still there
    """

    def __init__(self, folder: str | os.PathLike[str], path: Path | None = None) -> None:
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}"
        self._table = _checksum_table()
        is_new = path is None or not path.is_file()
        self.path = folder / name if path is None or is_new else path
        self._file = open(self.path, "xb" if is_new else "ab")  # noqa: SIM115 - closed by `close`
        weakref.finalize(self, self._file.close)  # where a run ended before that
        if is_new:
            self._write(_field(3, BYTES, VERSION.encode()), None)
            self.flush()

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Add a number."""
        self._add(tag, _field(2, FOUR_BYTES, struct.pack("<f", value)), step)

    def add_histogram(self, tag: str, values: Any, step: int, n_bins: int) -> None:
        """Add a histogram of finite values, an array of any shape with an element at least."""
        self._add(tag, _field(5, BYTES, _histogram(values, n_bins)), step)

    def add_text(self, tag: str, text: str, step: int) -> None:
        """Add a page of text, which is shown as Markdown: a tensor of one string, for the plugin that shows texts."""
        plugin = _field(1, BYTES, _field(1, BYTES, b"text"))
        tensor = _field(1, VARINT, _varint(STRING)) + _field(2, BYTES, _field(2, BYTES, _field(1, VARINT, _varint(1))))
        tensor += _field(8, BYTES, text.encode())
        self._add(tag, _field(9, BYTES, plugin) + _field(8, BYTES, tensor), step)

    def add_image(self, tag: str, pixels: Any, step: int) -> None:
        """Add an image, (height, width, channels) uint8 with 1 or 3 channels."""
        sizes = [_field(i, VARINT, _varint(n)) for i, n in enumerate(pixels.shape, 1)]  # colour spaces are 1 and 3 too
        self._add(tag, _field(4, BYTES, b"".join(sizes) + _field(4, BYTES, png(pixels))), step)

    def add_graph(self, nodes: Iterable[GraphNode]) -> None:
        """Add the graph of these nodes, of which a file shows the last."""
        graph = b"".join(_field(1, BYTES, _node(node)) for node in nodes)
        self._write(_field(4, BYTES, graph), None)

    def begin_again(self, step: int) -> None:
        """Take back what other files of the folder say of `step` and later ones: a run goes on before it."""
        self._write(_field(7, BYTES, _field(1, VARINT, _varint(SESSION_BEGINS))), step)

    def flush(self) -> None:
        """What has been added can be read from now on."""
        self._file.flush()

    def close(self) -> None:
        """Close the file; may be called again."""
        self._file.close()

    def _add(self, tag: str, value: bytes, step: int) -> None:
        summary = _field(1, BYTES, _field(1, BYTES, tag.encode()) + value)
        self._write(_field(5, BYTES, summary), step)

    def _write(self, what: bytes, step: int | None) -> None:
        event = _field(1, EIGHT_BYTES, struct.pack("<d", time.time()))
        if step is not None:
            event += _field(2, VARINT, _varint(step))
        event += what
        length = struct.pack("<Q", len(event))
        record = length + self._masked(length) + event + self._masked(event)
        self._file.write(record)

    def _masked(self, content: bytes) -> bytes:
        """The checksum of `content` as record files have it: its bits turned, and a constant added."""
        checksum = 0xFFFFFFFF
        for byte in content:
            checksum = self._table[(checksum ^ byte) & 0xFF] ^ checksum >> 8
        checksum ^= 0xFFFFFFFF
        return struct.pack("<I", ((checksum >> 15 | checksum << 17) + MASK_DELTA) & 0xFFFFFFFF)


def _varint(number: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _field(number: int, wire_type: int, content: bytes) -> bytes:
    length = _varint(len(content)) if wire_type == BYTES else b""
    return _varint(number << 3 | wire_type) + length + content


def _node(node: GraphNode) -> bytes:
    """A NodeDef, with the shape of the output as an attribute."""
    sizes = b"".join(_field(2, BYTES, _field(1, VARINT, _varint(size % 2**64))) for size in node.shape)
    shapes = _field(2, BYTES, _field(1, BYTES, _field(7, BYTES, sizes)))
    attribute = _field(1, BYTES, b"_output_shapes") + shapes
    fields = [_field(1, BYTES, node.name.encode()), _field(2, BYTES, node.operation.encode())]
    fields += [_field(3, BYTES, name.encode()) for name in node.inputs]
    return b"".join(fields) + _field(5, BYTES, attribute)


def _doubles(numbers: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(numbers)}d", *numbers)


def _histogram(values: Any, n_bins: int) -> bytes:
    """A HistogramProto: extremes, number, sums, and the upper limits and counts of the bins."""
    values = astype(asarray(values, device="cpu"), "float64").reshape(-1)
    counts, edges = histogram(values, bins=n_bins)
    numbers = (min(values), max(values), values.size, sum(values), sum(values * values))
    fields = [_field(i, EIGHT_BYTES, struct.pack("<d", float(number))) for i, number in enumerate(numbers, 1)]
    fields.append(_field(6, BYTES, _doubles([float(edge) for edge in edges[1:]])))
    fields.append(_field(7, BYTES, _doubles([float(count) for count in counts])))
    return b"".join(fields)
