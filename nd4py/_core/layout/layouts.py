"""Small functions on shapes and axes, for arrays on the host and on devices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol, Self, TypeVar

from ..annotations import Shape


class Laid(Protocol):
    """An array, as far as its layout goes."""

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie in C order without gaps."""

    def copy(self) -> Self:
        """A C-ordered copy."""


Array = TypeVar("Array", bound=Laid)


def dense(x: Array) -> Array:
    """`x` itself when its elements lie in C order without gaps, else a copy in which they do."""
    return x if x.is_contiguous else x.copy()


def sizes_around(shape: Shape, axis: int) -> tuple[int, int, int]:
    """(outer, n, inner): how many elements lie before, along and behind an axis."""
    return prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])


def inverse_of(order: Sequence[int]) -> Shape:
    """Where each axis of an order stands, by its number: the order that undoes another."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))
