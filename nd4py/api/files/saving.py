"""save, load and savez: the format by the file's name, and the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import named
from ..creation.basic_creation import asarray

__all__ = ["load", "save", "savez", "savez_compressed"]

Target: TypeAlias = Any  # a path, or an open binary file

content = LazyModule(
    f"{__package__}.content", globals()
)  # zipfile, tempfile and json take longer than many programs save
npy = LazyModule(f"{__package__}.npy", globals())
replacing = LazyModule(f"{__package__}.replacing", globals())
safetensors = LazyModule(f"{__package__}.safetensors", globals())
READERS: dict[str, Callable[[Any], Any]] = {
    "npy": lambda source: npy.read_npy(source),
    "npz": lambda source: npy.read_npz(source),
    "safetensors": lambda source: safetensors.read_safetensors(source),
}
FORMATS = "npy, npz and safetensors"
# The first bytes of each format; of safetensors, what follows the length of its header.
BEGINNINGS = {"npy": (0, b"\x93NUMPY"), "npz": (0, b"PK"), "safetensors": (8, b"{")}


def save(
    file: Target,
    /,
    arr: NDArray | Mapping[str, NDArray],
    allow_pickle: bool = True,
    *,
    format: str | None = None,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write an array (.npy), or a dict of arrays by name (.npz, .safetensors).

    file: a path, whose suffix says the format (.npy is added where there is none), or an open binary file.  A file that
    was there before stays as it is until the new one is complete.
    format: "npy", "npz" or "safetensors", whatever the suffix, which stays as it is; an open file without it gets npy.
    metadata: texts to keep with the arrays, safetensors alone.  allow_pickle: accepted; nothing is ever pickled.
    bfloat16 can be saved as safetensors only, complex128 in the other formats only.
    Raises ValueError for an unknown suffix, TypeError for what the format cannot hold, OSError as `open` does.

    >>> nd.save("pair.safetensors", {"x": nd.arange(3), "y": nd.ones(2)})
    >>> sorted(nd.load("pair.safetensors"))
    ['x', 'y']
    """
    if format is None and isinstance(file, str | os.PathLike) and not Path(file).suffix:
        file = Path(f"{os.fspath(file)}.npy")
    chosen = format_of(file, format) or "npy"
    if not isinstance(file, str | os.PathLike):
        check_file(file, "write")
    if metadata is not None and chosen != "safetensors":
        raise ValueError(f"save: only safetensors keeps metadata, the format here is {chosen}")
    if chosen == "npy":
        array = checked_array(arr)
        write(file, lambda target: npy.write_npy(target, array))
        return
    arrays, texts = checked_arrays(chosen, arr), checked_metadata(metadata or {})
    if chosen == "npz":
        write(file, lambda target: npy.write_npz(target, arrays, is_compressed=False))
    else:
        write(file, lambda target: safetensors.write_safetensors(target, arrays, texts))


def savez(file: Target, /, *args: NDArray, **arrays: NDArray) -> None:
    """Write several arrays into one .npz file: those without a name as arr_0, arr_1 ...

    file: a path, to which .npz is added where it has another ending, or an open binary file.
    Raises ValueError for a name that comes twice, TypeError for bfloat16.

    >>> nd.savez("pair.npz", x=nd.arange(3), y=nd.ones(2))
    >>> nd.load("pair.npz")["x"]
    array([0, 1, 2], dtype=int64)
    """
    write_archive(file, args, arrays, is_compressed=False)


def savez_compressed(file: Target, /, *args: NDArray, **arrays: NDArray) -> None:
    """`savez` with its entries compressed (deflate).  Raises as `savez` does.

    >>> nd.savez_compressed("zeros.npz", x=nd.zeros(1000))
    >>> nd.load("zeros.npz")["x"].shape
    (1000,)
    """
    write_archive(file, args, arrays, is_compressed=True)


def load(
    file: Target,
    /,
    mmap_mode: str | None = None,
    allow_pickle: bool = False,
    *,
    format: str | None = None,
) -> Any:
    """The array of an .npy file, or the dict of arrays by name of an .npz or .safetensors file.

    file: a path or an open binary file; the format is told by its suffix, or else its first bytes, or by `format`.
    mmap_mode: for .npy and .safetensors, arrays over the file itself instead of copies, which may be larger than
    memory: "r" read-only, "r+" writes go to the file, "c" writes stay in memory.
    The dict of a .safetensors file has an attribute `metadata`, the texts saved with it; that of an .npz file has
    `files`, the names, `close()`, and works in `with`, as NumPy's.
    allow_pickle: accepted; nothing is ever unpickled.
    Raises ValueError naming the file when it is damaged, cut short or cannot be mapped, or for elements of a dtype that
    nd4py lacks; OSError as `open` does.

    >>> nd.save("x.npy", nd.arange(3))
    >>> nd.load("x.npy")
    array([0, 1, 2], dtype=int64)
    """
    named("load: mmap_mode", mmap_mode, (None, *content.MODES))
    chosen = format_of(file, format, is_reading=True)
    with opened(file, "r+b" if mmap_mode == "r+" else "rb") as source, content.reading(name := name_of(file)):
        chosen = chosen or sniffed(source, name)
        if mmap_mode is not None and chosen == "npz":
            raise ValueError(f"{name}: the arrays of .npz lie in a zip, which cannot be mapped; pass mmap_mode=None")
        return READERS[chosen](content.Content(source, name, mmap_mode))


