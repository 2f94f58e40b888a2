"""The file format of networks: a zip of plain text and plain numbers.

    configuration.json    the configuration of the network
    coefficients.npy      the flat parameter vector
    updaterState.npy      the flat updater state, absent when there is none
    counters.json         iteration and epoch, and the names of the entries, so that a lost entry is noticed
    normalizer.json       the normalizer of the data, absent when none was given
    average.json          settings and counts of an average of weights, absent when none was given
    average.npy           its values, absent where nothing has been averaged yet
    training.json         the place in a run of training, of checkpoints alone

The vectors are in NumPy's .npy format, version 1.0, so `numpy.load(path)` reads them; nothing is pickled.
They are stored, not compressed: trained weights do not shrink, and an entry can then not be larger than its file.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from nd4py import api as nd
from nd4py.api.files.content import DAMAGE
from nd4py.api.files.npy import COMPRESSIONS
from nd4py.api.files.replacing import replacing, write_in_pieces

CONFIGURATION = "configuration.json"
COEFFICIENTS = "coefficients.npy"
UPDATER_STATE = "updaterState.npy"
COUNTERS = "counters.json"
NORMALIZER = "normalizer.json"
AVERAGE = "average.json"
AVERAGE_VALUES = "average.npy"
TRAINING = "training.json"
ENTRIES = "entries"  # the key of their names in counters.json
TEXT_LIMIT_BYTES = 16 << 20
NORMALIZER_LIMIT_BYTES = 256 << 20  # statistics of every pixel of large images
TRAINING_LIMIT_BYTES = 1 << 30  # the scores of all iterations, and what listeners keep
NPY_NAMES = {"float32": "<f4", "float64": "<f8"}


class Describable(Protocol):
    """Whatever can be written as a text."""

    def to_json(self) -> str: ...


class Averaged(Describable, Protocol):
    """An average of weights."""

    @property
    def values(self) -> nd.NDArray | None: ...


class Archive:
    """A saved network opened for reading.  Every method raises ValueError when the file is damaged."""

    def __init__(self, path: Path, source: zipfile.ZipFile) -> None:
        self._path = path
        self._source = source
        names = source.namelist()
        for name in (CONFIGURATION, COEFFICIENTS, COUNTERS):
            if names.count(name) != 1:
                raise self.damaged(f"{names.count(name)} entries called {name}, 1 needed; entries: {names[:10]}")
        self._written = self._counters().get(ENTRIES)
        if not isinstance(self._written, list | None):
            raise self.damaged(f"{COUNTERS} says the entries are {self._written!r}")
        for name in (UPDATER_STATE, NORMALIZER, AVERAGE, AVERAGE_VALUES, TRAINING):
            if names.count(name) > 1:
                raise self.damaged(f"{names.count(name)} entries called {name}, 1 at most")
            if self._written is not None and (name in self._written) != (name in names):
                wrong = "is missing" if name in self._written else f"was not written with the others, {self._written}"
                raise self.damaged(f"{name} {wrong}; entries: {names[:10]}")

    def damaged(self, what: str) -> ValueError:
        return ValueError(f"{self._path} is not a network saved by nd4py, or it is damaged: {what}; use another copy")

    def configuration(self) -> bytes:
        """The text of configuration.json."""
        return self._read(CONFIGURATION, TEXT_LIMIT_BYTES)

    def counter(self, name: str) -> int:
        """A whole number from counters.json."""
        value = self._counters().get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.damaged(f"{COUNTERS} says {name} is {value!r}")
        return value

    def _counters(self) -> dict[str, Any]:
        try:
            counters = json.loads(self._read(COUNTERS, TEXT_LIMIT_BYTES))
        except (ValueError, RecursionError) as error:
            raise self.damaged(f"{COUNTERS} cannot be understood ({error!r})") from None
        if not isinstance(counters, dict):
            raise self.damaged(f"{COUNTERS} holds {type(counters).__name__}, a dict is needed")
        return counters

    def coefficients(self, size: int, dtype: str) -> nd.NDArray:
        """The parameter vector, which the configuration says has `size` elements of `dtype`."""
        return self._vector(COEFFICIENTS, size, dtype)

    def updater_state(self, size: int, dtype: str) -> nd.NDArray | None:
        """The updater state, `size` elements of `dtype`, or None when it was left out on purpose."""
        is_there = UPDATER_STATE in self._source.namelist()
        if is_there and not size:
            raise self.damaged(f"{UPDATER_STATE} belongs to another network: this one's updater has no state")
        if size and not is_there and self._written is None:
            raise self.damaged(
                f"{UPDATER_STATE} is missing and {COUNTERS} does not say that it was left out; load_updater=False "
                "loads the network without, as if its updater had not made a step"
            )
        return self._vector(UPDATER_STATE, size, dtype) if is_there else None

    def normalizer(self) -> str | None:
        """The text that describes the normalizer, or None when none was saved."""
        return self._text(NORMALIZER, NORMALIZER_LIMIT_BYTES)

    def average(self) -> str | None:
        """The text that describes the average of weights, or None when none was saved."""
        return self._text(AVERAGE, TEXT_LIMIT_BYTES)

    def training(self) -> str | None:
        """The text that says the place in a run of training, or None when none was saved."""
        return self._text(TRAINING, TRAINING_LIMIT_BYTES)

    def average_values(self, size: int, dtype: str) -> nd.NDArray:
        """The values of the average, which its text says are `size` elements of `dtype`."""
        if AVERAGE_VALUES not in self._source.namelist() or dtype not in NPY_NAMES:
            raise self.damaged(f"{AVERAGE} speaks of {size} values of dtype {dtype}, which are not there")
        return self._vector(AVERAGE_VALUES, size, dtype)

    def _text(self, name: str, limit_bytes: int) -> str | None:
        """The text of an entry, or None when it was not saved."""
        if name not in self._source.namelist():
            return None
        try:
            return self._read(name, limit_bytes).decode()
        except UnicodeDecodeError as error:
            raise self.damaged(f"{name} is no text ({error})") from None

    def _vector(self, name: str, size: int, dtype: str) -> nd.NDArray:
        header = npy_header(size, dtype)
        n_bytes = len(header) + size * int(NPY_NAMES[dtype][-1])
        info = self._source.getinfo(name)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != n_bytes:
            raise self.damaged(
                f"{name} should be {n_bytes} bytes, stored, for {size} {dtype} numbers; "
                f"it is {info.file_size} bytes, compression {info.compress_type}"
            )
        content = self._read(name, n_bytes)
        if not content.startswith(header):
            raise self.damaged(f"{name} does not begin like a vector of {size} {dtype} numbers")
        return nd.frombuffer(memoryview(content)[len(header) :], dtype=dtype)

    def _read(self, name: str, limit_bytes: int) -> bytes:
        if (kind := self._source.getinfo(name).compress_type) not in COMPRESSIONS:
            raise self.damaged(f"{name} is compressed by method {kind}, only deflate is read")
        try:
            with self._source.open(name) as entry:
                content = entry.read(limit_bytes + 1)
        except (*DAMAGE, OSError) as error:
            raise self.damaged(f"{name} cannot be read ({error})") from None
        if len(content) > limit_bytes:
            raise self.damaged(f"{name} is larger than {limit_bytes} bytes")
        return content


@contextmanager
def open_archive(path: str | os.PathLike[str]) -> Iterator[Archive]:
    """Open a saved network.  Raises ValueError when the file is no zip or lacks an entry, OSError as `open` does."""
    path = Path(path)
    try:
        source = zipfile.ZipFile(path)
    except DAMAGE as error:
        raise ValueError(
            f"{path} is not a network saved by nd4py, or it is cut short: {error}; use another copy"
        ) from None
    with source:
        yield Archive(path, source)


def write_archive(
    path: str | os.PathLike[str],
    configuration: str,
    params: nd.NDArray,
    updater_state: nd.NDArray | None,
    counters: Mapping[str, int],
    normalizer: str | None = None,
    average: tuple[str, nd.NDArray | None] | None = None,
    training: str | None = None,
) -> None:
    """Write a network to `path`.  Until the new file is complete, one that was there before stays as it is."""
    with replacing(Path(path)) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as target:
        target.writestr(CONFIGURATION, configuration)
        _write_vector(target, file, COEFFICIENTS, params)
        if updater_state is not None:
            _write_vector(target, file, UPDATER_STATE, updater_state)
        if normalizer is not None:
            target.writestr(NORMALIZER, normalizer)
        if average is not None:
            described, values = average
            target.writestr(AVERAGE, described)
            if values is not None:
                _write_vector(target, file, AVERAGE_VALUES, values)
        if training is not None:
            target.writestr(TRAINING, training)
        target.writestr(COUNTERS, json.dumps({**counters, ENTRIES: [*target.namelist(), COUNTERS]}))


def npy_header(size: int, dtype: str) -> bytes:
    """The bytes before the numbers in an .npy file of version 1.0 that holds a vector.

    https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
    """
    text = f"{{'descr': '{NPY_NAMES[dtype]}', 'fortran_order': False, 'shape': ({size},), }}"
    n_bytes = -(-(10 + len(text) + 1) // 64) * 64
    text = text.ljust(n_bytes - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("ascii")


def _write_vector(target: zipfile.ZipFile, file: IO[Any], name: str, vector: nd.NDArray) -> None:
    with target.open(name, "w", force_zip64=True) as entry:
        entry.write(npy_header(vector.size, str(vector.dtype)))
        write_in_pieces(memoryview(vector).cast("B"), entry.write, file)
