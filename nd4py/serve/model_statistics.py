"""Statistics of models as the statistics extension of the Triton server has them, and for the page."""

from __future__ import annotations

from typing import Any

from nd4py.parallel import ModelServer, ServiceStatistics
from nd4py.parallel.service_statistics import BUCKETS_PER_OCTAVE

NS = 1e9


def statistics_of(server: ModelServer, name: str) -> dict[str, Any]:
    """What became of the requests for a model; under `latency` what the protocol does not have."""
    counts = server.statistics(name)
    failed = counts.failed + counts.refused + counts.timed_out + counts.cancelled
    return {
        "name": name,
        "version": "1",
        "inference_count": counts.rows,
        "execution_count": counts.batches,
        "inference_stats": {
            "success": {"count": counts.answered, "ns": int(NS * seconds_of_answers(counts))},
            "fail": {"count": failed, "ns": 0},
            "compute_infer": {"count": counts.batches, "ns": int(NS * counts.seconds)},
        },
        "batch_stats": [
            {"batch_size": size, "compute_infer": {"count": n}} for size, n in counts.batch_sizes.items()
        ],
        "latency": {
            "p50_ms": milliseconds(counts.latency(0.5)),
            "p99_ms": milliseconds(counts.latency(0.99)),
            "counts": counts.latency_counts,
        },
        "queue_length": counts.queue_length,
    }  # fmt: skip


def milliseconds(seconds: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if seconds != seconds else 1e3 * seconds


def seconds_of_answers(counts: ServiceStatistics) -> float:
    """How long all answers took together, from the histogram: within a fifth."""
    middles = (1e-6 * 2.0 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE) for bucket in range(len(counts.latency_counts)))
    return sum(n * middle for n, middle in zip(counts.latency_counts, middles, strict=True))
