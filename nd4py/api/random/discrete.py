"""Discrete distributions."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._core.dtype import DType, dtype_of
from ..._core.whole_numbers import real
from ..._exec.device.placement import is_array, on_requested_device
from ..._exec.random_source import drawing_device, stream_on
from ..._spec.dtypes import DEFAULT_INT, NUMBER
from ...cpu.random.random import Stream
from ..creation.basic_creation import asarray
from ..elementwise.elementwise import divide, minimum, negative, where
from ..manipulation.manipulation import broadcast_shapes, flip, stack
from ..reductions.reductions import all, any, max, min
from ..reductions.scans import cumulative_sum
from .distribution_parameters import (
    COUNTABLE,
    PROBABILITY,
    WORD,
    Drawn,
    Parameter,
    check_range,
    check_whole,
    drawn,
    integer_limits,
    one_of,
    sizes_of,
    spread,
)
from .probabilities import checked_probabilities, cumulated, probabilities_of, shares_of


def is_table(x: Any) -> bool:
    """Whether a bound is many numbers."""
    return isinstance(x, list | tuple) or getattr(x, "ndim", 0) > 0


def whole_table(what: str, value: Any, device: str) -> NDArray:
    """Whole numbers as an array on a device.  Raises TypeError for others."""
    x = value if is_array(value) else on_requested_device(asarray(value), device)
    if x.size and x.dtype.kind not in "iu":
        raise TypeError(f"{what} must be of whole numbers, given {x.dtype}")
    return x


def check_ranges(low: NDArray, high: NDArray, dtype: DType, endpoint: bool) -> None:
    """Raises ValueError unless every range holds a number, and all of them are numbers of a dtype."""
    first, last = integer_limits(dtype)
    if not low.size or not high.size:
        return
    least, most = min(low).item(), max(high).item()
    if not all(low <= high if endpoint else low < high) or least < first or most - (not endpoint) > last:
        raise ValueError(
            f"integers: need {first} <= low < high <= {last + 1} for {dtype}, given values from {least} to {most}"
        )


class Discrete:
    """Distributions of whole numbers and of truth values.

    size: an int or a tuple; `shape=` is another name for it.  Arguments are in the order of NumPy's Generator.
    device: where they are drawn, as for the distributions of real numbers.
    """

    _stream: Stream

    def integers(
        self,
        low: Parameter,
        high: Parameter | None = None,
        size: Sizes | None = None,
        dtype: DTypeLike = DEFAULT_INT,
        endpoint: bool = False,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Whole numbers in [low, high), or in [0, low) without `high`, each exactly as likely as the others.

        low, high: whole numbers, or arrays of them, which broadcast to `size`.
        endpoint: whether high is among them.  dtype: of integers, or bool for numbers among 0 and 1.

        Raises ValueError if a range is empty or does not fit the dtype, TypeError for dtypes that are no integers.
        Returns an array of shape `size`, by default that of low and high, without axes for numbers.

        >>> x = nd.random.integers(1, 6, size=100, endpoint=True)  # dice
        >>> nd.all((x >= 1) & (x <= 6))
        array(True, dtype=bool)
        """
        low, high = (0, low) if high is None else (low, high)
        dtype = dtype_of(dtype)
        if dtype.kind == "b":
            return self._truths(low, high, one_of("integers", size, shape), endpoint, device)
        if is_table(low) or is_table(high):
            return self._between(low, high, one_of("integers", size, shape), dtype, endpoint, device)
        low, high = check_whole("integers: low", low), check_whole("integers: high", high) + bool(endpoint)
        first, last = integer_limits(dtype)
        if not first <= low < high <= last + 1:
            raise ValueError(
                f"integers: need {first} <= low < high <= {last + 1} for {dtype}, given low {low} and high {high}"
            )
        stream = stream_on(drawing_device("integers", device), self._stream)
        y: NDArray = stream.integers(
            sizes_of(one_of("integers", size, shape)), dtype.number, low % WORD, (high - low) % WORD
        )
        return y

    def _truths(self, low: Any, high: Any, size: Sizes | None, endpoint: bool, device: str | None) -> NDArray:
        """`integers` among 0 and 1, as bools."""
        found = self.integers(low, high, size, "uint8", endpoint, device=device)
        if found.size and max(found).item() > 1:
            raise ValueError(f"integers: bools are drawn from 0 to 1, given low {low} and high {high}")
        return found.astype("bool")

    def _between(
        self, low: Any, high: Any, size: Sizes | None, dtype: DType, endpoint: bool, device: str | None
    ) -> NDArray:
        """`integers` of ranges that differ.

        Words of 64 bits modulo the length of the range; those of the last, incomplete length are drawn again.
        """
        device = drawing_device("integers", device, low, high)
        low, high = whole_table("integers: low", low, device), whole_table("integers: high", high, device)
        check_ranges(low, high, dtype, endpoint)
        sizes, (low, high) = spread("integers", size, low.astype("uint64"), high.astype("uint64"))
        length = high - low + int(endpoint)  # 0 of a range of all words
        word = self.integers(0, WORD, sizes, "uint64", device=device)
        incomplete = negative(length) % length
        while any(again := word < incomplete):
            word = where(again, self.integers(0, WORD, sizes, "uint64", device=device), word)
        return (low + where(length == 0, word, word % length)).astype(dtype, copy=False)

    def bernoulli(
        self,
        p: Parameter = 0.5,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Bernoulli distribution, as bool: true with probability `p`, a number or an array that broadcasts to `size`.

        Raises ValueError for a p outside [0, 1].
        Returns an array of shape `size`, by default that of p.

        >>> nd.random.Generator(3).bernoulli(0.3, size=5)
        array([False,  True, False, False,  True], dtype=bool)
        """
        size, device = one_of("bernoulli", size, shape), drawing_device("bernoulli", device, p)
        return self._drawn("bernoulli", device, "bool", size, drawn("bernoulli: p", p, PROBABILITY, device))

    def binomial(
        self,
        n: Parameter,
        p: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Binomial distribution, as int64: how many of `n` trials of probability `p` succeed; numbers or arrays.

        Hoermann 1993, https://doi.org/10.1080/00949659308811496.
        Raises ValueError for a p outside [0, 1], an n that is no whole number or outside [0, 2**52].
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).binomial(10, 0.5, size=5)
        array([3, 5, 6, 3, 5], dtype=int64)
        """
        size, device = one_of("binomial", size, shape), drawing_device("binomial", device, n, p)
        counts, chances = drawn("binomial: n", n, COUNTABLE, device), drawn("binomial: p", p, PROBABILITY, device)
        check_range("binomial: n - floor(n)", counts % 1.0, ("0, a whole number of trials", 0.0, 0.0))
        return self._drawn("binomial", device, DEFAULT_INT, size, counts, chances)

    def poisson(
        self,
        lam: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """int64: Poisson distributed numbers of mean `lam`, a number or an array that broadcasts to `size`.

        Hoermann 1993, https://doi.org/10.1016/0167-6687(93)90997-4.  Raises ValueError for a lam outside [0, 2**52].
        Returns an array of shape `size`, by default that of `lam`.

        >>> nd.random.Generator(3).poisson(4.0, size=5)
        array([2, 4, 6, 2, 4], dtype=int64)
        """
        size, device = one_of("poisson", size, shape), drawing_device("poisson", device, lam)
        return self._drawn("poisson", device, DEFAULT_INT, size, drawn("poisson: lam", lam, COUNTABLE, device))

    def _drawn(self, name: str, device: str, dtype: str, size: Sizes | None, *parameters: Drawn) -> NDArray:
        sizes, values = spread(name, size, *parameters)
        y: NDArray = stream_on(device, self._stream).draw(name, sizes, NUMBER[dtype], *values)
        return y

    def multinomial(
        self,
        n: Parameter,
        pvals: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Multinomial distribution: how often each category is drawn in `n` draws with the probabilities `pvals`.

        n: a whole number, or an array of them.  pvals: (*batch, categories), which add up to 1 along the last axis.
        Raises ValueError for other probabilities, an n outside [0, 2**52], TypeError for an n that is not whole.
        Returns an int64 array (*size, categories); size is by default that of n and the batch together.

        >>> nd.random.multinomial(10, [0.2, 0.3, 0.5], size=4).sum(axis=1)
        array([10, 10, 10, 10], dtype=int64)
        """
        size = one_of("multinomial", size, shape)
        first = pvals[0] if isinstance(pvals, list | tuple) and pvals else None
        if is_table(n) or getattr(pvals, "ndim", 1) > 1 or is_table(first):
            return self._one_by_one(n, pvals, size, device)
        n = check_whole("multinomial: n", n)
        check_range("multinomial: n", real("multinomial: n", n), COUNTABLE)
        device = drawing_device("multinomial", device, pvals)
        chances = checked_probabilities("multinomial", pvals, device, 1)
        sizes = (*sizes_of(size), chances.size)
        y: NDArray = stream_on(device, self._stream).multinomial(sizes, float(n), shares_of(chances))
        return y

    def _one_by_one(self, n: Any, pvals: Any, size: Sizes | None, device: str | None) -> NDArray:
        """`multinomial` of several n or rows of probabilities: what is left for the categories after each of them."""
        device = drawing_device("multinomial", device, n, pvals)
        left = whole_table("multinomial: n", n, device).astype(DEFAULT_INT)
        chances = checked_probabilities("multinomial", pvals, device)
        sizes = broadcast_shapes(left.shape, chances.shape[:-1]) if size is None else sizes_of(size)
        rest = flip(cumulative_sum(flip(chances, axis=-1), axis=-1), axis=-1)
        shares = minimum(where(rest > 0, divide(chances, rest), 0.0), 1.0)
        left, counts = left.broadcast_to(sizes), []
        for k in range(chances.shape[-1] - 1):
            counts.append(self.binomial(left, shares[..., k], sizes, device=device))
            left = left - counts[-1]
        return stack([*counts, left], axis=-1)

    def categorical(
        self,
        logits: Parameter | None = None,
        *,
        p: Parameter | None = None,
        size: Sizes | None = None,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Categories, drawn with probabilities `p` or softmax(logits), as their numbers.

        logits, p: (*batch, categories), one of the two.  Probabilities add up to 1; logits are any numbers, -inf for a
        category that is never drawn.  Raises TypeError for both or neither, ValueError for other probabilities.
        Returns an int64 array (*size, *batch).

        >>> nd.random.categorical(p=[0.0, 1.0, 0.0], size=3)
        array([1, 1, 1], dtype=int64)
        """
        device = drawing_device("categorical", device, logits, p)
        table = probabilities_of(logits, p, device)
        sizes = (*sizes_of(one_of("categorical", size, shape)), *table.shape[:-1])
        y: NDArray = stream_on(device, self._stream).categorical(sizes, cumulated(table))
        return y
