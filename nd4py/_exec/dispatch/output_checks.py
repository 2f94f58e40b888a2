"""Which arrays results may be written to: one answer for arrays of the host, devices, batches and recordings."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Shape
from ..._spec.dtypes import DTYPES, KINDS

# A result may be written to its own kind and to those behind it; unsigned integers become signed ones.
_RANKS = {kind: rank for rank, kind in enumerate((KINDS[0], KINDS[2], KINDS[1], *KINDS[3:]))}


def check_fits(name: str, out: Any, shape: Shape, number: int) -> None:
    """Raise ValueError or TypeError unless results of this shape and dtype number may be written to the array `out`."""
    if out.shape != shape:
        raise ValueError(f"{name}: the result has shape {shape}, out has {out.shape}")
    if _rank(out.dtype.number) < _rank(number):
        raise TypeError(
            f"{name}: the result is {DTYPES[number].name}, out is {out.dtype}; give out that dtype, "
            "or for x += y write x = x + y"
        )


def _rank(number: int) -> int:
    return _RANKS[DTYPES[number].kind]
