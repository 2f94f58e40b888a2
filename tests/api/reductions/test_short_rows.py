"""Rows of few vectors, several of which are worked on at once in registers: every length up to some vectors, each row
with the bits it has alone, in any layout, and beside rows of NaN and infinities."""

import numpy as np
import pytest
from test_normalization import expected as normalized
from test_reductions import expected as reduced

import nd4py as nd

RNG = np.random.default_rng(21)
NORMALIZATIONS = ("softmax", "log_softmax", "layer_norm", "var", "logsumexp")
REDUCTIONS = ("sum", "mean", "max", "min", "sum_of_squares", "max_of_absolutes")
LENGTHS = range(1, 131)


def along(name, x):
    return np.asarray(getattr(nd, name)(nd.asarray(x), axis=-1))


@pytest.mark.parametrize("name", NORMALIZATIONS + REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_length(name, dtype, instruction_set):
    tolerance = 2e-6 if dtype == "float32" else 1e-14
    for n in LENGTHS:
        x = (RNG.normal(size=(37, n)) * 3 + 1).astype(dtype)
        got, want = along(name, x), (normalized if name in NORMALIZATIONS else reduced)(name, x.astype("g"), -1)
        np.testing.assert_allclose(got.astype("g"), want, rtol=tolerance, atol=tolerance, err_msg=str(n))


@pytest.mark.parametrize("name", NORMALIZATIONS + REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_row_has_the_bits_it_has_alone(name, dtype, instruction_set):
    for n in LENGTHS[::3]:
        x = (RNG.normal(size=(35, n)) * 4).astype(dtype)
        got = along(name, x)
        for i in (0, 15, 16, 31, 34):
            assert got[i].tobytes() == along(name, x[i : i + 1])[0].tobytes(), (n, i)
        spread = np.zeros((35, 2 * n + 1), dtype)
        spread[:, : 2 * n : 2] = x
        for other in (spread[:, : 2 * n : 2], np.pad(x, ((0, 0), (0, 3)))[:, :n], np.asfortranarray(x)[:, :]):
            if other.flags.f_contiguous and n > 1:
                continue  # columns are added up row by row
            assert along(name, other).tobytes() == got.tobytes(), n


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 5, 16, 31, 32, 40, 64, 65, 100, 130, 300, 1030])
def test_rows_of_nan_and_infinities(n, dtype, instruction_set):
    x = RNG.normal(size=(40, n)).astype(dtype)
    plain = {name: along(name, x) for name in NORMALIZATIONS}
    special = {3: np.nan, 17: np.inf, 20: -np.inf}
    for i, value in special.items():
        x[i, n // 2] = value
    x[21] = -np.inf
    others = [i for i in range(40) if i not in (*special, 21)]
    for name in NORMALIZATIONS:
        assert along(name, x)[others].tobytes() == plain[name][others].tobytes()
    for name in ("softmax", "log_softmax"):
        assert np.isnan(along(name, x)[[3, 17, 21]]).all()
    if n > 1:
        assert along("softmax", x)[20, n // 2] == 0
        assert along("log_softmax", x)[20, n // 2] == -np.inf
    sums = along("logsumexp", x)
    assert np.isnan(sums[3])
    assert (sums[17], sums[21]) == (np.inf, -np.inf)
    assert np.isnan(along("var", x)[[3, 17, 20, 21]]).all()
    for name, worst in (("max", np.inf), ("min", -np.inf)):
        got = along(name, x)
        assert np.isnan(got[3])
        assert got[17 if worst > 0 else 20] == worst


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [2, 16, 33, 100, 300, 3000])
def test_nan_beside_infinity_is_nan(n, dtype, instruction_set):
    """The largest element leaves NaN out, wherever it stands; the sum does not."""
    for value in (np.inf, -np.inf, 1.0):
        for index, other in ((0, n - 1), (n - 1, 0), (n // 2, n - 1 - n // 2 or 1)):
            x = np.full((20, n), value, dtype)
            x[:, other] = 3.0
            x[5, index] = np.nan
            for name in ("logsumexp", "softmax", "log_softmax"):
                for got in (along(name, x), np.moveaxis(np.asarray(getattr(nd, name)(nd.asarray(x.T), axis=0)), 0, -1)):
                    assert np.isnan(got[5]).all(), (name, value, index)
                if name == "logsumexp":
                    assert not np.isnan(along(name, x)[6])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_shares_are_subnormal(dtype):
    """exp of what is far below the largest comes out of one multiplication by a power of 2."""
    far = np.array(
        [-80, -87.5, -90, -100, -103, -120, -1e30] if dtype == "float32" else [-700, -709, -740, -800, -1e300]
    )
    for length in (8, 32, 300, 5000):
        x = np.zeros((3, length), dtype)
        x[:, 1 : 1 + far.size] = far
        want = normalized("softmax", x, -1)
        np.testing.assert_allclose(
            along("softmax", x).astype("g"), want, rtol=1e-6, atol=2e-45 if dtype == "float32" else 1e-323
        )


@pytest.mark.parametrize("name", ["max", "min", "sum", "log_softmax"])
def test_many_rows_of_wide_columns(name, instruction_set):
    x = RNG.normal(size=(45, 300)).astype("float32")
    x[40, 7] = np.nan
    got = np.asarray(getattr(nd, name)(nd.asarray(x), axis=0))
    want = (normalized if name == "log_softmax" else reduced)(name, x.astype("g"), 0)
    np.testing.assert_allclose(got.astype("g"), want, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [256, 1024, 4096, 5000])
def test_variance_of_trends_and_outliers(n, dtype, instruction_set):
    """The shift of a block comes from few of its elements; narrow vectors add up longer sums."""
    ramp, spike = np.arange(n) * 0.25 + 7, np.ones(n)
    spike[n // 2] = 1e4
    step = np.where(np.arange(n) < n // 3, -50.0, 80.0)
    x = np.array([ramp, spike, step, RNG.normal(size=n) + 1e4]).astype(dtype)
    want = normalized("var", x, -1)
    np.testing.assert_allclose(along("var", x).astype("g"), want, rtol=5e-6 if dtype == "float32" else 1e-14)
