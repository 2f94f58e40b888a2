"""The files of a server: kinds of models, folders, hot reload, and damaged files."""

import os
import time
from pathlib import Path

import httpx
import numpy as np
import onnx
import pytest
from serve_cases.served import request, saved, serving, serving_process, small_network, tensor, until

from nd4py import data, keras, nn, serve, train

PATH = "/v2/models/small/infer"
X = np.array([[1.0, 2.0, 3.0, 4.0]], "float32")


def answer_of(client, name="small"):
    """The numbers of the first output for X, or the error."""
    found = client.post(f"/v2/models/{name}/infer", json=request())
    return found.json()["outputs"][0]["data"] if found.status_code == 200 else found.json()["error"]


def wanted(**settings):
    return small_network(**settings).output(X).ravel().tolist()


def close_to(found, numbers):
    return isinstance(found, list) and len(found) == len(numbers) and np.allclose(found, numbers, atol=1e-6)


def replace(path, **settings):
    """Write another network to the file of a model, as one should: to another file, which then takes its name."""
    small_network(**settings).save(path.with_name(".next.zip"))
    os.replace(path.with_name(".next.zip"), path)


def test_a_changed_file_is_loaded_again(tmp_path):
    path = saved(tmp_path)
    with serving({"small": path}) as client:
        assert close_to(answer_of(client), wanted())
        replace(path, seed=2)
        until(lambda: close_to(answer_of(client), wanted(seed=2)))
        replace(path, seed=2, n_out=5)  # other outputs
        until(lambda: close_to(answer_of(client), wanted(seed=2, n_out=5)))
        assert client.get("/v2/models/small").json()["outputs"][0]["shape"] == [-1, 5]


def test_requests_are_answered_while_files_change(tmp_path):
    path = saved(tmp_path)
    answers = [wanted(seed=seed) for seed in (1, 2)]
    with serving({"small": path}) as client:
        for seed in (2, 1, 2, 1):
            replace(path, seed=seed)
            end = time.monotonic() + 0.2
            while time.monotonic() < end:
                found = answer_of(client)
                assert any(close_to(found, each) for each in answers), found


def test_a_damaged_file_changes_no_answer_and_is_told(tmp_path):
    path = saved(tmp_path)
    with serving({"small": path}) as client:
        path.write_bytes(b"PK damaged")
        (entry,) = until_index(client, lambda entries: entries[0]["reason"])
        assert entry["state"] == "READY"
        assert "small.zip is not a network saved by nd4py, or it is cut short" in entry["reason"]
        assert str(tmp_path) not in entry["reason"]
        assert close_to(answer_of(client), wanted())
        refused = client.post("/v2/repository/models/small/load")
        assert refused.status_code == 400
        assert "cannot be loaded" in refused.json()["error"]
        replace(path, seed=3)
        until(lambda: close_to(answer_of(client), wanted(seed=3)))


def until_index(client, condition):
    """The index of the repository, when it fulfils a condition."""
    until(lambda: condition(client.post("/v2/repository/index").json()))
    return client.post("/v2/repository/index").json()


def test_files_that_come_and_go_in_a_folder(tmp_path):
    saved(tmp_path)
    with serving(folder=tmp_path) as client:
        other = saved(tmp_path, "other", seed=4)
        until(lambda: close_to(answer_of(client, "other"), wanted(seed=4)))
        other.unlink()
        until_index(client, lambda entries: [each["name"] for each in entries] == ["small"])
        assert client.get("/v2/models/other").status_code == 404


def test_an_unloaded_model_stays_away_until_it_is_loaded(tmp_path):
    path = saved(tmp_path)
    with serving(folder=tmp_path) as client:
        client.post("/v2/repository/models/small/unload")
        replace(path, seed=5)
        time.sleep(0.3)
        assert answer_of(client) == "model 'small' is not loaded: it was unloaded"
        client.post("/v2/repository/models/small/load")
        assert close_to(answer_of(client), wanted(seed=5))


def test_files_that_are_no_models_are_told(tmp_path, caplog):
    caplog.set_level("INFO", "nd4py.serve")
    saved(tmp_path)
    for name in ("net.pt", "a b.zip", "broken.onnx", ".hidden.zip"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "broken.zip").write_bytes(b"")
    with serving(folder=tmp_path) as client:  # a damaged file of a folder keeps nobody from being answered
        entries = client.post("/v2/repository/index").json()
        assert [(each["name"], each["state"]) for each in entries] == [("broken", "UNAVAILABLE"), ("small", "READY")]
        shown = entries[0]["reason"] + client.get("/v2/models/broken").json()["error"]
        assert shown.count("broken.onnx is no ONNX model") == 2
        assert str(tmp_path) not in shown
    told = [record.getMessage() for record in caplog.records]
    assert any("net.pt: not a kind of file that is served; known: .zip, .onnx, .keras" in each for each in told)
    assert any("a b.zip: the name does not fit into an address" in each for each in told)
    assert any("there is a model 'broken' already" in each for each in told)
    assert not any(".hidden" in each for each in told)
    assert "ready: small" in told


