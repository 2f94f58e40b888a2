"""Whole numbers joined along an axis by loops of their own: bits, and greatest common divisors."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense, sizes_around
from ..._exec.drivers.driver_table import bits_joined, common_divisors
from ..manipulation.manipulation import moveaxis
from .elementwise import abs as magnitude

__all__: list[str] = []

BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor")


def has_loop(name: str, x: NDArray, axis: int) -> bool:
    """Whether the elements along an axis are joined by a loop of its own: bits of whole numbers, and divisors."""
    return x.shape[axis] > 1 and (name in BITWISE or name == "gcd") and x.dtype.kind in "iub"


def joined_bits(name: str, x: NDArray, axis: int, is_running: bool) -> NDArray:
    """Whole numbers joined along an axis, which stays with size 1, or all running results."""
    if name in BITWISE:
        outer, n, inner = sizes_around(x.shape, axis)
        found = bits_joined(dense(x).reshape((outer, n, inner)), BITWISE.index(name), is_running)
        return found.reshape((*x.shape[:axis], found.shape[1], *x.shape[axis + 1 :]))
    lines = moveaxis(magnitude(x), axis, -1)
    is_wide = x.dtype.itemsize == 8  # the same bits then
    words = lines.view("uint64") if is_wide else lines.astype(f"uint{8 * x.dtype.itemsize}").astype("uint64")
    found = common_divisors(dense(words).reshape((-1, words.shape[-1], 1)), is_running)
    found = found.view(x.dtype) if is_wide else found.astype(x.dtype)
    if is_running:  # of a single element, not its magnitude
        found[:, :1] = lines_of_first(x, axis)
    return moveaxis(found.reshape((*lines.shape[:-1], found.shape[1])), -1, axis)


def lines_of_first(x: NDArray, axis: int) -> NDArray:
    """The first elements along an axis, as (lines, 1, 1)."""
    return moveaxis(x, axis, -1)[..., :1].reshape((-1, 1, 1))
