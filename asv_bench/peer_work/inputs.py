"""The arrays that rows of work read."""

from functools import lru_cache
from math import prod

import numpy as np

N_RANDOM = 1 << 18  # different numbers of a large array, which repeats them: enough for no branch to be foreseen


@lru_cache(maxsize=8)
def uniform(low, high, size, seed):
    """float32 between two bounds."""
    count = prod(np.atleast_1d(size))
    numbers = np.random.default_rng(seed).uniform(low, high, min(count, N_RANDOM)).astype(np.float32)
    return np.resize(numbers, size)


@lru_cache(maxsize=2)
def normal(size, seed=1):
    """Normal float32, hardly two of them equal."""
    return np.random.default_rng(seed).standard_normal(size, np.float32)


def between(*bounds, names="x1 x2 x3"):
    """A maker of one array per pair of bounds."""
    names = names.split() if len(bounds) > 1 or names != "x1 x2 x3" else ["x"]

    def make(size):
        return {name: uniform(*pair, size, seed) for seed, (name, pair) in enumerate(zip(names, bounds, strict=False))}

    return make


def normals(names, *shapes):
    """A maker of normal arrays: of the row's size, or of `shapes`."""

    def make(size):
        listed = names.split()
        return {
            name: normal(shape, seed)
            for seed, (name, shape) in enumerate(zip(listed, shapes or [size] * len(listed), strict=True))
        }

    return make
