"""Fast division by the size of an axis, as kernels do it."""

from __future__ import annotations

import ctypes


class Divisor(ctypes.Structure):
    """Division by `size` as a multiplication and a shift, for numbers below 2**31."""

    _fields_ = [("size", ctypes.c_uint), ("multiplier", ctypes.c_uint), ("shift", ctypes.c_uint)]

    @classmethod
    def of(cls, size: int) -> Divisor:
        """size: 1 to 2**31.  Granlund & Montgomery 1994, https://doi.org/10.1145/773473.178249, figure 4.1."""
        shift = (size - 1).bit_length()
        return cls(size & 0xFFFFFFFF, ((1 << 32) * ((1 << shift) - size) // size + 1) & 0xFFFFFFFF, shift)
