"""The client of the Triton server asks nd4py's: JSON and bytes, compression, metadata, repository, statistics."""

import numpy as np
import pytest
from serve_cases.served import saved, serving, small_network

http = pytest.importorskip("tritonclient.http")

X = np.random.default_rng(0).normal(size=(5, 4)).astype("float32")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(folder=saved(tmp_path_factory.mktemp("models")).parent) as served:
        triton = http.InferenceServerClient("{}:{}".format(*served.address))
        yield triton
        triton.close()


@pytest.mark.parametrize("is_binary_in", [False, True])
@pytest.mark.parametrize("is_binary_out", [False, True])
@pytest.mark.parametrize("coding", [None, "gzip", "deflate"])
def test_infer(client, is_binary_in, is_binary_out, coding):
    given = http.InferInput("input", X.shape, "FP32")
    given.set_data_from_numpy(X, binary_data=is_binary_in)
    wanted = http.InferRequestedOutput("output", binary_data=is_binary_out)
    answer = client.infer(
        "small", [given], outputs=[wanted], request_id="9", timeout=5_000_000,
        request_compression_algorithm=coding, response_compression_algorithm=coding,
    )  # fmt: skip
    assert answer.get_response()["id"] == "9"
    assert answer.as_numpy("output").tobytes() == small_network().output(X).tobytes()


def test_infer_without_outputs_named(client):
    given = http.InferInput("input", X.shape, "FP32")
    given.set_data_from_numpy(X)
    assert client.infer("small", [given]).as_numpy("output").shape == (5, 3)


def test_requests_that_wait_at_a_time(client):
    given = http.InferInput("input", X.shape, "FP32")
    given.set_data_from_numpy(X)
    answers = [client.async_infer("small", [given]) for _ in range(8)]
    assert all(each.get_result().as_numpy("output").shape == (5, 3) for each in answers)


def test_what_the_server_says_of_itself_and_its_models(client):
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("small")
    assert client.get_server_metadata()["name"] == "nd4py"
    assert client.get_model_metadata("small")["inputs"] == [{"name": "input", "datatype": "FP32", "shape": [-1, 4]}]
    assert client.get_inference_statistics("small")["model_stats"][0]["name"] == "small"


def test_the_repository(client):
    assert [each["name"] for each in client.get_model_repository_index()] == ["small"]
    client.unload_model("small")
    assert not client.is_model_ready("small")
    with pytest.raises(http.InferenceServerException if hasattr(http, "InferenceServerException") else Exception):
        client.infer("small", [])
    client.load_model("small")
    assert client.is_model_ready("small")
