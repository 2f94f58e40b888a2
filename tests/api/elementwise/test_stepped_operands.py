"""Operands with gaps, where loops step over them or copies are made: the values of NumPy, and no others written."""

import numpy as np
import pytest

import nd4py as nd

DTYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
STEPS = [1, 2, 3, 4, 5, 7, -1, -2, -6]
SIZES = [0, 1, 5, 129, 1500]
OPERATIONS = ["add", "multiply", "equal", "less", "maximum", "logical_and"]


def values(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 50, shape).astype(dtype)
    if np.dtype(dtype).kind in "fc" and x.size:
        x.flat[:: max(1, x.size // 3)] = np.nan
    return x


def line(x, step, n):
    return x[: n * abs(step)][::step]


def is_taken(name, dtype):
    return not (np.dtype(dtype).kind == "c" and name in ("less", "maximum"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_values_of_inputs_and_results_in_steps(name, dtype):
    if not is_taken(name, dtype):
        pytest.skip("complex numbers are compared in tests of their own")
    for n in SIZES:
        base = values(dtype, 7 * n, 0), values(dtype, 7 * n, 1)
        ours = [nd.asarray(x).copy() for x in base]
        for i, step in enumerate(STEPS):
            other = STEPS[(i + n) % len(STEPS)]
            expected = getattr(np, name)(line(base[0], step, n), line(base[1], other, n))
            got = getattr(nd, name)(line(ours[0], step, n), line(ours[1], other, n))
            np.testing.assert_array_equal(np.asarray(got), expected)
            for out_step in (1, step, other):
                out, mine = (np.zeros(7 * n, expected.dtype) for _ in range(2))
                own = nd.asarray(mine)
                getattr(np, name)(line(base[0], step, n), line(base[1], other, n), out=line(out, out_step, n))
                getattr(nd, name)(line(ours[0], step, n), line(ours[1], other, n), out=line(own, out_step, n))
                np.testing.assert_array_equal(np.asarray(own), out)


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("shape", [(40, 30, 3), (7, 200, 3), (3, 5, 2)])
def test_channels_are_written_in_place(dtype, shape):
    x = values(dtype, shape, 2)
    y = nd.asarray(x.copy()).copy()
    for target, source in ((0, 1), (-1, 0), (1, 1)):
        x[..., target] += x[..., source]
        y[..., target] += y[..., source]
        x[:, ::2, target] *= 2
        y[:, ::2, target] *= 2
        x[::-1, :, target] += x[..., source]  # which lie over each other
        y[::-1, :, target] += y[..., source]
        np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_values_that_lie_over_each_other(dtype):
    for distance in (-5, -2, -1, 1, 2, 5):
        x = values(dtype, 4000, 3)
        y = nd.asarray(x.copy()).copy()
        low, high = max(distance, 0), min(4000 + distance, 4000)
        x[low:high][::2] += x[low - distance : high - distance][::2]
        y[low:high][::2] += y[low - distance : high - distance][::2]
        np.testing.assert_array_equal(np.asarray(y), x)
