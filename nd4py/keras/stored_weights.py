"""Weights as HDF5 files have them, read without following links out of the file, or running filters.

Design: h5py opens the file, and everything is looked up part by part by its name, never by walking through what there
is, so that cycles of links cannot hold it up.  A data set is read once its shape is the one that the layer needs, it
lies in this file as it is, and the file has as many bytes for it as it says: what is allocated is never more than the
file is long.  Rejected: a reader of our own, because h5py knows all versions of the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import h5py
import numpy

FLOATS = ("float16", "float32", "float64")
MOST_TEXT = 1 << 26  # bytes of a text
HEAP = b"GCOL\x01\0\0\0"  # what a heap of texts begins with


@dataclass(frozen=True)
class Wanted:
    """An array that a layer needs.

    path: where it lies in the layer's own group of a `.keras` file    shape: as Keras has it
    is_trained: whether Keras counts it among what is trained, which old files list first
    is_read: whether the layer here needs it; where it does not, it is not looked at
    """

    path: str
    shape: tuple[int, ...]
    is_trained: bool = True
    is_read: bool = True


@contextmanager
def told(what: str) -> Iterator[None]:
    """Whatever h5py raises over a damaged file as a ValueError that says where."""
    try:
        yield
    except (ValueError, MemoryError):
        raise
    except Exception as error:  # KeyError, OSError, RuntimeError, TypeError, UnicodeError ..., as the C library reports
        raise ValueError(f"{what} cannot be read, the file is damaged: {str(error)[:200]}") from None


def check_heaps(content: Any) -> None:
    """Raises ValueError for heaps of texts in the bytes of an HDF5 file that the C library would not get through.

    A heap is a header of 16 bytes with its size, then objects, each behind 16 bytes with its index and size; index 0
    is what is free, with its header.  The library goes from one to the next by these sizes, by 0 bytes for ever.
    """
    start = content.find(HEAP)
    while start >= 0:
        size = int.from_bytes(content[start + 8 : start + 16], "little")
        end, at = start + size, start + 16
        if size < 16 or end > len(content):
            raise ValueError(f"keras.load: the file is damaged: a heap of {size} bytes at byte {start}")
        while at + 16 <= end:
            index = int.from_bytes(content[at : at + 2], "little")
            length = int.from_bytes(content[at + 8 : at + 16], "little")
            step = 16 + (length + 7) // 8 * 8 if index else length
            if step < 16 or at + step > end:
                raise ValueError(f"keras.load: the file is damaged: an object of {length} bytes at byte {at}")
            at += step
        start = content.find(HEAP, start + 8)


@contextmanager
def opened(stream: Any, content: Any) -> Iterator[Any]:
    """The HDF5 file in a stream, which `content` are the bytes of.  Raises ValueError where it is none."""
    check_heaps(content)
    with told("the HDF5 file"):
        file = h5py.File(stream, "r")
    try:
        yield file
    finally:
        file.close()


def member(group: Any, name: str, where: str) -> Any:
    """What is called `name` in a group of this file, None where there is nothing.

    Raises ValueError for links that lead elsewhere.
    """
    with told(where):
        link = group.get(name, getlink=True)
        if link is None:
            return None
        if not isinstance(link, h5py.HardLink):
            raise ValueError(f"{where} is a link, {type(link).__name__}, to another place; it is not followed")
        return group[name]


def group_at(group: Any, path: str) -> Any:
    """The group at a path of names, None where there is none.  Raises ValueError for another thing."""
    for name in filter(None, path.split("/")):
        group = member(group, name, f"{path!r}")
        if group is None:
            return None
        if not isinstance(group, h5py.Group):
            raise ValueError(f"{path!r} is no group")
    return group


def array_at(group: Any, path: str, wanted: Wanted, where: str) -> numpy.ndarray:
    """The data set at a path, of the wanted shape, or nothing where it is not needed.

    Raises ValueError naming `where` it lies for anything else.
    """
    if not wanted.is_read:
        return numpy.zeros(0)
    above, _, name = path.rpartition("/")
    holder = group_at(group, above)
    found = None if holder is None else member(holder, name, where)
    if not isinstance(found, h5py.Dataset):
        raise ValueError(f"{where} is missing: an array of shape {wanted.shape} is needed")
    with told(where):
        check_array(found, wanted, where)
        values: numpy.ndarray = found[()]
    if is_brain_float(found):  # the first half of the bits of a float
        values = (numpy.frombuffer(values.tobytes(), "<u2").astype("<u4") << 16).view("<f4").reshape(values.shape)
    return numpy.asarray(values)


def is_brain_float(found: Any) -> bool:
    """Whether a data set holds bfloat16, which HDF5 does not know."""
    return bool(found.dtype.kind == "V" and found.dtype.itemsize == 2 and found.attrs.get("dtype") == "bfloat16")


def check_array(found: Any, wanted: Wanted, where: str) -> None:
    """Raises ValueError unless a data set has the shape, and lies in this file as it is."""
    if tuple(found.shape or ()) != wanted.shape or found.shape is None:
        raise ValueError(f"{where} has the shape {found.shape}, the layer needs {wanted.shape}")
    if found.dtype.name not in FLOATS and not is_brain_float(found):
        raise ValueError(f"{where} has the type {found.dtype}; {', '.join(FLOATS)}, bfloat16 are read")
    properties = found.id.get_create_plist()
    if found.external or found.is_virtual:
        raise ValueError(f"{where} lies in another file, which is not read")
    if properties.get_nfilters():
        raise ValueError(f"{where} is compressed; files are read as Keras writes them, without filters")
    if found.id.get_storage_size() != found.size * found.dtype.itemsize:
        raise ValueError(f"{where}: the file does not have the {found.size} numbers that it says")


def text_of(holder: Any, name: str) -> str | None:
    """A text that is an attribute, None where there is none.  Raises ValueError for anything else."""
    where = f"the attribute {name!r}"
    with told(where):
        if name not in holder.attrs:
            return None
        attribute = holder.attrs.get_id(name)
        if attribute.get_storage_size() > MOST_TEXT or attribute.shape not in ((), (1,)):
            raise ValueError(f"{where} is no text of at most {MOST_TEXT} bytes")
        value = holder.attrs[name]
        value = value[0] if isinstance(value, numpy.ndarray) and value.shape == (1,) else value
        value = value.decode() if isinstance(value, bytes) else value
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise ValueError(f"{where} is no text of at most {MOST_TEXT} bytes")
    return value


def names_of(holder: Any, name: str) -> list[str]:
    """A list of texts that is an attribute, or several: name, or name0, name1 ... of long lists.

    Raises ValueError for anything else.
    """
    with told(f"the attribute {name!r}"):
        keys = [name] if name in holder.attrs else []
        while not keys or (keys[0] != name and f"{name}{len(keys)}" in holder.attrs):
            keys.append(f"{name}{len(keys)}")
            if keys[-1] not in holder.attrs:
                raise ValueError(f"keras.load: the attribute {name!r} is missing")
    found: list[str] = []
    for key in keys:
        with told(f"the attribute {key!r}"):
            if holder.attrs.get_id(key).get_storage_size() > MOST_TEXT:
                raise ValueError(f"the attribute {key!r} is too long")
            values = numpy.asarray(holder.attrs[key]).reshape(-1).tolist()
            found += [value.decode() if isinstance(value, bytes) else value for value in values]
    if not all(isinstance(value, str) for value in found):
        raise ValueError(f"the attribute {name!r} must be a list of names")
    return found
