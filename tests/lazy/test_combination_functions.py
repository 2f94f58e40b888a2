"""Functions in runs of cheap rows: the bits of the rows one by one, for numbers of every kind."""

import numpy as np
import pytest
from test_combination_fused import ROWS, both_ways, equal_bits, values

import nd4py as nd

FUNCTIONS = [op for op in ROWS if op.is_costly]


def ends(dtype):
    """Where functions overflow, vanish, change their formula or have none, and the numbers beside these points."""
    points = [0, 1, 1 / 3, 1e-3, 0.3466, 0.69, 9, 17.3, 19.1, 36.8, 40, 87.3, 88.7228, 88.8, 103.28, 103.97, 104]
    points += [708.4, 709.7827, 709.8, 744.44, 745.13, 745.2, 1e5, np.inf, np.nan]
    limits = np.finfo(dtype)
    points += [limits.tiny, limits.smallest_subnormal, limits.max, limits.eps, limits.tiny / 8]
    x = np.array(points).astype(dtype)
    with np.errstate(over="ignore"):
        x = np.concatenate([x, np.nextafter(x, dtype(0)), np.nextafter(x, dtype(np.inf)), 1 + x, 1 - x])
    return np.concatenate([x, -x])


def any_bits(n, dtype):
    """Numbers of any exponent and sign, not-numbers and subnormal ones among them."""
    words = np.random.default_rng(13).integers(0, 256, n * np.dtype(dtype).itemsize, dtype=np.uint8)
    return words.view(dtype)


def samples(n, dtype):
    """`n` numbers of every kind, and the same the other way round: each beside others, and in other points."""
    spread = np.random.default_rng(14).uniform(-110, 95, n // 2).astype(dtype)
    x = np.concatenate([ends(dtype), spread, any_bits(n - n // 2, dtype)])[:n]
    return [nd.array(order, copy=True) for order in (x, x[::-1])]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("op", FUNCTIONS, ids=[op.name for op in FUNCTIONS])
def test_functions_of_any_numbers_in_every_place(op, dtype, instruction_set):
    function, n = getattr(nd, op.name), 65_536 + 127  # not all are in whole blocks
    b = values(n, dtype, 15)
    for a in samples(n, dtype):
        for program in (
            lambda a, b: -function(a),  # first of a run
            lambda a, b: function(-a),  # last
            lambda a, b: function(a * 1) + function(a - 0) * b,  # what lies between them is kept
            lambda a, b: (lambda y: y * (b - y))(function(a)),
        ):
            equal_bits(*both_ways(program, a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("op", FUNCTIONS, ids=[op.name for op in FUNCTIONS])
def test_functions_before_a_reduction(op, dtype, instruction_set):
    function, kept = getattr(nd, op.name), {"axis": -1, "keepdims": True}
    for a in samples(30 * 2304, dtype):
        for program in (
            lambda rows: nd.sum(function(rows), **kept),
            lambda rows: nd.nanmax(-function(rows), **kept) * 2,
            lambda rows: (lambda y: y / nd.sum(y, **kept))(function(rows - 1)),  # stored, and reduced as well
        ):
            equal_bits(*both_ways(program, a.reshape(30, 2304)))
        total = nd.nansum(function(a) * 1)
        with nd.combine(False):
            equal_bits(total, nd.nansum(function(a) * 1))


def test_exp_of_all_float32_between_zero_and_overflow(instruction_set):
    words = np.arange(0, 2**32, 257, dtype=np.uint32).view(np.float32)
    x = nd.array(words[np.abs(words) < 200], copy=True)
    equal_bits(*both_ways(lambda x: -nd.exp(x), x))
