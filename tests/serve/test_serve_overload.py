"""More requests than can be answered: as many are answered as before, the others are refused at once."""

import time
from dataclasses import replace

import pytest
from serve_cases.served import saved, serving

from nd4py import serve
from nd4py.serve import served_models

MODEL_SECONDS = 0.04
QUEUE_LIMIT = 8


def asleep(name, path):
    """A small network that takes four hundredths of a second, and no core for it."""
    model = served_models.network_model(name, path)
    outputs = model.source.outputs
    model.source.outputs = lambda *given: time.sleep(MODEL_SECONDS) or outputs(*given)
    return replace(model, mode="sequential")


@pytest.mark.parametrize("factor", [2, 4])
def test_what_is_too_much_is_refused(factor, tmp_path, monkeypatch):
    monkeypatch.setitem(served_models.LOADERS, ".zip", asleep)
    with serving({"small": saved(tmp_path)}, threads=1, queue_limit=QUEUE_LIMIT) as client:
        url = str(client.base_url)
        rate = factor / MODEL_SECONDS
        report = serve.load_test(url, rate=rate, seconds=1.0, connections=64)
        assert set(report.statuses) == {200, 503}
        assert report.statuses[200] + report.statuses[503] == rate  # nothing is lost
        assert report.answers_per_second > 0.5 / MODEL_SECONDS
        # An answer waits for those that are in the queue; refusals, most of all requests, for nobody.
        assert report.latency(1.0) < 3 * (QUEUE_LIMIT + 1) * MODEL_SECONDS + 0.25
        again = serve.load_test(url, rate=0.3 / MODEL_SECONDS, seconds=0.5)
        assert set(again.statuses) == {200}
