"""The client of the Triton server asks nd4py's over gRPC: inference, metadata, repository, errors, tokens."""

import asyncio
import json
import socket
import sys
import threading

import numpy as np
import pytest
from serve_cases.served import saved, serving, small_network, until

from nd4py import serve
from nd4py.serve.http_server import server_of

grpc = pytest.importorskip("grpc")
grpc_client = pytest.importorskip("tritonclient.grpc")
service_pb2 = pytest.importorskip("tritonclient.grpc.service_pb2")
messages = pytest.importorskip("nd4py.serve.rpc.grpc_messages")
message_class = messages.message_class
InferenceServerException = pytest.importorskip("tritonclient.utils").InferenceServerException

X = np.random.default_rng(0).normal(size=(5, 4)).astype("float32")


def client_of(served):
    return grpc_client.InferenceServerClient(f"127.0.0.1:{served.grpc_port}")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = saved(tmp_path_factory.mktemp("models")).parent
    with serving(folder=folder, grpc_port=0, access_log=folder / "log") as served:
        triton = client_of(served)
        triton.folder, triton.port = folder, served.grpc_port
        yield triton
        triton.close()


def given(x=X, datatype="FP32"):
    tensor = grpc_client.InferInput("input", x.shape, datatype)
    tensor.set_data_from_numpy(x)
    return tensor


@pytest.mark.parametrize("name", messages.MESSAGES)
def test_messages_are_those_of_the_protocol(name):
    """Field for field: names, numbers, types, and what is repeated."""
    homes = {
        "TensorMetadata": "ModelMetadataResponse", "InferInputTensor": "ModelInferRequest",
        "InferRequestedOutputTensor": "ModelInferRequest", "InferOutputTensor": "ModelInferResponse",
        "ModelIndex": "RepositoryIndexResponse",
    }  # fmt: skip
    theirs = getattr(service_pb2, homes[name]).DESCRIPTOR.nested_types_by_name[name] if name in homes else (
        getattr(service_pb2, name).DESCRIPTOR
    )  # fmt: skip

    def fields(descriptor):
        return {
            field.name: (field.number, field.type, field.is_repeated, field.containing_oneof is not None)
            for field in descriptor.fields
        }

    assert fields(message_class(name).DESCRIPTOR) == fields(theirs)


def test_infer(client):
    wanted = grpc_client.InferRequestedOutput("output")
    answer = client.infer("small", [given()], outputs=[wanted], request_id="9")
    assert answer.get_response().id == "9"
    assert answer.as_numpy("output").tobytes() == small_network().output(X).tobytes()


def test_infer_without_outputs_named(client):
    assert client.infer("small", [given()], model_version="1").as_numpy("output").shape == (5, 3)


def test_numbers_that_are_no_bytes(client):
    """Other clients write them into the fields of the message."""
    asked = message_class("ModelInferRequest")(model_name="small")
    tensor = asked.inputs.add(name="input", datatype="FP32", shape=[5, 4])
    tensor.contents.fp32_contents.extend(X.reshape(-1).tolist())
    with grpc.insecure_channel(f"127.0.0.1:{client.port}") as made:
        call = made.unary_unary(
            "/inference.GRPCInferenceService/ModelInfer",
            request_serializer=message_class("ModelInferRequest").SerializeToString,
            response_deserializer=message_class("ModelInferResponse").FromString,
        )
        answer = call(asked, timeout=10)
    found = np.frombuffer(answer.raw_output_contents[0], "float32").reshape(5, 3)
    assert found.tobytes() == small_network().output(X).tobytes()


def test_many_at_a_time(client):
    found, done = [], threading.Semaphore(0)

    def add(result, error):
        found.append((result, error))
        done.release()

    for _ in range(16):
        client.async_infer("small", [given()], add)
    for _ in range(16):
        assert done.acquire(timeout=20)
    assert all(error is None and result.as_numpy("output").shape == (5, 3) for result, error in found)


def test_what_the_server_says_of_itself_and_its_models(client):
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("small")
    assert client.get_server_metadata().name == "nd4py"
    described = client.get_model_metadata("small")
    assert (described.name, list(described.versions)) == ("small", ["1"])
    assert [(each.name, each.datatype, list(each.shape)) for each in described.inputs] == [("input", "FP32", [-1, 4])]


def test_the_repository(client):
    assert [(each.name, each.state) for each in client.get_model_repository_index().models] == [("small", "READY")]
    client.unload_model("small")
    assert not client.is_model_ready("small")
    with pytest.raises(InferenceServerException, match="INVALID_ARGUMENT.* 'small' is not loaded"):
        client.infer("small", [given()])
    client.load_model("small")
    assert client.is_model_ready("small")


@pytest.mark.parametrize(
    "name, tensors, code, words",
    [
        ("other", lambda: [given()], "NOT_FOUND", "other"),
        ("small", lambda: [given(X[:, :3].copy())], "INVALID_ARGUMENT", "small"),
        ("small", lambda: [given(), given()], "INVALID_ARGUMENT", "given twice"),
        ("small", list, "INVALID_ARGUMENT", "needs the input 'input'"),
    ],
)
def test_wrong_requests(client, name, tensors, code, words):
    with pytest.raises(InferenceServerException) as caught:
        client.infer(name, tensors())
    assert code in str(caught.value)
    assert words in str(caught.value)


def test_requests_are_in_the_log(client):
    client.infer("small", [given()])
    asked = "/v2/models/small/infer"

    def lines():
        return [json.loads(line) for line in (client.folder / "log").read_text().splitlines()]

    until(lambda: any(line["path"] == asked and line["bytes_in"] > X.nbytes for line in lines()))
    last = [line for line in lines() if line["path"] == asked][-1]
    assert (last["model"], last["status"]) == ("small", 200)


def test_a_token(tmp_path):
    saved(tmp_path)
    with serving(folder=tmp_path, grpc_port=0, token="secret", wait=False) as served:
        triton = client_of(served)
        with pytest.raises(InferenceServerException, match="UNAUTHENTICATED"):
            triton.get_model_metadata("small")
        headers = {"authorization": "Bearer secret"}
        assert triton.is_server_live()
        assert triton.get_server_metadata(headers=headers).name == "nd4py"
        triton.close()


def test_a_server_that_ends_answers_what_was_asked(tmp_path):
    saved(tmp_path)
    with serving(folder=tmp_path, grpc_port=0) as served:
        triton = client_of(served)
        assert triton.infer("small", [given()]).as_numpy("output").shape == (5, 3)
    with pytest.raises(InferenceServerException, match="UNAVAILABLE"):
        triton.infer("small", [given()])
    triton.close()


def test_a_port_that_is_taken(tmp_path):
    saved(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = serve.Settings(port=0, grpc_port=taken.getsockname()[1])
        server = server_of(serve.Application(folder=tmp_path, settings=settings))
        with pytest.raises(OSError, match="gRPC cannot listen at 127.0.0.1"):
            asyncio.run(server.serve())


@pytest.mark.parametrize("package", ["grpc", "google.protobuf"])
def test_packages_that_are_missing(tmp_path, monkeypatch, package):
    saved(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    server = server_of(serve.Application(folder=tmp_path, settings=serve.Settings(port=0, grpc_port=0)))
    with pytest.raises(ImportError, match=rf"gRPC needs {package} .*pip install 'nd4py\[grpc\]'"):
        asyncio.run(server.serve())
