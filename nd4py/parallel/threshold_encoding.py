"""Updates as few numbers: elements of at least a threshold as that threshold, the rest kept for later.

Strom 2015, "Scalable distributed DNN training using commodity GPU cloud computing", Interspeech.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from nd4py import api as nd
from nd4py.api.arguments import array
from nd4py.nn.numbers import real, whole

# Half as many times as this its size, or rarer, elements are numbered one by one; else each has two bits.
SPARSE_SHARE = 16
DECAY = 0.5 ** (1 / 20)


def threshold_encode(update: nd.NDArray, threshold: float) -> EncodedUpdate:
    """The elements of an update whose size is at least `threshold`, each as the threshold with the element's sign.

    update: a vector (n,) of a floating dtype; it is not changed, and what is left of it is `update - encoded.decode()`
    threshold: a finite number above 0
    Returns an `EncodedUpdate`: 4 bytes for each element that counts, or, where a sixteenth of them or more do, two bits
    for each element.
    Raises ValueError for another number of axes or a threshold that is not above 0, TypeError for other dtypes.

    >>> encoded = parallel.threshold_encode(nd.asarray([0.3, -0.01, -0.25]), 0.2)
    >>> encoded.decode()
    array([ 0.2,  0. , -0.2], dtype=float64)
    """
    who = "threshold_encode"
    if array(f"{who}: update", update).ndim != 1:
        raise ValueError(f"{who}: update must be a vector, given the shape {update.shape}")
    if not nd.isdtype(update.dtype, "real floating"):
        raise TypeError(f"{who}: update must have a real floating dtype, given {update.dtype}")
    _positive(threshold, f"{who}: threshold")
    signs = nd.sign(rounded_to(update, threshold))
    numbers = nd.nonzero(signs)[0]
    if numbers.size * SPARSE_SHARE < update.size:
        content = nd.astype(nd.where(signs[numbers] > 0, numbers + 1, -(numbers + 1)), nd.int32)
    else:
        content = nd.concat([nd.packbits(signs > 0), nd.packbits(signs < 0)])
    return EncodedUpdate(content, float(threshold), update.size, str(update.dtype), int(numbers.size))


def rounded_to(values: nd.NDArray, threshold: float) -> nd.NDArray:
    """The threshold, with the sign of the element, where an element is at least as large; 0 elsewhere."""
    return nd.where(nd.abs(values) >= threshold, nd.copysign(nd.full_like(values, threshold), values), 0.0)


@dataclass(frozen=True)
class EncodedUpdate:
    """An update of which few numbers are kept; `threshold_encode` makes it.

    content: int32 (count,), each the number of an element, counted from 1, with the sign of its value; or uint8, one
        bit for each element that is positive, then one for each that is negative
    threshold: the size of the values    size: elements of the whole update    dtype: of what `decode` returns
    count: elements that are not 0

    >>> parallel.threshold_encode(nd.asarray([0.3] + [0.0] * 31), 0.2).content
    array([1], dtype=int32)
    """

    content: nd.NDArray
    threshold: float
    size: int
    dtype: str
    count: int

    @property
    def sparsity_ratio(self) -> float:
        """The share of the elements that are not 0; 0 of an empty update."""
        return self.count / self.size if self.size else 0.0

    def decode(self) -> nd.NDArray:
        """The update (n,): the threshold, its negative, or 0.  Raises nothing."""
        values = nd.zeros(self.size, dtype=self.dtype, device=self.content.device)
        if self.content.dtype == nd.int32:
            values[nd.abs(self.content) - 1] = nd.astype(nd.sign(self.content), self.dtype) * self.threshold
            return values
        half = self.content.size // 2
        above, below = (
            nd.astype(nd.unpackbits(part, count=self.size), self.dtype)
            for part in (self.content[:half], self.content[half:])
        )
        return (above - below) * self.threshold


class ThresholdAlgorithm(Protocol):
    """How large the threshold of a worker's next step is.

    `initial` is that of the first; `following` has the threshold of a step and the share of the elements that were at
    least as large, and returns the threshold of the next.

    >>> isinstance(parallel.FixedThresholdAlgorithm(1e-3).following(1e-3, 0.5), float)
    True
    """

    initial: float

    def following(self, threshold: float, sparsity_ratio: float) -> float:
        """The threshold of the next step.  Raises nothing."""


@dataclass(frozen=True)
class FixedThresholdAlgorithm:
    """The same threshold at every step.

    initial: the threshold, above 0
    Raises ValueError for a number that is not above 0.

    >>> parallel.FixedThresholdAlgorithm(1e-3).following(1e-3, 0.2)
    0.001
    """

    initial: float = 1e-3

    def __post_init__(self) -> None:
        _positive(self.initial, "FixedThresholdAlgorithm: initial")

    def following(self, threshold: float, sparsity_ratio: float) -> float:
        """The threshold of the next step: as it is.  Raises ValueError for what is no number."""
        return real(threshold, "FixedThresholdAlgorithm.following: threshold")


@dataclass(frozen=True)
class AdaptiveThresholdAlgorithm:
    """A threshold that keeps the share of the elements that are sent within bounds.

    It falls by `decay_rate` after a step that sent a smaller share than `min_target_sparsity`, and rises by it after
    one that sent more than `max_target_sparsity`.
    initial: the first threshold, above 0    decay_rate: above 0 and below 1
    Raises ValueError for numbers out of their range.

    >>> parallel.AdaptiveThresholdAlgorithm(decay_rate=0.5).following(1e-3, 1e-5)
    0.0005
    """

    initial: float = 1e-4
    min_target_sparsity: float = 1e-4
    max_target_sparsity: float = 1e-2
    decay_rate: float = DECAY

    def __post_init__(self) -> None:
        who = "AdaptiveThresholdAlgorithm"
        _positive(self.initial, f"{who}: initial")
        for name in ("min_target_sparsity", "max_target_sparsity"):
            real(getattr(self, name), f"{who}: {name}", low=0.0, high=1.0)
        _inside(self.decay_rate, f"{who}: decay_rate")
        if self.min_target_sparsity > self.max_target_sparsity:
            raise ValueError(
                f"{who}: min_target_sparsity {self.min_target_sparsity!r} is above max_target_sparsity "
                f"{self.max_target_sparsity!r}"
            )

    def following(self, threshold: float, sparsity_ratio: float) -> float:
        """The threshold of the next step.  Raises ValueError for what is no number."""
        real(threshold, "AdaptiveThresholdAlgorithm.following: threshold")
        real(sparsity_ratio, "AdaptiveThresholdAlgorithm.following: sparsity_ratio")
        if sparsity_ratio < self.min_target_sparsity:
            return threshold * self.decay_rate
        if sparsity_ratio > self.max_target_sparsity:
            return threshold / self.decay_rate
        return threshold


@dataclass(frozen=True)
class TargetSparsityThresholdAlgorithm:
    """A threshold that goes towards one share of the elements that are sent.

    sparsity_target: the share, above 0    initial: the first threshold, above 0    decay_rate: above 0 and below 1
    Raises ValueError for numbers out of their range.

    >>> parallel.TargetSparsityThresholdAlgorithm(0.1, decay_rate=0.5).following(1e-3, 0.2)
    0.002
    """

    sparsity_target: float = 1e-3
    initial: float = 1e-4
    decay_rate: float = DECAY

    def __post_init__(self) -> None:
        who = "TargetSparsityThresholdAlgorithm"
        _positive(self.initial, f"{who}: initial")
        _positive(self.sparsity_target, f"{who}: sparsity_target")
        _inside(self.decay_rate, f"{who}: decay_rate")

    def following(self, threshold: float, sparsity_ratio: float) -> float:
        """The threshold of the next step.  Raises ValueError for what is no number."""
        real(threshold, "TargetSparsityThresholdAlgorithm.following: threshold")
        real(sparsity_ratio, "TargetSparsityThresholdAlgorithm.following: sparsity_ratio")
        if sparsity_ratio == self.sparsity_target:
            return threshold
        return threshold * self.decay_rate if sparsity_ratio < self.sparsity_target else threshold / self.decay_rate


@dataclass(frozen=True)
class ResidualClippingPostProcessor:
    """Limits what is left for later steps to a multiple of the threshold, every few steps.

    What waits too long was computed at parameters that are gone.
    threshold_multiple: of the threshold, at least 1    frequency: steps from one clipping to the next, at least 1
    Raises ValueError for a number that is too small.

    >>> parallel.ResidualClippingPostProcessor(2.0, 1).processed(nd.asarray([0.5, -0.01]), 0.1, 0)
    array([ 0.2 , -0.01], dtype=float64)
    """

    threshold_multiple: float = 5.0
    frequency: int = 5

    def __post_init__(self) -> None:
        who = "ResidualClippingPostProcessor"
        real(self.threshold_multiple, f"{who}: threshold_multiple", low=1.0)
        whole(self.frequency, f"{who}: frequency")

    def processed(self, residual: nd.NDArray, threshold: float, step: int) -> nd.NDArray:
        """What is kept of the residual after a step, counted from 0; `residual` itself where nothing is clipped.

        residual: a vector (n,)    threshold: of the step
        Raises ValueError for what is no number, TypeError for what is no array.
        """
        who = "ResidualClippingPostProcessor.processed"
        most = self.threshold_multiple * real(threshold, f"{who}: threshold", low=0.0)
        given: nd.NDArray = array(f"{who}: residual", residual)
        return given if (whole(step, f"{who}: step", least=0) + 1) % self.frequency else nd.clip(given, -most, most)


def _positive(value: float, what: str) -> None:
    if real(value, what) <= 0.0:
        raise ValueError(f"{what} must be above 0, given {value!r}")


def _inside(value: float, what: str) -> None:
    if not 0.0 < real(value, what, low=0.0, high=1.0) < 1.0:
        raise ValueError(f"{what} must be above 0 and below 1, given {value!r}")
