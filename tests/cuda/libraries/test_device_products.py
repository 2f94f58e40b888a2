"""Matrix products by the device's library and by the kernels: the host's numbers, whatever the layouts."""

import numpy as np
import pytest
from device_training import numpy_of
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda.driver.driver import RoutineMissing
from nd4py.cuda.driver.driver_choice import lacking

RNG = np.random.default_rng(11)
FLOATING = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


@pytest.fixture
def devices():
    """New devices, of whose library nothing is known yet."""
    with in_use(default_driver(devices=2, flags=QUICK), 2) as driver:
        yield driver


@pytest.fixture
def kernels_alone(devices):
    """Devices without the library."""
    devices.missing_routines = {"gemm"}
    return devices


def whole_numbers(shape):
    """Numbers whose products every floating dtype holds."""
    return RNG.integers(-3, 4, shape).astype("float64")


def on(values, dtype="float64"):
    return nd.asarray(values, device="cuda:0").astype(dtype)


def values_of(x):
    return numpy_of(x.astype("complex128" if x.dtype.kind == "c" else "float64"))


# (the operand as it is made, the view that is multiplied)
LAYOUTS = {
    "rows": ((4, 6), lambda x: x),
    "columns": ((6, 4), lambda x: x.mT),
    "rows with gaps": ((4, 9), lambda x: x[:, 2:8]),
    "columns with gaps": ((9, 4), lambda x: x[2:8].mT),
    "every second row": ((8, 6), lambda x: x[::2]),
    "every second element": ((4, 12), lambda x: x[:, ::2]),
    "from the last row": ((4, 6), lambda x: x[::-1]),
    "one row repeated": ((1, 6), lambda x: nd.broadcast_to(x, (4, 6))),
    "one column repeated": ((4, 1), lambda x: nd.broadcast_to(x, (4, 6))),
    "stack": ((3, 4, 6), lambda x: x),
    "stack of columns": ((3, 6, 4), lambda x: x.mT),
    "stack with gaps": ((3, 5, 6), lambda x: x[:, :4]),
    "stack turned round": ((4, 3, 6), lambda x: nd.permute_dims(x, (1, 0, 2))),
    "stack from the last": ((3, 4, 6), lambda x: x[::-1]),
    "stack of one": ((1, 4, 6), lambda x: x),
    "stack of one matrix": ((4, 6), lambda x: nd.broadcast_to(x, (3, 4, 6))),
    "two stacks": ((2, 3, 4, 6), lambda x: x),
    "two stacks turned round": ((3, 2, 4, 6), lambda x: nd.permute_dims(x, (1, 0, 2, 3))),
    "stack of stacks": ((2, 1, 4, 6), lambda x: x),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("library", ["devices", "kernels_alone"])
def test_layouts(request, library, name):
    """On the left of each, and on the right: where the product has the layout's transpose."""
    request.getfixturevalue(library)
    shape, lay = LAYOUTS[name]
    given = whole_numbers(shape)
    x, want = lay(on(given)), np.asarray(lay(nd.asarray(given)))
    for other_shape, other_lay in LAYOUTS.values():
        other_given = whole_numbers(other_shape)
        y, other = other_lay(on(other_given)).mT, np.asarray(other_lay(nd.asarray(other_given))).swapaxes(-1, -2)
        np.testing.assert_array_equal(values_of(x @ y), want @ other)


SMALL = {
    "one element": ((1, 1), (1, 1)),
    "row and column": ((1, 5), (5, 1)),
    "column and row": ((5, 1), (1, 4)),
    "one row": ((1, 5), (5, 3)),
    "one column": ((3, 5), (5, 1)),
    "nothing to add": ((3, 0), (0, 4)),
    "no rows": ((0, 3), (3, 4)),
    "no columns": ((3, 4), (4, 0)),
    "no matrices": ((0, 3, 4), (4, 2)),
    "vector": ((5,), (5, 3)),
    "vectors": ((5,), (5,)),
    "stack and vector": ((2, 3, 5), (5,)),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_products(devices, name):
    a, b = map(whole_numbers, SMALL[name])
    for dtype in FLOATING:
        np.testing.assert_array_equal(values_of(on(a, dtype) @ on(b, dtype)), a @ b)


@pytest.mark.parametrize("dtype", FLOATING)
def test_both_ways_are_as_exact_as_the_host(devices, dtype):
    """Halves are added in float32: 4000 of them, which in halves would stop to grow."""
    a, b = on(RNG.uniform(0, 1, (5, 4000)), dtype), on(RNG.uniform(0, 1, (4000, 3)), dtype)
    want = values_of(a).astype("complex128") @ values_of(b)
    epsilon = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 1e-5, "complex64": 1e-5}.get(dtype, 1e-12)
    np.testing.assert_allclose(values_of(a @ b), want, rtol=epsilon)
    devices.missing_routines = {"gemm"}
    np.testing.assert_allclose(values_of(a @ b), want, rtol=epsilon)
    assert lacking == {("gemm", 0, dtype)}
    devices.missing_routines = set()
    np.testing.assert_allclose(values_of(a @ b), want, rtol=epsilon)


def asked(stub):
    return [call[1] for call in stub.calls if call[0] == "gemm"]


def test_what_the_library_is_asked(stub):
    """Nothing is copied that the library can read as it lies, and a stack times one matrix is one product."""
    stub.is_recording = True
    x, y = nd.zeros((7, 4, 6), device="cuda:0"), nd.zeros((6, 5), device="cuda:0")
    assert (x @ y).shape == (7, 4, 5)
    (gemm,) = asked(stub)
    assert (gemm.m, gemm.n, gemm.k, gemm.batch) == (5, 28, 6, 1)
    stub.calls.clear()
    nd.matmul(x.mT, nd.zeros((7, 4, 5), device="cuda:0"))
    nd.matmul(x[0].T, x[1, :, :3])
    assert [(gemm.m, gemm.n, gemm.k, gemm.batch) for gemm in asked(stub)] == [(5, 6, 4, 7), (3, 6, 4, 1)]
    assert [(gemm.a.leading, gemm.b.leading, gemm.b.is_transposed) for gemm in asked(stub)] == [
        (5, 6, True),
        (6, 6, True),
    ]
    assert not [call for call in stub.calls if call[0] in ("launch", "memcpy_d2d_async")]


def test_who_multiplies(stub):
    """Whole numbers, truth values and the steps of graphs have the kernels; a missing library is asked for once."""
    stub.is_recording = True
    for dtype in ("int32", "bool"):
        x = nd.ones((4, 4), dtype=dtype, device="cuda:0")
        (x @ x).block()
    x = nd.ones((4, 4), device="cuda:0")
    nd.cuda.Graph(lambda: x @ x).close()
    assert asked(stub) == []
    stub.faults["gemm"] = [RoutineMissing("no library")]
    for _ in range(3):
        (x @ x).block()
    assert len(asked(stub)) == 1
    with nd.device("cuda:1"):
        (nd.ones((4, 4)) @ nd.ones((4, 4))).block()
    assert len(asked(stub)) == 2


def test_sizes_beyond_the_library_have_the_kernels(stub):
    stub.device_bytes = 1 << 50
    stub.is_recording = True
    x = nd.empty((2**31, 2), dtype="float32", device="cuda:0")
    assert (x @ nd.ones((2, 1), dtype="float32", device="cuda:0")).shape == (2**31, 1)
    assert asked(stub) == []


def test_a_device_that_fails_says_so(stub):
    stub.faults["gemm"] = [nd.cuda.DeviceError("no memory for its handle")]
    x = nd.ones((4, 4), device="cuda:0")
    with pytest.raises(nd.cuda.DeviceError, match="no memory for its handle"):
        x @ x
