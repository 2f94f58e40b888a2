"""Settings of a server of models: where it listens, what it allows, and how requests are computed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from nd4py.api.arguments import real, whole

LARGEST = 1 << 50


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How models are served.

    host, port: where the server listens; 0 for any free port
    grpc_port: where it listens for gRPC too, None nowhere; needs the extra `grpc`
    token: what clients send as `Authorization: Bearer`, None for nothing
    certificate, private_key: files for TLS, None for plain HTTP
    max_body_bytes: of a request, after decompression    max_elements: of one input    max_rows: examples of a request
    max_seconds: within which a request is answered; its own timeout may be shorter
    header_seconds, body_seconds: within which the headers of a request, and its body, have to come
    max_header_bytes: of all headers of a request    max_connections: at a time
    rate: requests a second that one client may send on the long run, 0 for any    burst: at once
    threads, processes, memory_limit: as for `parallel.ModelServer`
    batch_limit, queue_limit, max_wait_us, least_rows: of each model, as for `parallel.ModelServer.add`
    warm_up: whether a model computes an example before it is ready
    poll_seconds: between looks at the files of the models, 0 for none
    drain_seconds: for requests that are being answered when the server ends
    access_log: a file for a line of JSON for each request, "-" for standard output, None for none
    Raises ValueError for numbers out of range, both threads and processes, and half a pair of TLS files; TypeError for
    what is no number or text.

    >>> serve.Settings(port=9000, max_rows=64).host
    '127.0.0.1'
    """

    host: str = "127.0.0.1"
    port: int = 8080
    grpc_port: int | None = None
    token: str | None = None
    certificate: str | os.PathLike[str] | None = None
    private_key: str | os.PathLike[str] | None = None
    max_body_bytes: int = 16 << 20
    max_elements: int = 16 << 20
    max_rows: int = 1024
    max_seconds: float = 30.0
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    max_header_bytes: int = 32 << 10
    max_connections: int = 1024
    rate: float = 0.0
    burst: int = 100
    threads: int | None = None
    processes: int | None = None
    memory_limit: int | None = None
    batch_limit: int = 32
    queue_limit: int = 64
    max_wait_us: float = 0.0
    least_rows: int = 1
    warm_up: bool = True
    poll_seconds: float = 1.0
    drain_seconds: float = 30.0
    access_log: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            CHECKS[str(each.type)](each.name, getattr(self, each.name))
        if not 0 <= self.port <= 65535:
            raise ValueError(f"Settings: port must be from 0 to 65535, got {self.port}")
        if self.grpc_port is not None and not 0 <= self.grpc_port <= 65535:
            raise ValueError(f"Settings: grpc_port must be from 0 to 65535, got {self.grpc_port}")
        if self.threads is not None and self.processes is not None:
            raise ValueError("Settings: processes take the place of threads, got both; give one of them")
        if (self.certificate is None) != (self.private_key is None):
            raise ValueError("Settings: TLS needs both certificate and private_key")
        if self.token is not None and (not self.token or not self.token.isascii() or not self.token.isprintable()):
            raise ValueError("Settings: token must be printable ASCII characters, at least one")

    def of_models(self) -> dict[str, Any]:
        """The settings that every model has in a ModelServer.  Raises nothing."""
        return {name: getattr(self, name) for name in ("batch_limit", "queue_limit", "max_wait_us", "least_rows")}


FROM_ZERO = ("port", "grpc_port", "rate", "poll_seconds", "max_wait_us", "drain_seconds")


def _check_number(name: str, value: Any) -> None:
    if not 0 <= value <= LARGEST or (value == 0 and name not in FROM_ZERO):
        raise ValueError(
            f"Settings: {name} must be a number from {'0' if name in FROM_ZERO else 'above 0'}, got {value}"
        )


def _check_whole(name: str, value: Any) -> None:
    _check_number(name, whole(f"Settings: {name}", value))


def _check_real(name: str, value: Any) -> None:
    _check_number(name, real(f"Settings: {name}", value))


def _check_optional_whole(name: str, value: Any) -> None:
    if value is not None:
        _check_whole(name, value)


def _check_optional_text(name: str, value: Any) -> None:
    if value is not None:
        _check_text(name, value)


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"Settings: {name} must be a string, got {type(value).__name__}")


def _check_optional_path(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"Settings: {name} must be a path, got {type(value).__name__}")


def _check_switch(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"Settings: {name} must be True or False, got {value!r}")


CHECKS: dict[str, Callable[[str, Any], None]] = {  # by the annotation of a field
    "int": _check_whole,
    "float": _check_real,
    "str": _check_text,
    "bool": _check_switch,
    "int | None": _check_optional_whole,
    "str | None": _check_optional_text,
    "str | os.PathLike[str] | None": _check_optional_path,
}
