"""Rows of the table as functions, for code of this layer that is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from .dispatch import call
from .row_table import row_number


def row_function(name: str) -> Callable[..., NDArray]:
    """The function of a map row on arrays and scalars."""
    number = row_number(name)

    def run(*operands: Any) -> NDArray:
        result: NDArray = call(number, operands, (), None)
        return result

    return run