def test_a_damaged_model_that_was_named_keeps_the_server_from_being_ready(tmp_path):
    path = tmp_path / "small.zip"
    path.write_bytes(b"damaged")
    with serving({"small": path}, wait=False) as client:
        until_index(client, lambda entries: entries[0]["state"] == "UNAVAILABLE")
        refused = client.get("/v2/health/ready")
        assert refused.status_code == 503
        replace(path)
        until(lambda: client.get("/v2/health/ready").status_code == 200)


def test_the_normalizer_of_a_network_is_applied(tmp_path):
    network = small_network()
    features = np.random.default_rng(0).normal(3.0, 2.0, size=(50, 4)).astype("float32")
    normalizer = data.NormalizerStandardize()
    normalizer.fit(data.DataSet(features, np.zeros((50, 3), "float32")))
    train.save(network, tmp_path / "small.zip", normalizer=normalizer)
    with serving(folder=tmp_path) as client:
        found = answer_of(client)
    assert np.allclose(found, network.output(normalizer.transform_features(X)).ravel(), atol=1e-6)
    assert not np.allclose(found, network.output(X).ravel(), atol=1e-3)


def onnx_file(path, text):
    onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> {text}'), path)
    return path


def test_models_of_the_onnx_format(tmp_path):
    nodes = "y = Gather(x, i)\n z = ReduceSum<keepdims=0>(x)"
    text = f"agraph (float[n, 2] x, int64[k] i) => (float[k, 2] y, float z) {{ {nodes} }}"
    with serving({"rows": onnx_file(tmp_path / "rows.onnx", text)}) as client:
        assert client.get("/v2/models/rows").json() == {
            "name": "rows", "versions": ["1"], "platform": "onnx",
            "inputs": [
                {"name": "x", "datatype": "FP32", "shape": [-1, 2]}, {"name": "i", "datatype": "INT64", "shape": [-1]},
            ],
            "outputs": [
                {"name": "y", "datatype": "FP32", "shape": [-1, 2]}, {"name": "z", "datatype": "FP32", "shape": []},
            ],
        }  # fmt: skip
        x = tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], (3, 2), "x")
        answer = client.post("/v2/models/rows/infer", json=request(x, tensor([2, 0], (2,), "i", "INT64")))
        y, z = answer.json()["outputs"]
        assert (y["data"], y["shape"], z["data"], z["shape"]) == ([5.0, 6.0, 1.0, 2.0], [2, 2], [21.0], [])
        for wrong in (tensor([2, 7], (2,), "i", "INT64"), tensor([2, 0], (2,), "i", "INT32"), tensor([], (0, 1), "i")):
            assert client.post("/v2/models/rows/infer", json=request(x, wrong)).status_code == 400


def test_models_that_keras_saved(tmp_path):
    path = Path(__file__).parents[1] / "model_files/kept/dense.keras"
    with serving({"dense": path}) as client:
        described = client.get("/v2/models/dense").json()
        assert described["platform"] == "keras"
        (given,) = described["inputs"]
        x = np.random.default_rng(0).normal(size=(3, *given["shape"][1:])).astype("float32")
        answer = client.post("/v2/models/dense/infer", json=request(tensor(x.ravel().tolist(), x.shape, given["name"])))
        (output,) = answer.json()["outputs"]
    assert np.allclose(output["data"], keras.load(path).output(x).ravel(), atol=1e-6)


@pytest.mark.parametrize("models, error, message", [
    ({}, ValueError, "no models"),
    ({"a/b": "a.zip"}, ValueError, "names of models are letters, digits"),
    ({"a": 3}, TypeError, "the file of model 'a'"),
])  # fmt: skip
def test_wrong_models_are_refused(models, error, message):
    with pytest.raises(error, match=message):
        serve.Application(models)
    with pytest.raises(NotADirectoryError, match="is no folder"):
        serve.Application(folder="/nowhere")


def test_a_file_in_place_of_a_folder_is_told_how_it_is_served(tmp_path):
    path = saved(tmp_path)
    with pytest.raises(NotADirectoryError, match=rf"is no folder; serve a single file by --model {path.stem}={path}"):
        serve.Application(folder=path)


def test_the_command_serves_and_ends_when_it_is_told(tmp_path):
    path = saved(tmp_path)
    with serving_process("--model", f"a={path}", "--access-log", tmp_path / "log") as (process, port):
        answer = httpx.post(f"http://127.0.0.1:{port}/v2/models/a/infer", json=request())
        assert close_to(answer.json()["outputs"][0]["data"], wanted())
        process.terminate()
        assert process.wait(30) == 0
    assert '"path":"/v2/models/a/infer"' in (tmp_path / "log").read_text()


def test_recurrent_inputs_of_any_length(tmp_path):
    layers = [nn.LSTM(3), nn.RnnOutputLayer(2)]
    network = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(2), seed=1)
    network.save(tmp_path / "steps.zip")
    with serving(folder=tmp_path) as client:
        for length in (1, 20):
            x = np.random.default_rng(length).normal(size=(2, length, 2)).astype("float32")
            answer = client.post("/v2/models/steps/infer", json=request(tensor(x.ravel().tolist(), x.shape)))
            assert np.allclose(answer.json()["outputs"][0]["data"], network.output(x).ravel(), atol=1e-6)
