"""Inference requests of the Open Inference Protocol, version 2: bodies to arrays, and outputs to bodies.

https://github.com/kserve/open-inference-protocol/blob/main/specification/protocol/inference_rest.md and the binary
tensor extension of the Triton server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
import orjson

from .http_errors import Header, HttpError, bad_request, shown
from .served_models import ServedModel
from .tensor_encoding import checked_shape, datatype_of_array, from_bytes, from_json, host_array

HEADER_LENGTH = b"inference-header-content-length"
MOST_TENSORS = 64
MOST_ID_LENGTH = 256
MOST_SECONDS = 1e9
# What other servers give a meaning that changes the answer; it is refused and not overlooked.
UNSUPPORTED = ("sequence_id", "shared_memory_region", "classification")


@dataclass
class InferenceRequest:
    """What a client asks of a model.

    inputs: arrays in the order of the model's inputs
    outputs: (number of the output of the model, whether it is sent as bytes)
    request_id: sent back, None for none    seconds: until the answer is worth nothing, None where the client sets none
    """

    inputs: tuple[numpy.ndarray, ...]
    outputs: Sequence[tuple[int, bool]]
    request_id: str | None = None
    seconds: float | None = None


@dataclass
class Body:
    """The parts of a body: its JSON, and the bytes after it from which inputs are taken one after another."""

    fields: dict[str, Any]
    content: memoryview = field(default_factory=lambda: memoryview(b""))
    used: int = 0

    def take(self, size: Any, name: str) -> memoryview:
        """The next `size` bytes.  Raises HttpError where there are not so many."""
        if type(size) is not int or size < 0:
            raise bad_request(f"input {name!r}: binary_data_size must be a number of bytes, got {shown(size)}")
        if size > len(self.content) - self.used:
            raise bad_request(
                f"input {name!r}: binary_data_size is {size}, but {len(self.content) - self.used} bytes are left"
            )
        self.used += size
        return self.content[self.used - size : self.used]


def parse_body(body: bytes, json_length: bytes | None) -> Body:
    """The parts of a body, of which the first `json_length` bytes are JSON.  Raises HttpError for other things."""
    n_bytes = len(body)
    if json_length is not None:
        if not json_length.isdigit() or len(json_length) > 12 or int(json_length) > n_bytes:
            raise bad_request(f"Inference-Header-Content-Length must be from 0 to {n_bytes}, got {shown(json_length)}")
        n_bytes = int(json_length)
    content = memoryview(body)
    fields = parse_json(content[:n_bytes] if n_bytes < len(body) else body)
    return Body(fields, content[n_bytes:])


def parse_json(text: Any) -> dict[str, Any]:
    """A JSON object.  Raises HttpError for other things."""
    try:
        fields = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError) as error:
        raise bad_request(f"the body is not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise bad_request("the body must be a JSON object")
    return fields


def parse_request(body: Body, model: ServedModel, most_elements: int) -> InferenceRequest:
    """What the client asks of a model.  Raises HttpError for what is no request for it."""
    fields = body.fields
    if "inputs" not in fields:
        told = f"; it has {', '.join(map(shown, list(fields)[:4]))}" if fields else ""
        raise bad_request(
            'the body needs "inputs": [{"name": NAME, "shape": [...], "datatype": "FP32", "data": [...]}]' + told
        )
    parameters = parameters_of(fields, "the request")
    check_priority(parameters)
    arrays: dict[str, numpy.ndarray] = {}
    for given in list_of_objects(fields.get("inputs"), "inputs"):
        name = name_of(given, "inputs")
        check_input(name, arrays, model)
        arrays[name] = input_array(given, name, body, most_elements)
    inputs = in_order(arrays, model)
    if body.used != len(body.content):
        raise bad_request(f"{len(body.content) - body.used} bytes after the JSON belong to no input")
    return InferenceRequest(
        inputs,
        requested_outputs(fields, model, is_true(parameters, "binary_data_output")),
        request_id_of(fields),
        seconds_of(parameters),
    )


def check_input(name: str, arrays: dict[str, numpy.ndarray], model: ServedModel) -> None:
    """Raises HttpError for an input that was given before, or that the model does not have."""
    if name in arrays:
        raise bad_request(f"input {name!r} is given twice")
    if name not in model.input_numbers:
        raise bad_request(f"model {model.name!r} has no input {shown(name)}; it has {', '.join(model.input_numbers)}")


def in_order(arrays: dict[str, numpy.ndarray], model: ServedModel) -> tuple[numpy.ndarray, ...]:
    """The arrays in the order of the model's inputs.  Raises HttpError where one is missing."""
    if missing := [name for name in model.input_numbers if name not in arrays]:
        raise bad_request(f"model {model.name!r} needs the input {missing[0]!r}")
    return tuple(arrays[name] for name in model.input_numbers)


