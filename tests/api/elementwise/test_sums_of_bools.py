"""Sums and products of bools are bools, as NumPy's are: `(x > 0) * (x < 1)`."""

import operator

import numpy as np
import pytest

import nd4py as nd

OPERATIONS = {
    "add": lambda np, x, y: x + y,
    "multiply": lambda np, x, y: x * y,
    "maximum": lambda np, x, y: np.maximum(x, y),
    "minimum": lambda np, x, y: np.minimum(x, y),
    "a chain": lambda np, x, y: (x + y) * y + x,
    "a sum behind": lambda np, x, y: np.sum(x * y + y),
    "beside numbers": lambda np, x, y: x * y * 2.5 + (x + y) * 3,
    "a scalar": lambda np, x, y: (x * True, True * x, x + False, False + x),
    "a number": lambda np, x, y: (x + 1, x * 2.0, 2 * x),
    "broadcast": lambda np, x, y: x[:1] * y + y[..., None],
    "methods": lambda np, x, y: (np.add.outer(x[:3], y[:2]), np.multiply.outer(x[:3], y[:2])),
}


@pytest.mark.parametrize("size", [0, 1, 7, 1000, 300_001])
@pytest.mark.parametrize("name", OPERATIONS)
def test_they_are_numpys(name, size):
    if name == "broadcast":
        size = min(size, 1000)
    rng = np.random.default_rng(size)
    x, y = (rng.integers(0, 2, size).astype(bool) for _ in range(2))
    got, want = OPERATIONS[name](nd, nd.asarray(x), nd.asarray(y)), OPERATIONS[name](np, x, y)
    for ours, theirs in zip(*(each if isinstance(each, tuple) else (each,) for each in (got, want)), strict=True):
        np.testing.assert_array_equal(np.asarray(ours), theirs, strict=True)


def test_in_place():
    x, y = nd.asarray([True, False, False]), nd.asarray([True, True, False])
    x += y
    assert x.tolist() == [True, True, False]
    x *= nd.asarray([False, True, True])
    assert x.tolist() == [False, True, False]
    assert nd.add(x, y, out=x) is x
    assert x.tolist() == [True, True, False]


@pytest.mark.parametrize("operation", [operator.sub, operator.mod, operator.pow, operator.floordiv])
def test_what_means_nothing_for_them_is_refused(operation):
    with pytest.raises(TypeError, match="no bool loop"):
        operation(nd.asarray([True]), nd.asarray([False]))


def test_batches_of_them():
    x, y = nd.asarray([[True, False], [True, True]]), nd.asarray([[True, True], [False, True]])
    assert nd.vmap(lambda a, b: a * b + False)(x, y).tolist() == [[True, False], [False, True]]
    assert nd.vmap(lambda a: a < 300)(nd.asarray([[1, 2]], dtype="uint8")).tolist() == [[True, True]]
