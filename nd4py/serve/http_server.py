"""A server of HTTP for the application: uvicorn, with limits of headers, of connections and of the time they take.

Design: uvicorn with its fast parser reads headers of any length, and waits for them for any time; this protocol, which
uvicorn takes as a setting, adds what is missing.  Rejected: its other parser, h11, which has a limit, and takes twice
as long for a request.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
from importlib import import_module
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from nd4py.api.arguments import instance
from nd4py.data.optional_packages import optional

from .application import Application

LOG = logging.getLogger("nd4py.serve")
UPGRADE_BYTES = 4096  # in which clients that can speak HTTP/2 too, such as curl, ask for it
KEEP_ALIVE_SECONDS = 75  # a connection without requests; longer than load balancers keep theirs


def without_upgrade(data: bytes) -> bytes:
    """The bytes of a request that asks for no other protocol: the parser would not read the body of one that does."""
    head, separator, body = data.partition(b"\r\n\r\n")
    return re.sub(rb"(?i)\r\nupgrade:", b"\r\nx-upgrade:", head) + separator + body


def limited_protocol(application: Application) -> type[HttpToolsProtocol]:
    """The protocol of uvicorn with the limits of an application."""
    settings = application.settings

    class LimitedProtocol(HttpToolsProtocol):
        """A connection whose requests have to come in time, with headers that are bounded in size."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._header_bytes = 0
            self._is_in_headers, self._is_whole = True, False
            self._clock: asyncio.TimerHandle | None = None
            self._refusal = ""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > settings.max_connections:
                self._refuse("503 Service Unavailable", "too many connections", "retry-after: 1\r\n")
            else:
                self._start_clock()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_clock()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            if (self._is_in_headers or self._is_whole) and b"pgrade:" in data[:UPGRADE_BYTES]:
                data = without_upgrade(data)
            super().data_received(data)
            if self._is_whole or self.transport.is_closing():
                return
            if self._is_in_headers:
                self._header_bytes += len(data)
                if self._header_bytes > settings.max_header_bytes:
                    self._refuse("431 Request Header Fields Too Large", "the headers are too long")
                    return
            if self._clock is None:
                self._start_clock()

        def on_message_begin(self) -> None:
            self._is_whole, self._is_in_headers, self._header_bytes = False, True, 0
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._is_in_headers = False
            self._stop_clock()
            n_bytes = len(self.url) + sum([len(name) + len(value) + 4 for name, value in self.headers])
            if n_bytes > settings.max_header_bytes:
                self._refusal = "431 Request Header Fields Too Large"
                raise ValueError("the headers are too long")
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            self._is_whole = True
            self._stop_clock()
            super().on_message_complete()

        def send_400_response(self, msg: str) -> None:
            status, self._refusal = self._refusal or "400 Bad Request", ""
            self._refuse(status, "the headers are too long" if status[:3] == "431" else "this is no request of HTTP")

        def _refuse(self, status: str, message: str, headers: str = "") -> None:
            body = f'{{"error":"{message}"}}'
            head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
            self.transport.write(f"{head}{headers}connection: close\r\n\r\n{body}".encode("ascii"))
            self.transport.close()

        def _start_clock(self) -> None:
            seconds = settings.header_seconds if self._is_in_headers else settings.body_seconds
            self._clock = self.loop.call_later(seconds, self._end_slow)

        def _stop_clock(self) -> None:
            if self._clock is not None:
                self._clock.cancel()
                self._clock = None

        def _end_slow(self) -> None:
            if not self.transport.is_closing() and (self.cycle is None or not self.cycle.response_started):
                self._refuse("408 Request Timeout", "the request did not come in time")

    return LimitedProtocol


class Server(uvicorn.Server):
    """A server that says that it is not ready as soon as it is told to end."""

    def __init__(self, config: uvicorn.Config, application: Application):
        super().__init__(config)
        self._application = application
        self._grpc: Any = None
        self.grpc_port: int | None = None
        self.should_exit = application.is_ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second Ctrl-C ends at once.  The process then ends with 0, as asked.

        A second SIGTERM does not: `timeout`, and others that tell whole groups of processes, send two.
        """
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self._application.begin_to_end()

    async def startup(self, sockets: Any = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        for server in getattr(self, "servers", ()):
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                scheme = "https" if self.config.is_ssl else "http"
                LOG.info("listening at %s://%s:%d", scheme, f"[{host}]" if ":" in host else host, port)
        if self.started and self._application.settings.grpc_port is not None:
            try:
                for package in ("grpc", "google.protobuf"):
                    optional(package, "serve: gRPC", "grpc")
                start = import_module("nd4py.serve.rpc.grpc_server").start
                self._grpc, self.grpc_port = await start(self._application)
            except (ImportError, OSError):
                await super().shutdown(sockets)
                raise

    async def shutdown(self, sockets: Any = None) -> None:
        """Answer what was asked, over gRPC too, and end."""
        if self._grpc is not None:
            await self._grpc.stop(self._application.settings.drain_seconds)
        await super().shutdown(sockets)


def server_of(application: Application) -> Server:
    """The server of an application, by its settings; `serve()` of it is a coroutine."""
    settings = instance("run: application", application, Application).settings
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=limited_protocol(application),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
        ssl_certfile=None if settings.certificate is None else os.fspath(settings.certificate),
        ssl_keyfile=None if settings.private_key is None else os.fspath(settings.private_key),
    )
    return Server(config, application)


def run(application: Application) -> None:
    """Serve an application until the process gets SIGTERM or SIGINT; then answer what was asked before, and return.

    Where `begin_to_end` was called before, it returns at once.

    application: an Application
    Raises TypeError for other objects, OSError where the address cannot be used or a file for TLS cannot be read.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> net.save("net.zip")
    >>> application = serve.Application({"net": "net.zip"}, settings=serve.Settings(port=0))
    >>> application.begin_to_end()  # without this it answers until the process is told to end
    >>> serve.run(application)
    """
    server_of(application).run()
