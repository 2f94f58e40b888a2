"""The Open Inference Protocol over HTTP: health, metadata, inference and the repository of models."""

import asyncio
import gzip
import json
import zlib

import numpy as np
import pytest
from serve_cases.served import request, saved, serving, small_network, tensor

from nd4py import nn
from nd4py.serve.content_coding import decompressed
from nd4py.serve.http_errors import HttpError

PATH = "/v2/models/small/infer"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    saved(folder)
    inputs = {"ids": nn.InputType.recurrent(1), "x": nn.InputType.feed_forward(2)}
    vertices = {
        "words": (nn.EmbeddingSequenceLayer(7, 5), "ids"),
        "last": (nn.LastTimeStep(nn.LSTM(4)), "words"),
        "all": (nn.MergeVertex(), "last", "x"),
        "class": (nn.OutputLayer(2), "all"),
        "size": (nn.OutputLayer(1, loss="mse", activation="identity"), "x"),
    }
    nn.ComputationGraph(inputs, vertices, outputs=("class", "size"), seed=2).save(folder / "graph.zip")
    with serving(folder=folder) as client:
        yield client


def test_health_and_metadata_of_the_server(client):
    assert client.get("/v2/health/live").json() == {"live": True}
    assert client.get("/v2/health/ready").json() == {"ready": True}
    found = client.get("/v2").json()
    assert found["name"] == "nd4py"
    assert "binary_tensor_data" in found["extensions"]
    assert client.head("/v2/health/live").status_code == 200


@pytest.mark.parametrize("version", ["", "/versions/1"])
def test_metadata_of_a_model(client, version):
    assert client.get(f"/v2/models/small{version}").json() == {
        "name": "small", "versions": ["1"], "platform": "nd4py",
        "inputs": [{"name": "input", "datatype": "FP32", "shape": [-1, 4]}],
        "outputs": [{"name": "output", "datatype": "FP32", "shape": [-1, 3]}],
    }  # fmt: skip
    assert client.get(f"/v2/models/small{version}/ready").json() == {"name": "small", "ready": True}


def test_metadata_of_a_graph_has_the_names_of_its_inputs_and_outputs(client):
    found = client.get("/v2/models/graph").json()
    assert found["inputs"] == [
        {"name": "ids", "datatype": "INT64", "shape": [-1, -1, 1]},
        {"name": "x", "datatype": "FP32", "shape": [-1, 2]},
    ]
    assert [(each["name"], each["shape"]) for each in found["outputs"]] == [("class", [-1, 2]), ("size", [-1, 1])]


@pytest.mark.parametrize("n_rows", [1, 5])
@pytest.mark.parametrize("is_nested", [False, True])
def test_answers_are_the_outputs_of_the_network(client, n_rows, is_nested):
    x = np.random.default_rng(n_rows).normal(size=(n_rows, 4)).astype("float32")
    data = x.tolist() if is_nested else x.ravel().tolist()
    answer = client.post(PATH, json=request(tensor(data, x.shape), id="seven"))
    assert answer.status_code == 200
    found = answer.json()
    (output,) = found.pop("outputs")
    assert found == {"model_name": "small", "model_version": "1", "id": "seven"}
    wanted = small_network().output(x)
    assert (output["name"], output["datatype"], output["shape"]) == ("output", "FP32", [n_rows, 3])
    assert np.asarray(output["data"], "float32").tobytes() == wanted.tobytes()


def test_outputs_are_chosen_by_name(client):
    inputs = [tensor([1, 2, 3], (1, 3, 1), "ids", "INT64"), tensor([0.5, 1.5], (1, 2), "x")]
    answer = client.post("/v2/models/graph/infer", json=request(*inputs, outputs=[{"name": "size"}]))
    assert [each["name"] for each in answer.json()["outputs"]] == ["size"]
    both = client.post("/v2/models/graph/infer", json=request(*inputs)).json()["outputs"]
    assert [each["name"] for each in both] == ["class", "size"]
    assert both[1] == answer.json()["outputs"][0]


@pytest.mark.parametrize("datatype, dtype", [
    ("FP64", "f8"), ("FP16", "f2"), ("INT8", "i1"), ("INT16", "i2"), ("INT32", "i4"), ("INT64", "i8"),
    ("UINT8", "u1"), ("UINT16", "u2"), ("UINT32", "u4"), ("UINT64", "u8"),
])  # fmt: skip
@pytest.mark.parametrize("is_binary", [False, True])
def test_other_datatypes_become_the_network_s(client, datatype, dtype, is_binary):
    x = np.array([[1, 2, 3, 100]], dtype)
    wanted = small_network().output(x.astype("float32"))
    if is_binary:
        answer = client.post(PATH, **binary(x, datatype))
    else:
        answer = client.post(PATH, json=request(tensor(x.ravel().tolist(), x.shape, datatype=datatype)))
    assert np.asarray(answer.json()["outputs"][0]["data"], "float32").tobytes() == wanted.tobytes()


