"""Irregular operations on a simulated device: the host's results for the examples of their rows."""

import numpy as np
import pytest
from kernel_bench import EVERYTHING
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK
from table import arguments_of, dtypes_of

import nd4py as nd
from nd4py._spec.ops import OPS

# Of one, two and four bytes, whole and floating: every dtype is a kernel to compile.
DTYPES = ("int8", "float16", "float32")
CASES = [
    pytest.param(op, dtype, id=f"{op.name}-{dtype}")
    for op in OPS
    if op.kernels and op.examples
    for dtype in dtypes_of(op)
    if EVERYTHING or dtype in DTYPES
]


@pytest.fixture(scope="module")
def device():
    """One simulated device, whose kernels are compiled quickly."""
    with in_use(default_driver(flags=QUICK), 1) as driver:
        yield driver


@pytest.mark.parametrize("op, dtype", CASES)
def test_examples_have_the_host_s_results(device, op, dtype):
    for text in op.examples:
        arguments, keywords = arguments_of(text, op, dtype)
        want, got = (results(op, where, arguments, keywords) for where in ("cpu", "cuda:0"))
        for one, expected in zip(got, want, strict=True):
            assert one.device == "cuda:0"
            np.testing.assert_array_equal(np.asarray(one.to_device("cpu")), np.asarray(expected), err_msg=text)


def results(op, where, arguments, keywords):
    """The arrays that a call makes of arrays in one place."""
    operands = [nd.asarray(x, device=where) if isinstance(x, np.ndarray) else x for x in arguments]
    found = getattr(nd, op.name)(*operands, **keywords)
    return found if isinstance(found, tuple) else (found,)
