"""Random numbers: generators whose streams depend on a seed alone, not on the number of threads."""

import math
import operator
import secrets
from typing import Any

from .._core.annotations import DTypeLike, Sizes
from .._core.array import NDArray
from .._core.dtype import DType, dtype_of
from .._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT
from ..cpu.random import Stream

__all__ = ["Generator"]

WORD = 2**64


class Generator:
    """Draws random arrays from a Philox 4x32-10 stream.

    seed: a whole number in [0, 2**64), or None for one from the operating system.
    The same seed gives the same numbers on any number of threads.  Python threads may share a generator, but who gets
    which numbers then depends on timing: give each its own, with its own seed.
    Raises TypeError and ValueError for other seeds.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._stream = Stream(check_word("seed", secrets.randbits(64) if seed is None else seed))

    def __repr__(self) -> str:
        return f"Generator(seed={self._stream.seed}, offset={self._stream.offset})"

    @property
    def state(self) -> dict[str, int]:
        """What decides the numbers to come, as a dict of whole numbers; assign it to continue from there."""
        return {"seed": self._stream.seed, "offset": self._stream.offset}

    @state.setter
    def state(self, state: dict[str, int]) -> None:
        if not isinstance(state, dict) or set(state) != {"seed", "offset"}:
            raise ValueError(f"random state: expected a dict with 'seed' and 'offset', given {state!r}")
        seed, offset = check_word("seed", state["seed"]), check_word("offset", state["offset"])
        self._stream.seed, self._stream.offset = seed, offset

    def uniform(
        self, shape: Sizes = (), low: float = 0.0, high: float = 1.0, dtype: DTypeLike | None = None
    ) -> NDArray:
        """Numbers in [low, high), evenly distributed: 24 random bits each in float32, 53 in float64.

        Raises ValueError unless low <= high and both are finite, TypeError for other dtypes.
        """
        low, high = float(low), float(high)
        if not (low <= high and math.isfinite(high - low)):
            raise ValueError(f"uniform: low and high must be finite with low <= high, given {low} and {high}")
        return self._stream.uniform(shape, float_number("uniform", dtype), low, high)

    def normal(self, shape: Sizes = (), mean: float = 0.0, std: float = 1.0, dtype: DTypeLike | None = None) -> NDArray:
        """Normally distributed numbers.  Box & Muller 1958, https://doi.org/10.1214/aoms/1177706645.

        Raises ValueError if std is negative or not finite, TypeError for dtypes other than float32 and float64.
        """
        mean, std = float(mean), float(std)
        if not (std >= 0 and math.isfinite(std) and math.isfinite(mean)):
            raise ValueError(f"normal: mean must be finite and std finite and >= 0, given {mean} and {std}")
        return self._stream.normal(shape, float_number("normal", dtype), mean, std)

    def integers(self, low: int, high: int, shape: Sizes = (), dtype: DTypeLike = DEFAULT_INT) -> NDArray:
        """Whole numbers in [low, high), each exactly as likely as the others.

        Raises ValueError if the range is empty or does not fit the dtype, TypeError for dtypes that are no integers.
        """
        low, high = check_whole("integers: low", low), check_whole("integers: high", high)
        dtype = dtype_of(dtype)
        first, last = integer_limits(dtype)
        if not first <= low < high <= last + 1:
            raise ValueError(
                f"integers: need {first} <= low < high <= {last + 1} for {dtype}, given low {low} and high {high}"
            )
        return self._stream.integers(shape, dtype.number, low % WORD, (high - low) % WORD)

    def permutation(self, n: int) -> NDArray:
        """The numbers 0 ... n - 1 in random order, each order equally likely; x[permutation(len(x))] shuffles x.

        Raises ValueError if n is negative, TypeError if it is no whole number.
        """
        n = check_whole("permutation: n", n)
        if n < 0:
            raise ValueError(f"permutation: n must be >= 0, given {n}")
        return self._stream.permutation(n)


def check_whole(what: str, value: Any) -> int:
    """`value` as an int.  Raises TypeError unless it is a whole number."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be a whole number, given {value!r}")
    return operator.index(value)


def check_word(what: str, value: Any) -> int:
    """`value` as an int of 64 bits.  Raises TypeError or ValueError."""
    word = check_whole(f"random {what}", value)
    if not 0 <= word < WORD:
        raise ValueError(f"random {what} must be in [0, 2**64), given {word}")
    return word


def float_number(name: str, dtype: DTypeLike | None) -> int:
    """The number of the dtype to draw.  Raises TypeError unless it is float32 or float64."""
    dtype = dtype_of(DEFAULT_FLOAT if dtype is None else dtype)
    if dtype.kind != "f" or dtype.itemsize < 4:
        raise TypeError(f"{name}: draws float32 and float64, given {dtype}; convert after, x.astype('{dtype}')")
    return dtype.number


def integer_limits(dtype: DType) -> tuple[int, int]:
    """The smallest and the largest value of an integer dtype.  Raises TypeError for other dtypes."""
    bits = 8 * dtype.itemsize
    if dtype.kind == "i":
        return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    if dtype.kind == "u":
        return 0, 2**bits - 1
    raise TypeError(f"integers: draws integer dtypes, given {dtype}; convert after, x.astype('{dtype}')")
