"""Arrays in text files and raw binary ones: loadtxt, savetxt, genfromtxt, fromregex, fromfile and memmap.

Design: NumPy reads and writes the text.  Its reader is fast and knows every dialect; one of our own would be slower or
know less.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._core.array.exits import refuse_tracked
from ..._core.array.released import type_name
from ..._core.dtype import dtype_of
from ..._core.whole_numbers import count as count_of
from ..._core.whole_numbers import is_whole, items, named, named_order, whole
from ..._exec.autodiff.nodes import is_array
from ..creation.basic_creation import asarray
from ..creation.sharing import foreign_order

__all__ = ["fromfile", "fromregex", "genfromtxt", "loadtxt", "memmap", "savetxt"]

theirs: Any = numpy  # whose types say less than its functions take
READABLE = (str, os.PathLike)


def check_source(name: str, file: Any) -> None:
    """Raises TypeError for what is neither a path, nor an open file, nor lines of text."""
    if not (isinstance(file, READABLE) or hasattr(file, "read") or hasattr(file, "__iter__")) or is_array(file):
        raise TypeError(f"{name}: needs a path, an open file or lines of text, given {type_name(file)}")


def numpy_dtype(dtype: DTypeLike) -> Any:
    """NumPy's dtype for one of ours."""
    return dtype_of(dtype).__numpy_dtype__


def loadtxt(
    fname: Any,
    dtype: DTypeLike = float,
    comments: str | Sequence[str] | None = "#",
    delimiter: str | None = None,
    converters: Any = None,
    skiprows: int = 0,
    usecols: int | Sequence[int] | None = None,
    unpack: bool = False,
    ndmin: int = 0,
    encoding: str | None = None,
    max_rows: int | None = None,
    *,
    quotechar: str | None = None,
) -> NDArray:
    """The numbers in a text file, a row a line.  NumPy reads it, with all of its arguments.

    Raises ValueError naming the file for what is no number or rows of different lengths, OSError as `open` does,
    TypeError for arguments of other types.

    >>> nd.loadtxt(["1 2", "3 4"]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    check_source("loadtxt", fname)
    target = numpy_dtype(dtype)
    with reading_text("loadtxt", fname):
        return asarray(
            theirs.loadtxt(
                fname, target, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows,
                quotechar=quotechar,
            )
        )  # fmt: skip


def genfromtxt(fname: Any, dtype: DTypeLike | None = float, **keywords: Any) -> NDArray:
    """The numbers in a text file that may lack some.  NumPy's `genfromtxt` reads it, with all of its arguments.

    dtype: None for what all columns are: bools, whole numbers, floating or complex ones.
    Raises ValueError naming the file for rows of different lengths and for what is no number, or, of dtype None, for
    columns of different dtypes; OSError as `open` does, TypeError for other arguments.

    >>> nd.genfromtxt(["1,2", "3,"], delimiter=",", filling_values=0).tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    check_source("genfromtxt", fname)
    target = None if dtype is None else numpy_dtype(dtype)
    with reading_text("genfromtxt", fname):
        found = theirs.genfromtxt(fname, target, **keywords)
        if found.dtype.kind not in "biufc":
            raise ValueError(f"the columns are {found.dtype}, not numbers of one dtype; give dtype and usecols")
        return asarray(found)


@contextmanager
def reading_text(name: str, file: Any) -> Iterator[None]:
    """Turns what NumPy raises into a ValueError that names the file, for content, or a TypeError for an argument."""
    try:
        yield
    except (ValueError, MemoryError) as error:
        raise ValueError(f"{label(file)}: {error}") from None
    except (TypeError, AttributeError, LookupError, OverflowError) as error:
        reason = type(error).__name__
        raise TypeError(f"{name}: NumPy refuses an argument of this type or value ({reason})") from None


def label(file: Any) -> str:
    """What to call a source of text in errors."""
    return str(file) if isinstance(file, READABLE) else str(getattr(file, "name", "lines of text"))


