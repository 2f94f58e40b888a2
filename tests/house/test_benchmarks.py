"""The asv suites: every one can be called the way asv calls it, and ratios compare the same work."""

import importlib
import inspect
import pkgutil
import time
import types

import benchmarks
import numpy as np
import pytest
from benchmarks import ratios
from benchmarks.elementwise import LAYOUTS
from benchmarks.threads import calls_per_second

import nd4py as nd

MODULES = [importlib.import_module(f"benchmarks.{found.name}") for found in pkgutil.iter_modules(benchmarks.__path__)]
SUITES = [
    suite
    for module in MODULES
    for name, suite in vars(module).items()
    if name.startswith(("Time", "Track")) and suite.__module__ == module.__name__
]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.__name__)
def test_suites_take_their_parameters(suite):
    assert len(suite.params) == len(suite.param_names)
    timed = [name for name in dir(suite) if name.startswith(("time_", "track_"))]
    assert timed
    for name in [*timed, *(["setup"] if hasattr(suite, "setup") else [])]:
        inspect.signature(getattr(suite, name)).bind(None, *suite.params)


def test_a_ratio_is_that_of_the_times(monkeypatch):
    now = [0.0]

    def lasting(seconds):
        return lambda: now.__setitem__(0, now[0] + seconds)

    monkeypatch.setattr(ratios, "time", types.SimpleNamespace(perf_counter=lambda: now[0]))
    assert ratios.ratio(lasting(0.25), lasting(0.5)) == 0.5


@pytest.mark.parametrize("op", ratios.COMPARED)
def test_references_do_the_same(op):
    row = ratios.ROWS[op]
    dtype = "float64" if "float64" in row.types else "int32"
    inputs = benchmarks.inputs_for(row, dtype, 9)
    ours, theirs = getattr(nd, op)(*inputs, **benchmarks.params_for(row)), ratios.reference(row, inputs)()
    for got, wanted in zip(*(x if isinstance(x, tuple) else (x,) for x in (ours, theirs)), strict=True):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("call", ratios.SMALL)
def test_small_calls_do_the_same(call):
    a, b = np.arange(1.0, 11.0), np.ones(10)
    ours = ratios.SMALL[call](nd, nd.asarray(a, copy=True), nd.asarray(b, copy=True))
    theirs = ratios.SMALL[call](np, a, b)
    assert ours.shape == np.shape(theirs)
    if not call.startswith("empty"):
        np.testing.assert_allclose(np.asarray(ours), theirs)


def test_layouts_can_be_added():
    x, line = nd.ones((4, 4)), nd.ones(4)
    assert {layout: nd.add(*make(x, line)).shape for layout, make in LAYOUTS.items()} == {
        layout: (4, 2) if layout == "strided" else (4, 4) for layout in LAYOUTS
    }


def test_callers_are_counted():
    assert calls_per_second(lambda: time.sleep(0.01), 2) > 10


def test_rows_without_a_loop_are_skipped():
    with pytest.raises(NotImplementedError, match="no float32 loop"):
        ratios.TrackReduce().setup("bitwise_and", (2, 2), "all")
