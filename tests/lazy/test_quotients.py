"""Quotients by one value and by values of rows have the bits of a division, wherever the operands lie."""

import numpy as np
import pytest

import nd4py as nd

RNG = np.random.default_rng(23)
DTYPES = ("float32", "float64")
SHAPES = (
    *((40_000, 2), (5000, 7), (5000, 8), (3000, 10), (1001, 16), (2000, 33), (600, 64), (600, 100), (300, 300)),
    *((90, 2100), (2, 20_000)),
)


def assert_same_bits(got, want):
    """NaN for NaN, zeros of the same sign, all other bits alike."""
    got = np.asarray(got)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got)[~np.isnan(want)], np.signbit(want)[~np.isnan(want)])


def numbers_of_all_exponents(size, dtype):
    """Every exponent, zeros of both signs, infinities and NaN among them."""
    bits = RNG.integers(0, 2 ** (8 * np.dtype(dtype).itemsize), size, f"uint{8 * np.dtype(dtype).itemsize}")
    x = bits.view(dtype)
    x[RNG.random(size) < 0.1] = 0.0
    x[RNG.random(size) < 0.1] = -0.0
    return x


def divided(x, divisor):
    with np.errstate(all="ignore"):
        return x / divisor


def near_the_middle(dtype, n):
    """Numerators and divisors whose quotients lie as near as can be to the middle of two neighbouring numbers.

    Of divisors B and halfway quotients M, integers of p and p + 1 bits, A = (M * B + s) / 2 ** k is an integer.
    """
    digits = np.finfo(dtype).nmant + 1
    pairs = []
    while len(pairs) < n:
        divisor = int(RNG.integers(2 ** (digits - 1), 2**digits)) | 1
        divisor = 2**digits - 1 - 2 * len(pairs) if len(pairs) < 10 else divisor
        for s in (1, -1, 3, -3):
            for shift in (digits, digits + 1):
                middle = -s * pow(divisor, -1, 2**shift) % 2**shift
                middle += 0 if middle >= 2**digits else 2**digits
                numerator = (middle * divisor + s) >> shift
                if 2 ** (digits - 1) <= numerator < 2**digits and (middle * divisor + s) % 2**shift == 0:
                    pairs.append((float(numerator), float(divisor)))
    return np.array(pairs, dtype).T


@pytest.mark.parametrize("dtype", DTYPES)
def test_quotients_near_the_middle_of_two_numbers(dtype, instruction_set):
    x, divisors = near_the_middle(dtype, 20_000)
    rows = np.repeat(x[:, None], 40, axis=1)
    scale = nd.max(nd.array(np.repeat(divisors[:, None], 40, axis=1)), axis=1, keepdims=True)
    assert_same_bits(nd.array(rows) / scale, rows / divisors[:, None])
    for i in range(40):
        assert_same_bits(abs(nd.array(x)) / float(divisors[i]), x / divisors[i])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_quotients_of_all_exponents(dtype, shape, instruction_set):
    x = numbers_of_all_exponents(shape, dtype)
    for has_odd_divisors in (False, True):
        divisors = RNG.normal(size=(shape[0], 1)) * 10.0 ** RNG.integers(-9, 9, (shape[0], 1))
        divisors = numbers_of_all_exponents((shape[0], 1), dtype) if has_odd_divisors else divisors.astype(dtype)
        ours = nd.max(nd.array(np.broadcast_to(divisors, shape).copy()), axis=1, keepdims=True)
        assert_same_bits(nd.array(x) / ours, divided(x, divisors))
    for divisor in (*RNG.normal(size=5), 1e-30, -1e30, 0.0, -0.0, np.inf, np.nan):
        assert_same_bits(-nd.array(x) / float(divisor), divided(-x, np.dtype(dtype).type(divisor)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_quotients_of_usual_numbers_and_zeros(dtype):
    """As a softmax has them of which some places are masked."""
    x = np.abs(RNG.normal(size=(3000, 40))).astype(dtype)
    x[RNG.random(x.shape) < 0.3] = 0.0
    x[::7, 3] = -0.0
    ours = nd.array(x)
    assert_same_bits(ours / nd.max(ours, axis=1, keepdims=True), divided(x, x.max(axis=1, keepdims=True)))
    assert_same_bits(abs(ours) / -3.0, np.abs(x) / np.dtype(dtype).type(-3.0))
