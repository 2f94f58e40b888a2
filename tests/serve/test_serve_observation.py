"""What can be seen of a server: metrics, the log, and the page."""

import base64
import hashlib
import json
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families
from serve_cases.served import request, saved, serving, tensor, until

PATH = "/v2/models/small/infer"


def samples(text):
    """{(name, labels): value} of a text of metrics."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_requests(tmp_path):
    with serving({"small": saved(tmp_path)}) as client:
        for _ in range(3):
            client.post(PATH, json=request(tensor([0.0] * 8, (2, 4))))
        client.post(PATH, content=b"{")
        client.post("/v2/models/none/infer", json=request())
        answer = client.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        found = samples(answer.text)
    small = ("model", "small")
    assert found["nd4py_requests_total", small, ("status", "200")] == 3
    assert found["nd4py_requests_total", small, ("status", "400")] == 1
    assert found["nd4py_requests_total", ("model", ""), ("status", "404")] == 1
    assert found["nd4py_model_answered_total", small] == 3
    assert found["nd4py_model_examples_total", small] == 6
    assert found["nd4py_ready",] == found["nd4py_model_ready", small] == found["nd4py_active_requests",] == 1
    assert found["nd4py_model_latency_seconds_count", small] == 3
    buckets = [value for (name, *labels), value in found.items() if name == "nd4py_model_latency_seconds_bucket"]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 3
    assert 0 < found["nd4py_model_latency_seconds_sum", small] < 3
    assert found["process_resident_memory_bytes",] > 1 << 20


def test_the_log_has_a_line_for_each_request(tmp_path):
    path = tmp_path / "access.log"
    with serving({"small": saved(tmp_path)}, access_log=path) as client:
        traced = client.post(PATH, json=request()).headers["x-trace-id"]
        client.post(PATH, content=b"nothing")
        until(lambda: path.read_text().count("infer") == 2)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    good, bad = [line for line in lines if line["path"] == PATH]
    assert good.items() >= {
        "trace_id": traced, "client": "127.0.0.1", "method": "POST", "status": 200, "model": "small",
    }.items()  # fmt: skip
    assert good["ms"] > 0
    assert good["bytes_in"] > 50
    assert (bad["status"], bad["bytes_in"], bad["error"][:21]) == (400, 7, "the body is not JSON:")


def test_a_name_in_an_address_makes_no_metric_of_its_own(tmp_path):
    """Whoever asks for many names must not fill the memory of the server."""
    with serving({"small": saved(tmp_path)}) as client:
        before = len(samples(client.get("/metrics").text))
        for number in range(50):
            client.post(f"/v2/models/x{number}/infer", json=request())
            client.post(f"/v2/repository/models/x{number}/unload")
        assert len(samples(client.get("/metrics").text)) <= before + 1


def test_the_page_runs_its_own_script_alone(tmp_path):
    with serving({"small": saved(tmp_path)}) as client:
        answer = client.get("/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    (script,) = re.findall(r"<script>(.*?)</script>", answer.text, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "innerHTML" not in script  # names and errors are shown as text
    assert not re.search(r'(src|href)="', answer.text)  # nothing comes from elsewhere


@pytest.mark.parametrize("path", ["/v2/models/stats", "/v2/repository/index", "/v2/models/small"])
def test_the_page_asks_for_what_there_is(tmp_path, path):
    with serving({"small": saved(tmp_path)}) as client:
        page = client.get("/").text
        assert path.replace("small", "${name}") in page
        method = "POST" if path.endswith("index") else "GET"
        assert client.request(method, path).status_code == 200
