"""What is noted of each request when it got its answer: its place in the counts, and its line in the log."""

from __future__ import annotations

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
        if self._log is not None:
            self._log.add(request, status, n_bytes, error, seconds)

    def close(self) -> None:
        """Write what is left, and close the log."""
        if self._log is not None:
            self._log.close()
