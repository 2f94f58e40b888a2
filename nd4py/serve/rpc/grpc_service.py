"""The calls of the protocol over gRPC: inference of its own, the rest as the same addresses over HTTP.

Design: what is said over gRPC and HTTP has the same names, so answers of other calls than inference are those of HTTP,
read into messages.  Limits, tokens, counts and the log are the application's own.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import grpc
import numpy
import orjson
from google.protobuf import json_format

from ..application import CLIENT_GONE, Application
from ..endpoints import Answer
from ..http_errors import HttpError, bad_request
from ..http_requests import ClientGoneError, HttpRequest, Message
from ..inference_requests import (
    InferenceRequest,
    check_input,
    check_priority,
    in_order,
    output_number,
    parameters_of,
    request_id_of,
    seconds_of,
)
from ..served_models import ServedModel
from ..tensor_encoding import checked_shape, datatype_of_array, from_bytes, from_json, host_array
from .grpc_messages import message_class

LOG = logging.getLogger("nd4py.serve")
CODES = {
    400: grpc.StatusCode.INVALID_ARGUMENT,
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.NOT_FOUND,
    413: grpc.StatusCode.RESOURCE_EXHAUSTED,
    429: grpc.StatusCode.RESOURCE_EXHAUSTED,
    499: grpc.StatusCode.CANCELLED,
    503: grpc.StatusCode.UNAVAILABLE,
    504: grpc.StatusCode.DEADLINE_EXCEEDED,
}
# Errors of HTTP that are the answer "no" here: 400 where a model is not loaded.
NOT_READY = {"ServerReady": (503,), "ModelReady": (400, 503)}
# Where the numbers of a datatype are in a message that does not have them as bytes.
CONTENTS = {
    "BOOL": "bool_contents", "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
    "UINT64": "uint64_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
    "INT64": "int64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents",
}  # fmt: skip
Work = Callable[[HttpRequest], Awaitable[Any]]


class GrpcService:
    """Answers the calls of an application's clients."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def handlers(self) -> dict[str, Any]:
        """The handlers of grpc, by the names of the calls."""
        return {
            name: grpc.unary_unary_rpc_method_handler(
                handler,
                request_deserializer=message_class(f"{name}Request").FromString,
                response_serializer=message_class(f"{name}Response").SerializeToString,
            )
            for name, handler in {
                "ServerLive": self._asking("ServerLive", "GET", lambda asked: "/v2/health/live"),
                "ServerReady": self._asking("ServerReady", "GET", lambda asked: "/v2/health/ready"),
                "ModelReady": self._asking("ModelReady", "GET", lambda asked: f"{model_path(asked)}/ready"),
                "ServerMetadata": self._asking("ServerMetadata", "GET", lambda asked: "/v2"),
                "ModelMetadata": self._asking("ModelMetadata", "GET", model_path),
                "RepositoryIndex": self._asking("RepositoryIndex", "POST", lambda asked: "/v2/repository/index"),
                "RepositoryModelLoad": self._asking("RepositoryModelLoad", "POST", repository_path("load")),
                "RepositoryModelUnload": self._asking("RepositoryModelUnload", "POST", repository_path("unload")),
                "ModelInfer": self._infer,
            }.items()
        }

    def _asking(self, name: str, method: str, path: Callable[[Any], str]) -> Any:
        """The handler of a call that is answered as an address over HTTP is."""

        async def handler(asked: Any, context: Any) -> Any:
            body = json_format.MessageToDict(asked, preserving_proto_field_name=True)
            request = http_request(method, path(asked), context, b"" if method == "GET" else orjson.dumps(body))

            async def work(request: HttpRequest) -> Any:
                try:
                    answer: Answer = await self._application.endpoints.answer(request)
                except HttpError as error:
                    if error.status in NOT_READY.get(name, ()):
                        return message_class(f"{name}Response")(ready=False)
                    raise
                said = orjson.loads(answer.body or b"{}")
                said = {"models": said} if isinstance(said, list) else said
                return json_format.ParseDict(said, message_class(f"{name}Response")(), ignore_unknown_fields=True)

            return await self._answered(request, context, work)

        return handler

    async def _infer(self, asked: Any, context: Any) -> Any:
        """The outputs of a model."""
        name, version = asked.model_name, asked.model_version
        path = f"/v2/models/{quote(name, safe='')}"
        request = http_request("POST", f"{path}/versions/{version}/infer" if version else f"{path}/infer", context)
        request.n_bytes = asked.ByteSize()

        async def work(request: HttpRequest) -> Any:
            endpoints = self._application.endpoints
            model = endpoints.model(request, [name, "versions", version] if version else [name])
            endpoints.scheduler.check_room(model)
            parsed = inference_request(asked, model, self._application.settings.max_elements)
            endpoints.check_rows(parsed, model)
            left = context.time_remaining()
            if left is not None and math.isfinite(left):
                parsed.seconds = left if parsed.seconds is None else min(left, parsed.seconds)
            outputs = await endpoints.scheduler.infer(model, parsed, request)
            return inference_response(parsed, model, outputs)

        return await self._answered(request, context, work)

    async def _answered(self, request: HttpRequest, context: Any, work: Work) -> Any:
        """The answer of `work`, or the end of the call with a status and a message; counted and in the log."""
        start, application = time.perf_counter(), self._application
        status, error, answer = 200, "", None
        application.metrics.n_active += 1
        try:
            application.limits.check(request)
            answer = await work(request)
        except HttpError as found:
            status, error = found.status, found.message
        except (ClientGoneError, asyncio.CancelledError):
            status = CLIENT_GONE
            raise
        except Exception as found:
            LOG.exception("trace %s: %s", request.trace_id, request.path)
            status = 500
            error = f"{type(found).__name__} in the server; its log says more, trace {request.trace_id}"
        finally:
            application.metrics.n_active -= 1
            n_bytes = 0 if answer is None else answer.ByteSize()
            application.notes.add(request, status, n_bytes, error, time.perf_counter() - start)
        if answer is None:
            await context.abort(CODES.get(status, grpc.StatusCode.INTERNAL), error)
        return answer


