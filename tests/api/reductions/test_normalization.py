"""Softmax, its logarithm, log-sum-exp, variance and layer normalization, on every path of their kernels."""

import numpy as np
import pytest
from sampled_arrays import check_gradient
from test_reductions import LAYOUTS, laid_out

import nd4py as nd

RNG = np.random.default_rng(12)
# Short and long lines, strips of columns, columns cut in pieces, and what goes step by step.
SHAPES = (
    *((7, n) for n in (1, 2, 15, 16, 17, 33, 100, 255, 256, 257, 1030)),
    *((n, 7) for n in (1, 3, 16, 33, 300)),
    (64, 64), (20_000, 3), (3, 70, 5), (2, 9000, 40), (5,), (300_000,),
)  # fmt: skip
FUNCTIONS = ("softmax", "log_softmax", "logsumexp", "var", "layer_norm")


def expected(name, x, axis):
    x = x.astype(np.longdouble)
    if name == "var":
        return x.var(axis)
    if name == "layer_norm":
        return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + 1e-5)
    top = x.max(axis, keepdims=True)
    total = np.log(np.exp(x - top).sum(axis, keepdims=True))
    if name == "logsumexp":
        return np.squeeze(total + top, axis)
    return x - top - total if name == "log_softmax" else np.exp(x - top - total)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_values(name, dtype, instruction_set):
    for i, shape in enumerate(SHAPES):
        x = laid_out((RNG.normal(size=shape) * 2 + 3 * (i % 3)).astype(dtype), LAYOUTS[i % 4])
        for axis in range(x.ndim):
            got = np.asarray(getattr(nd, name)(nd.asarray(x), axis=axis))
            tolerance = {"float16": 3e-3, "float32": 2e-6, "float64": 1e-14}[dtype]
            want = expected(name, x, axis)
            assert got.dtype == dtype
            np.testing.assert_allclose(
                got.astype("f8"), want.astype("f8"), rtol=tolerance, atol=tolerance, err_msg=f"{shape} {axis}"
            )


