"""A server that is asked all the time while its models come, change and go: nothing is lost, swapped or kept.

`ND4PY_SOAK_SECONDS=60 pytest -m slow tests/serve/test_serve_soak.py` says for how long; an hour without it.
"""

import json
import math
import os
import random
import re
import statistics
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import numpy as np
import pytest
from serve_cases.served import request, resident_bytes, serving_process, small_network, tensor

SECONDS = float(os.environ.get("ND4PY_SOAK_SECONDS", "3600"))
STEADY, CHANGING = ("a", "b"), ("c", "d", "e")  # of the others are some not loaded, or without a file, at times
VERSIONS = range(3)
INPUTS = np.random.default_rng(4).random((8, 1, 4)).astype("float32")
N_CLIENTS = 4
MOST_GROWTH = 16 << 20
MOST_SECONDS_OF_99_PERCENT = 0.25  # clients, server and who else is on the machine share its cores


def seed_of(name, version):
    """Of the network that is this version of a model: all are different."""
    return 10 * ord(name) + version


class Files:
    """The files of the models, and what they answer."""

    def __init__(self, folder):
        self._folder, self._contents, self.answers = folder, {}, {}
        for name in STEADY + CHANGING:
            for version in VERSIONS:
                network = small_network(seed=seed_of(name, version))
                path = folder / f".{name}-{version}.zip"
                network.save(path)
                self._contents[name, version] = path.read_bytes()
                path.unlink()
                for number, x in enumerate(INPUTS):
                    answer = np.asarray(network.output(x)).ravel().tolist()
                    self.answers.setdefault((name, number), []).append(answer)
            self.write(name, 0)

    def write(self, name, version):
        partial = self._folder / f".{name}.partial"
        partial.write_bytes(self._contents[name, version])
        partial.rename(self._folder / f"{name}.zip")

    def delete(self, name):
        (self._folder / f"{name}.zip").unlink(missing_ok=True)


class Client:
    """Asks for one answer after another, and checks each."""

    def __init__(self, port, answers, seed):
        self._answers, self._rng = answers, random.Random(seed)
        self.connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self.statuses, self.milliseconds = Counter(), Counter()  # of these rounded up to powers of 1.1

    def ask(self):
        rng = self._rng
        name, number, mark = rng.choice(STEADY + CHANGING), rng.randrange(len(INPUTS)), str(rng.random())
        body = json.dumps(request(tensor(INPUTS[number].ravel().tolist(), (1, 4)), id=mark))
        start = time.perf_counter()
        self.connection.request("POST", f"/v2/models/{name}/infer", body)
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        self.milliseconds[math.ceil(math.log(1e3 * (time.perf_counter() - start), 1.1))] += 1
        self.statuses[answer.status] += 1
        if answer.status == 200:
            assert (content["id"], content["model_name"]) == (mark, name)
            (output,) = content["outputs"]
            assert np.array(output["data"], "float32").tolist() in self._answers[name, number]
        else:
            assert name in CHANGING, content
            assert answer.status in (400, 404, 503), content


def change(rng, files, port):
    """Change what the server has.  Returns whether it said that it has done it."""
    name = rng.choice(STEADY + CHANGING)
    what = rng.choice(("write", "load") if name in STEADY else ("write", "write", "load", "load", "unload", "delete"))
    if what == "write":
        files.write(name, rng.choice(VERSIONS))
    elif what == "delete":
        files.delete(name)
    else:
        status, _ = asked(port, "POST", f"/v2/repository/models/{name}/{what}")
        assert status in ((200,) if name in STEADY else (200, 400, 404))
        return status == 200
    return False


def asked(port, method, path):
    """(Status, body) of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def soak(folder, seconds):
    """Ask and change for so many seconds.  Returns (statuses, counts of milliseconds, bytes from time to time)."""
    files, rng, is_failed = Files(folder), random.Random(7), threading.Event()
    with serving_process(folder, "--poll-seconds", "0.05", "--access-log", folder / ".log") as (process, port):
        log = threading.Thread(target=process.stderr.read)  # or the server waits until somebody reads its log
        log.start()
        end = time.monotonic() + seconds
        clients = [Client(port, files.answers, seed) for seed in range(N_CLIENTS)]

        def ask_on(client):
            try:
                while time.monotonic() < end and not is_failed.is_set():
                    client.ask()
                client.connection.close()
            except BaseException:
                is_failed.set()
                raise

        sizes, n_done = [], 0
        with ThreadPoolExecutor(N_CLIENTS) as pool:
            asking = [pool.submit(ask_on, client) for client in clients]
            while time.monotonic() < end and not is_failed.is_set():
                n_done += change(rng, files, port)
                sizes.append(resident_bytes(process.pid))
                time.sleep(rng.uniform(0.0, 0.1))
            for each in asking:
                each.result(60)
        statuses = sum((client.statuses for client in clients), Counter())
        counts = re.findall(r'nd4py_requests_total{model="\w+",status="200"} (\S+)', asked(port, "GET", "/metrics")[1])
        assert sum(map(float, counts)) == statuses[200] + n_done  # whatever the server sent has come
        process.terminate()
        assert process.wait(30) == 0
        log.join(30)
    return statuses, sum((client.milliseconds for client in clients), Counter()), sizes


def quantile(counts, fraction):
    """Milliseconds within which this fraction of the answers came."""
    wanted, seen = fraction * sum(counts.values()), 0
    for power in sorted(counts):
        seen += counts[power]
        if seen >= wanted:
            return 1.1**power
    raise AssertionError("there were no answers")


def check(folder, seconds):
    statuses, milliseconds, sizes = soak(folder, seconds)
    times = {q: round(quantile(milliseconds, q), 1) for q in (0.5, 0.99, 0.999, 1.0)}
    quarter = max(1, len(sizes) // 4)
    growth = statistics.median(sizes[-quarter:]) - statistics.median(sizes[quarter : 2 * quarter])
    print(f"{seconds:g} s, {len(sizes)} changes, answers {dict(statuses)}, milliseconds {times}, "
          f"memory {max(sizes) / 2**20:.1f} MiB at most, grown by {growth / 2**20:.1f} MiB")  # fmt: skip
    assert statuses[200] > 10 * seconds
    assert 1e-3 * times[0.99] < MOST_SECONDS_OF_99_PERCENT
    assert growth < MOST_GROWTH


def test_three_seconds(tmp_path):
    check(tmp_path, 3)


@pytest.mark.slow
def test_an_hour(tmp_path):
    check(tmp_path, SECONDS)