def binary(x, datatype="FP32", **fields):
    """A request whose input is bytes after the JSON."""
    described = {"name": "input", "shape": list(x.shape), "datatype": datatype}
    text = json.dumps({"inputs": [{**described, "parameters": {"binary_data_size": x.nbytes}}], **fields}).encode()
    headers = {"inference-header-content-length": str(len(text)), "content-type": "application/octet-stream"}
    return {"content": text + x.tobytes(), "headers": headers}


@pytest.mark.parametrize("how", [
    {"parameters": {"binary_data_output": True}},
    {"outputs": [{"name": "output", "parameters": {"binary_data": True}}]},
])  # fmt: skip
def test_outputs_as_bytes(client, how):
    x = np.random.default_rng(3).normal(size=(2, 4)).astype("float32")
    answer = client.post(PATH, **binary(x, **how))
    n_text = int(answer.headers["inference-header-content-length"])
    (output,) = json.loads(answer.content[:n_text])["outputs"]
    assert output["parameters"] == {"binary_data_size": 24}
    assert "data" not in output
    assert answer.content[n_text:] == small_network().output(x).tobytes()


@pytest.mark.parametrize("coding, code", [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_compressed_requests_and_answers(client, coding, code):
    x = np.random.default_rng(4).normal(size=(200, 4)).astype("float32")
    content = code(json.dumps(request(tensor(x.ravel().tolist(), x.shape))).encode())
    headers = {"content-encoding": coding, "accept-encoding": coding}
    answer = client.post(PATH, content=content, headers=headers)
    assert answer.headers["content-encoding"] == coding
    found = np.asarray(answer.json()["outputs"][0]["data"], "float32")
    assert found.tobytes() == small_network().output(x).tobytes()
    plain = client.post(PATH, content=content, headers={**headers, "accept-encoding": f"{coding};q=0, br"})
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("coding, code", [("gzip", gzip.compress), ("deflate", zlib.compress)])
@pytest.mark.parametrize("end", [None, -1, -5, 12])
def test_bodies_that_are_cut_short_or_not_compressed_are_told_as_such(client, coding, code, end):
    content = b"not compressed" if end is None else code(json.dumps(request(tensor([0.5] * 4, (1, 4)))).encode())[:end]
    answer = client.post(PATH, content=content, headers={"content-encoding": coding})
    assert (answer.status_code, f"the body is not {coding}" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize("n_bytes", [100, (5 << 20) - 1, 5 << 20, 40 << 20])
def test_a_body_is_decompressed_in_parts_between_which_others_are_answered(n_bytes):
    async def counted():
        n_turns = 0

        async def count():
            nonlocal n_turns
            while True:
                n_turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        try:
            found = await decompressed(zlib.compress(bytes(n_bytes)), b"deflate", 5 << 20)
        except HttpError as error:
            found = error
        counting.cancel()
        return n_turns, found

    n_turns, found = asyncio.run(counted())
    assert n_turns >= min(n_bytes, 5 << 20) >> 20
    assert found.status == 413 if n_bytes > 5 << 20 else found == bytes(n_bytes)


def test_the_repository_is_told_and_changed(client):
    assert client.post("/v2/repository/index").json() == [
        {"name": "graph", "version": "1", "state": "READY", "reason": ""},
        {"name": "small", "version": "1", "state": "READY", "reason": ""},
    ]
    assert client.post("/v2/repository/models/graph/unload", json={}).status_code == 200
    index = {each["name"]: each for each in client.post("/v2/repository/index", json={}).json()}
    assert index["graph"] == {"name": "graph", "version": "1", "state": "UNAVAILABLE", "reason": "it was unloaded"}
    assert [each["name"] for each in client.post("/v2/repository/index", json={"ready": True}).json()] == ["small"]
    gone = client.get("/v2/models/graph")
    assert (gone.status_code, gone.json()["error"]) == (400, "model 'graph' is not loaded: it was unloaded")
    assert client.post("/v2/repository/models/graph/load", json={}).status_code == 200
    assert client.get("/v2/models/graph/ready").status_code == 200


def test_statistics_count_what_was_asked(client):
    (before,) = client.get("/v2/models/small/stats").json()["model_stats"]
    client.post(PATH, json=request(tensor([0.0] * 12, (3, 4))))
    (after,) = client.get("/v2/models/small/versions/1/stats").json()["model_stats"]
    assert after["inference_count"] == before["inference_count"] + 3
    assert after["execution_count"] == before["execution_count"] + 1
    assert sum(after["latency"]["counts"]) == after["inference_stats"]["success"]["count"]
    assert {each["name"] for each in client.get("/v2/models/stats").json()["model_stats"]} >= {"small"}


def test_the_trace_of_a_client_is_kept(client):
    trace = "0af7651916cd43dd8448eb211c80319c"
    answer = client.get("/v2", headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
    assert answer.headers["x-trace-id"] == trace
    assert len(client.get("/v2", headers={"traceparent": "00-zz-1-01"}).headers["x-trace-id"]) == 32
