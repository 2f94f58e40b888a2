"""Every elementwise function, for every dtype it must accept, on arrays of any shape and layout."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .arrays import EXAMPLES, lay_out, partners
from .subject import DTYPES, WIDE, assert_array, find, xp
from .tables.names_elementwise import ELEMENTWISE

CASES = [pytest.param(row, dtype, id=f"{row.name}-{dtype}") for row in ELEMENTWISE for dtype in row.dtypes]


def reference(row, dtype, values):
    """What NumPy says: in the dtype itself where the result is exact, in a wider one where it is approximated."""
    wide = WIDE.get(np.dtype(dtype).kind)
    if wide and row.ulp_of(dtype):
        values = [x.astype(wide) for x in values]
    return np.asarray(row.reference(*values))


@pytest.mark.parametrize("row, dtype", CASES)
@settings(EXAMPLES, max_examples=12)  # there are 360 cases
@given(data=st.data())
def test_values(row, dtype, data):
    domains = row.domains_of(dtype)
    pairs = data.draw(partners((dtype,) * len(domains), domains, row.specials, row.step))
    want = reference(row, dtype, [values for values, _ in pairs])
    got = find(row.name)(*[x for _, x in pairs])
    (result,) = row.result_dtypes(dtype)
    assert_array(got, want, result, ulp=row.ulp_of(dtype), signs=row.signs, scale=scale_of(row, want))


def scale_of(row, want):
    """logaddexp crosses zero between large terms; elsewhere the error is relative to the value."""
    return np.maximum(np.abs(want), 1) if row.name == "logaddexp" else None


@pytest.mark.parametrize("dtype", DTYPES["signed integer"] + DTYPES["real floating"])
@pytest.mark.parametrize("layout", ["contiguous", "permuted", "reversed"])
def test_division_rounds_down_for_all_signs(dtype, layout):
    """As Python's // and %: the quotient towards minus infinity, the remainder with the divisor's sign."""
    dividends = np.arange(-30, 31).astype(dtype)[:, None]
    divisors = np.asarray([n for n in range(-9, 10) if n]).astype(dtype)[None, :]
    quotients = np.asarray([[a // b for b in divisors[0].tolist()] for a in dividends[:, 0].tolist()])
    remainders = np.asarray([[a % b for b in divisors[0].tolist()] for a in dividends[:, 0].tolist()])
    (_, x1), (_, x2) = lay_out(dividends, layout), lay_out(divisors, layout)
    assert_array(xp.floor_divide(x1, x2), quotients, dtype, signs=False)
    assert_array(xp.remainder(x1, x2), remainders, dtype, signs=False)


@pytest.mark.parametrize("dtype", DTYPES["real"])
def test_clip_takes_bounds_of_every_kind(dtype):
    values = np.asarray([[1, 5, 9], [2, 7, 4]]).astype(dtype)
    x = xp.asarray(values)
    rows = np.asarray([[3], [5]]).astype(dtype)
    assert_array(xp.clip(x, 2, 7), np.clip(values, 2, 7))
    assert_array(xp.clip(x, min=4), np.maximum(values, values.dtype.type(4)))
    assert_array(xp.clip(x, max=4), np.minimum(values, values.dtype.type(4)))
    assert_array(xp.clip(x, xp.asarray(rows), 6), np.clip(values, rows, 6))
    assert_array(xp.clip(x, None, xp.asarray(rows)), np.minimum(values, rows))
    assert_array(xp.clip(x), values)
    assert_array(xp.clip(x[0, 0], xp.asarray(rows), None), np.maximum(values[0, 0], rows))


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_clip_spreads_nan_from_all_operands(dtype):
    x = xp.asarray(np.asarray([1, np.nan, 5], dtype))
    nans = xp.asarray(np.asarray([np.nan, 2, 2], dtype))
    assert_array(xp.clip(x, nans, 9), np.asarray([np.nan, np.nan, 5], dtype))
    assert_array(xp.clip(x, 0, nans), np.asarray([np.nan, np.nan, 2], dtype))
    assert_array(xp.clip(x, float("nan"), None), np.full(3, np.nan, dtype))


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "positive", "abs", "clip"])
def test_results_that_equal_the_input_are_new_arrays(name):
    x = xp.asarray(np.arange(5))
    y = find(name)(x)
    y[0] = 9
    assert_array(x, np.arange(5))
