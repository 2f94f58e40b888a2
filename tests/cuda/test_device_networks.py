"""What networks are made of, and networks, on simulated devices: the CPU's results to rounding."""

import numpy as np
import pytest

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")
ROUNDING = {"float32": 5e-6, "float64": 1e-14}
# x shape, filters, kernel, settings
CONVOLUTIONS = [
    ((2, 3, 7, 6), 4, (3, 3), {}),
    ((1, 4, 9, 7), 6, (3, 2), {"stride": (2, 3), "padding": (1, 2, 0, 1), "groups": 2}),
    ((2, 2, 8, 8), 2, (2, 3), {"padding": 2, "dilation": 2}),
]
POOLINGS = [
    ((2, 3, 6, 6), 2, {}),
    ((1, 2, 9, 7), (3, 3), {"stride": 2, "padding": 1}),
    ((2, 1, 7, 8), (3, 2), {"stride": (1, 3), "padding": (0, 2, 1, 0)}),
]


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def numpy_of(x):
    assert x.device.startswith("cuda:")
    return np.asarray(x.to_device("cpu"))


def assert_same(function, *operands, dtype):
    """`function` and the gradients of its weighted sum, on the device and on the CPU."""
    operands = [x.astype(dtype) for x in operands]
    want = np.asarray(function(*map(nd.asarray, operands)))
    slack = {"rtol": ROUNDING[dtype], "atol": ROUNDING[dtype]}
    np.testing.assert_allclose(numpy_of(function(*map(on, operands))), want, **slack)
    weights = np.random.default_rng(9).normal(size=want.shape).astype(dtype)

    def total(*operands):
        return nd.sum(function(*operands) * nd.asarray(weights, device=operands[0].device))

    gradient = nd.grad(total, tuple(range(len(operands))))
    for got, expected in zip(gradient(*map(on, operands)), gradient(*map(nd.asarray, operands)), strict=True):
        expected = np.asarray(expected)
        np.testing.assert_allclose(numpy_of(got), expected, rtol=slack["rtol"], atol=20 * ROUNDING[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape, filters, kernel, settings", CONVOLUTIONS, ids=str)
def test_convolutions(shape, filters, kernel, settings, dtype):
    rng = np.random.default_rng(1)
    x, bias = rng.normal(size=shape), rng.normal(size=filters)
    w = rng.normal(size=(filters, shape[1] // settings.get("groups", 1), *kernel))
    assert_same(lambda x, w, bias: nd.conv2d(x, w, bias, **settings), x, w, bias, dtype=dtype)
    assert_same(lambda x, w: nd.conv2d(x.mT.copy().mT, w, **settings), x, w, dtype=dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("pool", [nd.max_pool2d, nd.avg_pool2d])
@pytest.mark.parametrize("shape, kernel, settings", POOLINGS, ids=str)
def test_poolings(pool, shape, kernel, settings, dtype):
    x = np.random.default_rng(1).integers(-3, 3, shape).astype(dtype)
    assert_same(lambda x: pool(x, kernel, **settings), x, dtype=dtype)


def test_halves():
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(1, 2, 5, 5)).astype("float16"), rng.normal(size=(3, 2, 2, 2)).astype("float16")
    y = nd.conv2d(on(x), on(w))
    assert y.dtype == "float16"
    np.testing.assert_allclose(numpy_of(y), np.asarray(nd.conv2d(nd.asarray(x), nd.asarray(w))), rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(numpy_of(nd.max_pool2d(on(x), 2)), np.asarray(nd.max_pool2d(nd.asarray(x), 2)))


def test_wrong_ones():
    x, w = on(np.ones((1, 2, 5, 5))), on(np.ones((3, 2, 2, 2)))
    with pytest.raises(ValueError, match=r"different devices, cpu and cuda:0"):
        nd.conv2d(x, nd.ones((3, 2, 2, 2)))
    with pytest.raises(ValueError, match=r"different devices, cuda:0 and cuda:1"):
        nd.conv2d(x, w.to_device("cuda:1"))
    with pytest.raises(ValueError, match="w must be"):
        nd.conv2d(x, w[:, :1])
    with pytest.raises(TypeError, match="no int64 loop"):
        nd.max_pool2d(x.astype("int64"), 2)


@pytest.mark.parametrize("axis", [0, 1, -1, (0, 2), None])
@pytest.mark.parametrize("function", [nd.softmax, nd.log_softmax, nd.logsumexp, nd.layer_norm, nd.var, nd.std])
def test_normalizing(function, axis):
    x = np.random.default_rng(4).normal(size=(3, 4, 5))
    assert_same(lambda x: function(x, axis=axis), x, dtype="float64")


@pytest.mark.parametrize("function", [nd.softmax, nd.log_softmax])
def test_normalizing_long_lines_halves_and_nothing(function):
    x = np.random.default_rng(4).normal(size=(2, 1500))
    assert_same(function, x, dtype="float32")
    half = x[:, :40].astype("float16")
    y = function(on(half))
    assert y.dtype == "float16"
    np.testing.assert_allclose(numpy_of(y), np.asarray(function(nd.asarray(half))), rtol=2e-3)
    assert function(on(np.ones((0, 3)))).shape == (0, 3)


def test_log_sum_exp_of_infinities():
    x = np.asarray([[-np.inf, -np.inf], [np.inf, 1.0], [1.0, np.nan], [1000.0, 1000.0]])
    np.testing.assert_array_equal(
        numpy_of(nd.logsumexp(on(x), axis=1)), np.asarray(nd.logsumexp(nd.asarray(x), axis=1))
    )
    assert float(nd.logsumexp(on(np.ones(0)))) == -np.inf
