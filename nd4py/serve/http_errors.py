"""Errors that are answers: a status of HTTP and a sentence that says what was wrong."""

from __future__ import annotations

from collections.abc import Iterable

Header = tuple[bytes, bytes]


class HttpError(Exception):
    """A request that gets no other answer than a status and a message.

    status: of HTTP    message: for people, in one sentence    headers: sent beside the usual ones
    """

    def __init__(self, status: int, message: str, headers: Iterable[Header] = ()):
        super().__init__(message)
        self.status, self.message, self.headers = status, message, tuple(headers)


def bad_request(message: str) -> HttpError:
    """The error of a request that is wrong in itself."""
    return HttpError(400, message)


def busy(message: str) -> HttpError:
    """The error of a request that may be sent again a second later."""
    return HttpError(503, message, [(b"retry-after", b"1")])


def shown(value: object) -> str:
    """A value of a request as its error message shows it: short, and on one line."""
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    text = repr(value[:100] if isinstance(value, (str, list)) else value)
    return text if len(text) <= 100 else f"{text[:97]}..."
