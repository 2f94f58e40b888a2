"""Requests that are wrong: each gets a 4xx with a message, soon, and the server goes on."""

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import pytest
from serve_cases.malformed_requests import malformed
from serve_cases.served import exchange, request, resident_bytes, saved, serving, serving_process, tensor

PATH = "/v2/models/small/infer"
X = [1.0, 2.0, 3.0, 4.0]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving({"small": saved(tmp_path_factory.mktemp("models"))}) as client:
        yield client


@pytest.mark.parametrize("body, message", [
    (request(tensor(X, (1, 4), name="y")), "model 'small' has no input 'y'; it has input"),
    (request(tensor(X, (1, 4)), tensor(X, (1, 4))), "input 'input' is given twice"),
    (request(tensor(X, (4,))), "model 'small': layer 0 (DenseLayer) expects (batch, 4), given (4,)"),
    (request(tensor(X[:3], (1, 3))), "model 'small': "),
    (request(tensor(X, (2, 4))), "8 elements are needed for the shape [2, 4], given 4"),
    (request(tensor([], (0, 4))), "a request needs at least one example"),
    (request(tensor(X, (-1, 4))), "sizes of a shape are whole numbers from 0, got -1"),
    (request(tensor(X, (True, 4))), "sizes of a shape are whole numbers from 0, got True"),
    (request(tensor(["1", 2, 3, 4], (1, 4))), "data must be numbers of FP32"),
    (request(tensor([1e300, 2, 3, 4], (1, 4))), "a number is out of the range of FP32"),
    (request(tensor([1e6, 2, 3, 4], (1, 4), datatype="FP16")), "a number is out of the range of FP16"),
    (request(tensor([300, 2, 3, 4], (1, 4), datatype="UINT8")), "a number is out of the range of UINT8"),
    (request(tensor([1.5, 2, 3, 4], (1, 4), datatype="INT32")), "data must be numbers of INT32"),
    (request(tensor([1, 0, 1, 0], (1, 4), datatype="BOOL")), "elements of BOOL are true or false"),
    (request(tensor(X, (1, 4), datatype="BYTES")), "datatype must be one of BOOL"),
    (request(tensor([[1.0], [2.0, 3.0, 4.0]], (1, 4))), "the lists in data have different lengths"),
    (request(tensor([[[1.0, 2.0, 3.0, 4.0]]], (1, 4))), "data is nested deeper than the shape has axes"),
    (request(outputs=[{"name": "y"}]), "model 'small' has no output 'y'; it has output"),
    (request(outputs=[{"name": "output", "parameters": {"classification": 2}}]), "this server has no classification"),
    (request(parameters={"timeout": -1}), "timeout must be a whole number of microseconds, got -1"),
    (request(parameters={"sequence_id": 5}), "this server has no sequence_id"),
    (request(parameters={"priority": "high"}), "priority must be a whole number from 0, got 'high'"),
    (request(parameters={"priority": -1}), "priority must be a whole number from 0, got -1"),
    ({}, 'the body needs "inputs": [{"name": NAME'),
    ({"instances": [X]}, "\"data\": [...]}]; it has 'instances'"),
    ({"inputs": []}, "inputs must be a list of objects, got []"),
    ([], "the body must be a JSON object"),
])  # fmt: skip
def test_what_is_wrong_is_said(client, body, message):
    answer = client.post(PATH, json=body)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize("method, path, status, message", [
    ("GET", "/nothing", 404, "there is nothing at '/nothing'; POST /v2/repository/index lists"),
    ("GET", "/v2/models/none", 404, "there is no model 'none'; models: small"),
    ("GET", "/v2/models/small/versions/2", 404, "model 'small' has no version '2'; it has '1'"),
    ("GET", PATH, 405, f"'{PATH}' takes POST, got 'GET'"),
    ("DELETE", "/v2", 405, "'/v2' takes GET, got 'DELETE'"),
    ("POST", "/v2/repository/models/none/load", 404, "there is no model 'none'"),
])  # fmt: skip
def test_addresses_and_methods(client, method, path, status, message):
    answer = client.request(method, path)
    assert answer.status_code == status
    assert message in answer.json()["error"]
    if status == 405:
        assert method not in answer.headers["allow"]


def test_a_file_that_a_client_names_is_not_loaded(client):
    answer = client.post("/v2/repository/models/small/load", json={"parameters": {"config": "{}"}})
    assert (answer.status_code, answer.json()["error"][:24]) == (400, "load takes no parameters")


def refusals(address, seeds):
    """(Seconds, status, seed) of each malformed request."""
    for seed in seeds:
        content = malformed(seed)
        start = time.perf_counter()
        answer = exchange(address, content)
        seconds = time.perf_counter() - start
        assert (found := re.match(rb"HTTP/1.1 (\d+) ", answer)), (seed, content[:200], answer[:200])
        status = int(found[1])
        assert 400 <= status < 500, (seed, content[:300], answer[:300])
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"], (seed, answer)
        yield seconds


def test_a_thousand_malformed_requests(client):
    seconds = sorted(refusals(client.address, range(1000)))
    assert seconds[990] < 0.1  # others may have had the cores for a moment
    assert client.post(PATH, json=request()).status_code == 200


@contextmanager
def asked_all_the_time(port):
    """Two clients that ask one valid request after another meanwhile."""
    is_over = threading.Event()

    def ask():
        with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
            n_answers = 0
            while not is_over.is_set():
                connection.request("POST", PATH, json.dumps(request()))
                answer = connection.getresponse()
                assert (answer.status, answer.read()[:1]) == (200, b"{")
                n_answers += 1
            return n_answers

    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(ask) for _ in range(2)]
        yield
        is_over.set()
        assert all(each.result(60) for each in asking)


def check_under_load(folder, n, most_late):
    """So many malformed requests beside valid ones: nearly none takes 100 ms, and memory is flat."""
    saved(folder)
    with serving_process(folder, "--access-log", folder / ".log") as (process, port):
        address = "127.0.0.1", port
        list(refusals(address, range(-n // 50, 0)))
        before = resident_bytes(process.pid)
        with asked_all_the_time(port):
            seconds = sorted(refusals(address, range(n)))
        grown = resident_bytes(process.pid) - before
        late = sum(each > 0.1 for each in seconds)
        print(f"99.9 % within {1e3 * seconds[-n // 1000 - 1]:.1f} ms, all within {1e3 * seconds[-1]:.1f} ms, "
              f"{late} after 100 ms, memory grown by {grown / 2**20:.1f} MiB")  # fmt: skip
        assert grown < 32 << 20
        assert late <= most_late  # others may have had the cores for a moment


def test_malformed_requests_under_load(tmp_path):
    check_under_load(tmp_path, 250, 10)


@pytest.mark.slow
def test_a_hundred_thousand_malformed_requests_under_load(tmp_path):
    check_under_load(tmp_path, 100_000, 10)
