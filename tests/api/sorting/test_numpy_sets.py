"""Sets in NumPy's form."""

import itertools

import numpy as np
import pytest
from numpy_comparison import COMPLEX, EVERY, compare, sample

import nd4py as nd

PAIRS = {
    "union1d": lambda xp, x, y: xp.union1d(x, y),
    "intersect1d": lambda xp, x, y: xp.intersect1d(x, y),
    "intersect1d indices": lambda xp, x, y: xp.intersect1d(x, y, return_indices=True),
    "setdiff1d": lambda xp, x, y: xp.setdiff1d(x, y),
    "setxor1d": lambda xp, x, y: xp.setxor1d(x, y),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name):
    for dtype in EVERY:
        for shapes in itertools.product([(0,), (1,), (9,), (3, 4)], repeat=2):
            x, y = (sample(dtype, shape, seed, special=False) for seed, shape in enumerate(shapes))
            compare(PAIRS[name], x, y, label=f"{dtype}{shapes}")
            if dtype == "int64":
                compare(PAIRS[name], x.tolist(), y.tolist(), dtype=x.size > 0 and y.size > 0)


def test_pairs_of_unique_elements_and_of_mixed_dtypes():
    x, y = np.asarray([5, 1, 3, 9]), np.asarray([9.0, 5.0, 2.5])
    for call in (
        lambda xp, x, y: xp.intersect1d(x, y, assume_unique=True), lambda xp, x, y: xp.setdiff1d(x, y, True),
        lambda xp, x, y: xp.setxor1d(x, y, assume_unique=True), lambda xp, x, y: xp.union1d(x, y),
        lambda xp, x, y: xp.intersect1d(x, y, True, True),
    ):  # fmt: skip
        compare(call, x, y)


OPTIONS = [dict(zip(("return_index", "return_inverse", "return_counts"), chosen, strict=True))
           for chosen in itertools.product([False, True], repeat=3)]  # fmt: skip


@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(k for k, v in options.items() if v) or "values"
)
@pytest.mark.parametrize("equal_nan", [True, False])
def test_unique_elements(options, equal_nan):
    for dtype in EVERY:
        for shape in ((), (0,), (1,), (9,), (3, 4), (2, 3, 2)):
            if dtype in COMPLEX:
                special = False
            else:
                special = True
            x = sample(dtype, shape, special=special)
            compare(lambda xp, x: xp.unique(x, **options, equal_nan=equal_nan), x, label=f"{dtype}{shape}")


@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(k for k, v in options.items() if v) or "values"
)
def test_unique_slices(options):
    for dtype in EVERY:
        for shape in ((6,), (6, 2), (2, 6), (4, 2, 2), (0, 2), (3, 0)):
            for axis in range(-len(shape), len(shape)):
                x = sample(dtype, shape, low=0, high=2, special=False) if dtype != "bool" else sample(dtype, shape)
                compare(lambda xp, x, axis=axis: xp.unique(x, axis=axis, **options), x, label=f"{dtype}{shape} {axis}")
    compare(lambda xp: xp.unique([[1, 2], [1, 2]], axis=2))
    for axis in (0, -1, 1):  # of a row, whose slices are its elements
        compare(lambda xp, x, axis=axis: xp.unique(x, axis=axis, **options), np.asarray([np.nan, 0, 1, np.nan, 0]))


def test_unique_values_carry_gradients():
    x = nd.asarray([3.0, 1.0, 3.0])
    assert nd.grad(lambda x: nd.sum(nd.unique(x) * nd.asarray([1.0, 2.0])))(x).tolist() == [2.0, 1.0, 0.0]
