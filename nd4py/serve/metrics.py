"""Metrics in the text format of Prometheus: counts of this server, and the statistics of its models.

https://prometheus.io/docs/instrumenting/exposition_formats/
Design: the counts are there already, in the statistics of the models; a client library would count everything twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from nd4py.parallel import ServiceStatistics
from nd4py.parallel.service_statistics import BUCKETS_PER_OCTAVE

from .model_repository import ModelRepository
from .model_statistics import seconds_of_answers

Sample = tuple[str, dict[str, str], int | float]
Family = tuple[str, str, str, list[Sample]]  # name, kind, help


class Metrics:
    """Counts of requests by model and status; those of a name that no model has are counted under "".

    n_active: requests that are being answered
    """

    def __init__(self) -> None:
        self.n_active = 0
        self._statuses: Counter[tuple[str, int]] = Counter()
        self._start = time.time()

    def add(self, model: str, status: int) -> None:
        """Count a request."""
        self._statuses[model, status] += 1

    def text(self, repository: ModelRepository, is_ready: bool) -> bytes:
        """All metrics, as Prometheus reads them."""
        entries = [entry for entry in repository.entries() if entry.model is not None]
        counts = {entry.name: repository.server.statistics(entry.name) for entry in entries}
        requests: list[Sample] = [
            ("", {"model": model, "status": str(status)}, n) for (model, status), n in self._statuses.items()
        ]
        states: list[Sample] = [("", {"model": entry.name}, entry.state == "READY") for entry in repository.entries()]
        families: list[Family] = [
            ("requests_total", "counter", "Requests by model and status.", requests),
            ("active_requests", "gauge", "Requests that are being answered.", one(self.n_active)),
            ("ready", "gauge", "Whether the server is ready.", one(is_ready)),
            ("model_ready", "gauge", "Whether a model answers.", states),
            *model_families(counts),
            ("process_resident_memory_bytes", "gauge", "Memory of the process.", one(resident_bytes())),
            ("process_start_time_seconds", "gauge", "When the server was made, in Unix time.", one(self._start)),
        ]
        lines = (line for name, kind, what, samples in families for line in family_lines(name, kind, what, samples))
        return "".join(lines).encode()


def one(value: float) -> list[Sample]:
    return [("", {}, value)]


def model_families(counts: dict[str, ServiceStatistics]) -> Iterator[Family]:
    """What a ModelServer counts."""
    kinds = {
        "model_queue_length": ("gauge", "Requests that wait.", "queue_length"),
        "model_answered_total": ("counter", "Requests that were answered.", "answered"),
        "model_refused_total": ("counter", "Requests that were refused because too many waited.", "refused"),
        "model_timed_out_total": ("counter", "Requests whose time was over.", "timed_out"),
        "model_cancelled_total": ("counter", "Requests whose client had gone.", "cancelled"),
        "model_failed_total": ("counter", "Requests that ended in an error.", "failed"),
        "model_examples_total": ("counter", "Examples that were computed.", "rows"),
        "model_batches_total": ("counter", "Computations, of one or more requests each.", "batches"),
        "model_compute_seconds_total": ("counter", "Time of cores that went into a model.", "seconds"),
    }
    for name, (kind, what, attribute) in kinds.items():
        yield name, kind, what, [("", {"model": model}, getattr(each, attribute)) for model, each in counts.items()]
    samples = [sample for model, each in counts.items() for sample in histogram(model, each)]
    yield "model_latency_seconds", "histogram", "Time from a request to its answer, without HTTP.", samples


def histogram(model: str, counts: ServiceStatistics) -> Iterator[Sample]:
    """The samples of the latencies of a model; borders are powers of two microseconds."""
    n_below = 0
    for bucket, n in enumerate(counts.latency_counts):
        n_below += n
        if (bucket + 1) % BUCKETS_PER_OCTAVE == 0 and bucket + 1 < len(counts.latency_counts):
            border = 1e-6 * 2 ** ((bucket + 1) // BUCKETS_PER_OCTAVE)
            yield "_bucket", {"model": model, "le": f"{border:g}"}, n_below
    yield "_bucket", {"model": model, "le": "+Inf"}, n_below
    yield "_sum", {"model": model}, seconds_of_answers(counts)
    yield "_count", {"model": model}, n_below


def family_lines(name: str, kind: str, what: str, samples: Iterable[Sample]) -> Iterator[str]:
    """The lines of a metric.  Names of models and statuses hold nothing that needs escaping."""
    full = name if name.startswith("process_") else f"nd4py_{name}"
    yield f"# HELP {full} {what}\n# TYPE {full} {kind}\n"
    for suffix, labels, value in samples:
        shown = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield f"{full}{suffix}{{{shown}}} {float(value)!r}\n" if shown else f"{full}{suffix} {float(value)!r}\n"


def resident_bytes() -> int:
    """Memory of this process; 0 where the system does not say it in a file."""
    if not Path("/proc/self/status").exists():
        return 0
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    return 0
