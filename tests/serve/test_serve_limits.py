"""What a server refuses, and when it gives up: clients, sizes, rates, time, and too many requests."""

import http.client
import json
import signal
import socket
import ssl
import subprocess
import threading
import time
from dataclasses import replace

import httpx
import pytest
from serve_cases.served import (
    exchange,
    received,
    request,
    saved,
    serving,
    serving_process,
    small_network,
    tensor,
    until,
)

import nd4py as nd
from nd4py import serve
from nd4py.serve import served_models

PATH = "/v2/models/small/infer"


@pytest.fixture
def small(tmp_path):
    return {"small": saved(tmp_path)}


def test_a_token(small):
    with serving(small, token="secret") as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "secret"}):
            refused = client.post(PATH, json=request(), headers=headers)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
            assert client.get("/metrics", headers=headers).status_code == 401
        assert client.post(PATH, json=request(), headers={"authorization": "Bearer secret"}).status_code == 200
        assert client.get("/").status_code == client.get("/v2/health/live").status_code == 200


@pytest.mark.parametrize("headers, status", [
    ({"origin": "http://evil.example"}, 403),
    ({"host": "evil.example:80"}, 403),
    ({"host": "[::1"}, 403),
    ({"host": "localhost:1", "origin": "http://localhost:1"}, 200),
    ({"host": "[::1]:8080"}, 200),
    ({"origin": "null"}, 403),
])  # fmt: skip
def test_pages_of_other_origins(small, headers, status):
    with serving(small) as client:
        assert client.post(PATH, json=request(), headers=headers).status_code == status


def test_sizes(small):
    with serving(small, max_body_bytes=1000, max_rows=2, max_elements=10) as client:
        rows = [client.post(PATH, json=request(tensor([0.0] * 4 * n, (n, 4)))) for n in (2, 3)]
        assert [each.status_code for each in rows] == [200, 413]
        assert "more than the 10 elements" in rows[1].json()["error"]
        long = client.post(PATH, content=b"x" * 1001)
        assert (long.status_code, "longer than the 1000 bytes" in long.json()["error"]) == (413, True)
        parts = client.post(PATH, content=iter([b"x" * 600] * 2))
        assert parts.status_code == 413
    with serving(small, max_rows=2) as client:
        refused = client.post(PATH, json=request(tensor([0.0] * 12, (3, 4))))
        assert (refused.status_code, refused.json()["error"][:10]) == (413, "3 examples")


def test_a_rate(small):
    with serving(small, rate=5.0, burst=3, wait=False) as client:
        answers = [client.get("/v2/health/live") for _ in range(4)]
        assert [each.status_code for each in answers] == [200, 200, 200, 429]
        assert answers[-1].headers["retry-after"] == "1"
        until(lambda: client.get("/v2/health/live").status_code == 200)


def test_long_headers_and_slow_requests(small):
    with serving(small, header_seconds=0.2, body_seconds=0.2, max_header_bytes=2000) as client:
        long = exchange(client.address, b"GET /v2 HTTP/1.1\r\nx: " + b"y" * 3000)
        assert long.startswith(b"HTTP/1.1 431 ")
        many = b"".join(b"x%d: y\r\n" % i for i in range(300))
        assert exchange(client.address, b"GET /v2 HTTP/1.1\r\n" + many + b"\r\n").startswith(b"HTTP/1.1 431 ")
        for slow in (
            b"",
            b"GET /v2 HT",
            b"POST /v2/models/small/infer HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{",
        ):
            start = time.monotonic()
            assert exchange(client.address, slow).startswith(b"HTTP/1.1 408 ")
            assert time.monotonic() - start < 5
        assert client.get("/v2/health/live").status_code == 200


