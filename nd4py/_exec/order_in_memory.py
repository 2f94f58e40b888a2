"""The order of elements in memory: C's, or Fortran's."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def in_memory_order(x: Any, order: str | None) -> Any:
    """`x`, or a copy, with its elements in C order ("C") or in Fortran's ("F"); as it is for others."""
    if order == "C":
        return x if x.is_contiguous else x.copy()
    if order != "F":
        return x
    axes = tuple(range(x.ndim))[::-1]
    turned = x.permute_dims(axes)
    return x if turned.is_contiguous else turned.copy().permute_dims(axes)