def savetxt(
    fname: Any,
    X: Any,  # noqa: N803 - NumPy's name
    fmt: str | Sequence[str] = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """Write an array of one or two axes to a text file, a row a line.  NumPy writes it, with all of its arguments.

    Raises ValueError for more axes, TypeError for an array that is being differentiated and formats that do not fit,
    OSError as `open` does.

    >>> nd.savetxt("x.txt", nd.asarray([[1, 2], [3, 4]]), fmt="%d", delimiter=",")
    >>> with open("x.txt") as file:
    ...     print(file.read(), end="")
    1,2
    3,4
    """
    if not (isinstance(fname, READABLE) or hasattr(fname, "write")):
        raise TypeError(f"savetxt: fname must be a path or an open file, given {type_name(fname)}")
    for what, text in (
        ("delimiter", delimiter), ("newline", newline), ("header", header), ("footer", footer), ("comments", comments),
    ):  # fmt: skip
        if not isinstance(text, str):
            raise TypeError(f"savetxt: {what} must be a text, given {type_name(text)}")
    x = asarray(X)
    refuse_tracked(x)
    n_columns = x.shape[1] if x.ndim == 2 else 1
    if isinstance(fmt, list | tuple) and len(fmt) != n_columns:
        raise TypeError(
            f"savetxt: fmt has {len(fmt)} formats for rows of {n_columns}; give one for all, or one for each"
        )
    with reading_text("savetxt", fname):
        theirs.savetxt(fname, theirs.asarray(x), fmt, delimiter, newline, header, footer, comments, encoding)


def fromregex(
    file: Any, regexp: str | bytes | re.Pattern[Any], dtype: Any, encoding: str | None = None
) -> dict[str, NDArray]:
    """The numbers that the groups of a regular expression find in a text, as a dict of arrays, one for each group.

    file: a path or an open file.    regexp: with one group for each field.
    dtype: a list of (name, dtype), one for each group.    encoding: of the file, where it is a path.
    Raises ValueError for another number of groups and for what a group finds that is no number, TypeError for a dtype
    without names, OSError as `open` does.

    >>> with open("log.txt", "w") as file:
    ...     _ = file.write("epoch 1 loss 0.5; epoch 2 loss 0.25")
    >>> nd.fromregex("log.txt", r"epoch (\\d+) loss ([\\d.]+)", [("epoch", int), ("loss", float)])["loss"]
    array([0.5 , 0.25], dtype=float64)
    """
    check_source("fromregex", file)
    listed = getattr(dtype, "descr", dtype) if getattr(dtype, "names", None) else dtype
    if not isinstance(listed, list | tuple) or not all(isinstance(each, tuple) and len(each) == 2 for each in listed):
        raise TypeError(f"fromregex: dtype must be a list of (name, dtype), one for each group, given {dtype!r}")
    fields = [(str(name), numpy_dtype(each)) for name, each in listed]
    pattern = compiled(regexp)
    text = file.read() if hasattr(file, "read") else Path(file).read_text(encoding=encoding or "utf-8")
    text = text.decode(encoding or "latin1") if isinstance(text, bytes) else text
    if pattern.groups != len(fields):
        raise ValueError(f"fromregex: the expression has {pattern.groups} groups, dtype {len(fields)} names")
    found = [match.groups("") for match in pattern.finditer(text)]
    return {name: asarray([row[i] for row in found], each) for i, (name, each) in enumerate(fields)}


def compiled(regexp: str | bytes | re.Pattern[Any]) -> re.Pattern[str]:
    """A regular expression for texts.  Raises TypeError for what is none, ValueError for a text that is none."""
    if isinstance(regexp, re.Pattern):
        regexp = regexp.pattern if isinstance(regexp.pattern, bytes) else regexp
    if isinstance(regexp, bytes):
        regexp = regexp.decode("latin1")
    if not isinstance(regexp, str | re.Pattern):
        raise TypeError(f"fromregex: regexp must be a text or a compiled expression, given {type_name(regexp)}")
    try:
        return re.compile(regexp)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"fromregex: {regexp!r} is no regular expression: {error}") from None


def fromfile(file: Any, dtype: DTypeLike = float, count: int = -1, sep: str = "", offset: int = 0) -> NDArray:
    """The numbers in a binary file, as `x.tofile` writes them, or in a text where `sep` separates them.

    file: a path or an open file on disk; count: how many, all for -1; offset: the byte to start at.
    dtype: a dtype in the other order of bytes, such as ">i4", is read too; the array has its own order.
    Raises ValueError for a negative offset, OSError as `open` does, TypeError for what is no file.

    >>> nd.arange(3, dtype="int16").tofile("numbers.bin")
    >>> nd.fromfile("numbers.bin", dtype="int16")
    array([0, 1, 2], dtype=int16)
    """
    if not (isinstance(file, READABLE) or hasattr(file, "fileno")):
        raise TypeError(f"fromfile: file must be a path or an open file on disk, given {type_name(file)}")
    if not isinstance(sep, str):
        raise TypeError(f"fromfile: sep must be a text, given {type_name(sep)}")
    n, start = whole("fromfile: count", count), count_of("fromfile: offset", offset)
    if not -1 <= n < 2**59:
        raise ValueError(f"fromfile: count must lie in [-1, 2**59), given {n}")
    target = foreign_order(dtype) or numpy_dtype(dtype)
    with reading_text("fromfile", file):
        return asarray(theirs.fromfile(file, target, n, sep, offset=start))


MODES = ("r", "c", "r+", "w+", "readonly", "copyonwrite", "readwrite", "write")


def memmap(
    filename: Any,
    dtype: DTypeLike = "uint8",
    mode: str = "r+",
    offset: int = 0,
    shape: Sizes | None = None,
    order: str = "C",
) -> NDArray:
    """An array over the bytes of a file on disk, which may be larger than memory; NumPy maps it.

    filename: a path.
    mode: "r" read-only, "r+" writes go to the file, "w+" makes a new file of `shape`, "c" writes stay in memory.
    shape: None for all that follows `offset`, the byte to start at; order: "C" or "F".  The system writes what was
    changed to the file, at the latest when the array is gone.
    Raises ValueError for another mode, a file that is too short, or an offset out of alignment, OSError as `open` does,
    TypeError for what is no file.

    >>> nd.asarray([1, 2, 3], dtype="uint8").tofile("bytes.bin")
    >>> nd.memmap("bytes.bin", mode="r")
    array([1, 2, 3], dtype=uint8)
    """
    if not (isinstance(filename, READABLE) or hasattr(filename, "fileno")):
        raise TypeError(f"memmap: filename must be a path or an open file on disk, given {type_name(filename)}")
    named("memmap: mode", mode, MODES)
    order = named_order("memmap: order", order, ("C", "F"))
    start, target = count_of("memmap: offset", offset), numpy_dtype(dtype)
    sizes = shape
    if shape is not None:
        given = (shape,) if is_whole(shape) else items("memmap: shape", shape)
        sizes = tuple(count_of("memmap: a size", size) for size in given)
        total = start
        for size in sizes:
            total = max(total, 1) * max(size, 1)
        count_of("memmap: the number of bytes", total * target.itemsize)
    if start % target.itemsize:
        raise ValueError(f"memmap: offset {start} is out of alignment for elements of {target.itemsize} bytes")
    if isinstance(filename, READABLE) and "\0" in os.fspath(filename):
        raise ValueError("memmap: a path has no NUL")
    with reading_text("memmap", filename):
        return asarray(theirs.asarray(theirs.memmap(filename, target, mode, start, sizes, order)))