@pytest.mark.parametrize("protocol", ["h2c", "websocket"])
def test_a_client_that_would_speak_another_protocol_is_answered_in_this_one(small, protocol):
    headers = {
        "connection": "Upgrade, HTTP2-Settings",
        "Upgrade": protocol,
        "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
    }
    with serving(small) as client:
        for _ in range(2):
            assert client.post(PATH, json=request(), headers=headers).status_code == 200


def test_too_many_connections(small):
    with serving(small, max_connections=2) as client, socket.create_connection(client.address):  # with the client's
        refused = exchange(client.address, b"")
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after" in refused


class Slow:
    """A model that computes until it is told to go on."""

    go_on = threading.Event()

    def __init__(self, snapshot):
        self._snapshot = snapshot

    def __getattr__(self, name):
        return getattr(self._snapshot, name)

    def outputs(self, inputs, masks=None):
        time.sleep(0.001)  # it is not quick
        assert self.go_on.wait(20)
        return self._snapshot.outputs(inputs, masks)


@pytest.fixture
def slow(small, monkeypatch):
    """The file of a model that computes until `Slow.go_on` is set; one at a time."""

    def slow_model(name, path):
        model = served_models.network_model(name, path)
        return replace(model, source=Slow(model.source), mode="sequential")

    monkeypatch.setitem(served_models.LOADERS, ".zip", slow_model)
    Slow.go_on = threading.Event()
    yield small
    Slow.go_on.set()


def statistics(client):
    return client.application._repository.server.statistics("small")


def started(client, n, **fields):
    """Threads that ask for an answer each, and the list that these are put into."""
    answers = []

    def ask():
        answers.append(httpx.post(str(client.base_url) + PATH, json=request(**fields), timeout=30))

    threads = [threading.Thread(target=ask) for _ in range(n)]
    for thread in threads:
        thread.start()
    return threads, answers


def test_too_many_requests_are_shed(slow):
    with serving(slow, threads=1, queue_limit=2, warm_up=False) as client:
        threads, answers = started(client, 1)
        until(lambda: client.application.metrics.n_active == 1)
        time.sleep(0.1)
        more, others = started(client, 2)
        until(lambda: statistics(client).queue_length == 2)
        refused = client.post(PATH, json=request())
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert client.post(PATH, content=b"what it says is not read").status_code == 503
        Slow.go_on.set()
        for thread in threads + more:
            thread.join()
        assert [each.status_code for each in answers + others] == [200] * 3
        assert statistics(client).refused == 2
        assert client.post(PATH, content=b"what it says is read").status_code == 400


def test_a_slow_model_delays_no_other(small, tmp_path, monkeypatch):
    """A quick model is asked by the event loop, but not while a slow one computes, which it would wait for."""

    def made(name, path):
        model = served_models.network_model(name, path)
        return model if name == "small" else replace(model, source=Slow(model.source), mode="sequential")

    monkeypatch.setitem(served_models.LOADERS, ".zip", made)
    Slow.go_on = threading.Event()
    Slow.go_on.set()  # for the example
    with serving({**small, "slow": small["small"]}, threads=1) as client:
        Slow.go_on.clear()
        asked = threading.Thread(target=httpx.post, args=(f"{client.base_url}/v2/models/slow/infer",),
                                 kwargs={"json": request(), "timeout": 30})  # fmt: skip
        asked.start()
        until(lambda: client.application.metrics.n_active == 1)
        time.sleep(0.1)
        waiting, answers = started(client, 1)
        until(lambda: statistics(client).queue_length == 1)
        assert client.get("/v2/health/live").status_code == 200
        Slow.go_on.set()
        for thread in (asked, *waiting):
            thread.join()
        assert answers[0].status_code == 200


@pytest.mark.parametrize("is_computing", [True, False])
def test_deadlines(slow, is_computing):
    with serving(slow, threads=1, warm_up=False) as client:
        threads, _ = started(client, 0 if is_computing else 1)
        if not is_computing:
            until(lambda: client.application.metrics.n_active == 1)
            time.sleep(0.1)
        start = time.monotonic()
        late = client.post(PATH, json=request(parameters={"timeout": 100_000}))
        assert (late.status_code, late.json()["error"]) == (504, "model 'small' did not answer within 0.1 seconds")
        assert time.monotonic() - start < 5
        Slow.go_on.set()
        for thread in threads:
            thread.join()


