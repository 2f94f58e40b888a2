"""What a client may do: its token, the pages that may ask for it, and how often it may ask."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from functools import lru_cache
from urllib.parse import urlsplit

from .http_errors import HttpError
from .http_requests import HttpRequest
from .serve_settings import Settings

MOST_CLIENTS = 10_000  # whose rates are remembered
OPEN = ("/", "/v2/health/live", "/v2/health/ready")  # without a token, for probes and for the page that asks for it
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ClientLimits:
    """Refuses requests that are not allowed.

    Design: a server on the loopback address can be reached by every page in a browser on the machine.  So a page of
    another origin is refused, and on loopback a host name that somebody else may have pointed there.
    """

    def __init__(self, settings: Settings):
        self._token = None if settings.token is None else b"Bearer " + settings.token.encode("ascii")
        self._rate, self._burst = settings.rate, float(settings.burst)
        self._is_loopback = settings.host in LOOPBACK
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by client: requests left, and when

    def check(self, request: HttpRequest) -> None:
        """Raises HttpError for a request that is not allowed."""
        headers = request.headers
        if self._rate:
            self._check_rate(request.client)
        if self._is_loopback and host_name(headers.get(b"host", b"")) not in LOOPBACK:
            raise HttpError(403, "the server listens on the loopback address; ask it by that, or by localhost")
        if (origin := headers.get(b"origin")) is not None and not same_host(origin, headers.get(b"host", b"")):
            raise HttpError(403, "pages of other origins may not use this server")
        if self._token is not None and request.path not in OPEN:
            given = headers.get(b"authorization", b"")
            if not hmac.compare_digest(given, self._token):
                raise HttpError(
                    401, "a token is needed: Authorization: Bearer TOKEN", [(b"www-authenticate", b"Bearer")]
                )

    def _check_rate(self, client: str) -> None:
        """A bucket that fills with the rate, up to the burst, and loses one for each request."""
        now = time.monotonic()
        left, at = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        self._left[client] = (max(0.0, left - 1.0), now) if left >= 1.0 else (left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        if left < 1.0:
            wait = max(1, round((1.0 - left) / self._rate))
            raise HttpError(429, f"more than {self._rate:g} requests a second", [(b"retry-after", str(wait).encode())])


@lru_cache(256)
def host_name(host: bytes) -> str:
    """The name in a `Host` header, without the port; "localhost" where there is none, as in HTTP/1.0."""
    try:
        return (urlsplit(f"//{host.decode('ascii')}").hostname or "") if host else "localhost"
    except ValueError:
        return ""


def same_host(origin: bytes, host: bytes) -> bool:
    """Whether a page comes from this server."""
    return origin.lower().partition(b"://")[2] == host.lower()
