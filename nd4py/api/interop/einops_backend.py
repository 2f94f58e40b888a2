"""The backend by which einops works on our arrays: `rearrange`, `reduce`, `repeat`, `einsum`, `pack`."""

from __future__ import annotations

from typing import Any

import numpy
from einops._backends import AbstractBackend

from ... import api as nd
from ..._core.array.array_base import ArrayBase

__all__: list[str] = []


class Nd4pyBackend(AbstractBackend):  # type: ignore[misc]
    """What einops asks of an array library."""

    framework_name = "nd4py"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, ArrayBase)

    def from_numpy(self, x: Any) -> Any:
        return nd.asarray(x)

    def to_numpy(self, x: Any) -> Any:
        return numpy.asarray(x)

    def arange(self, start: int, stop: int) -> Any:
        return nd.arange(start, stop)

    def transpose(self, x: Any, axes: Any) -> Any:
        return nd.permute_dims(x, tuple(axes))

    def reduce(self, x: Any, operation: str, axes: Any) -> Any:
        return getattr(nd, operation)(x, axis=tuple(axes))

    def stack_on_zeroth_dimension(self, tensors: list[Any]) -> Any:
        return nd.stack(tensors)

    def add_axis(self, x: Any, new_position: int) -> Any:
        return nd.expand_dims(x, axis=new_position)

    def tile(self, x: Any, repeats: Any) -> Any:
        return nd.tile(x, tuple(repeats))

    def concat(self, tensors: Any, axis: int) -> Any:
        return nd.concat(list(tensors), axis=axis)

    def is_float_type(self, x: Any) -> bool:
        return nd.isdtype(x.dtype, "real floating")

    def einsum(self, pattern: str, *x: Any) -> Any:
        return nd.einsum(pattern, *x)


def register() -> None:
    """einops looks for backends among the subclasses of its own; defining one is all."""