# Files and formats.


def format_of(file: Target, format: str | None, *, is_reading: bool = False) -> str | None:
    """The format that was asked for, or that a path's suffix says; None for an open file.

    Raises ValueError for another one, TypeError for what is neither path nor file.
    """
    is_path = isinstance(file, str | os.PathLike)
    if not is_path:
        check_file(file, "read" if is_reading else "write")
    if format is not None:
        if not isinstance(format, str) or format not in READERS:
            raise ValueError(f"unknown format {format!r}; nd4py has {FORMATS}")
        return format
    if not is_path:
        return None
    suffix = Path(file).suffix.removeprefix(".")
    if suffix in READERS:
        return suffix
    if is_reading:
        return None
    raise ValueError(f"cannot tell the format of {os.fspath(file)!r} by its suffix; pass format=, one of {FORMATS}")


def check_file(file: Target, method: str) -> None:
    """Raise TypeError unless an object has a file's `method`."""
    if not hasattr(file, method):
        raise TypeError(f"file must be a path or an open binary file, given {type(file).__name__}")


def name_of(file: Target) -> str:
    """What to call a file in errors."""
    return str(file if isinstance(file, str | os.PathLike) else getattr(file, "name", f"<{type(file).__name__}>"))


@contextmanager
def opened(file: Target, mode: str) -> Iterator[Any]:
    """The file, opened and closed if it was a path.  Raises TypeError for a text file."""
    if isinstance(file, str | os.PathLike):
        with open(file, mode) as source:
            yield source
        return
    if not isinstance(file.read(0), bytes):
        raise TypeError(f"load: {name_of(file)} is open as text; open it in mode 'rb'")
    yield file


def sniffed(file: Any, name: str) -> str:
    """The format of an open file, by its first bytes.  Raises ValueError for none that is known."""
    start = file.tell()
    beginning = file.read(9)
    file.seek(start)
    for format, (skipped, text) in BEGINNINGS.items():
        if beginning[skipped:].startswith(text[: max(len(beginning) - skipped, 1)]):
            return format
    raise ValueError(f"{name}: its first bytes are those of no format that nd4py reads, {FORMATS}")


def write(file: Target, fill: Callable[[Any], None]) -> None:
    """Write a file; a file that exists at the path is replaced only when the new one is complete."""
    if isinstance(file, str | os.PathLike):
        with replacing.replacing(Path(file)) as target:
            fill(target)
    else:
        fill(file)


def write_archive(
    file: Target, args: tuple[NDArray, ...], named: Mapping[str, NDArray], *, is_compressed: bool
) -> None:
    """Write an .npz file."""
    numbered = {f"arr_{i}": x for i, x in enumerate(args)}
    if both := numbered.keys() & named.keys():
        raise ValueError(f"savez: the names {sorted(both)} are those of arrays without a name")
    arrays = checked_arrays("npz", {**named, **numbered})
    if isinstance(file, str | os.PathLike):
        file = Path(file)
        file = file if file.suffix == ".npz" else file.with_name(f"{file.name}.npz")
    else:
        check_file(file, "write")
    write(file, lambda target: npy.write_npz(target, arrays, is_compressed=is_compressed))


# Arrays and texts.


def checked_array(x: Any) -> NDArray:
    """What goes into an .npy file.  Raises TypeError for a dict."""
    if isinstance(x, Mapping):
        raise TypeError("save: .npy holds one array; save a dict of arrays as .npz or .safetensors")
    return asarray(x)


def checked_arrays(format: str, x: Any) -> dict[str, NDArray]:
    """What goes into a file of several arrays.  Raises TypeError unless it is a dict with texts as names."""
    if not isinstance(x, Mapping):
        raise TypeError(f"save: .{format} holds arrays by name; give a dict, such as {{'x': x}}")
    for name in x:
        if not isinstance(name, str):
            raise TypeError(f"save: the names of arrays are texts, given {name!r}")
    return {name: asarray(value) for name, value in x.items()}


def checked_metadata(metadata: Mapping[str, str]) -> Mapping[str, str]:
    """Raises TypeError unless names and values are texts."""
    if not isinstance(metadata, Mapping):
        raise TypeError(f"save: metadata are texts by name, given {type(metadata).__name__}")
    for name, text in metadata.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError(f"save: metadata are texts by name, given {name!r}: {text!r}")
    return metadata
