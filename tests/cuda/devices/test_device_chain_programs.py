"""Random programs on simulated devices give the same bits whether their operations are deferred or not.

They are the programs of the host (`combination_programs`), with in-place writes, views and exports between the
operations, on fewer rows and dtypes: the simulator compiles a kernel for each.
"""

import combination_programs
import numpy as np
import pytest
from combination_programs import Program
from hypothesis import example, given, settings
from hypothesis import strategies as st
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd

NEVER = 10**9
SHAPES = [(7,), (3, 4), (0, 3), (1,), (), (2, 1, 3), (70, 3), (130, 131)]


@pytest.fixture(scope="module", autouse=True)
def devices():
    with in_use(default_driver(flags=QUICK), 1) as driver:
        yield driver


@pytest.fixture(autouse=True)
def few_rows(monkeypatch):
    monkeypatch.setattr(combination_programs, "DTYPES", ("float32", "float16", "int32", "float32", "bool"))
    monkeypatch.setattr(combination_programs, "UNARY", ("abs", "negative", "square", "relu", "logical_not"))
    monkeypatch.setattr(combination_programs, "BINARY", ("add", "multiply", "subtract", "maximum", "less"))
    monkeypatch.setattr(combination_programs, "REDUCTIONS", ("sum", "max", "any"))
    monkeypatch.setattr(combination_programs, "SCALARS", (True, 0, 1, -3, 2, 0.5, -0.0, float("nan")))
    expected = (*combination_programs.EXPECTED, nd.cuda.UnsupportedOnDevice)
    monkeypatch.setattr(combination_programs, "EXPECTED", expected)


@pytest.fixture
def combine_after():
    """Sets how often chains run step by step."""
    before = nd.cuda.config.combine_after

    def put(number):
        nd.cuda.config.combine_after = number

    yield put
    nd.cuda.config.combine_after = before


class DeviceProgram(Program):
    """A program whose arrays are on a device; what is seen of them is copied to the host."""

    def source(self, number):
        return super().source(number % 3).to_device("cuda:0")

    def show(self, action, x):
        super().show(action, x.to_device("cpu"))

    def export(self):
        """From now on others may write the memory."""
        x = self.pick()
        _ = x.__cuda_array_interface__
        self.show("export", x)


def check(seed, n_steps, shape):
    """Run a program with and without combination.  Raises AssertionError where a bit differs."""
    combined = DeviceProgram(seed, shape).run(n_steps)
    with nd.combine(False):
        plain = DeviceProgram(seed, shape).run(n_steps)
    for i, (got, wanted) in enumerate(zip(combined, plain, strict=True)):
        assert got[:-1] == wanted[:-1], (seed, i, got[:-1], wanted[:-1])
        assert got[-1] == wanted[-1], (seed, n_steps, shape, i, got[:-1])


PROGRAMS = {"seed": st.integers(0, 10**9), "n_steps": st.integers(1, 25), "shape": st.sampled_from(SHAPES)}


@given(**PROGRAMS)
@settings(max_examples=60, deadline=None, derandomize=True)
def run_by_steps(seed, n_steps, shape):
    check(seed, n_steps, shape)


@given(**PROGRAMS)
@example(3, 25, (70, 3))
@settings(max_examples=40, deadline=None, derandomize=True)
def run_as_kernels(seed, n_steps, shape):
    check(seed, n_steps, shape)


def test_programs_whose_chains_run_step_by_step(combine_after):
    combine_after(NEVER)
    before = nd.cuda.statistics().chains
    run_by_steps()
    after = nd.cuda.statistics().chains
    assert after.steps > before.steps
    assert after.kernels == before.kernels


def test_programs_whose_chains_run_as_kernels(combine_after):
    combine_after(0)
    before = nd.cuda.statistics().chains
    run_as_kernels()
    assert nd.cuda.statistics().chains.kernels > before.kernels + 20
    assert nd.cuda.memory.stats("cuda:0").pending_arrays == 0


def test_a_program_that_is_never_read_launches_nothing(combine_after):
    combine_after(0)
    x = nd.asarray(np.arange(12.0, dtype="float32"), device="cuda:0")
    before = nd.cuda.statistics().chains
    for _ in range(5):
        _ = nd.where(x * 2 > 3, x + 1, x)
    after = nd.cuda.statistics().chains
    assert (after.kernels, after.steps) == (before.kernels, before.steps)
