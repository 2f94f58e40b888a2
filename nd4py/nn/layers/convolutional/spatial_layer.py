"""SpatialLayer: the base class of layers without parameters that change the sizes of sequences, images or volumes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array

from ...inputs import AXES, RECURRENT, InputType, spatial_type
from ...numbers import shown, whole
from ..layer import Layer

# What the two ends of each spatial axis are called.
ENDS = {
    "length": ("before", "after"),
    "depth": ("front", "back"),
    "height": ("top", "bottom"),
    "width": ("left", "right"),
}


@dataclass(frozen=True, kw_only=True)
class SpatialLayer(Layer, ABC):
    """A layer that changes the sizes along the spatial axes of its `wanted_input`, and nothing else of the shape.

    Sequences have one such axis, whose mask changes with them; images have two and volumes three.
    """

    @property
    def _axes(self) -> tuple[str, ...]:
        """The names of the spatial axes."""
        return AXES[self.wanted_input]

    @property
    def _first_axis(self) -> int:
        """The first spatial axis of an array: behind the examples of sequences, behind the channels of others."""
        return 1 if self.wanted_input == RECURRENT else 2

    @abstractmethod
    def _new_sizes(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The sizes that come out.  Raises ValueError where none would be left."""

    @abstractmethod
    def _new_mask(self, mask: nd.NDArray) -> nd.NDArray:
        """The mask of the sequences that come out, for a mask (batch, length)."""

    def output_type(self, given: InputType) -> InputType:
        sizes = given.spatial
        if given.kind == RECURRENT == self.wanted_input and given.length is None:
            return given
        if len(sizes) != len(self._axes):
            raise ValueError(f"{self.title}: {self.wanted_input} input is needed, given {given.kind} input {given}")
        return spatial_type(self.wanted_input, given.n_features, self._new_sizes(sizes))

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        if mask is None or self.output_type(given).kind != RECURRENT:
            return None
        if array("mask", mask).ndim != 2:
            raise ValueError(f"output_mask: mask must be (batch, length), given shape {mask.shape}")
        return self._new_mask(mask)


def ends(value: Any, what: str, axes: tuple[str, ...]) -> tuple[int, ...]:
    """Two numbers for each of `axes`, from one number, one for each axis, or both.  Raises ValueError naming `what`."""
    numbers = tuple(value) if isinstance(value, tuple | list) else (value,) * len(axes)
    if len(numbers) not in (len(axes), 2 * len(axes)):
        forms = ["one number", f"({', '.join(axes)})", f"({', '.join(end for axis in axes for end in ENDS[axis])})"]
        forms = forms[:: 1 if len(axes) > 1 else 2]
        raise ValueError(f"{what} must be {', '.join(forms[:-1])} or {forms[-1]}, given {shown(value)}")
    numbers = tuple(whole(number, what, least=0) for number in numbers)
    return numbers if len(numbers) == 2 * len(axes) else tuple(number for number in numbers for _ in range(2))


def paired(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    """The numbers of `ends` by their axes: [(before, after), ...]."""
    return list(zip(numbers[::2], numbers[1::2], strict=True))
