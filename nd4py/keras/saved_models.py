"""Files of Keras models: their kind, the description of the model, and the weights that its layers need."""

from __future__ import annotations

import io
import json
import mmap
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

from .stored_weights import Wanted, array_at, group_at, names_of, opened, text_of

MOST_TEXT = 1 << 26  # bytes of a description
ZIP, HDF5 = b"PK\x03\x04", b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True)
class Place:
    """Where a layer's weights lie.

    path: of its group in a `.keras` file    top: the layer of the outermost model that it is, or is a part of, which
    old files list weights by    order: its place among all layers    is_trained: whether Keras trains it
    """

    path: str
    top: str
    order: tuple[int, ...]
    is_trained: bool = True


Need = tuple[Place, Sequence[Wanted]]


@dataclass(frozen=True)
class Saved:
    """A model in a file.

    model: its description    training: how it was compiled, None where it was not
    version: of Keras that wrote it    weights: gives the arrays for each of a list of needs, in their order
    backend: that Keras ran on, "" where the file does not say it
    """

    model: Any
    training: Any
    version: int
    weights: Callable[[Sequence[Need]], list[list[numpy.ndarray]]]
    backend: str = ""


@contextmanager
def saved_model(path: str | os.PathLike[str]) -> Iterator[Saved]:
    """The model in the file at `path`, as long as it is open.

    Raises ValueError for another kind of file or a damaged one, NotImplementedError for weights in other forms.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"keras.load: path must be the path of a file, given {type(path).__name__}")
    if Path(path).is_dir():
        raise ValueError(f"keras.load: {os.fspath(path)!r} is a folder; save the model as one file, name.keras")
    with open(path, "rb") as stream:
        first = stream.read(len(HDF5))
        stream.seek(0)
        if first == HDF5:
            with (
                mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content,
                opened(stream, content) as file,
            ):
                yield of_hdf5(file, len(content))
        elif first.startswith(ZIP):
            with of_zip(stream) as found:
                yield found
        else:
            raise ValueError("keras.load: neither a .keras nor an .h5 file: it begins like none of them")


@contextmanager
def of_zip(stream: Any) -> Iterator[Saved]:
    """The model in a `.keras` file.  Raises ValueError for a damaged one."""
    parts = parts_of_zip(stream)
    model = parsed(parts["config.json"], "config.json")
    metadata = parsed(parts["metadata.json"], "metadata.json")
    content = parts["model.weights.h5"]
    with opened(io.BytesIO(content), content) as file:
        size = len(content)

        def weights(needs: Sequence[Need]) -> list[list[numpy.ndarray]]:
            check_bytes(needs, size)
            return [[array_of(file, place, each) for each in wanted] for place, wanted in needs]

        training = model.get("compile_config") if isinstance(model, dict) else None
        yield Saved(model, training, version_of(metadata), weights)


def parts_of_zip(stream: Any) -> dict[str, bytes]:
    """The parts of a `.keras` file, whose checksums are right.  Raises ValueError for a damaged one."""
    names = ("config.json", "metadata.json", "model.weights.h5")
    try:
        with zipfile.ZipFile(stream) as archive:
            found = {each.filename: each for each in archive.infolist()}
            if "model.weights.npz" in found or "model.weights.json" in found:
                raise NotImplementedError("keras.load: weights in several files, or as .npz; save them as one .h5")
            for name in names:
                if name not in found:
                    raise ValueError(f"keras.load: {name} is missing in the file")
                if found[name].compress_type != zipfile.ZIP_STORED:
                    raise ValueError(f"keras.load: {name} is compressed; files are read as Keras writes them, without")
                if name.endswith(".json") and found[name].file_size > MOST_TEXT:
                    raise ValueError(f"keras.load: {name} is longer than {MOST_TEXT} bytes")
            return {name: archive.read(found[name]) for name in names}
    except NotImplementedError as error:
        if "keras.load" in str(error):
            raise
        raise ValueError(f"keras.load: the file is damaged: {error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, OverflowError, KeyError) as error:
        raise ValueError(f"keras.load: the file is damaged: {error}") from None


def parsed(content: bytes | str, what: str) -> Any:
    """The value of a text of JSON.  Raises ValueError naming `what` it is where it is none."""
    try:
        return json.loads(content, parse_constant=refused_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"keras.load: {what} is no sound description: {error}") from None


def refused_constant(text: str) -> float:
    raise ValueError(f"{text} is no number of a model")


def version_of(metadata: Any) -> int:
    """1, 2 or 3, from a dict with the version of Keras.  Raises ValueError for what is no version."""
    version = metadata.get("keras_version") if isinstance(metadata, dict) else None
    found = re.match(r"(\d{1,4})\.", version) if isinstance(version, str) else None
    if found is None:
        raise ValueError(f"keras.load: the file says no version of Keras, but {str(version)[:40]!r}")
    return int(found[1])


def check_bytes(needs: Sequence[Need], size: int) -> None:
    """Raises ValueError where the weights that layers need are more than a file of `size` bytes can hold."""
    needed = sum(2 * int(numpy.prod(each.shape, dtype=object)) for _, wanted in needs for each in wanted)
    if needed > size:
        raise ValueError(f"keras.load: the layers need {needed} bytes of weights or more, the file has {size}")


def array_of(file: Any, place: Place, wanted: Wanted) -> numpy.ndarray:
    return array_at(file, f"{place.path}/{wanted.path}", wanted, f"keras.load: {place.path}/{wanted.path}")


def of_hdf5(file: Any, size: int) -> Saved:
    """The model in an `.h5` file of `size` bytes.  Raises ValueError for a damaged one, or one of weights alone."""
    description = text_of(file, "model_config")
    if description is None:
        raise ValueError("keras.load: the file has weights and no model; save the model with model.save(path)")
    training = text_of(file, "training_config")
    version = version_of({"keras_version": text_of(file, "keras_version") or "1."})
    if version < 2:
        raise NotImplementedError("keras.load: files of Keras 1 are not read; save the model again with Keras 2 or 3")
    root = group_at(file, "model_weights")
    if root is None:
        raise ValueError("keras.load: model_weights is missing in the file")

    def weights(needs: Sequence[Need]) -> list[list[numpy.ndarray]]:
        check_bytes(needs, size)
        found: dict[tuple[int, int], numpy.ndarray] = {}
        by_top: dict[str, list[tuple[bool, tuple[int, ...], int, int]]] = {}
        for number, (place, wanted) in enumerate(needs):
            for part, each in enumerate(wanted):
                rank = (not (each.is_trained and place.is_trained), place.order, part, number)
                by_top.setdefault(place.top, []).append(rank)
        for top, ranks in by_top.items():
            names = names_in(root, top)
            if len(names) != len(ranks):
                raise ValueError(f"keras.load: layer {top!r} needs {len(ranks)} arrays, the file has {len(names)}")
            for name, (_, _, part, number) in zip(names, sorted(ranks), strict=True):
                where = f"keras.load: model_weights/{top}/{name}"
                found[number, part] = array_at(root, f"{top}/{name}", needs[number][1][part], where)
        return [[found[number, part] for part in range(len(wanted))] for number, (_, wanted) in enumerate(needs)]

    compiled = None if training is None else parsed(training, "training_config")
    return Saved(parsed(description, "model_config"), compiled, version, weights, text_of(file, "backend") or "")


def names_in(root: Any, top: str) -> list[str]:
    """The names of the weights of a layer of the outermost model.  Raises ValueError where it has none."""
    group = group_at(root, top)
    if group is None:
        raise ValueError(f"keras.load: the weights of layer {top!r} are missing in the file")
    return names_of(group, "weight_names")
