"""What HTTP adds to a network: `nd4py serve` beside the network itself, and beside uvicorn with other handlers.

    python asv_bench/serving_over_http.py --rounds 9
    python asv_bench/serving_over_http.py --overload

One example of a LeNet, as JSON or as bytes.  One client: how much longer than `ModelServer.output` an answer takes.
Eight clients: answers a second, beside a handler that reads the same bodies and does nothing, and beside one written by
hand, which reads the numbers and computes the network without anything that a server needs beside that.  All have the
same bodies, connections and client, and take turns, so that what else the machine does meets all of them; shown are
medians over the rounds.  Overload: requests at multiples of the rate that 8 clients get, for a network of 20 million
parameters, whose requests are computed by the team of threads; latencies are from when a request was due.
"""

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import uvloop

from nd4py import nn, parallel, serve, zoo

HANDLERS = """
import sys

import numpy
import orjson
import uvicorn

import nd4py as nd
from nd4py import nn

network = nn.Snapshot(nn.MultiLayerNetwork.load(sys.argv[2]))


def computed(body):
    (given,) = orjson.loads(body)["inputs"]
    x = numpy.array(given["data"], "float32").reshape(given["shape"])
    with nd.threads(1):
        (y,) = network.outputs(*network.checked(x))
    tensor = {"name": "output", "shape": y.shape, "datatype": "FP32", "data": numpy.asarray(y).ravel()}
    return orjson.dumps({"model_name": "lenet", "outputs": [tensor]}, option=orjson.OPT_SERIALIZE_NUMPY)


async def application(scope, receive, send):
    parts, is_whole = [], False
    while not is_whole:
        message = await receive()
        parts.append(message.get("body", b""))
        is_whole = not message.get("more_body")
    answer = b"{}" if sys.argv[1] == "empty" else computed(b"".join(parts))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"listening at http://127.0.0.1:{port}, ready: ", file=sys.stderr, flush=True)


Server(uvicorn.Config(
    application, port=0, loop="uvloop", http="httptools", access_log=False, lifespan="off", log_level="error"
)).run()
"""
OURS, BYTES, EMPTY, BY_HAND = "nd4py serve, JSON", "nd4py serve, bytes", "empty handler, JSON", "by hand, JSON"


@contextmanager
def process(arguments):
    """The port of a server that runs meanwhile."""
    made = subprocess.Popen([sys.executable, *map(str, arguments)], text=True, stderr=subprocess.PIPE)
    try:
        port = None
        for line in made.stderr:
            found = re.search(r"listening at http://127.0.0.1:(\d+)", line)
            port = int(found[1]) if found else port
            if " ready:" in line:
                break
        time.sleep(0.5)
        yield port
    finally:
        made.terminate()
        made.wait()


class Client(asyncio.Protocol):
    """Sends a request, waits for the answer, sends it again, until the time is over."""

    def __init__(self, content, end, latencies):
        self.content, self.end, self.latencies, self.left = content, end, latencies, b""
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        self._send()

    def _send(self):
        self.start = time.perf_counter()
        self.transport.write(self.content)

    def data_received(self, data):
        self.left += data
        head, separator, body = self.left.partition(b"\r\n\r\n")
        if not separator or len(body) < int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]):
            return
        assert head.startswith(b"HTTP/1.1 200"), self.left
        now = time.perf_counter()
        self.latencies.append(now - self.start)
        self.left = b""
        if now < self.end:
            self._send()
        else:
            self.transport.close()
            self.done.set_result(None)


async def asked(port, content, n_clients, seconds):
    """(Answers a second, median latency) of so many clients."""
    latencies, end = [], time.perf_counter() + seconds
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(lambda: Client(content, end, latencies), "127.0.0.1", port)
            for _ in range(n_clients)]  # fmt: skip
    await asyncio.gather(*[client.done for _, client in made])
    return len(latencies) / seconds, statistics.median(latencies)


