"""What is noted of each request when it got its answer: its place in the counts, and its line in the log."""

from typing import Any

from .access_log import AccessLog
from .http_requests import HttpRequest
from .metrics import Metrics


class RequestNotes:
    """Counts requests, and writes their lines where there is a log."""

    def __init__(self, metrics: Metrics, log: AccessLog | None):
        self._metrics, self._log = metrics, log

    def add(self, request: HttpRequest, status: int, n_bytes: int, error: str, seconds: float) -> None:
        """Note a request that got an answer of so many bytes, after so many seconds; `error` is "" for none."""
        self._metrics.add(request.model, status)
        if self._log is None:
            return
        fields: dict[str, Any] = {
            "trace_id": request.trace_id, "client": request.client, "method": request.method,
            "path": request.path[:200], "status": status, "bytes_in": request.n_bytes,
            "bytes_out": n_bytes, "ms": round(1e3 * seconds, 3),
        }  # fmt: skip
        if request.model:
            fields["model"] = request.model
        if error:
            fields["error"] = error
        self._log.add(**fields)

    def close(self) -> None:
        """Write what is left, and close the log."""
        if self._log is not None:
            self._log.close()
