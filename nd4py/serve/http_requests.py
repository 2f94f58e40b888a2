"""Requests of HTTP as the endpoints see them: headers, a body within limits, and whether the client is still there."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .http_errors import HttpError, bad_request, shown

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

TRACE_PARENT = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


class ClientGoneError(Exception):
    """Nobody waits for the answer any more."""


class HttpRequest:
    """A request: `method`, `path`, `headers` by their names in lower case, `client`, and a `trace_id`.

    n_bytes: of the body, as it came    model: the name of the model that it asks for, "" where there is none
    """

    __slots__ = ("_receive", "client", "headers", "method", "model", "n_bytes", "path", "trace_id")

    def __init__(self, scope: Message, receive: Receive):
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.client: str = (scope.get("client") or ("",))[0]
        self.trace_id = trace_id(self.headers.get(b"traceparent"))
        self.n_bytes = 0
        self.model = ""
        self._receive = receive

    async def body(self, most_bytes: int) -> bytes:
        """The body.  Raises HttpError where it is too long, ClientGoneError where the rest does not come."""
        length = self.headers.get(b"content-length")
        if length is not None:
            if not length.isdigit():
                raise bad_request(f"Content-Length must be a number, got {shown(length)}")
            if len(length) > 18 or int(length) > most_bytes:
                raise too_long(most_bytes)
        parts, is_whole = [], False
        while not is_whole:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            parts.append(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            self.n_bytes += len(parts[-1])
            if self.n_bytes > most_bytes:
                raise too_long(most_bytes)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def until_gone(self) -> None:
        """Wait until the client has closed the connection; only after the whole body came."""
        while (await self._receive())["type"] != "http.disconnect":
            pass


def trace_id(parent: bytes | None) -> str:
    """The id of a trace: that of the header `traceparent`, or a new one.  https://www.w3.org/TR/trace-context/"""
    found = None if parent is None else TRACE_PARENT.fullmatch(parent)
    return os.urandom(16).hex() if found is None else found[1].decode()


def too_long(most_bytes: int) -> HttpError:
    return HttpError(
        413, f"the body is longer than the {most_bytes} bytes that are allowed", [(b"connection", b"close")]
    )
