"""A load test of a server of models: requests at a rate, whatever the server does.

Design: a request is sent when its time has come, and its latency counts from that time, also where all connections are
busy then.  A test that waits for answers before it goes on asks less of a slow server, and does not see how long those
would have waited who came meanwhile: https://www.scylladb.com/2021/04/22/on-coordinated-omission/.
"""

from __future__ import annotations

import asyncio
import json
import math
import ssl
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy

from nd4py.api.arguments import instance, real, whole

from .client_limits import LOOPBACK
from .tensor_encoding import layout

MOST_REQUESTS = 5_000_000
MOST_CONNECTIONS = 512
MOST_SECONDS = 600.0
MOST_ANSWER_BYTES = 64 << 20
ANSWER_SECONDS = 30.0  # after which a request counts as failed
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class LoadReport:
    """What a load test found.

    rate: requests a second that were asked for    seconds: from the first to the last answer
    latencies: seconds of each answer from the time when its request was due, sorted
    statuses: answers by their status of HTTP; 0 for requests that were not answered

    >>> report = serve.LoadReport(rate=2.0, seconds=1.0, latencies=(0.001, 0.003), statuses={200: 2})
    >>> report.latency(0.5), report.answers_per_second
    (0.001, 2.0)
    """

    rate: float
    seconds: float
    latencies: tuple[float, ...]
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def answers_per_second(self) -> float:
        """Answers with status 200, a second."""
        return self.statuses.get(200, 0) / self.seconds if self.seconds else 0.0

    def latency(self, fraction: float) -> float:
        """Seconds within which this fraction of the answers came, such as 0.99.

        Returns a number, NaN without answers.
        Raises TypeError for what is no number, ValueError for a fraction that is not between 0 and 1.
        """
        if not 0.0 <= real("latency: fraction", fraction) <= 1.0:
            raise ValueError(f"latency: a fraction is between 0 and 1, given {fraction}")
        if not self.latencies:
            return math.nan
        return self.latencies[max(0, math.ceil(fraction * len(self.latencies)) - 1)]

    def __str__(self) -> str:
        statuses = ", ".join(f"{n} {status or 'without answer'}" for status, n in sorted(self.statuses.items()))
        shown = "  ".join(f"{100 * q:g} %: {1e3 * self.latency(q):.2f} ms" for q in (0.5, 0.9, 0.99, 0.999, 1.0))
        return (
            f"{self.rate:g} requests/s were asked for, {self.answers_per_second:.1f}/s answered: {statuses}\n"
            f"latency from the time a request was due  {shown}"
        )


def load_test(
    url: str, *, model: str | None = None, rate: float = 100.0, seconds: float = 10.0, connections: int = 32,
    rows: int = 1, token: str | None = None, allow_remote: bool = False,
) -> LoadReport:  # fmt: skip
    """Ask a server of models at a rate, and measure how long its answers take.

    url: of the server, such as "http://127.0.0.1:8080"    model: its name, None for the first that is ready
    rate: requests a second    seconds: how long    connections: that requests are sent on, at most 512
    rows: examples of a request, of random numbers    token: what the server wants as `Authorization: Bearer`
    allow_remote: whether the server may be on another machine; only with the consent of whoever it belongs to
    Returns a LoadReport.
    Raises ValueError for an address on another machine without `allow_remote`, for numbers out of range, and for what
    the server says about the model; OSError where it cannot be reached, TypeError for other arguments.

    >>> serve.load_test("http://192.0.2.1")
    Traceback (most recent call last):
    ValueError: load_test: 192.0.2.1 is another machine; say allow_remote (--allow-remote) if it may be loaded
    """
    target = Target(url, token, allow_remote)
    if not real("load_test: rate", rate) > 0 or not 0 < real("load_test: seconds", seconds) <= MOST_SECONDS:
        raise ValueError(
            f"load_test: rate must be above 0, and seconds up to {MOST_SECONDS:g}, got {rate} and {seconds}"
        )
    if rate * seconds > MOST_REQUESTS:
        raise ValueError(f"load_test: {rate * seconds:g} requests are more than {MOST_REQUESTS}; lower rate or seconds")
    if not 1 <= whole("load_test: connections", connections) <= MOST_CONNECTIONS:
        raise ValueError(f"load_test: connections must be from 1 to {MOST_CONNECTIONS}, got {connections}")
    if whole("load_test: rows", rows) < 1:
        raise ValueError(f"load_test: rows must be at least 1, got {rows}")
    name = model if model is None else instance("load_test: model", model, str)
    return asyncio.run(_loaded(target, name, rate, seconds, connections, rows))


