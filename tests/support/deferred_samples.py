"""Sample calls of the standard's table with plain operands and with deferred ones: the same results, bit for bit."""

import sys
import warnings

import numpy as np
from standard.tables.names import FUNCTIONS

import nd4py as nd


def deferred(item):
    """A deferred array of the values of an array, inside lists and tuples too; other things as they are."""
    if isinstance(item, list | tuple):
        return type(item)(deferred(one) for one in item)
    if not isinstance(item, nd.NDArray):
        return item
    y = nd.where(nd.array(True), nd.array(item, copy=True), nd.array(item, copy=True))
    assert nd.explain(y) is not None
    return y


def results(value):
    """What a call returned, as things that can be compared."""
    if isinstance(value, nd.NDArray):
        return (str(value.dtype), value.shape, np.asarray(nd.ascontiguous(value)).tobytes())
    if isinstance(value, list | tuple):
        return [results(one) for one in value]
    return repr(value)


def main():
    n_calls, different = 0, []
    for entry in FUNCTIONS:
        function = getattr(getattr(nd, entry.where) if entry.where else nd, entry.name)
        if entry.name in ("empty", "empty_like"):  # whose values are any
            continue
        for dtype in entry.dtypes or ("float64",):
            found = []
            for change in (lambda item: item, deferred):
                positional, keyword = entry.sample(nd, dtype)
                found.append(function(*change(tuple(positional)), **{k: change(v) for k, v in keyword.items()}))
            n_calls += 1
            if results(found[0]) != results(found[1]):
                different.append((entry.where, entry.name, dtype))
    print(*different, n_calls, sep="\n")
    return bool(different)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
