"""Slopes, integrals and interpolation of samples, against NumPy."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from sampled_arrays import arrays, check, check_gradient, numbers

import nd4py as nd

RNG = np.random.default_rng(31)
BLOCK = RNG.normal(size=(4, 5, 6))
PLACES = np.array([0.0, 1.0, 1.5, 4.0, 4.25])
XP, FP = np.array([-1.0, 0.0, 0.5, 2.0]), np.array([3.0, -1.0, 4.0, 4.0])


@given(x=arrays(numbers(), shapes=array_shapes(min_dims=1, max_dims=3, min_side=2, max_side=5)), data=st.data())
def test_gradient(x, data):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    spacing = data.draw(st.sampled_from([(), (2,), (0.25,)]))
    order = data.draw(st.sampled_from([1, 2])) if min(x.shape) > 2 else 1
    got = nd.gradient(nd.asarray(x), *spacing, axis=axis, edge_order=order)
    check(got, np.gradient(x, *spacing, axis=axis, edge_order=order), 1e-11, 1e-11)


@pytest.mark.parametrize("order", [1, 2])
def test_gradient_with_places(order):
    x = nd.asarray(BLOCK)
    check(nd.gradient(x, PLACES, axis=1, edge_order=order), np.gradient(BLOCK, PLACES, axis=1, edge_order=order))
    mixed = (0.5, nd.asarray(PLACES), np.arange(6) ** 2)
    check(nd.gradient(x, *mixed, edge_order=order), np.gradient(BLOCK, 0.5, PLACES, mixed[2], edge_order=order))
    check(nd.gradient(x, PLACES, 2, axis=(1, 0)), np.gradient(BLOCK, PLACES, 2, axis=(1, 0)))


def test_gradient_of_other_dtypes():
    x = np.array([[5, 1, 200], [3, 250, 7]], "uint8")
    check(nd.gradient(nd.asarray(x)), np.gradient(x.astype("float64")))
    assert nd.gradient(nd.asarray(BLOCK.astype("float32")), axis=0).dtype == "float32"
    assert nd.gradient(nd.asarray(3.0)) == ()


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_trapezoid(axis):
    y = nd.asarray(BLOCK)
    check(nd.trapezoid(y, axis=axis), np.trapezoid(BLOCK, axis=axis))
    check(nd.trapezoid(y, dx=0.1, axis=axis), np.trapezoid(BLOCK, dx=0.1, axis=axis))
    row = np.arange(BLOCK.shape[axis]) ** 2
    check(nd.trapezoid(y, row, axis=axis), np.trapezoid(BLOCK, row, axis=axis))
    whole = np.cumsum(np.abs(BLOCK), axis)
    check(nd.trapezoid(y, nd.asarray(whole), axis=axis), np.trapezoid(BLOCK, whole, axis=axis))
    check(nd.trapezoid(nd.asarray([1, 2, 4])), 4.5)
    check(nd.trapezoid(nd.asarray([1.0])), 0.0)
    check(nd.trapezoid(nd.zeros((0,))), 0.0)


@given(x=arrays(numbers(-4, 4, has_nan=True)), left=st.none() | st.just(-7.0), right=st.none() | st.just(8.0))
def test_interp(x, left, right):
    check(nd.interp(nd.asarray(x), XP, FP, left, right), np.interp(x, XP, FP, left, right))
    one = np.where(np.isnan(x), np.nan, np.interp(x, XP[:1], FP[:1], left, right))  # of one point NumPy makes no NaN
    check(nd.interp(nd.asarray(x), XP[:1], FP[:1], left, right), one)
    check(nd.interp(nd.asarray(x), [2.0, 0.5, 1.25], FP[:3], period=2.5),
          np.interp(x, [2.0, 0.5, 1.25], FP[:3], period=2.5), 1e-11)  # fmt: skip


def test_interp_meets_its_points_and_infinities():
    inf = float("inf")
    xp, fp = np.sort(RNG.normal(size=50)), RNG.normal(size=50)
    assert nd.interp(nd.asarray(xp), xp, fp).tolist() == fp.tolist()
    x = [-inf, -1.0, 0.0, 0.5, 0.75, 1.0, inf]
    check(nd.interp(nd.asarray(x), [0.0, 1.0], [2.0, inf]), np.interp(x, [0.0, 1.0], [2.0, inf]))
    check(nd.interp(nd.asarray([1, 2]), [0, 4], [0, 8]), [2.0, 4.0])
    ends = (-inf, 0.0, 1.0, inf)
    for points in itertools.combinations(ends, 2):
        for values in itertools.product((*ends, np.nan), repeat=2):
            with np.errstate(invalid="ignore"):
                check(nd.interp(nd.asarray(x), points, values), np.interp(x, points, values))


def test_interp_of_complex_values():
    z = FP + 1j * FP[::-1]
    for options in ({}, {"left": 2 + 1j, "right": 5}, {"period": 1.5}):
        check(nd.interp(nd.asarray(XP + 0.1), XP, z, **options), np.interp(XP + 0.1, XP, z, **options))
    check(
        nd.interp([0.5, 2.0], [0, 1], [complex(1, np.inf), 2]), np.interp([0.5, 2.0], [0, 1], [complex(1, np.inf), 2])
    )
    check_gradient(lambda x: nd.abs(nd.interp(x, XP, z)), XP[:-1] + 0.01)
    with pytest.raises(TypeError, match="interp: needs real numbers"):
        nd.interp([1j], [0, 1], [0, 1])


def test_gradients():
    for order in (1, 2):
        check_gradient(lambda x, k=order: nd.gradient(x, 0.3, axis=1, edge_order=k), BLOCK[:, :, 0])
        check_gradient(lambda x, h, k=order: nd.gradient(x, h, axis=1, edge_order=k), BLOCK[:, :, 0], PLACES)
    check_gradient(lambda y: nd.trapezoid(y, dx=0.3), BLOCK[0])
    check_gradient(lambda y, x: nd.trapezoid(y, x), BLOCK[0, :, :5], PLACES)
    x = np.array([-3.0, -0.7, 0.2, 1.1, 5.0])
    check_gradient(lambda x, xp, fp: nd.interp(x, xp, fp), x, XP, FP)
    check_gradient(lambda x, xp, fp: nd.interp(x, xp, fp, 1.0, 2.0, 2.9), x, XP, FP)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: nd.gradient(nd.ones(1)), ValueError, "axis 0 needs 2 samples or more"),
        (lambda: nd.gradient(nd.ones((3, 2)), edge_order=2), ValueError, "axis 1 needs 3 samples or more"),
        (lambda: nd.gradient(nd.ones(3), edge_order=3), ValueError, "edge_order must be 1 or 2, given 3"),
        (lambda: nd.gradient(nd.ones((3, 3)), 1, 2, 3), TypeError, "for all of 2 axes, one for each, given 3"),
        (lambda: nd.gradient(nd.ones((3, 3)), [0.0, 1.0], axis=0), ValueError, "has 3 samples and needs 3 coordinates"),
        (lambda: nd.gradient(nd.ones((3, 3)), axis=2), ValueError, "axis 2 is out of range"),
        (lambda: nd.gradient(nd.ones((3, 3)), axis=(0, -2)), ValueError, "names one axis twice"),
        (lambda: nd.trapezoid(nd.ones((2, 3)), [1.0, 2.0, 3.0, 4.0]), ValueError, "do not broadcast"),
        (lambda: nd.trapezoid(nd.ones((2, 3)), axis=3), ValueError, "axis 3 is out of range"),
        (lambda: nd.interp(nd.ones(3), [1.0, 2.0], [1.0]), ValueError, "rows of one length above 0"),
        (lambda: nd.interp(nd.ones(3), [], []), ValueError, "rows of one length above 0"),
        (lambda: nd.interp(nd.ones(3), [1.0, 2.0], [1.0, 2.0], period=0), ValueError, "period must not be 0"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("ends", [{}, {"left": -7.0, "right": 8.0}])
def test_few_positions_have_the_values_that_they_have_among_many(repeats, ends):
    rng = np.random.default_rng(5)
    for n in (1, 2, 7, 40):
        xp = np.sort(rng.integers(0, 5, n).astype("float64") if repeats else rng.normal(size=n))
        fp = rng.normal(size=n)
        x = np.concatenate([3 * rng.normal(size=400), xp, [np.inf, -np.inf, np.nan]])
        points = nd.asarray(xp), nd.asarray(fp)
        many = np.asarray(nd.interp(nd.asarray(x), *points, **ends))
        few = np.concatenate([np.asarray(nd.interp(nd.asarray(part), *points, **ends)) for part in np.split(x, [100])])
        one = [float(nd.interp(number, *points, **ends)) for number in x[-12:].tolist()]
        for found in (few, np.asarray([*many[:-12], *one])):
            np.testing.assert_allclose(found, many, rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(many[:-1], np.interp(x[:-1], xp, fp, **ends), rtol=1e-9, atol=1e-12)