class Target:
    """The address of a server, and how it is asked.  Raises as `load_test` does."""

    def __init__(self, url: str, token: str | None, allow_remote: bool):
        parts = urlsplit(instance("load_test: url", url, str))
        if parts.scheme not in PORTS or not parts.hostname:
            raise ValueError(f"load_test: an address begins with http:// or https://, got {url!r}")
        if parts.hostname not in LOOPBACK and not allow_remote:
            raise ValueError(
                f"load_test: {parts.hostname} is another machine; say allow_remote (--allow-remote) if it may be loaded"
            )
        self.host, self.port = parts.hostname, parts.port or PORTS[parts.scheme]
        self.context = ssl.create_default_context() if parts.scheme == "https" else None
        authorization = f"authorization: Bearer {token}\r\n" if token else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        self._headers = f" HTTP/1.1\r\nhost: {host}:{self.port}\r\n{authorization}"

    def get(self, path: str) -> bytes:
        """A request without a body."""
        return f"GET {path}{self._headers}\r\n".encode()

    def post(self, path: str, body: bytes) -> bytes:
        """A request with a body of JSON."""
        head = f"POST {path}{self._headers}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        return head.encode() + body


class Connection:
    """A connection that is opened when it is needed, and again after an error."""

    def __init__(self, target: Target):
        self._target = target
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, content: bytes) -> tuple[int, bytes]:
        """(Status, body) of the answer.  Raises OSError, EOFError, ValueError and TimeoutError."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if self._streams is None:
                    target = self._target
                    self._streams = await asyncio.open_connection(target.host, target.port, ssl=target.context)
                reader, writer = self._streams
                writer.write(content)
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                status = int(head[9:12])
                length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                if length > MOST_ANSWER_BYTES:
                    raise ValueError(f"an answer of {length} bytes")
                body = await reader.readexactly(length)
        except BaseException:
            self.close()
            raise
        if b"connection: close" in head:
            self.close()
        return status, body

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _loaded(
    target: Target, model: str | None, rate: float, seconds: float, n_connections: int, rows: int
) -> LoadReport:
    content = await _request(target, model, rows)
    free = [Connection(target) for _ in range(n_connections)]
    everyone, waiting = list(free), asyncio.Semaphore(n_connections)
    latencies: list[float] = []
    statuses: Counter[int] = Counter()
    start = time.perf_counter()

    async def ask(due: float) -> None:
        async with waiting:
            connection = free.pop()
            try:
                status, _ = await connection.ask(content)
                latencies.append(time.perf_counter() - due)
            except (OSError, EOFError, ValueError, TimeoutError):
                status = 0
            statuses[status] += 1
            free.append(connection)

    tasks: set[asyncio.Task[None]] = set()
    for number in range(max(1, round(rate * seconds))):
        due = start + number / rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        elif number % 64 == 0:
            await asyncio.sleep(0)  # answers are read though requests are late
        task = asyncio.create_task(ask(due))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    for connection in everyone:
        connection.close()
    return LoadReport(rate, time.perf_counter() - start, tuple(sorted(latencies)), dict(statuses))


async def _request(target: Target, model: str | None, rows: int) -> bytes:
    """A request of random numbers for a model, as the server describes it.  Raises as `load_test` does."""
    connection = Connection(target)
    try:
        if model is None:
            found = json.loads(await _asked(connection, target.post("/v2/repository/index", b'{"ready": true}')))
            if not found:
                raise ValueError("load_test: the server has no model that is ready")
            model = found[0]["name"]
        described = json.loads(await _asked(connection, target.get(f"/v2/models/{model}")))
    finally:
        connection.close()
    rng = numpy.random.default_rng(0)
    inputs = [_random_tensor(rng, tensor, rows) for tensor in described["inputs"]]
    return target.post(f"/v2/models/{model}/infer", json.dumps({"inputs": inputs}).encode())


async def _asked(connection: Connection, content: bytes) -> bytes:
    try:
        status, body = await connection.ask(content)
    except (EOFError, TimeoutError) as error:
        raise ConnectionError(f"load_test: the server gave no answer: {error!r}") from None
    if status != 200:
        raise ValueError(f"load_test: the server says {status}: {body[:500].decode(errors='replace')}")
    return body


def _random_tensor(rng: numpy.random.Generator, described: dict[str, Any], rows: int) -> dict[str, Any]:
    """An input: numbers from 0 to 1, zeros where they are whole."""
    shape = [n if n >= 0 else 8 if axis else rows for axis, n in enumerate(described["shape"])]
    kind = layout(described["datatype"]).dtype.kind
    if kind == "f":
        data: list[Any] = numpy.round(rng.random(math.prod(shape)), 6).tolist()
    else:
        data = [False if kind == "b" else 0] * math.prod(shape)
    return {"name": described["name"], "shape": shape, "datatype": described["datatype"], "data": data}
