"""Servers of models for tests: an application behind a port of its own, in a thread, and small models as files."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx

from nd4py import nn, serve
from nd4py.serve.http_server import server_of


def small_network(seed=1, n_out=3):
    """Four numbers to three classes."""
    layers = [nn.DenseLayer(8, activation="relu"), nn.OutputLayer(n_out)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=seed)


def saved(folder, name="small", **settings):
    """The file of a small network in a folder."""
    path = Path(folder) / f"{name}.zip"
    small_network(**settings).save(path)
    return path


def tensor(data, shape, name="input", datatype="FP32"):
    """An input of a request."""
    return {"name": name, "shape": list(shape), "datatype": datatype, "data": data}


def request(*inputs, **fields):
    """The JSON of a request; a small network's, of one row, without inputs."""
    return {"inputs": list(inputs) or [tensor([1.0, 2.0, 3.0, 4.0], (1, 4))], **fields}


@contextmanager
def serving(models=None, *, folder=None, wait=True, **settings):
    """An httpx client for a server of these models; its `application` and `grpc_port` are attributes of the client."""
    named = {"port": 0, "poll_seconds": 0.05, **settings}
    application = serve.Application(models, folder=folder, settings=serve.Settings(**named))
    server = server_of(application)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    try:
        until(lambda: server.started and (server.grpc_port is None) == (named.get("grpc_port") is None))
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        scheme = "https" if server.config.is_ssl else "http"
        with httpx.Client(base_url=f"{scheme}://{host}:{port}", verify=False, timeout=30) as client:
            client.application, client.address, client.grpc_port = application, (host, port), server.grpc_port
            if wait:
                until(lambda: client.get("/v2/health/ready").status_code == 200)
            yield client
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server did not end"


def until(condition, seconds=30):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


@contextmanager
def serving_process(*arguments, **environment):
    """(process, port) of `nd4py serve` with these arguments, when it is ready; told to end afterwards.

    What it logs waits in a pipe, unless "--access-log" says another place: after some hundreds of requests a server
    stands still until `process.stdout` is read.
    """
    command = [sys.executable, "-m", "nd4py", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        lines = []
        while not lines or " ready: " not in lines[-1]:
            line = process.stderr.readline()
            assert line, f"the server did not start: {lines}"
            lines.append(line)
        yield process, int(next(found[1] for line in lines if (found := re.search(r"listening at .*:(\d+)", line))))
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def exchange(address, content, *, seconds=10.0):
    """What a server sends for these bytes until it closes the connection or an answer is whole."""
    with socket.create_connection(address, timeout=seconds) as connection:
        connection.sendall(content)
        return received(connection)


def received(connection):
    """What comes on a connection until it is closed or an answer is whole."""
    answer = b""
    while not is_whole(answer) and (part := connection.recv(65536)):
        answer += part
    return answer


def is_whole(answer):
    """Whether an answer of HTTP has come to its end."""
    head, separator, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return bool(separator and length and len(body) >= int(length[1]))


def resident_bytes(process_id):
    """Memory of a process; 0 where the system does not say it in a file."""
    path = Path(f"/proc/{process_id}/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", path.read_text()) if path.exists() else None
    return 1024 * int(found[1]) if found else 0