def output_number(name: str, model: ServedModel) -> int:
    """The place of an output.  Raises HttpError for one that the model does not have."""
    if name not in model.output_numbers:
        raise bad_request(f"model {model.name!r} has no output {shown(name)}; it has {', '.join(model.output_numbers)}")
    return model.output_numbers[name]


def input_array(given: dict[str, Any], name: str, body: Body, most_elements: int) -> numpy.ndarray:
    """The array of an input.  Raises HttpError."""
    shape = checked_shape(given.get("shape"), name, most_elements)
    parameters = parameters_of(given, f"input {name!r}")
    datatype: Any = given.get("datatype")
    if "binary_data_size" not in parameters:
        return from_json(given.get("data"), shape, datatype, name)
    if "data" in given:
        raise bad_request(f"input {name!r} has both data and binary_data_size")
    return from_bytes(body.take(parameters["binary_data_size"], name), shape, datatype, name)


def requested_outputs(fields: dict[str, Any], model: ServedModel, as_bytes: bool) -> Sequence[tuple[int, bool]]:
    """(Number of the output, whether it is sent as bytes) of those that the client wants: all where it names none."""
    if not fields.get("outputs"):
        return [(number, as_bytes) for number in range(len(model.outputs))]
    found = {}
    for given in list_of_objects(fields["outputs"], "outputs"):
        name = name_of(given, "outputs")
        number = output_number(name, model)
        parameters = parameters_of(given, f"output {name!r}")
        found[number] = is_true(parameters, "binary_data", as_bytes)
    return list(found.items())


def list_of_objects(value: Any, what: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
        raise bad_request(f"{what} must be a list of objects, got {shown(value)}")
    if len(value) > MOST_TENSORS:
        raise bad_request(f"{what} has {len(value)} tensors, more than {MOST_TENSORS}")
    return value


def name_of(given: dict[str, Any], what: str) -> str:
    name = given.get("name")
    if not isinstance(name, str):
        raise bad_request(f"{what}: name must be a string, got {shown(name)}")
    return name


def parameters_of(given: dict[str, Any], what: str) -> dict[str, Any]:
    parameters = given.get("parameters")
    if parameters is None:
        return {}
    if not isinstance(parameters, dict):
        raise bad_request(f"{what}: parameters must be an object, got {shown(parameters)}")
    for name in UNSUPPORTED:
        if parameters.get(name):
            raise bad_request(f"{what}: this server has no {name}")
    return parameters


def is_true(parameters: dict[str, Any], name: str, default: bool = False) -> bool:
    value = parameters.get(name, default)
    if not isinstance(value, bool):
        raise bad_request(f"{name} must be true or false, got {shown(value)}")
    return value


def request_id_of(fields: dict[str, Any]) -> str | None:
    value = fields.get("id")
    if value is not None and (not isinstance(value, str) or len(value) > MOST_ID_LENGTH):
        raise bad_request(f"id must be a string of at most {MOST_ID_LENGTH} characters, got {shown(value)}")
    return value


def check_priority(parameters: dict[str, Any]) -> None:
    """Raises HttpError for a priority that is none; requests of one model are answered in the order they came in."""
    value = parameters.get("priority", 0)
    if type(value) is not int or value < 0:
        raise bad_request(f"priority must be a whole number from 0, got {shown(value)}")


def seconds_of(parameters: dict[str, Any]) -> float | None:
    """The time that the client gives, microseconds in the protocol."""
    value = parameters.get("timeout")
    if value is None:
        return None
    if type(value) is not int or value < 0:
        raise bad_request(f"timeout must be a whole number of microseconds, got {shown(value)}")
    return min(1e-6 * value, MOST_SECONDS) or None


def response(request: InferenceRequest, model: ServedModel, outputs: Any) -> tuple[bytes, list[Header]]:
    """The body of an answer, and the headers that it needs."""
    arrays = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    described, contents = [], []
    for number, as_bytes in request.outputs:
        array = host_array(arrays[number])
        tensor: dict[str, Any] = {
            "name": model.outputs[number].name, "shape": array.shape, "datatype": datatype_of_array(array),
        }  # fmt: skip
        if as_bytes:
            tensor["parameters"] = {"binary_data_size": array.nbytes}
            contents.append(array.tobytes())
        else:
            tensor["data"] = array.reshape(-1)
        described.append(tensor)
    fields: dict[str, Any] = {"model_name": model.name, "model_version": model.version, "outputs": described}
    if request.request_id is not None:
        fields["id"] = request.request_id
    try:
        text = orjson.dumps(fields, option=orjson.OPT_SERIALIZE_NUMPY)
    except TypeError as error:
        raise HttpError(500, f"the outputs have no form in JSON: {error}") from error
    if not contents:
        return text, [(b"content-type", b"application/json")]
    headers = [(b"content-type", b"application/octet-stream"), (HEADER_LENGTH, str(len(text)).encode())]
    return b"".join([text, *contents]), headers
