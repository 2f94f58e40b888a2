"""The ASGI application: every request gets an answer, a line in the log and its place in the counts."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

from nd4py.api.arguments import instance

from .access_log import AccessLog
from .client_limits import ClientLimits
from .endpoints import Answer, Endpoints
from .http_errors import Header, HttpError, busy
from .http_requests import ClientGoneError, HttpRequest, Message, Receive
from .metrics import Metrics
from .model_repository import ModelRepository
from .request_notes import RequestNotes
from .serve_settings import Settings

LOG = logging.getLogger("nd4py.serve")
Send = Callable[[Message], Awaitable[None]]
CLIENT_GONE = 499  # in the log and the counts: nobody gets it
# An answer that does not fit into the buffers of a connection is sent as fast as the client reads it.
LONG_ANSWER_BYTES = 32 << 10


class Application:
    """An ASGI application that answers requests of the Open Inference Protocol, version 2.

    models: files by the names of the models    folder: whose files are models, None for none
    settings: Settings; what of them is for connections is for `run`
    is_ending: whether `begin_to_end` was called    endpoints, limits, metrics, notes: what answers, over HTTP and gRPC
    Endings of files: `.zip` for networks that nd4py saved, `.onnx`, `.keras`.
    Models are loaded when the server starts; `/v2/health/ready` says when it is done.
    Raises ValueError for names that do not fit into addresses and where there are no models at all,
    NotADirectoryError, OSError for a log that cannot be written, TypeError for other arguments.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> net.save("net.zip")
    >>> serve.Application({"net": "net.zip"}).model_names
    ('net',)
    """

    def __init__(
        self,
        models: Mapping[str, str | os.PathLike[str]] | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.settings = Settings() if settings is None else instance("Application: settings", settings, Settings)
        files = instance("Application: models", {} if models is None else models, Mapping)
        if not files and folder is None:
            raise ValueError("Application: no models; give files by their names, or a folder")
        paths = {name: path_of(path, f"Application: the file of model {name!r}") for name, path in files.items()}
        parent = None if folder is None else path_of(folder, "Application: folder")
        self._repository = ModelRepository(paths, parent, self.settings)
        self.metrics = Metrics()
        self.endpoints = Endpoints(self._repository, self.settings, self.metrics, version_of_package())
        self.limits = ClientLimits(self.settings)
        log = None if self.settings.access_log is None else AccessLog(self.settings.access_log)
        self.notes = RequestNotes(self.metrics, log)
        self._background: asyncio.Task[None] | None = None
        self.is_ending = False

    @property
    def model_names(self) -> tuple[str, ...]:
        """The names of the models, loaded or not."""
        return tuple(entry.name for entry in self._repository.entries())

    def begin_to_end(self) -> None:
        """Say from now on that the server is not ready, and answer what comes nevertheless.  Raises nothing."""
        self.is_ending, self.endpoints.is_ready = True, False
        if self._background is not None:
            self._background.cancel()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "an application belongs to this process and can be neither copied nor pickled; make another one"
        )

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(HttpRequest(scope, receive), send)
        else:
            raise ValueError(f"Application: there is nothing for {scope['type']!r}")

    async def _live(self, receive: Receive, send: Send) -> None:
        """Load the models when the server starts, and let them go when it ends."""
        await receive()
        self._background = asyncio.get_running_loop().create_task(self._keep_models())
        await send({"type": "lifespan.startup.complete"})
        with suppress(asyncio.CancelledError):  # whoever is in a hurry ends the loop, and this with it
            await receive()
            self.begin_to_end()
            await asyncio.to_thread(self._repository.close, wait=False)
        self.notes.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _keep_models(self) -> None:
        await asyncio.to_thread(self._repository.load_all)
        self.endpoints.is_ready = True
        names = [entry.name for entry in self._repository.entries() if entry.state == "READY"]
        LOG.info("ready: %s", ", ".join(names) or "no models yet")
        while self.settings.poll_seconds:
            await asyncio.sleep(self.settings.poll_seconds)
            try:
                await asyncio.to_thread(self._repository.follow_files)
            except OSError as error:  # of the folder
                LOG.warning("the files of the models cannot be looked at: %s", error)

    async def _answer(self, request: HttpRequest, send: Send) -> None:
        start = time.perf_counter()
        self.metrics.n_active += 1
        answer, error = Answer(), ""
        try:
            try:
                self.limits.check(request)
                answer = await self.endpoints.answer(request)
            except HttpError as found:
                error, answer = found.message, error_answer(found)
            except ClientGoneError:
                answer = Answer(status=CLIENT_GONE)
            except asyncio.CancelledError:
                if not self.is_ending:
                    raise
                error = "the server has ended before it could answer"  # after drain_seconds, or a second Ctrl-C
                answer = error_answer(busy(error))
            except Exception as found:
                LOG.exception("trace %s: %s %s", request.trace_id, request.method, request.path)
                error = f"{type(found).__name__} in the server; its log says more, trace {request.trace_id}"
                answer = error_answer(HttpError(500, error))
            if answer.status != CLIENT_GONE:
                await self._send(request, answer, send)
        finally:
            self.metrics.n_active -= 1
            self.notes.add(request, answer.status, len(answer.body), error, time.perf_counter() - start)

    async def _send(self, request: HttpRequest, answer: Answer, send: Send) -> None:
        headers: list[Header] = [
            *answer.headers,
            (b"content-length", str(len(answer.body)).encode()),
            (b"x-trace-id", request.trace_id.encode()),
        ]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        end: Message = {"type": "http.response.body", "body": answer.body}
        if len(answer.body) < LONG_ANSWER_BYTES:
            await send(end)
            return
        async with asyncio.timeout(self.settings.body_seconds):
            await send(end)


def path_of(value: Any, what: str) -> Path:
    """A path.  Raises TypeError for what is none."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what} must be a path, got {type(value).__name__}")
    return Path(value)


def error_answer(error: HttpError) -> Answer:
    """The answer that says what was wrong, as the protocol wants it."""
    body = orjson.dumps({"error": error.message.encode("utf-8", "replace").decode()})
    return Answer(body, [(b"content-type", b"application/json"), *error.headers], error.status)


def version_of_package() -> str:
    """The version of nd4py; "unknown" where it is not installed."""
    try:
        return version("nd4py")
    except PackageNotFoundError:
        return "unknown"