def direct(server, x, seconds):
    """Median seconds of the network without HTTP."""
    found, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        server.output("lenet", x)
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def request_of(x, *, as_bytes=False):
    """A request of HTTP for one example."""
    tensor = {"name": "input", "shape": x.shape, "datatype": "FP32"}
    content, headers = b"", ""
    if as_bytes:
        tensor["parameters"], content = {"binary_data_size": x.nbytes}, x.tobytes()
    else:
        tensor["data"] = x.ravel().tolist()
    text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": as_bytes}}).encode()
    if as_bytes:
        headers = f"inference-header-content-length: {len(text)}\r\n"
    head = f"POST /v2/models/lenet/infer HTTP/1.1\r\nhost: localhost\r\n{headers}"
    return f"{head}content-length: {len(text) + len(content)}\r\n\r\n".encode() + text + content


def served(stack, folder, *options):
    """The port of a server of the models in a folder."""
    command = ["-m", "nd4py", "serve", folder, "--port", 0, "--access-log", folder / ".log", *options]
    return stack.enter_context(process(command))


def overload(given):
    """Print what becomes of requests that come faster than they can be answered."""
    layers = [nn.DenseLayer(4096, activation="relu"), nn.DenseLayer(4096, activation="relu"), nn.OutputLayer(10)]
    network = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(784))
    x = np.random.default_rng(0).random((1, 784)).astype("float32")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        network.save(folder / "lenet.zip", save_updater=False)
        port = served(stack, folder)
        most, _ = uvloop.run(asked(port, request_of(x), 8, 5 * given.seconds))
        print(f"8 clients: {most:.0f} answers/s")
        for factor in (0.5, 1.0, 2.0, 4.0):
            url = f"http://127.0.0.1:{port}"
            report = serve.load_test(url, rate=factor * most, seconds=5 * given.seconds, connections=256)
            print(f"{factor:g} times as many\n{report}")


def beside_others(given):
    """Print how nd4py's server does beside other handlers."""
    network = zoo.LeNet().init()
    x = np.random.default_rng(0).random((1, 1, 28, 28)).astype("float32")
    content, in_bytes = request_of(x), request_of(x, as_bytes=True)
    with ExitStack() as stack, parallel.ModelServer() as server:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server.add("lenet", network)
        network.save(folder / "lenet.zip")
        port = stack.enter_context(
            process(["-m", "nd4py", "serve", folder, "--port", 0, "--access-log", folder / "log"])
        )
        asked_of = {OURS: (port, content), BYTES: (port, in_bytes)}
        for name, kind in ((EMPTY, "empty"), (BY_HAND, "computing")):
            asked_of[name] = stack.enter_context(process(["-c", HANDLERS, kind, folder / "lenet.zip"])), content
        alone, found = [], {(name, n_clients): [] for name in asked_of for n_clients in (1, 8)}
        for _ in range(given.rounds):
            alone.append(direct(server, x, given.seconds))
            for (name, n_clients), results in found.items():
                results.append(uvloop.run(asked(*asked_of[name], n_clients, given.seconds)))
    print(f"the network without HTTP: {1e3 * statistics.median(alone):.2f} ms")
    for name in asked_of:
        latency = statistics.median(latency for _, latency in found[name, 1])
        rate = statistics.median(rate for rate, _ in found[name, 8])
        shares = [
            statistics.median(
                mine / other for (mine, _), (other, _) in zip(found[name, 8], found[each, 8], strict=True)
            )
            for each in (EMPTY, BY_HAND)
        ]
        print(f"{name}: one client {1e3 * latency:.2f} ms; 8 clients {rate:.0f} answers/s, "
              f"{shares[0]:.2f} of the empty handler, {shares[1]:.2f} of that by hand")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--overload", action="store_true", help="measure overload")
    given = parser.parse_args()
    (overload if given.overload else beside_others)(given)


if __name__ == "__main__":
    main()
