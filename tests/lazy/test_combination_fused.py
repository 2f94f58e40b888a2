"""Cheap rows in a row run as one, with the bits of the rows one by one."""

import itertools

import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.ops import OPS
from nd4py._spec.render.row_render import fused_numbers

ROWS = [op for op in OPS if op.name in fused_numbers()]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-310, 3.5, -2.0]
SIZES = (65_536, 65_536 + 1, 70_000 + 127)  # whole blocks, and others; all are deferred


def values(n, dtype, seed):
    """Numbers with special ones among them, in memory of nd4py."""
    random = np.random.default_rng(seed)
    x = random.uniform(-2, 2, n).astype(dtype)
    x[random.integers(0, n, n // 16)] = random.choice(np.array(SPECIAL).astype(dtype), n // 16)
    return nd.array(x, copy=True)


def equal_bits(x, y):
    """The same numbers, bit for bit, and NaN in the same places: which of two NaNs an operation keeps is left open."""
    x, y = np.asarray(x), np.asarray(y)
    assert x.dtype == y.dtype
    np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(np.signbit(x[x == x]), np.signbit(y[y == y]))


def both_ways(program, *operands):
    """What a program gives where its operations are deferred, and where they run one by one."""
    put_off = program(*operands)
    assert nd.explain(put_off) is not None
    with nd.combine(False):
        return put_off, program(*operands)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", ROWS, ids=[op.name for op in ROWS])
def test_each_row_in_every_place(op, dtype):
    function = getattr(nd, op.name)
    for seed, n in enumerate(SIZES):
        a, b, c = (values(n, dtype, 3 * seed + k) for k in range(3))
        if len(op.args) == 1:
            programs = [lambda a, b, c: function(function(a * b) - c), lambda a, b, c: function(a) + c]
        else:
            programs = [
                lambda a, b, c: function(a, b) + c,  # first of a run
                lambda a, b, c: function(a + b, c),  # the accumulator is its first operand
                lambda a, b, c: function(c, a + b),  # its second
                lambda a, b, c: (lambda t: function(t, t))(a + b),  # both
                lambda a, b, c: (lambda t: function(t, a) - t)(b * c),  # and is needed once more
                lambda a, b, c: function(2.0, function(a * b, 0.5)),  # beside one value
                lambda a, b, c: function(-0.0, function(a * b, -0.0)),
            ]
        for program in programs:
            equal_bits(*both_ways(program, a, b, c))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_of_rows_and_columns_beside_the_accumulator(dtype):
    x = values(300 * 257, dtype, 1).reshape(300, 257)
    row, column = values(257, dtype, 2), values(300, dtype, 3).reshape(300, 1)
    for program in (
        lambda x, row, column: (x - row) * row + row,
        lambda x, row, column: column * (column - x * column),
        lambda x, row, column: (x.T - column.reshape(300)).T * row,
    ):
        equal_bits(*both_ways(program, x, row, column))


@pytest.mark.parametrize("layout", ["reversed", "every_second", "transposed"])
def test_operands_with_gaps(layout):
    x = values(512 * 256, "float32", 5)
    y = {
        "reversed": lambda: x[::-1][: 256 * 256].reshape(256, 256),
        "every_second": lambda: x[::2].reshape(256, 256),
        "transposed": lambda: x[: 256 * 256].reshape(256, 256).T,
    }[layout]()
    z = values(256 * 256, "float32", 6).reshape(256, 256)
    equal_bits(*both_ways(lambda y, z: (y * z + y) - z * y, y, z))


def test_runs_of_two_dtypes_and_other_rows_between_them():
    a, b = values(70_000, "float32", 7), values(70_000, "float64", 8)

    def program(a, b):
        t = nd.tanh(a * a + a) * a - a
        u = nd.astype(t, nd.float64) * b + b
        return nd.where(u > b, u * b, u - b) * u

    equal_bits(*both_ways(program, a, b))


def test_several_results_of_one_run():
    a, b = values(70_000, "float32", 9), values(70_000, "float32", 10)

    def program(a, b):
        s = a + b
        t = s * a
        u = t - s
        return s, t, u, u * s

    put_off = program(a, b)
    assert all(nd.explain(x) is not None for x in put_off)
    with nd.combine(False):
        one_by_one = program(a, b)
    for got, wanted in zip(put_off, one_by_one, strict=True):
        equal_bits(got, wanted)


def test_long_runs_are_cut_where_their_parts_end():
    a, b = values(70_000, "float64", 11), values(70_000, "float64", 12)

    def program(a, b):
        terms = [a * b + k for k in range(8)]
        for left, right in itertools.pairwise(list(terms)):
            terms.append(left * right - left)
        return sum(terms[1:], terms[0])

    equal_bits(*both_ways(program, a, b))
