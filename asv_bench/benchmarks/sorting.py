"""Sorting, searching and sets: of random, few different and sorted elements."""

import numpy as np

import nd4py as nd

SIZES = [100_000, 1_000_000]
SORTED_TYPES = ["int32", "int64", "float32", "float64"]
KINDS = ["random", "few", "sorted"]


def elements(kind, dtype, n):
    """n elements as an nd4py array: over the whole dtype, of 100 values, or ascending."""
    random = np.random.default_rng(1)
    if kind == "few":
        return nd.asarray(random.integers(0, 100, n).astype(dtype))
    if "float" in dtype:
        x = random.standard_normal(n).astype(dtype)
    else:
        x = random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n, dtype)
    return nd.asarray(np.sort(x) if kind == "sorted" else x)


class TimeSort:
    """sort, argsort and topk of one line, unique_values and unique_all."""

    params = [SORTED_TYPES, KINDS, SIZES]
    param_names = ["dtype", "kind", "n"]

    def setup(self, dtype, kind, n):
        self.x = elements(kind, dtype, n)

    def time_sort(self, dtype, kind, n):
        nd.sort(self.x)

    def time_argsort(self, dtype, kind, n):
        nd.argsort(self.x)

    def time_topk(self, dtype, kind, n):
        nd.topk(self.x, 10)

    def time_unique_values(self, dtype, kind, n):
        nd.unique_values(self.x)

    def time_unique_all(self, dtype, kind, n):
        nd.unique_all(self.x)


class TimeSortLines:
    """sort and argsort of many short lines, along either axis."""

    params = [["float32", "float64"], [(100_000, 10), (1000, 1000)], [0, 1]]
    param_names = ["dtype", "shape", "axis"]

    def setup(self, dtype, shape, axis):
        self.x = nd.random.Generator(1).normal(size=shape, dtype=dtype)

    def time_sort(self, dtype, shape, axis):
        nd.sort(self.x, axis=axis)

    def time_argsort(self, dtype, shape, axis):
        nd.argsort(self.x, axis=axis)


class TimeSearch:
    """searchsorted and isin of random or ascending queries."""

    params = [["int32", "int64", "float32", "float64"], ["random", "sorted"], SIZES]
    param_names = ["dtype", "kind", "n"]

    def setup(self, dtype, kind, n):
        self.x, self.queries = elements("sorted", dtype, n), elements(kind, dtype, n)

    def time_searchsorted(self, dtype, kind, n):
        nd.searchsorted(self.x, self.queries)

    def time_isin(self, dtype, kind, n):
        nd.isin(self.queries, self.x)
