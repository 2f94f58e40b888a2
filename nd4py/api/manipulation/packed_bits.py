"""Bits packed into bytes, and unpacked."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import named, whole
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..._exec.drivers.driver_table import bits_packed, bits_unpacked
from ..arguments import tells_its_name
from ..elementwise.elementwise import not_equal
from .manipulation import moveaxis

__all__ = ["packbits", "unpackbits"]

ORDERS = ("big", "little")


@tells_its_name
def packbits(a: Any, /, axis: int | None = None, bitorder: str = "big") -> NDArray:
    """Eight elements along `axis` as the bits of one byte: 1 where an element differs from 0; None flattens.

    a: bools or integers    bitorder: "big" puts the first element into the highest bit, "little" into the lowest.
    Zeros are added behind the last element.
    Raises TypeError for other dtypes, ValueError for a wrong axis or order.
    Returns uint8; the size of the axis is an eighth, rounded up.

    >>> nd.packbits([1, 0, 1, 0, 0, 0, 0, 1, 1]).tolist()
    [161, 128]
    """
    x = as_array(a)
    named("packbits: bitorder", bitorder, ORDERS)
    if x.dtype.kind not in "biu":
        raise TypeError(f"packbits: needs bools or integers, given {x.dtype}")
    lines = not_equal(x, False) if x.dtype.itemsize > 1 else x
    lines = lines.reshape(-1) if axis is None or x.ndim == 0 else moveaxis(lines, axis, -1)
    packed = bits_packed(dense(as_array(lines)), bitorder == "big")
    return packed if axis is None or x.ndim == 0 else moveaxis(packed, -1, axis)


@tells_its_name
def unpackbits(a: Any, /, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> NDArray:
    """The bits of bytes along `axis` as elements 0 and 1; None flattens.

    a: uint8    count: how many bits to keep, zeros behind the last one where there are fewer; a negative one drops
    bits at the end.    bitorder: "big" begins with the highest bit, "little" with the lowest.
    Raises TypeError for other dtypes, ValueError for a wrong axis, count or order.
    Returns uint8; the axis is eight times as long.

    >>> nd.unpackbits(nd.asarray([5], dtype="uint8")).tolist()
    [0, 0, 0, 0, 0, 1, 0, 1]
    """
    x = as_array(a)
    named("unpackbits: bitorder", bitorder, ORDERS)
    if x.dtype != "uint8":
        raise TypeError(f"unpackbits: needs uint8, given {x.dtype}; convert first, x.astype('uint8')")
    lines = x.reshape(-1) if axis is None else moveaxis(x, axis, -1)
    bits = bits_unpacked(dense(as_array(lines)), bitorder == "big")
    if count is not None:
        bits = limited(bits, whole("unpackbits: count", count))
    return bits if axis is None else moveaxis(bits, -1, normalize_axis(axis, x.ndim))


def limited(bits: NDArray, count: int) -> NDArray:
    """The first `count` bits of each line, with zeros behind the last where there are fewer."""
    n = bits.shape[-1]
    if count < -n:
        raise ValueError(f"unpackbits: count must be at least {-n}, given {count}")
    if count <= n:
        return bits[..., :count]
    longer = filled_beside(bits, (*bits.shape[:-1], count), "uint8", 0)
    longer[..., :n] = bits
    return longer
