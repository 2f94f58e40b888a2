"""argmax, nonzero, searchsorted, where; sort and argsort; unique_* and isin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, SPECIAL, arrays, draw_values, lay_out, layouts, partners, seeds, shapes
from .subject import DTYPES, PART, assert_array, dtype_of, find, numpy_of, xp

every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])
real_dtypes = pytest.mark.parametrize("dtype", DTYPES["real"])
# Few different numbers, so that many are equal.
FEW = (-2, 2)


@real_dtypes
@pytest.mark.parametrize("name", ["argmax", "argmin"])
@EXAMPLES
@given(data=st.data(), keepdims=st.booleans())
def test_extremes(name, dtype, data, keepdims):
    """The first of equal ones."""
    shape = data.draw(shapes())
    rng = np.random.default_rng(data.draw(seeds))
    values, x = lay_out(draw_values(rng, dtype, shape, FEW, step=1), data.draw(layouts))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1) | st.none()) if values.ndim else None
    if values.size == 0:
        return
    want = np.asarray(getattr(np, name)(values, axis=axis, keepdims=keepdims))
    assert_array(find(name)(x, axis=axis, keepdims=keepdims), want, "int64")


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_extremes_of_infinities(dtype):
    values = np.asarray([1, -np.inf, np.inf, -np.inf, np.inf, 0]).astype(dtype)
    assert int(xp.argmax(xp.asarray(values))) == 2
    assert int(xp.argmin(xp.asarray(values))) == 1
    assert int(xp.argmax(xp.asarray(np.full(5, -np.inf, dtype)))) == 0
    assert int(xp.argmin(xp.asarray(np.full(5, np.inf, dtype)))) == 0


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_nonzero(dtype, data):
    values, x = data.draw(arrays(dtype, shapes(min_dims=1), (-1, 1)))
    got = xp.nonzero(x)
    assert type(got) is tuple
    for index, want in zip(got, np.nonzero(values), strict=True):
        assert_array(index, want, "int64")


def test_what_is_not_zero():
    """NaN and a number with one part only; not the other zero. An array of rank 0 has no positions."""
    for values in (
        np.asarray([0.0, -0.0, np.nan, np.inf]),
        np.asarray([0j, 1j, 1, complex(0, np.nan), complex(-0.0, -0.0)]),
    ):
        assert_array(xp.nonzero(xp.asarray(values))[0], np.nonzero(values)[0])
        assert_array(xp.count_nonzero(xp.asarray(values)), np.asarray(np.count_nonzero(values)))
    with pytest.raises(ValueError, match=r"\w"):
        xp.nonzero(xp.asarray(1.0))


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_where(dtype, data):
    (condition, mask), (a, x), (b, y) = data.draw(partners(("bool", dtype, dtype), (FEW,) * 3, specials=True))
    assert_array(xp.where(mask, x, y), np.where(condition, a, b))


@real_dtypes
@EXAMPLES
@given(data=st.data(), side=st.sampled_from(["left", "right"]))
def test_searchsorted(dtype, data, side):
    rng = np.random.default_rng(data.draw(seeds))
    n = data.draw(st.integers(0, 40))
    unsorted = draw_values(rng, dtype, (n,), (-9, 9), step=1)
    order = np.argsort(unsorted, kind="stable")
    ascending, x1 = lay_out(unsorted[order], data.draw(st.sampled_from(["contiguous", "strided", "reversed"])))
    values, x2 = data.draw(arrays(dtype, domain=(-10, 10)))
    want = np.asarray(np.searchsorted(ascending, values, side))
    assert_array(xp.searchsorted(x1, x2, side=side), want, "int64")
    sorter = xp.asarray(order)
    assert_array(xp.searchsorted(xp.asarray(unsorted), x2, side=side, sorter=sorter), want, "int64")
    scalar = data.draw(st.integers(0, 5)) if "int" in dtype else data.draw(st.floats(-10, 10))
    got = xp.searchsorted(x1, scalar, side=side)
    assert_array(got, np.asarray(np.searchsorted(ascending, np.asarray(scalar, dtype), side)), "int64")


def test_searchsorted_refuses():
    with pytest.raises(ValueError, match=r"\w"):
        xp.searchsorted(xp.ones((2, 2)), xp.ones(2))
    with pytest.raises(ValueError, match=r"\w"):
        xp.searchsorted(xp.ones(2), xp.ones(2), side="middle")


@real_dtypes
@EXAMPLES
@given(data=st.data(), stable=st.booleans(), domain=st.sampled_from([FEW, (-100, 100)]))
def test_sort_ascending(dtype, data, stable, domain):
    values, x = data.draw(arrays(dtype, shapes(min_dims=1), domain))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    assert_array(xp.sort(x, axis=axis, stable=stable), np.sort(values, axis=axis), signs=False)
    if axis == values.ndim - 1:
        assert_array(xp.sort(x), np.sort(values))
    assert_array(xp.argsort(x, axis=axis), np.argsort(values, axis=axis, kind="stable"), "int64")
    if not stable:
        order = numpy_of(xp.argsort(x, axis=axis, stable=False))
        assert (np.take_along_axis(values, order, axis) == np.sort(values, axis=axis)).all()
        assert (np.sort(order, axis=axis) == np.sort(np.argsort(values, axis=axis), axis=axis)).all()


@real_dtypes
@EXAMPLES
@given(data=st.data(), domain=st.sampled_from([FEW, (-100, 100)]))
def test_sort_descending_is_stable(dtype, data, domain):
    """Equal elements keep their order: the reverse of sorting the reverse."""
    values, x = data.draw(arrays(dtype, shapes(min_dims=1), domain))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    n = values.shape[axis]
    backwards = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    want = np.flip(n - 1 - backwards, axis)
    assert_array(xp.argsort(x, axis=axis, descending=True), want, "int64")
    assert_array(xp.sort(x, axis=axis, descending=True), np.take_along_axis(values, want, axis))
    unstable = xp.sort(x, axis=axis, descending=True, stable=False)
    assert_array(unstable, np.take_along_axis(values, want, axis), signs=False)


@pytest.mark.parametrize("dtype", DTYPES["integral"])
def test_sort_has_all_integers(dtype):
    """The smallest has no negative, the largest of uint64 is no float64."""
    limits = np.iinfo(dtype)
    values = np.asarray([3, limits.max, limits.min, limits.max - 1, 7, limits.min + 1], dtype)
    assert_array(xp.sort(xp.asarray(values)), np.sort(values))
    assert_array(xp.sort(xp.asarray(values), descending=True), np.sort(values)[::-1])
    assert_array(xp.argsort(xp.asarray(values), descending=True), np.argsort(values)[::-1])
    assert_array(xp.sort(xp.unique_values(xp.asarray(values))), np.sort(values))


def test_sort_refuses_an_axis():
    for name in ("sort", "argsort"):
        for axis in (2, -3):
            with pytest.raises((IndexError, ValueError)):
                find(name)(xp.ones((2, 3)), axis=axis)


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_searchsorted_is_consistent_with_sort(dtype):
    """Zeros of both signs, infinities and NaN stand where sort puts them."""
    values = np.asarray([np.nan, 1, -np.inf, 0.0, np.inf, -0.0, np.nan, -1]).astype(dtype)
    ascending = xp.sort(xp.asarray(values))
    for value in (*SPECIAL, 0.5):
        position = int(xp.searchsorted(ascending, xp.asarray(np.asarray(value, dtype))))
        longer = np.insert(numpy_of(ascending), position, np.asarray(value, dtype))
        assert_array(xp.sort(xp.asarray(longer)), longer, signs=False)


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_unique(dtype, data):
    """Each value once, where it stands first, how often it occurs, and x from them."""
    values, x = data.draw(arrays(dtype, domain=(-1, 1)))
    if np.dtype(dtype).kind in "fc":
        values = np.round(values * 2) / 2
        x = xp.round(x * 2) / 2
    flat = values.ravel().tolist()
    found = xp.unique_all(x)
    uniques = numpy_of(found.values).tolist()
    assert len(set(uniques)) == len(uniques)
    assert_array(found.values, np.asarray(uniques, dtype), signs=False)
    assert_array(found.indices, np.asarray([flat.index(value) for value in uniques], "int64"))
    assert_array(found.counts, np.asarray([flat.count(value) for value in uniques], "int64"))
    assert_array(
        found.inverse_indices, np.asarray([uniques.index(value) for value in flat], "int64").reshape(values.shape)
    )
    # The order is free, for each function.
    counted, inverted, alone = xp.unique_counts(x), xp.unique_inverse(x), xp.unique_values(x)
    assert_array(
        counted.counts, np.asarray([flat.count(value) for value in numpy_of(counted.values).tolist()], "int64")
    )
    assert_array(inverted.inverse_indices, numpy_of(inverted.inverse_indices), "int64")
    assert (numpy_of(inverted.values)[numpy_of(inverted.inverse_indices)] == values).all()
    for part in (counted.values, inverted.values, alone):
        assert_array(part, numpy_of(part), dtype)
        assert part.shape == (len(uniques),)
        assert set(numpy_of(part).tolist()) == set(flat)


@pytest.mark.parametrize("dtype", DTYPES["floating"])
def test_unique_nan_and_zeros(dtype):
    """Every NaN is another value; the zeros are one."""
    values = np.asarray([np.nan, 0.0, 1, np.nan, -0.0, 1, np.nan]).astype(dtype)
    if dtype in PART:
        values.imag[3], values.real[3] = np.nan, 0
    uniques, _, inverse, counts = (numpy_of(part) for part in xp.unique_all(xp.asarray(values)))
    is_nan = np.isnan(uniques)
    assert is_nan.sum() == 3
    assert counts[is_nan].tolist() == [1, 1, 1]
    assert sorted(counts[~is_nan].tolist()) == [2, 2]
    assert (uniques[inverse][~np.isnan(values)] == values[~np.isnan(values)]).all()
    assert np.isnan(uniques[inverse][np.isnan(values)]).all()
    assert np.isnan(numpy_of(xp.unique_values(xp.asarray(values)))).sum() == 3


@pytest.mark.parametrize("dtype", DTYPES["integral"])
@EXAMPLES
@given(data=st.data(), invert=st.booleans())
def test_isin(dtype, data, invert):
    values, x = data.draw(arrays(dtype, domain=(0, 9)))
    among, y = data.draw(arrays(dtype, domain=(0, 9)))
    assert_array(xp.isin(x, y, invert=invert), np.isin(values, among, invert=invert))
    assert_array(xp.isin(x, 3, invert=invert), np.isin(values, 3, invert=invert))
    assert_array(xp.isin(3, y, invert=invert), np.asarray(np.isin(3, among, invert=invert)))


def test_isin_promotes():
    x = xp.asarray([1, 2, 300], dtype=xp.int16)
    assert_array(xp.isin(x, xp.asarray([44, 2], dtype=xp.uint8)), np.asarray([False, True, False]))
    assert xp.isin(x, xp.zeros(0, dtype=dtype_of("int16"))).dtype == xp.bool