def test_a_client_that_has_gone_is_not_waited_for(slow):
    with serving(slow, threads=1, warm_up=False) as client:
        threads, _ = started(client, 1)
        until(lambda: client.application.metrics.n_active == 1)
        time.sleep(0.1)
        body = json.dumps(request()).encode()
        gone = http.client.HTTPConnection(*client.address)
        gone.request("POST", PATH, body)
        until(lambda: statistics(client).queue_length == 1)
        gone.close()
        until(lambda: statistics(client).queue_length == 0)
        Slow.go_on.set()
        threads[0].join()
        assert (statistics(client).cancelled, statistics(client).answered) == (1, 1)
        assert 'nd4py_requests_total{model="small",status="499"} 1.0' in client.get("/metrics").text


def test_what_was_asked_before_the_end_is_answered(tmp_path):
    """SIGTERM, once or twice: the process answers what it has begun with, refuses others, and ends with 0."""
    saved(tmp_path)
    content = json.dumps(request(tensor([0.5] * 4, (1, 4)))).encode()
    head = b"POST /v2/models/small/infer HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % len(content)
    with serving_process(tmp_path, "--access-log", "-") as (process, port):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(head + content[:10])
            time.sleep(0.3)
            process.terminate()
            time.sleep(0.25)
            process.terminate()  # as `timeout` does
            time.sleep(0.25)
            assert process.poll() is None
            connection.sendall(content[10:])
            answer = received(connection)
        assert answer.startswith(b"HTTP/1.1 200 ")
        found = json.loads(answer.partition(b"\r\n\r\n")[2])["outputs"][0]["data"]
        assert found == pytest.approx(small_network().output(nd.full((1, 4), 0.5)).ravel().tolist(), abs=1e-6)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    lines = [json.loads(line) for line in output.splitlines()]
    assert [(line["path"], line["status"], line["model"]) for line in lines] == [(PATH, 200, "small")]


def test_a_second_ctrl_c_waits_for_nobody(tmp_path):
    saved(tmp_path)
    head = b"POST /v2/models/small/infer HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n"
    with (
        serving_process(tmp_path) as (process, port),
        socket.create_connection(("127.0.0.1", port), timeout=20) as connection,
    ):
        connection.sendall(head)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)  # of the 30 seconds that a request may take
        answer = connection.recv(1000)
    assert (process.returncode, errors) == (0, "")
    assert answer == b"" or answer.startswith(b"HTTP/1.1 503 ")


def test_tls(small, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with serving(small, certificate=certificate, private_key=key) as client:
        assert client.post(PATH, json=request()).status_code == 200
        with socket.create_connection(client.address) as plain, pytest.raises(ssl.SSLError):
            ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")  # it is nobody's certificate


@pytest.mark.parametrize("named, error, message", [
    ({"port": 70000}, ValueError, "port must be from 0 to 65535"),
    ({"max_rows": 0}, ValueError, "max_rows must be a number from above 0"),
    ({"max_seconds": float("nan")}, ValueError, "max_seconds"),
    ({"rate": -1.0}, ValueError, "rate must be a number from 0"),
    ({"threads": "2"}, TypeError, "threads"),
    ({"host": 5}, TypeError, "host must be a string"),
    ({"warm_up": 1}, TypeError, "warm_up must be True or False"),
    ({"token": ""}, ValueError, "token"),
    ({"certificate": "a.pem"}, ValueError, "TLS needs both"),
    ({"access_log": 3}, TypeError, "access_log must be a path"),
])  # fmt: skip
def test_wrong_settings(named, error, message):
    with pytest.raises(error, match=message):
        serve.Settings(**named)
