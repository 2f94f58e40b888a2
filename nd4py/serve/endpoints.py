"""The endpoints of the Open Inference Protocol, version 2, over HTTP.

https://github.com/kserve/open-inference-protocol and the repository, statistics and binary tensor extensions of the
Triton server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from .content_coding import WORTH_BYTES, accepted, compressed, decompressed
from .http_errors import Header, HttpError, bad_request, busy, shown
from .http_requests import HttpRequest
from .inference_requests import HEADER_LENGTH, InferenceRequest, parse_body, parse_json, parse_request, response
from .metrics import Metrics
from .model_repository import ModelRepository
from .model_statistics import statistics_of
from .page import read_page
from .scheduled_inference import Scheduler
from .serve_settings import Settings
from .served_models import ServedModel

# A longer body is read by another thread, so that others are answered meanwhile.
LONG_BYTES = 256 << 10
EXTENSIONS = ("binary_tensor_data", "model_repository", "statistics")
JSON: list[Header] = [(b"content-type", b"application/json")]
TEXT: list[Header] = [(b"content-type", b"text/plain; version=0.0.4; charset=utf-8")]


@dataclass
class Answer:
    """What is sent back."""

    body: bytes = b""
    headers: list[Header] = field(default_factory=list)
    status: int = 200


def as_json(value: Any, status: int = 200) -> Answer:
    return Answer(orjson.dumps(value), JSON, status)


class Endpoints:
    """Answers requests by the models of a repository.

    version: of nd4py    is_ready: whether the models have been loaded and nobody wants the server to end
    """

    def __init__(self, repository: ModelRepository, settings: Settings, metrics: Metrics, version: str):
        self._repository, self._settings, self._metrics, self._version = repository, settings, metrics, version
        self.scheduler = Scheduler(repository.server, settings)
        self._page = read_page()
        self.is_ready = False

    async def answer(self, request: HttpRequest) -> Answer:
        """The answer to a request.  Raises HttpError, and ClientGoneError where nobody waits for it."""
        parts = request.path.split("/")[1:]
        method = "GET" if request.method == "HEAD" else request.method
        found = ROUTES.get(request.path) or self._route_of(parts)
        if found is None:
            what = shown(request.path)
            raise HttpError(
                404,
                f"there is nothing at {what}; POST /v2/repository/index lists the models, /v2/models/NAME shows one",
            )
        wanted, handler = found
        if method != wanted:
            allowed = (b"allow", b"GET, HEAD" if wanted == "GET" else b"POST")
            raise HttpError(405, f"{shown(request.path)} takes {wanted}, got {shown(request.method)}", [allowed])
        return await handler(self, request, parts)

    def _route_of(self, parts: list[str]) -> Route | None:
        """(Method, handler) of an address with the name of a model in it."""
        if parts[:2] == ["v2", "models"] and len(parts) >= 3:
            rest = parts[5:] if len(parts) >= 5 and parts[3] == "versions" else parts[3:]
            return MODEL_ROUTES.get("/".join(rest))
        if parts[:3] == ["v2", "repository", "models"] and len(parts) == 5:
            return REPOSITORY_ROUTES.get(parts[4])
        return None

    def model(self, request: HttpRequest, parts: list[str]) -> ServedModel:
        """The model that an address names: NAME or NAME/versions/VERSION, and what follows.  Raises HttpError."""
        request.model = self._repository.entry(parts[0]).name
        model = self._repository.ready(request.model)
        if len(parts) >= 3 and parts[1] == "versions" and parts[2] != model.version:
            raise HttpError(404, f"model {model.name!r} has no version {shown(parts[2])}; it has {model.version!r}")
        return model

    async def infer(self, request: HttpRequest, parts: list[str]) -> Answer:
        """The outputs of a model."""
        model = self.model(request, parts[2:])
        self.scheduler.check_room(model)
        body = await self._body(request)
        if len(body) > LONG_BYTES:
            asked = await asyncio.to_thread(self._parsed, request, model, body)
        else:
            asked = self._parsed(request, model, body)
        outputs = await self.scheduler.infer(model, asked, request)
        text, headers = response(asked, model, outputs)
        return await self._coded(request, Answer(text, headers))

    def _parsed(self, request: HttpRequest, model: ServedModel, body: bytes) -> InferenceRequest:
        asked = parse_request(parse_body(body, request.headers.get(HEADER_LENGTH)), model, self._settings.max_elements)
        self.check_rows(asked, model)
        return asked

    def check_rows(self, asked: InferenceRequest, model: ServedModel) -> None:
        """Raises HttpError where a request has more examples than are allowed."""
        n_rows = asked.inputs[0].shape[0] if model.mode == "batched" and asked.inputs[0].ndim else 1
        if n_rows > self._settings.max_rows:
            raise HttpError(413, f"{n_rows} examples, more than the {self._settings.max_rows} that are allowed at once")

    async def _body(self, request: HttpRequest) -> bytes:
        most = self._settings.max_body_bytes
        body = await request.body(most)
        coding = request.headers.get(b"content-encoding")
        if coding is None:
            return body
        return await decompressed(body, coding, most)

    async def _coded(self, request: HttpRequest, answer: Answer) -> Answer:
        if len(answer.body) >= WORTH_BYTES and (coding := accepted(request.headers.get(b"accept-encoding"))):
            answer.body = await compressed(answer.body, coding)
            answer.headers = [*answer.headers, (b"content-encoding", coding), (b"vary", b"accept-encoding")]
        return answer

    async def page(self, request: HttpRequest, parts: list[str]) -> Answer:
        """The page for people."""
        return await self._coded(request, Answer(*self._page))

    async def server_metadata(self, request: HttpRequest, parts: list[str]) -> Answer:
        """Name and version of the server."""
        return as_json({"name": "nd4py", "version": self._version, "extensions": EXTENSIONS})

    async def live(self, request: HttpRequest, parts: list[str]) -> Answer:
        """The process answers."""
        return as_json({"live": True})

    async def ready(self, request: HttpRequest, parts: list[str]) -> Answer:
        """All models have been loaded and have computed an example, and the server is not about to end.

        A damaged file of a folder is told in the index; one that was given by name keeps the server from being ready.
        """
        if not self.is_ready:
            raise busy("the server is not ready: models are being loaded, or it is about to end")
        if lacking := self._repository.lacking():
            raise busy(f"the server is not ready: these models do not answer: {', '.join(lacking)}; see its log")
        return as_json({"ready": True})

    async def metrics(self, request: HttpRequest, parts: list[str]) -> Answer:
        """Counts for Prometheus."""
        return await self._coded(request, Answer(self._metrics.text(self._repository, self.is_ready), TEXT))

    async def model_metadata(self, request: HttpRequest, parts: list[str]) -> Answer:
        """What a model takes and returns."""
        return as_json(self.model(request, parts[2:]).metadata())

    async def model_ready(self, request: HttpRequest, parts: list[str]) -> Answer:
        """Whether a model answers."""
        return as_json({"name": self.model(request, parts[2:]).name, "ready": True})

    async def model_statistics(self, request: HttpRequest, parts: list[str]) -> Answer:
        """What became of the requests for a model, or for all."""
        if len(parts) >= 3 and parts[2] != "stats":
            names = [self.model(request, parts[2:]).name]
        else:
            names = [entry.name for entry in self._repository.entries() if entry.model is not None]
        return as_json({"model_stats": [statistics_of(self._repository.server, name) for name in names]})

    async def index(self, request: HttpRequest, parts: list[str]) -> Answer:
        """All models and their states."""
        body = await self._body(request)
        only_ready = (parse_json(body) if body else {}).get("ready", False)
        if not isinstance(only_ready, bool):
            raise bad_request(f"ready must be true or false, got {shown(only_ready)}")
        return as_json([
            {"name": entry.name, "version": "1", "state": entry.state, "reason": entry.reason}
            for entry in self._repository.entries()
            if entry.state == "READY" or not only_ready
        ])  # fmt: skip

    async def load(self, request: HttpRequest, parts: list[str]) -> Answer:
        """Load a model from its file, or load it again."""
        await self._refuse_overrides(request)
        await asyncio.to_thread(self._repository.load, parts[3])
        request.model = parts[3]
        return Answer()

    async def unload(self, request: HttpRequest, parts: list[str]) -> Answer:
        """Answer no more requests for a model."""
        body = await self._body(request)
        if body:
            parse_json(body)
        request.model = self._repository.entry(parts[3]).name
        await asyncio.to_thread(self._repository.unload, parts[3])
        return Answer()

    async def _refuse_overrides(self, request: HttpRequest) -> None:
        """Files and settings come from whoever starts the server, and from nobody else."""
        body = await self._body(request)
        if body and parse_json(body).get("parameters"):
            raise bad_request("load takes no parameters: models are loaded from the files that the server was given")


Route = tuple[str, Callable[[Endpoints, HttpRequest, list[str]], Awaitable[Answer]]]
ROUTES: dict[str, Route] = {
    "/": ("GET", Endpoints.page),
    "/metrics": ("GET", Endpoints.metrics),
    "/v2": ("GET", Endpoints.server_metadata),
    "/v2/": ("GET", Endpoints.server_metadata),
    "/v2/health/live": ("GET", Endpoints.live),
    "/v2/health/ready": ("GET", Endpoints.ready),
    "/v2/models/stats": ("GET", Endpoints.model_statistics),
    "/v2/repository/index": ("POST", Endpoints.index),
}
MODEL_ROUTES: dict[str, Route] = {
    "": ("GET", Endpoints.model_metadata),
    "ready": ("GET", Endpoints.model_ready),
    "stats": ("GET", Endpoints.model_statistics),
    "infer": ("POST", Endpoints.infer),
}
REPOSITORY_ROUTES: dict[str, Route] = {"load": ("POST", Endpoints.load), "unload": ("POST", Endpoints.unload)}
