"""Rows beyond the standard where their domain's table-driven tests do not reach."""

import numpy as np
import pytest
from sampled_arrays import check, check_gradient

import nd4py as nd

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sinc_is_accurate_far_from_zero(dtype):
    x = np.linspace(-50, 50, 4001).astype(dtype)
    wide = x.astype(np.longdouble)
    exact = np.sin(np.pi * (wide - np.rint(wide))) * np.where(np.rint(wide) % 2, -1, 1)
    exact = np.where(wide == 0, 1, exact / (np.pi * np.where(wide == 0, 1, wide)))
    np.testing.assert_allclose(
        np.asarray(nd.sinc(nd.asarray(x))), exact.astype("float64"), rtol=16 * np.finfo(dtype).eps
    )
    assert nd.sinc(nd.asarray([1.0, -2.0, 1e9])).tolist() == [0.0, 0.0, 0.0]


def test_slope_of_sinc():
    check_gradient(nd.sinc, [-7.3, -1.0, -0.051, -0.049, -1e-3, 0.0, 1e-9, 0.02, 0.05, 0.4, 2.0, 30.5], atol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logit_around_its_zero_and_at_its_ends(dtype):
    eps = float(np.finfo(dtype).eps)
    x = nd.asarray(np.array([0.0, eps, 0.25, 0.5 - eps, 0.5, 0.5 + eps, 0.75, 1 - eps, 1.0, -0.5, 2.0], dtype))
    want = [-INF, np.log(eps), np.log(1 / 3), -4 * eps, 0.0, 4 * eps, np.log(3), -np.log(eps), INF, NAN, NAN]
    check(nd.logit(x), want, 4 * eps, 0)
    check_gradient(nd.logit, [0.01, 0.26, 0.5, 0.74, 0.99])


def test_lerp_meets_its_ends():
    x1, x2 = nd.asarray([0.1, 1e16, -INF, 2.0, INF]), nd.asarray([0.3, 1.0, 5.0, INF, INF])
    assert nd.lerp(x1, x2, 0.0).tolist() == x1.tolist()
    assert nd.lerp(x1, x2, 1.0).tolist() == x2.tolist()
    assert nd.lerp(x1, x2, 0.75).tolist()[2:] == [-INF, INF, INF]
    assert str(nd.lerp(nd.asarray(-INF), nd.asarray(INF), 0.5).item()) == "nan"


def test_heaviside_of_special_values():
    x = nd.asarray([NAN, -INF, -0.0, 0.0, INF])
    assert str(nd.heaviside(x, nd.asarray(0.5)).tolist()) == "[nan, 0.0, 0.5, 0.5, 1.0]"
    check_gradient(lambda y: nd.heaviside(nd.asarray([-1.0, 0.0, 2.0]), y), [0.5, 0.5, 0.5])


def test_frac_keeps_the_sign():
    assert nd.frac(nd.asarray([-1.25, 2.5, 3.0])).tolist() == [-0.25, 0.5, 0.0]


@pytest.mark.parametrize("n", [1, 7, 64, 1001])
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_constant_operands_of_three(n, dtype):
    """Loops over dense arrays with one or two operands of one element, and with none."""
    x, y = (np.arange(n) % 100).astype(dtype), (np.arange(n) % 7).astype(dtype)
    a, b, two, three = nd.asarray(x), nd.asarray(y), nd.asarray(2, dtype=dtype), nd.asarray(3, dtype=dtype)
    check(nd.multiply_add(a, b, a), x * y + x)
    check(nd.multiply_add(a, two, b), x * 2 + y)
    check(nd.multiply_add(a, b, three), x * y + 3)
    check(nd.multiply_add(a, two, three), x * 2 + 3)
    check(nd.multiply_add(two, a, b), 2 * x + y)
    check(nd.clip(a, two, b), np.minimum(np.maximum(x, 2), y))
    check(nd.clip(a, b, three), np.minimum(np.maximum(x, y), 3))
    check(nd.clip(a, two, three), np.minimum(np.maximum(x, 2), 3))
    mask = x % 2 == 0
    condition = nd.asarray(mask)
    check(nd.where(condition, two, b), np.where(mask, 2, y))
    check(nd.where(condition, a, three), np.where(mask, x, 3))
    check(nd.where(condition, two, three), np.where(mask, 2, 3))
    check(nd.where(nd.asarray(True), a, b), x)
