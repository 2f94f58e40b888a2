"""Statistics, cumulative functions and utilities: axes, dtypes, empty arrays, NaN, corrections."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, parts_of, shapes
from .subject import DTYPES, WIDE, assert_array, dtype_of, find, xp
from .tables.entry import ACCUMULATED

REDUCTIONS = {
    "sum": (np.sum, "numeric", (-9, 9)),
    "prod": (np.prod, "numeric", (-1.4, 1.4)),
    "max": (np.max, "real", (-100, 100)),
    "min": (np.min, "real", (-100, 100)),
    "mean": (np.mean, "floating", (-9, 9)),
    "var": (np.var, "real floating", (-9, 9)),
    "std": (np.std, "real floating", (-9, 9)),
    "all": (np.all, "all", (-1, 1)),
    "any": (np.any, "all", (-1, 1)),
    "count_nonzero": (np.count_nonzero, "all", (-1, 1)),
}
RESULTS = {"sum": ACCUMULATED, "prod": ACCUMULATED, "all": "bool", "any": "bool", "count_nonzero": "int64"}
SCANS = {"cumulative_sum": (np.cumulative_sum, (-9, 9)), "cumulative_prod": (np.cumulative_prod, (-1.4, 1.4))}
UNITS = {"cumulative_sum": 0, "cumulative_prod": 1}
CASES = [
    pytest.param(name, dtype, id=f"{name}-{dtype}") for name in REDUCTIONS for dtype in DTYPES[REDUCTIONS[name][1]]
]


def result_dtype(name, dtype):
    rule = RESULTS.get(name, {})
    return rule if isinstance(rule, str) else rule.get(dtype, dtype)


def wide(values):
    """Floating numbers in a wider dtype, integers in 64 bits."""
    return values.astype(WIDE.get(values.dtype.kind, result_dtype("sum", values.dtype.name)))


@st.composite
def axes(draw, ndim):
    """None, one axis or some, from the front or the end."""
    if ndim == 0:
        return draw(st.sampled_from([None, ()]))
    one = st.integers(-ndim, ndim - 1)
    return draw(st.none() | one | st.lists(one, unique_by=lambda axis: axis % ndim).map(tuple))


@pytest.mark.parametrize("name, dtype", CASES)
@EXAMPLES
@given(data=st.data(), keepdims=st.booleans())
def test_reductions(name, dtype, data, keepdims):
    reference, _, domain = REDUCTIONS[name]
    is_extreme = name in ("max", "min")
    values, x = data.draw(arrays(dtype, domain=domain, specials=is_extreme))
    axis = data.draw(axes(values.ndim))
    if is_extreme and reduced_count(values, axis) == 0:
        return
    given_values = values if name in ("all", "any", "count_nonzero") or is_extreme else wide(values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = np.asarray(reference(given_values, axis=axis, keepdims=keepdims))
    got = find(name)(x, axis=axis, keepdims=keepdims)
    scale = error_scale(name, values, axis, keepdims)
    ulp = 0 if values.dtype.kind not in "fc" or is_extreme or name in RESULTS and name not in ("sum", "prod") else 32
    ulp += 4 * values.size if name == "prod" and ulp else 0  # every factor rounds once more
    assert_array(got, want, result_dtype(name, dtype), ulp=ulp, scale=scale, signs=False)
    if axis is None and not keepdims:
        assert_array(find(name)(x), want, result_dtype(name, dtype), ulp=ulp, scale=scale, signs=False)


def error_scale(name, values, axis, keepdims):
    """What errors are a share of: the sum of sizes for sums, the largest size (squared) for spreads."""
    if values.dtype.kind not in "fc":
        return None
    sizes = np.abs(wide(values))
    if name in ("sum", "mean"):
        return np.sum(sizes, axis=axis, keepdims=keepdims)
    return {"std": 1, "var": sizes.max(initial=0)}[name] * sizes.max(initial=0) if name in ("std", "var") else None


def reduced_count(values, axis):
    """How many elements a reduction over `axis` joins."""
    return np.sum(np.ones_like(values, "int64"), axis=axis, keepdims=True).max(initial=0)


@pytest.mark.parametrize("dtype", DTYPES["numeric"])
def test_sums_and_products_of_a_given_dtype(dtype):
    """Elements are cast before they are joined."""
    values = np.asarray([[100, 100, 3], [1, 2, 100]]).astype(dtype)
    x = xp.asarray(values)
    kinds = DTYPES["complex floating"] if np.dtype(dtype).kind == "c" else DTYPES["numeric"]
    for result in kinds:
        want = values.astype(result)
        assert_array(xp.sum(x, dtype=dtype_of(result), axis=0), want.sum(0, dtype=result), result)
        assert_array(xp.prod(x, dtype=dtype_of(result), axis=0), want.prod(0, dtype=result), result)
        assert_array(xp.cumulative_sum(x, dtype=dtype_of(result), axis=1), want.cumsum(1, dtype=result), result)
        assert_array(xp.cumulative_prod(x, dtype=dtype_of(result), axis=0), want.cumprod(0, dtype=result), result)


@pytest.mark.parametrize("dtype", ["int8", "int16", "uint8", "uint16"])
def test_small_integers_do_not_overflow(dtype):
    values = np.full(1000, 100, dtype)
    x = xp.asarray(values)
    assert int(xp.sum(x)) == 100_000
    assert int(xp.prod(x[:9])) == 100**9
    assert int(xp.cumulative_sum(x)[-1]) == 100_000
    assert int(xp.cumulative_prod(x[:9])[-1]) == 100**9


@pytest.mark.parametrize("dtype", DTYPES["floating"])
def test_reductions_of_nothing(dtype):
    empty = xp.zeros((2, 0, 3), dtype=dtype_of(dtype))
    shape = (2, 3)
    assert_array(xp.sum(empty, axis=1), np.zeros(shape, dtype))
    assert_array(xp.prod(empty, axis=1), np.ones(shape, dtype))
    nan = np.full(shape, np.nan if "float" in dtype else complex(np.nan, np.nan), dtype)
    assert_array(xp.mean(empty, axis=1), nan)
    assert_array(xp.all(empty, axis=1), np.ones(shape, bool))
    assert_array(xp.any(empty, axis=1), np.zeros(shape, bool))
    assert_array(xp.count_nonzero(empty, axis=1), np.zeros(shape, "int64"))
    assert_array(xp.sum(empty), np.zeros((), dtype))
    if "float" in dtype:
        for name in ("var", "std"):
            assert_array(find(name)(empty, axis=1), nan)
        for name in ("max", "min", "argmax", "argmin"):
            with pytest.raises(ValueError, match=r"\w"):
                find(name)(empty, axis=1)


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
@pytest.mark.parametrize("correction", [0, 1, 1.5, 2, 3, 4])
def test_corrections(dtype, correction):
    values = np.asarray([[1, 2, 4], [3, 3, 8]]).astype(dtype)
    for axis, n in ((1, 3), (0, 2), (None, 6)):
        mean = values.mean(axis, keepdims=True)
        squares = ((values - mean) ** 2).sum(axis)
        want = squares / (n - correction) if n > correction else np.full(np.shape(squares), np.nan)
        want = np.where(n > correction, want, np.nan)
        assert_array(xp.var(xp.asarray(values), axis=axis, correction=correction), want, dtype, ulp=8)
        assert_array(xp.std(xp.asarray(values), axis=axis, correction=correction), np.sqrt(want), dtype, ulp=8)


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_variance_of_large_numbers(dtype):
    """Not the difference of two large squares."""
    values = (np.asarray([1, 2, 3, 4]) + 2.0 ** (20 if dtype == "float32" else 50)).astype(dtype)
    assert_array(xp.var(xp.asarray(values)), np.asarray(1.25), dtype, ulp=4)


@pytest.mark.parametrize("dtype", DTYPES["floating"])
def test_nan_spreads(dtype):
    for position in (0, 3, 70, 130):
        values = np.ones(131, dtype)
        values[position] = np.nan
        x = xp.asarray(values)
        for name in ("sum", "prod", "mean", *(("max", "min", "var", "std") if "float" in dtype else ())):
            assert bool(xp.isnan(find(name)(x))), name
        for name in SCANS:
            assert_array(xp.isnan(find(name)(x)), np.arange(131) >= position)
        assert bool(xp.all(x))
        assert bool(xp.any(x))


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_infinities(dtype):
    """As if the elements were joined one after the other, wherever in the vector loops they stand."""
    inf, nan = np.inf, np.nan
    for first, second, total, product in ((inf, 1, inf, inf), (inf, -inf, nan, -inf), (-inf, 0, -inf, nan)):
        for position in (0, 1, 64, 129):
            values = np.ones(130 + 1, dtype)
            values[position], values[130] = first, second
            x = xp.asarray(values)
            assert_array(xp.sum(x), np.asarray(total, dtype))
            assert_array(xp.prod(x), np.asarray(product, dtype))
            assert_array(xp.mean(x), np.asarray(total, dtype))
            assert_array(xp.cumulative_sum(x)[position:], np.cumsum(values)[position:])
            assert_array(xp.cumulative_prod(x), np.cumprod(values))
            assert_array(xp.max(x), values.max())
            assert_array(xp.min(x), values.min())


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
def test_nan_stays_in_its_part_of_a_mean(dtype):
    for value in (complex(np.nan, 1), complex(1, np.nan)):
        mean = xp.mean(xp.asarray(np.asarray([value, 1 + 1j], dtype)))
        assert [bool(xp.isnan(part(mean))) for part in (xp.real, xp.imag)] == [
            np.isnan(value.real),
            np.isnan(value.imag),
        ]


@pytest.mark.parametrize("name", SCANS)
@pytest.mark.parametrize("dtype", DTYPES["numeric"])
@EXAMPLES
@given(data=st.data(), include_initial=st.booleans())
def test_scans(name, dtype, data, include_initial):
    reference, domain = SCANS[name]
    values, x = data.draw(arrays(dtype, shapes(min_dims=1), domain=domain))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    want = reference(wide(values), axis=axis, include_initial=include_initial)
    size = np.cumsum(np.abs(wide(values)), axis=axis)
    scale = np.max(size, initial=1) if name == "cumulative_sum" and values.dtype.kind in "fc" else None
    ulp = 150 if values.dtype.kind in "fc" else 0
    keywords = {"axis": axis, "include_initial": include_initial}
    for got in [
        find(name)(x, **keywords),
        *([find(name)(x, include_initial=include_initial)] if values.ndim == 1 else []),
    ]:
        assert_array(got, want, ACCUMULATED[dtype], ulp=ulp, scale=scale, signs=False)
    result = "float64" if values.dtype.kind in "iuf" else "complex128"
    want = reference(values.astype(result), axis=axis)
    assert_array(find(name)(x, axis=axis, dtype=dtype_of(result)), want, result, ulp=ulp, scale=scale, signs=False)


def test_scans_want_an_axis():
    for name, unit in UNITS.items():
        with pytest.raises((TypeError, ValueError)):
            find(name)(xp.ones((2, 3)))
        for axis in (2, -3):
            with pytest.raises((IndexError, ValueError)):
                find(name)(xp.ones((2, 3)), axis=axis)
        assert_array(find(name)(xp.ones(0), include_initial=True), np.asarray([float(unit)]))
        got = find(name)(xp.ones((2, 0)), axis=1, include_initial=True)
        assert_array(got, np.full((2, 1), float(unit)))


@pytest.mark.parametrize("dtype", DTYPES["numeric"])
@EXAMPLES
@given(data=st.data(), n=st.integers(0, 3))
def test_diff(dtype, data, n):
    """With values before and after; n differences shorten the axis by n, also where n is 0."""
    values, x = data.draw(arrays(dtype, shapes(min_dims=1)))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    parts, keywords = {"x": values}, {}
    for name in ("prepend", "append"):
        if data.draw(st.booleans()):
            side = list(values.shape)
            side[axis] = data.draw(st.integers(0, 3))
            parts[name], keywords[name] = data.draw(arrays(dtype, st.just(tuple(side))))
    order = [parts[name] for name in ("prepend", "x", "append") if name in parts]
    joined = np.concatenate(order, axis=axis)
    if n > joined.shape[axis]:
        return  # there is no such difference
    want = np.diff(joined, n=n, axis=axis) if n else joined
    assert_array(xp.diff(x, axis=axis, n=n, **keywords), want, dtype)
    if n == 1 and axis in (-1, values.ndim - 1):
        assert_array(xp.diff(x, **keywords), want, dtype)


@pytest.mark.parametrize("name", ["sum", "max", "mean", "var", "all", "count_nonzero"])
def test_wrong_axes_are_refused(name):
    for axis in (2, -3, (0, 2), (0, 0), (1, -1)):
        with pytest.raises((IndexError, ValueError)):
            find(name)(xp.ones((2, 3)), axis=axis)


@EXAMPLES
@given(data=st.data())
def test_reductions_over_no_axis_are_the_elements(data):
    values, x = data.draw(arrays("float64", parts_of((3, 4))))
    for name in ("sum", "prod", "max", "min", "mean"):
        assert_array(find(name)(x, axis=()), values)
    assert_array(xp.var(x, axis=()), np.zeros(values.shape))
