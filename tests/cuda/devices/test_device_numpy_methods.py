"""NumPy's methods, arguments and loops on arrays of a simulated device: what they give on the host."""

import numpy as np
import pytest
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd

VALUES = np.asarray([[3, 1, 2], [6, 5, 4]], "float32")


@pytest.fixture(scope="module", autouse=True)
def device():
    """One simulated device, whose kernels are compiled quickly."""
    with in_use(default_driver(flags=QUICK), 1) as driver:
        yield driver


def written(write):
    """The array that was written to."""

    def call(x):
        write(x)
        return x

    return call


CALLS = {
    "view": lambda x: x.view("int32"),
    "flags": lambda x: (x.flags.c_contiguous, x.flags.owndata, x.T.flags.f_contiguous),
    "flat": lambda x: x.flat[2],
    "flat, looped over": lambda x: [float(value) for value in x.flat],
    "flat, written": written(lambda x: x.flat.__setitem__(slice(0, 3), [1, 2, 3])),
    "flat, transposed": written(lambda x: x.T.flat.__setitem__(slice(0, 3), [1, 2, 3])),
    "fill": written(lambda x: x.fill(3)),
    "sort": written(lambda x: x.sort(0)),
    "partition": written(lambda x: x.partition(1)),
    "put": written(lambda x: x.put([0], 1.0)),
    "base": lambda x: x.T.base is x,
    "item": lambda x: (x.item(1, 2), x.item(4)),
    "choose": lambda x: (x > 1).astype("int64").choose([x, x * 2]),
    "compress": lambda x: x.compress([True, False], axis=0),
    "searchsorted": lambda x: nd.sort(x.reshape(-1)).searchsorted(x),
    "sum where": lambda x: x.sum(where=x > 1),
    "mean where": lambda x: x.mean(0, where=x > 1),
    "max initial": lambda x: x.max(initial=9.0),
    "var where": lambda x: x.var(where=x > 1),
    "std out": lambda x: nd.std(x, 0, None, nd.zeros(3, device=x.device, dtype="float32")),
    "median out": lambda x: nd.median(x, 0, nd.zeros(3, device=x.device, dtype="float32")),
    "astype order": lambda x: x.astype("float64", order="F"),
    "copy order": lambda x: x.copy("F"),
    "reshape order": lambda x: x.reshape((3, 2), order="F"),
    "ravel order": lambda x: x.ravel("F"),
    "zeros order": lambda x: nd.zeros((2, 3), order="F", device=x.device),
    "tobytes order": lambda x: x.tobytes("F"),
    "cumsum": lambda x: x.cumsum(),
    "setflags": lambda x: (x.setflags(write=False), x.is_writable)[1],
    "windows": lambda x: nd.lib.stride_tricks.sliding_window_view(x, 2, axis=1),
    "take wrap": lambda x: nd.take(x, [7, -9], mode="wrap"),
    "concat dtype": lambda x: nd.concat([x, x], dtype="float64"),
    "meshgrid sparse": lambda x: nd.meshgrid(x[0], x[1], sparse=True),
    "testing": lambda x: nd.testing.assert_array_equal(x, x),
    "einsum_path": lambda x: nd.einsum_path("ij,jk", x, x.T)[0],
    "ndenumerate": lambda x: [(index, float(value)) for index, value in nd.ndenumerate(x)],
    "nditer": lambda x: [float(value) for value in nd.nditer(x)],
    "apply_along_axis": lambda x: nd.apply_along_axis(nd.sort, 1, x),
    "array2string": lambda x: nd.array2string(x),
    "eigvalsh": lambda x: nd.linalg.eigvalsh(x[:, :2], "U"),
    "matrix_rank": lambda x: nd.linalg.matrix_rank(x, tol=0.1),
    "long partition": lambda x: nd.partition(nd.tile(x.reshape(-1), 40_000), 70_000)[70_000],
}


def plain(result):
    """A result without arrays."""
    if isinstance(result, tuple | list):
        return [plain(item) for item in result]
    return np.asarray(result.to_device("cpu")).tolist() if hasattr(result, "is_attached") else result


@pytest.mark.parametrize("name", CALLS)
def test_device_gives_what_the_host_gives(name):
    host, device = nd.asarray(VALUES, copy=True), nd.asarray(VALUES, device="cuda:0")
    want, got = plain(CALLS[name](host)), plain(CALLS[name](device))
    assert str(got) == str(want) if name != "eigvalsh" else np.allclose(got, want)
