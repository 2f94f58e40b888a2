"""NumPy's formats: .npy, one array, and .npz, a zip of them.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Nothing is ever pickled.  numpy.lib.format reads and writes the headers; the elements go to and from our own memory.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import Any, Self

import numpy
from numpy.lib import format as npy

from ..._core.array.array import NDArray
from ..._core.dtype import dtype_of
from ..._core.interop.buffers import byte_view
from ..._spec.dtypes import NUMBER
from ..manipulation.manipulation import ascontiguous, permute_dims
from .content import Content

HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
SUFFIX = ".npy"
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_npy(content: Content) -> NDArray:
    """The array of an .npy file.  Raises ValueError for a damaged file, or elements that nd4py has no dtype for."""
    version = npy.read_magic(content.file)
    if version not in HEADERS:
        raise content.damaged(f"version {version} of the .npy format is for structured dtypes, which nd4py lacks")
    shape, is_fortran, dtype = HEADERS[version](content.file)
    if dtype.kind not in "biufc" or dtype.name not in NUMBER:
        raise content.damaged(f"it holds elements of {dtype}, for which nd4py has no dtype")
    if not dtype.isnative and content.is_mapped:
        raise content.damaged(f"{dtype} is not in this machine's byte order; load it with mmap_mode=None")
    if any(size < 0 for size in shape):
        raise content.damaged(f"its header has the shape {shape}")
    shape = tuple(map(int, shape))
    x = content.elements(dtype_of(dtype.name), shape[::-1] if is_fortran else shape, content.position, "the array")
    if not dtype.isnative:
        numpy.asarray(x).byteswap(inplace=True)
    return permute_dims(x, tuple(range(x.ndim))[::-1]) if is_fortran else x


def write_npy(file: Any, x: NDArray) -> None:
    """Write an array.  Raises TypeError for bfloat16, which the format lacks."""
    check_npy(x)
    turned = permute_dims(x, tuple(range(x.ndim))[::-1])
    is_fortran = not x.is_contiguous and turned.is_contiguous
    descr = npy.dtype_to_descr(x.dtype.__numpy_dtype__)
    npy.write_array_header_1_0(file, {"shape": x.shape, "fortran_order": is_fortran, "descr": descr})
    file.write(memoryview(byte_view(turned if is_fortran else ascontiguous(x))))


def check_npy(x: NDArray) -> None:
    """Raises TypeError for what the format cannot hold."""
    if x.dtype == "bfloat16":
        raise TypeError("the .npy format has no bfloat16; save it as .safetensors, or convert it: x.astype('float32')")


class Archive(dict[str, NDArray]):
    """The arrays of an .npz file by name, with what NumPy's `NpzFile` has beside: `files`, `close`, `with`."""

    @property
    def files(self) -> list[str]:
        """The names."""
        return list(self)

    def __missing__(self, name: object) -> NDArray:
        raise KeyError(f"the file has no array {name!r}; it has {', '.join(self) or 'none'}")

    def close(self) -> None:
        """Nothing: all arrays are read already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def read_npz(content: Content) -> Archive:
    """The arrays of an .npz file by name.  Raises ValueError for a damaged file, or for entries that are no arrays."""
    arrays = Archive()
    with zipfile.ZipFile(content.file) as source:
        for info in source.infolist():
            name = info.filename.removesuffix(SUFFIX)
            if name == info.filename or name in arrays or info.compress_type not in COMPRESSIONS:
                raise content.damaged(f"entry {info.filename!r} is no array, there twice, or not compressed by deflate")
            with source.open(info) as entry:
                inner = Content(entry, f"{content.name}, entry {info.filename}", size=info.file_size)
                arrays[name] = read_npy(inner)
                if entry.read(1):  # reaching the end also checks the sum of the entry
                    raise inner.damaged(f"bytes are left after the array, at byte {inner.position}")
    return arrays


def write_npz(file: Any, arrays: Mapping[str, NDArray], *, is_compressed: bool) -> None:
    """Write arrays by name."""
    for x in arrays.values():
        check_npy(x)
    compression = zipfile.ZIP_DEFLATED if is_compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", compression) as target:
        for name, x in arrays.items():
            with target.open(name + SUFFIX, "w", force_zip64=True) as entry:
                write_npy(entry, x)
