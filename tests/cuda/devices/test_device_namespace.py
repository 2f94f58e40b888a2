"""Every function of the namespace on a simulated device: the host's result, or an error that says what to do."""

import numpy as np
import pytest
from kernel_bench import EVERYTHING
from namespace_calls import CALLS, NO_ARRAYS, ROWS, UNSUPPORTED
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda import DeviceArray, UnsupportedOnDevice

# Each row is a kernel to compile; their values are the subject of other tests.
NAMES = [name for i, name in enumerate(CALLS) if EVERYTHING or name not in ROWS or i % 8 == 0]


@pytest.fixture(scope="module")
def device():
    """One simulated device, whose kernels are compiled quickly."""
    with in_use(default_driver(flags=QUICK), 1) as driver:
        yield driver


class Maker:
    """Makes arrays in one place."""

    def __init__(self, device):
        self.device = device

    def __call__(self, values):
        return nd.asarray(values, device=self.device)


def flat(result):
    """The arrays and numbers in a result."""
    return sum(map(flat, result), []) if isinstance(result, tuple | list) else [result]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_host_s_result_or_an_error_with_words(device, name):
    if name in UNSUPPORTED:
        with pytest.raises(UnsupportedOnDevice) as caught:
            CALLS[name](nd, Maker("cuda:0"))
        text = str(caught.value)
        assert f"nd4py.{name}" in text
        for way in ("x.to_device('cpu')", "nd4py.cuda.on_host(", "nd4py.cuda.fallback('host')"):
            assert way in text
        return
    want, got = flat(CALLS[name](nd, Maker("cpu"))), flat(CALLS[name](nd, Maker("cuda:0")))
    assert len(got) == len(want)
    for one, expected in zip(got, want, strict=True):
        assert_same(one, expected)


def assert_same(got, want):
    """An array on the device with the host's dtype, shape and values, or what is no array and equal."""
    if not isinstance(want, nd.NDArray):
        assert got == want
        return
    assert type(got) is DeviceArray
    got, want = np.asarray(got.to_device("cpu")), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if got.dtype.kind in "fc":
        epsilon = np.finfo(got.dtype).eps
        np.testing.assert_allclose(got, want, rtol=8 * epsilon, atol=8 * epsilon)
    else:
        np.testing.assert_array_equal(got, want)


def test_every_function_that_takes_arrays_has_a_call():
    names = {name for name in nd.__all__ if name not in NO_ARRAYS}
    names |= {f"linalg.{name}" for name in nd.linalg.__all__ if name != "LinAlgError"}
    names |= {f"fft.{name}" for name in nd.fft.__all__}
    assert names == {name for name in CALLS if hasattr(nd, name) or "." in name}
    assert set(nd.__all__) >= NO_ARRAYS
    assert set(CALLS) >= UNSUPPORTED
