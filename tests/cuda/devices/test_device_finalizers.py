"""Finalizers that run what is deferred in the middle of an operation, on the host and on devices, change no value."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import nd4py as nd

W = np.arange(20_000.0).reshape(200, 100)


@contextmanager
def flushing_collector() -> Iterator[list[str]]:
    """Garbage is collected at nearly every allocation, and each time all that is deferred runs."""
    phases: list[str] = []

    def flush(phase, info):
        phases.append(phase)
        nd.flush()

    before = gc.get_threshold()
    gc.callbacks.append(flush)
    gc.set_threshold(1, 1, 1)
    try:
        yield phases
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(flush)


def several(x, k):
    """Maps of one result and of two, in place, conversions and reductions, along rows and along all axes."""
    y = nd.where(x > k, x * (k + 0.5), -x) + k
    whole, rest = nd.divmod(y, 3.0)
    y += 1.0
    y *= 2.0
    d = x - nd.max(x, axis=-1, keepdims=True)
    e = nd.exp(d / 7.0)
    return [
        y,
        whole,
        rest,
        nd.astype(y, "int64"),
        e / nd.sum(e, axis=-1, keepdims=True),
        nd.sum(y * 0.5, axis=0),
        nd.sum(y + 0.25),
    ]


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_finalizers_that_flush(device, request):
    if device != "cpu":
        request.getfixturevalue("simulator")
    x = nd.asarray(W, device=device).copy()
    for k in range(12):
        want = several(x, float(k))
        wanted = [np.asarray(y.to_device("cpu")) for y in want]
        with flushing_collector() as phases:
            found = several(x, float(k))
        assert phases
        for y, expected in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), expected)
