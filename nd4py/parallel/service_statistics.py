"""Statistics of a model that answers requests: counts, sizes of batches, and a histogram of latencies."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from nd4py.api.arguments import real

BUCKETS_PER_OCTAVE = 4  # the border of a bucket is 1.19 times the one before
N_BUCKETS = 27 * BUCKETS_PER_OCTAVE  # from a microsecond to two minutes


@dataclass(frozen=True)
class ServiceStatistics:
    """What happened to the requests for a model so far.

    queue_length: requests that wait now    answered, refused, timed_out, cancelled, failed: requests by their end
    rows: examples that were computed for them    batches: computations, one or more requests each
    batch_sizes: how many computations had so many examples, padding not counted
    latency_counts: answered requests by latency: of the bucket i, up to 1e-6 * 2 ** ((i + 1) / 4) seconds
    seconds: time of cores that went into them

    >>> parallel.ServiceStatistics(answered=2, latency_counts=(0, 0, 0, 1, 1)).latency(0.5)
    2e-06
    """

    queue_length: int = 0
    answered: int = 0
    refused: int = 0
    timed_out: int = 0
    cancelled: int = 0
    failed: int = 0
    rows: int = 0
    batches: int = 0
    batch_sizes: dict[int, int] = field(default_factory=dict)
    latency_counts: tuple[int, ...] = ()
    seconds: float = 0.0

    def latency(self, fraction: float) -> float:
        """Seconds within which this fraction of the answers came, such as 0.99.

        Returns a number, NaN before the first answer.
        Raises TypeError for what is no number, ValueError for a fraction that is not between 0 and 1.
        """
        if not 0.0 <= real("latency: fraction", fraction) <= 1.0:
            raise ValueError(f"latency: a fraction is between 0 and 1, given {fraction}")
        wanted, seen = fraction * sum(self.latency_counts), 0
        for bucket, n in enumerate(self.latency_counts):
            seen += n
            if n and seen >= wanted:
                return 1e-6 * 2.0 ** ((bucket + 1) / BUCKETS_PER_OCTAVE)
        return math.nan


class Tally:
    """The counts behind `ServiceStatistics`; whoever calls it holds the lock of the team."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()
        self.batch_sizes: Counter[int] = Counter()
        self.seconds = 0.0
        self._latencies = [0] * N_BUCKETS

    def add_answer(self, seconds: float) -> None:
        """Count a request that was answered after so many seconds."""
        self.ends["answered"] += 1
        bucket = int(math.log2(max(seconds, 1e-6) * 1e6) * BUCKETS_PER_OCTAVE)
        self._latencies[min(bucket, N_BUCKETS - 1)] += 1

    def shown(self, queue_length: int) -> ServiceStatistics:
        """The counts as they are now."""
        sizes = dict(sorted(self.batch_sizes.items()))
        return ServiceStatistics(
            queue_length=queue_length,
            rows=sum(size * n for size, n in sizes.items()),
            batches=sum(sizes.values()),
            batch_sizes=sizes,
            latency_counts=tuple(self._latencies),
            seconds=self.seconds,
            **self.ends,
        )
