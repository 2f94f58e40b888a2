"""The load test: requests at a rate, latencies from when they were due."""

import math
import subprocess
import sys

import pytest
from serve_cases.served import saved, serving

from nd4py import serve
from nd4py.serve import served_models


def test_a_load_test_counts_answers(tmp_path):
    with serving({"small": saved(tmp_path)}) as client:
        report = serve.load_test(str(client.base_url), rate=200, seconds=0.5, rows=2)
        assert report.statuses == {200: 100}
        assert len(report.latencies) == 100
        assert report.latencies == tuple(sorted(report.latencies))
        assert 0 < report.latency(0.5) <= report.latency(0.99) < 5
        (counts,) = client.get("/v2/models/stats").json()["model_stats"]
        assert counts["inference_count"] == 200


def test_latencies_count_from_when_requests_were_due(tmp_path, monkeypatch):
    """A server that takes 20 ms, asked every 5 ms on one connection: each request is later than the one before."""
    import time

    def slow(name, path):
        model = served_models.network_model(name, path)
        outputs = model.source.outputs
        model.source.outputs = lambda *given: time.sleep(0.02) or outputs(*given)
        return model

    monkeypatch.setitem(served_models.LOADERS, ".zip", slow)
    with serving({"small": saved(tmp_path)}) as client:
        report = serve.load_test(str(client.base_url), rate=200, seconds=0.2, connections=1)
    assert report.statuses == {200: 40}
    assert report.latency(1.0) > 40 * (0.02 - 0.005) * 0.8


def test_errors_are_counted(tmp_path):
    with serving({"small": saved(tmp_path)}, rate=1.0, burst=20, wait=False) as client:
        while client.get("/v2/health/ready").status_code == 503:
            pass
        report = serve.load_test(str(client.base_url), model="small", rate=500, seconds=0.1)
    assert set(report.statuses) <= {200, 429}
    assert report.statuses[429] >= 25


@pytest.mark.parametrize("url, named, message", [
    ("http://192.0.2.1", {}, "192.0.2.1 is another machine"),
    ("ftp://localhost", {}, "an address begins with"),
    ("http://localhost", {"rate": 0.0}, "rate must be above 0"),
    ("http://localhost", {"seconds": 1e4}, "seconds up to 600"),
    ("http://localhost", {"rate": 1e6, "seconds": 100}, "more than 5000000"),
    ("http://localhost", {"connections": 1000}, "connections must be from 1 to 512"),
    ("http://localhost", {"rows": 0}, "rows must be at least 1"),
])  # fmt: skip
def test_a_load_test_is_bounded(url, named, message):
    with pytest.raises(ValueError, match=message):
        serve.load_test(url, **named)


def test_an_address_where_nobody_listens():
    with pytest.raises(OSError, match="refused|Connect"):
        serve.load_test("http://127.0.0.1:9", seconds=0.1)


def test_a_report_without_answers():
    report = serve.LoadReport(rate=1.0, seconds=0.0, latencies=())
    assert math.isnan(report.latency(0.5))
    assert report.answers_per_second == 0.0


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "nd4py", "bench-serve"]
    with serving({"small": saved(tmp_path)}) as client:
        named = [str(client.base_url), "--rate", "50", "--seconds", "0.2"]
        done = subprocess.run([*command, *named], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "10 200" in done.stdout
    assert "99 %: " in done.stdout
    refused = subprocess.run([*command, "http://192.0.2.1"], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert refused.stderr.startswith("nd4py: load_test: 192.0.2.1 is another machine")
