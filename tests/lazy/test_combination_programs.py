"""Random programs give the same bits whether their operations are deferred or not."""

import os
import subprocess
import sys

import numpy as np
import pytest
from combination_programs import check
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nd4py as nd

LARGE = [(130, 131), (19, 7, 131), (17_001,), (5, 4001), (4001, 5), (64, 512), (16_384,)]  # about the threshold
SMALL = [(7,), (3, 4), (0, 3), (1,), (), (2, 1, 3), (70, 3), (2000,)]
N_SMALL = 1500  # programs of the subprocess


@given(seed=st.integers(0, 10**9), n_steps=st.integers(1, 25), shape=st.sampled_from(LARGE))
@example(205, 6, (19, 7, 131))  # a cheap operation in place on what a costly one is going to read
@example(34, 10, (4001, 5))
@example(2252171, 15, (130, 131))  # a scalar -0.0 in a run of cheap rows
@settings(max_examples=250)
def test_programs_on_large_arrays(seed, n_steps, shape):
    check(seed, n_steps, shape)


def wide_and_mixed(a, b, c):
    """Conversions to the widest dtype."""
    return nd.multiply_add(a, b, c)


def many_at_once(a, b, c):
    """A tree of products: sixteen values wait for each other."""
    level = [(a + k) * b + (c - k) for k in range(16)]
    while len(level) > 1:
        level = [nd.hypot(nd.real(x), nd.real(y)) * c + b for x, y in zip(level[::2], level[1::2], strict=True)]
    return level[0]


@pytest.mark.parametrize("work", [wide_and_mixed, many_at_once])
@pytest.mark.parametrize("column", [False, True])
def test_rows_about_as_long_as_a_tile(work, column):
    """Short rows are taken several at a time, long ones in pieces, and no tile outgrows the room it works in."""
    for n in (3, 31, 33, 63, 65, 100, 127, 128, 129, 191, 193, 255, 256, 257, 258, 300, 385, 500, 511, 512, 513, 1025):
        rows = 16_384 // n + 2
        a, c = np.arange(n) - n // 3, np.arange(rows * n).reshape(rows, n) % 17 - 8.0
        b = (np.arange(rows if column else n) % 7).astype("complex64").reshape(-1, 1 if column else n)
        found = []
        for combine in (True, False):
            with nd.combine(combine):
                found.append(np.asarray(work(*(nd.asarray(x, copy=True) for x in (a, b, c)))))
        np.testing.assert_array_equal(*found)


def test_programs_on_small_arrays_when_everything_is_put_off():
    program = (
        "from combination_programs import check\n"
        "from test_combination_programs import N_SMALL, SMALL\n"
        "for seed in range(N_SMALL):\n"
        "    check(seed, 1 + seed % 25, SMALL[seed % len(SMALL)])\n"
    )
    environment = dict(os.environ, ND4PY_COMBINE_FROM="0", PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
