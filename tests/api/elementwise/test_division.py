"""Quotients rounded down and their remainders are exact, for near operands, far ones, and both in one block."""

import math
from fractions import Fraction

import numpy as np
import pytest

import nd4py as nd

WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
REAL = ("float32", "float64")


def edges(dtype):
    """Numbers at which loops change their ways, and the ends of the dtype."""
    limits = np.iinfo(dtype)
    numbers = [
        0,
        1,
        2,
        3,
        7,
        127,
        128,
        2**15,
        2**23 - 1,
        2**24,
        2**31 - 1,
        2**31,
        2**51 - 1,
        2**51,
        2**51 + 1,
        2**53 + 1,
    ]
    numbers += [-n for n in numbers] + [limits.min, limits.min + 1, limits.max, limits.max - 1]
    return np.asarray([n for n in numbers if limits.min <= n <= limits.max], dtype)


def random_whole(dtype, n):
    """Random numbers of every length in bits."""
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 2**64, n, dtype="uint64") >> rng.integers(0, 64, n, dtype="uint64")
    signs = np.where(rng.random(n) < 0.5, 1, -1) if np.iinfo(dtype).min else 1
    return (bits.astype("int64") * signs).astype(dtype)


def whole_reference(x, y):
    """(floor(x / y), the remainder) by Python's integers; 0 for division by 0; what overflows wraps around."""
    bits, is_signed = np.iinfo(x.dtype).bits, bool(np.iinfo(x.dtype).min)
    pairs = [divmod(a, b) if b else (0, 0) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    wrapped = [(q - 2**bits if is_signed and q == 2 ** (bits - 1) else q, rest) for q, rest in pairs]
    return tuple(np.asarray([pair[k] for pair in wrapped], x.dtype) for k in (0, 1))


@pytest.mark.parametrize("dtype", WHOLE)
def test_whole_numbers_are_divided_exactly(dtype):
    ends = edges(dtype)
    x = np.concatenate([np.repeat(ends, len(ends)), random_whole(dtype, 20_000)])
    y = np.concatenate([np.tile(ends, len(ends)), random_whole(dtype, 20_000)[::-1]])
    quotients, rests = whole_reference(x, y)
    ours = nd.asarray(x, copy=True), nd.asarray(y, copy=True)
    np.testing.assert_array_equal(np.asarray(nd.floor_divide(*ours)), quotients)
    np.testing.assert_array_equal(np.asarray(nd.remainder(*ours)), rests)


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("divisor", [0, 1, 3, 7, 100])
def test_one_divisor_for_all(dtype, divisor):
    x = np.concatenate([edges(dtype), random_whole(dtype, 5_000)])
    quotients, rests = whole_reference(x, np.full_like(x, divisor))
    np.testing.assert_array_equal(np.asarray(nd.asarray(x) // divisor), quotients)
    np.testing.assert_array_equal(np.asarray(nd.asarray(x)[::-1] % divisor), rests[::-1])


def test_small_dtypes_are_divided_exactly_everywhere():
    for dtype in ("int8", "uint8"):
        numbers = np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, dtype="int16").astype(dtype)
        x, y = np.repeat(numbers, 256), np.tile(numbers, 256)
        quotients, rests = whole_reference(x, y)
        np.testing.assert_array_equal(np.asarray(nd.floor_divide(nd.asarray(x), nd.asarray(y))), quotients)
        np.testing.assert_array_equal(np.asarray(nd.remainder(nd.asarray(x), nd.asarray(y))), rests)


def real_operands(dtype):
    """Random bits, special values beside each other, quotients that are near, far, whole, and almost whole."""
    rng = np.random.default_rng(3)
    word = {"float32": "uint32", "float64": "uint64"}[dtype]
    special = np.asarray(
        [0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 1e-40, 0.1, np.inf, -np.inf, np.nan, 2.0**22, 2.0**60], dtype
    )
    wild = [rng.integers(0, np.iinfo(word).max, 30_000, dtype=word, endpoint=True).view(dtype) for _ in range(2)]
    tame = (rng.standard_normal(30_000) * 1000).astype(dtype), rng.uniform(-9, 9, 30_000).astype(dtype)
    divisors = rng.uniform(-9, 9, 30_000).astype(dtype)
    whole = np.nextafter(divisors * rng.integers(-(2**21), 2**21, 30_000).astype(dtype), divisors), divisors
    mixed = (
        np.where(rng.random(30_000) < 0.003, wild[0], tame[0]),
        np.where(rng.random(30_000) < 0.003, wild[1], tame[1]),
    )
    pairs = [(np.repeat(special, len(special)), np.tile(special, len(special))), wild, tame, whole, mixed]
    return tuple(np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))


@pytest.mark.parametrize("dtype", REAL)
def test_real_remainders_are_exact(dtype):
    x, y = real_operands(dtype)
    with np.errstate(all="ignore"):
        expected = np.remainder(x, y)
    result = np.asarray(nd.remainder(nd.asarray(x, copy=True), nd.asarray(y, copy=True)))
    is_tame = np.isfinite(y)  # the array API has a word of its own on infinite divisors
    np.testing.assert_array_equal(result[is_tame], expected[is_tame])
    np.testing.assert_array_equal(np.signbit(result[is_tame & (result == 0)]), np.signbit(y[is_tame & (result == 0)]))


@pytest.mark.parametrize("dtype", REAL)
def test_real_quotients_are_rounded_down(dtype):
    x, y = real_operands(dtype)
    is_tame = np.isfinite(x) & np.isfinite(y) & (y != 0)
    x, y = x[is_tame], y[is_tame]
    result = np.asarray(nd.floor_divide(nd.asarray(x, copy=True), nd.asarray(y, copy=True)))
    with np.errstate(all="ignore"):
        rough = x / y
    zero = result == 0
    np.testing.assert_array_equal(np.signbit(result[zero]), np.signbit(rough[zero]))
    bound = {"float32": 2**24, "float64": 2**53}[dtype]  # beyond, not every whole number is one of the dtype
    for i in np.nonzero(np.abs(rough) < bound)[0][::3]:
        exact = math.floor(Fraction(float(x[i])) / Fraction(float(y[i])))
        assert result[i] == np.asarray(exact).astype(dtype), (x[i], y[i])
    far = np.isfinite(rough) & (np.abs(rough) >= bound)
    np.testing.assert_allclose(result[far], rough[far], rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [*REAL, "int64"])
@pytest.mark.parametrize("name", ["floor_divide", "remainder"])
def test_an_element_has_the_same_bits_whatever_stands_beside_it(dtype, name):
    x, y = real_operands(dtype) if dtype in REAL else (random_whole(dtype, 9_000), random_whole(dtype, 9_000)[::-1])
    function = getattr(nd, name)
    together = np.asarray(function(nd.asarray(x, copy=True), nd.asarray(np.ascontiguousarray(y), copy=True)))
    for i in range(0, len(x), 997):
        one = np.asarray(function(nd.asarray(x[i : i + 1].copy()), nd.asarray(y[i : i + 1].copy())))
        assert one.tobytes() == together[i : i + 1].tobytes() or (np.isnan(one[0]) and np.isnan(together[i]))