def http_request(method: str, path: str, context: Any, body: bytes = b"") -> HttpRequest:
    """A call as a request of HTTP, with the client's token and trace."""
    headers = [
        (key.encode(), value.encode() if isinstance(value, str) else value)
        for key, value in context.invocation_metadata() or ()
        if key in ("authorization", "traceparent")
    ]
    parts = [{"type": "http.request", "body": body}]

    async def receive() -> Message:
        if not parts:
            await asyncio.get_running_loop().create_future()  # a call whose client has gone is cancelled
        return parts.pop()

    client = context.peer().removeprefix("ipv4:").removeprefix("ipv6:").rpartition(":")[0]
    scope = {"method": method, "path": path, "headers": headers, "client": (client, 0)}
    return HttpRequest(scope, receive)


def model_path(asked: Any) -> str:
    """The address of the model that a message names."""
    path = f"/v2/models/{quote(asked.name, safe='')}"
    return f"{path}/versions/{quote(asked.version, safe='')}" if asked.version else path


def repository_path(verb: str) -> Callable[[Any], str]:
    """The address at which the model that a message names is loaded, or unloaded."""
    return lambda asked: f"/v2/repository/models/{quote(asked.model_name, safe='')}/{verb}"


def inference_request(asked: Any, model: ServedModel, most_elements: int) -> InferenceRequest:
    """What a client asks of a model.  Raises HttpError for what is no request for it."""
    fields = {"id": asked.id or None, "parameters": plain(asked.parameters)}
    parameters = parameters_of(fields, "the request")
    check_priority(parameters)
    raw = list(asked.raw_input_contents)
    arrays: dict[str, numpy.ndarray] = {}
    if raw and len(raw) != len(asked.inputs):
        raise bad_request(f"raw_input_contents has {len(raw)} parts for {len(asked.inputs)} inputs")
    for number, given in enumerate(asked.inputs):
        name = given.name
        check_input(name, arrays, model)
        parameters_of({"parameters": plain(given.parameters)}, f"input {name!r}")
        shape = checked_shape(list(given.shape), name, most_elements)
        if raw:
            arrays[name] = from_bytes(memoryview(raw[number]), shape, given.datatype, name)
        else:
            where = CONTENTS.get(given.datatype, "bytes_contents")
            arrays[name] = from_json(list(getattr(given.contents, where)), shape, given.datatype, name)
    wanted = [each.name for each in asked.outputs] or list(model.output_numbers)
    return InferenceRequest(
        in_order(arrays, model),
        [(output_number(name, model), True) for name in dict.fromkeys(wanted)],
        request_id_of(fields),
        seconds_of(parameters),
    )


def plain(parameters: Any) -> dict[str, Any]:
    """Parameters as the numbers, texts and truth values that they are."""
    found = {}
    for name, parameter in parameters.items():
        kind = parameter.WhichOneof("parameter_choice")
        found[name] = None if kind is None else getattr(parameter, kind)
    return found


def inference_response(request: InferenceRequest, model: ServedModel, outputs: Any) -> Any:
    """The message of an answer, with the outputs as bytes."""
    arrays = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    answer = message_class("ModelInferResponse")(
        model_name=model.name, model_version=model.version, id=request.request_id or ""
    )
    for number, _ in request.outputs:
        array = host_array(arrays[number])
        answer.outputs.add(
            name=model.outputs[number].name, datatype=datatype_of_array(array), shape=list(array.shape)
        )  # fmt: skip
        answer.raw_output_contents.append(array.tobytes())
    return answer