@pytest.mark.parametrize("shape", [(40, 100), (3, 5000), (100, 40), (30_000, 5)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_do_not_depend_on_threads(shape, name):
    x = nd.asarray(RNG.normal(size=shape).astype("float32"))
    for axis in (0, 1):
        results = []
        for n in (1, 2, 3):
            with nd.threads(n):
                results.append(np.asarray(getattr(nd, name)(x, axis=axis)).tobytes())
        assert len(set(results)) == 1, axis


@pytest.mark.parametrize("shape, axis", [((2_000, 40), 0), ((30, 60, 50), 1), ((3, 4, 900, 9, 1), 2), ((90_000, 1), 0)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_do_not_depend_on_what_is_deferred(name, shape, axis):
    for dtype in ("float32", "float64"):
        x = nd.asarray(RNG.normal(size=shape).astype(dtype), copy=True)
        got = np.asarray(getattr(nd, name)(x * 1, axis=axis))
        with nd.combine(False):
            want = np.asarray(getattr(nd, name)(x, axis=axis))
        assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("offset", [1e4, 1e6, 1e8])
@pytest.mark.parametrize("shape", [(6, 50), (6, 3000), (3000, 6), (20_000, 40)])
def test_numbers_far_from_zero(offset, shape):
    """The rounded mean, and the rounded logarithm of the sum, are too coarse there."""
    x = (offset + np.round(RNG.normal(size=shape) * 4) * max(1, offset * 2**-23)).astype("float32")
    for axis in (0, 1):
        for name in ("var", "layer_norm", "softmax", "log_softmax"):
            got, want = np.asarray(getattr(nd, name)(nd.asarray(x), axis=axis)), expected(name, x, axis)
            np.testing.assert_allclose(got, want.astype("f8"), rtol=5e-6, atol=5e-6, err_msg=f"{name} {axis}")


@pytest.mark.parametrize("n", [3, 20, 300, 2000])
@pytest.mark.parametrize("axis", [0, 1])
def test_infinities_and_nan(n, axis):
    x = np.zeros((6, n), "float32")
    x[0] = -np.inf
    x[1, 1:] = -np.inf
    x[2, n // 2] = np.inf
    x[3, n - 1] = np.nan
    x[4] = 1e30
    x[5] = -1e30
    given = nd.asarray(x if axis else np.ascontiguousarray(x.T))
    rows = lambda y: np.asarray(y) if axis else np.asarray(y).T  # noqa: E731
    for name, one in (("softmax", 1.0), ("log_softmax", 0.0)):
        y = rows(getattr(nd, name)(given, axis=axis))
        assert np.isnan(y[[0, 2, 3]]).all()
        assert y[1, 0] == one
        share = 1 / n if name == "softmax" else -np.log(n)
        np.testing.assert_allclose(y[4:], share, rtol=1e-6)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(
            np.asarray(nd.logsumexp(given, axis=axis)), np.array([-np.inf, 0, np.inf, np.nan, 1e30, -1e30], "float32")
        )


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 4)])
def test_no_elements(shape):
    x = nd.zeros(shape)
    for axis in range(len(shape)):
        assert nd.softmax(x, axis).shape == nd.log_softmax(x, axis).shape == nd.layer_norm(x, axis=axis).shape == shape
    assert float(nd.logsumexp(x)) == -np.inf
    assert np.isnan(float(nd.var(x)))


@pytest.mark.parametrize("axis", [-1, 0, 1, (1, 2), (0, 2)])
def test_layer_norm_with_scale_and_bias(axis):
    x = RNG.normal(size=(6, 5, 300))
    axes = tuple(i % 3 for i in np.atleast_1d(axis))
    shape = tuple(x.shape[i] for i in axes)
    scale, bias = RNG.normal(size=shape), RNG.normal(size=shape)
    spread = tuple(size if i in axes else 1 for i, size in enumerate(x.shape))
    plain = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-3)
    arrays = [nd.asarray(item) for item in (x, scale, bias)]
    got = nd.layer_norm(*arrays, axis=axis, epsilon=1e-3)
    np.testing.assert_allclose(np.asarray(got), plain * scale.reshape(spread) + bias.reshape(spread), atol=1e-12)
    got = nd.layer_norm(arrays[0], None, arrays[2], axis=axis, epsilon=1e-3)
    np.testing.assert_allclose(np.asarray(got), plain + bias.reshape(spread), atol=1e-12)


def test_layer_norm_refuses():
    x = nd.ones((2, 3))
    with pytest.raises(ValueError, match=r"scale must have the sizes of x along axis, \(3,\), given \(2,\)"):
        nd.layer_norm(x, nd.ones(2))
    with pytest.raises(TypeError, match="layer_norm: needs real numbers, given complex128"):
        nd.layer_norm(x + 1j)


@pytest.mark.parametrize("axis", [-1, 0, 1, (1, 2), (0, 2)])
def test_rms_norm_with_a_scale(axis):
    x = RNG.normal(size=(6, 5, 300))
    axes = tuple(i % 3 for i in np.atleast_1d(axis))
    scale = RNG.normal(size=tuple(x.shape[i] for i in axes))
    spread = tuple(size if i in axes else 1 for i, size in enumerate(x.shape))
    plain = x / np.sqrt((x**2).mean(axes, keepdims=True) + 1e-3)
    got = nd.rms_norm(nd.asarray(x), nd.asarray(scale), axis=axis, epsilon=1e-3)
    np.testing.assert_allclose(np.asarray(got), plain * scale.reshape(spread), atol=1e-12)
    np.testing.assert_allclose(np.asarray(nd.rms_norm(nd.asarray(x), axis=axis, epsilon=1e-3)), plain, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_rms_norm_of_short_floats_is_computed_in_float32(dtype):
    x = nd.asarray([300.0, -400.0], dtype=dtype)  # whose squares float16 cannot hold
    y = nd.rms_norm(x, nd.asarray([1.0, 2.0], dtype=dtype))
    assert y.dtype == dtype
    np.testing.assert_allclose(np.asarray(y.astype("float64")), [0.84852814, -2.2627417], rtol=1e-2)


def test_rms_norm_takes_integers_and_no_elements():
    assert nd.rms_norm(nd.asarray([1, 7]), epsilon=0.0).tolist() == pytest.approx([0.2, 1.4])
    for shape in ((0, 3), (3, 0), (2, 0, 4)):
        assert all(nd.rms_norm(nd.zeros(shape), axis=axis).shape == shape for axis in range(len(shape)))


def test_rms_norm_refuses():
    x = nd.ones((2, 3))
    with pytest.raises(ValueError, match=r"rms_norm: scale must have the sizes of x along axis, \(3,\), given \(2,\)"):
        nd.rms_norm(x, nd.ones(2))
    with pytest.raises(TypeError, match="rms_norm: needs real numbers, given complex128"):
        nd.rms_norm(x + 1j)


GRADIENT_CASES = {
    "softmax": lambda x: nd.softmax(x, 0),
    "softmax of two axes": lambda x: nd.softmax(x, (0, 1)),
    "log_softmax": lambda x: nd.log_softmax(x, -1),
    "logsumexp": lambda x: nd.logsumexp(x, 1),
    "logsumexp of all": lambda x: nd.logsumexp(x, keepdims=True),
    "var": lambda x: nd.var(x, 1, correction=1),
    "var of all": nd.var,
    "layer_norm": nd.layer_norm,
    "layer_norm along axis 0": lambda x: nd.layer_norm(x, axis=0),
    "layer_norm of all": lambda x: nd.layer_norm(x, axis=(0, 1)),
    "rms_norm": nd.rms_norm,
    "rms_norm along axis 0": lambda x: nd.rms_norm(x, axis=0),
    "rms_norm of all": lambda x: nd.rms_norm(x, axis=(0, 1)),
}


@pytest.mark.parametrize("name", GRADIENT_CASES)
def test_gradients(name):
    check_gradient(GRADIENT_CASES[name], RNG.normal(size=(3, 4)))


def test_gradients_of_scale_and_bias():
    x, scale, bias = RNG.normal(size=(3, 4)), RNG.normal(size=4), RNG.normal(size=4)
    check_gradient(lambda *arrays: nd.layer_norm(*arrays), x, scale, bias)
    check_gradient(lambda *arrays: nd.rms_norm(*arrays), x, scale)
