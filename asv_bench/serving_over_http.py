"""What HTTP adds to a network: `nd4py serve` beside the network itself, and beside uvicorn with an empty handler.

    python asv_bench/serving_over_http.py --rounds 9

One example of a LeNet, as JSON.  One client: how much longer than `ModelServer.output` an answer takes.  Eight clients:
answers a second, as a share of those of an empty handler that reads the same bodies.  All take turns, so that what else
the machine does meets all of them; shown are medians over the rounds.
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
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import uvloop

from nd4py import parallel, zoo

EMPTY = """
import uvicorn


async def application(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"{}"})


print("listening at http://127.0.0.1:PORT, ready: ", flush=True)
uvicorn.run(
    application, port=PORT, loop="uvloop", http="httptools", access_log=False, lifespan="off", log_level="error"
)
"""


@contextmanager
def process(arguments, stream, end):
    """The port of a server that runs meanwhile."""
    made = subprocess.Popen([sys.executable, *arguments], text=True, **{stream: subprocess.PIPE})
    try:
        port = None
        for line in getattr(made, stream):
            found = re.search(r"listening at http://127.0.0.1:(\d+)", line)
            port = int(found[1]) if found else port
            if end in line:
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


def request_of(x):
    """A request of HTTP for one example."""
    tensor = {"name": "input", "shape": x.shape, "datatype": "FP32", "data": x.ravel().round(6).tolist()}
    body = json.dumps({"inputs": [tensor]}).encode()
    head = b"POST /v2/models/lenet/infer HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % len(body)
    return head + body


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--port", type=int, default=8971, help="of the empty handler")
    given = parser.parse_args()
    network = zoo.LeNet().init()
    x = np.random.default_rng(0).random((1, 1, 28, 28)).astype("float32")
    content = request_of(x)
    with tempfile.TemporaryDirectory() as folder, parallel.ModelServer() as server:
        server.add("lenet", network)
        network.save(Path(folder) / "lenet.zip")
        ours = process(
            ["-m", "nd4py", "serve", folder, "--port", "0", "--access-log", f"{folder}/log"], "stderr", " ready:"
        )
        empty = process(["-c", EMPTY.replace("PORT", str(given.port))], "stdout", " ready:")
        rows = []
        with ours as port, empty as empty_port:
            for _ in range(given.rounds):
                row = [direct(server, x, given.seconds)]
                for n_clients in (1, 8):
                    for each in (port, empty_port):
                        row += uvloop.run(asked(each, content, n_clients, given.seconds))
                rows.append(row)
    base, _, one, _, nothing, rate, _, empty_rate, _ = (statistics.median(column) for column in zip(*rows, strict=True))
    added = statistics.median(row[2] - row[0] for row in rows)
    share = statistics.median(row[5] / row[7] for row in rows)
    print(f"one client: network {1e3 * base:.2f} ms, by HTTP {1e3 * one:.2f} ms, added {1e3 * added:.2f} ms")
    print(f"one client, empty handler: {1e3 * nothing:.2f} ms")
    print(f"8 clients: {rate:.0f} answers/s, empty handler {empty_rate:.0f}/s, share {share:.2f}")


if __name__ == "__main__":
    main()
