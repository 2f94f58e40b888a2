"""`at`: functions applied in place at indices, in order, as often as each occurs."""

import numpy as np
import numpy.testing as npt
import pytest
from numpy_comparison import TOLERANCE, sample

import nd4py as nd
from nd4py._spec.ops import OPS

# With loops of single elements for some dtypes, with the row's own loop, and without one for the dtype.
NAMES = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "hypot", "pow", "remainder",
         "bitwise_xor", "bitwise_left_shift", "logical_and", "gcd")  # fmt: skip
DTYPES = ("bool", "int8", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64", "complex64")
RNG = np.random.default_rng(3)
# (shape of the array, key): one index array, with a slice, several, with a rest, masks, none.
KEYS = [
    ((9,), ([0, 0, 3, -1, 3, 0],)), ((9,), (np.asarray([[1, 1], [8, -9]], "int8"),)), ((9,), (np.arange(9) % 2 == 0,)),
    ((3, 4), ([2, 0, 2, -2], [1, 0, 1, 3])), ((3, 4), ([1, 1, -1],)), ((4, 3), (slice(None), [0, 0, 1])),
    ((4, 3, 2), ([0, 3, 3], slice(None), [1, 0, 0])), ((9,), (slice(2, None, 3),)), ((9,), ([],)), ((9,), (4,)),
    ((700,), (RNG.integers(-700, 700, 1500),)), ((40_000,), (RNG.integers(0, 40_000, 30_000).astype("uint32"),)),
]  # fmt: skip


def dtypes_of(name):
    """Those that the function takes and gives."""
    op = next(op for op in OPS if op.name == name)
    return [dtype for dtype in DTYPES if dtype in op.dtypes and (op.result == "same" or dtype == "bool")]


@pytest.mark.parametrize("name", NAMES)
def test_values_of_numpy(name):
    for dtype in dtypes_of(name):
        for shape, key in KEYS:
            theirs = sample(dtype, shape, special=False, low=1, high=5)
            values = sample(dtype, theirs[key].shape, 1, special=False, low=1, high=3)
            ours = nd.asarray(theirs, copy=True)
            with np.errstate(all="ignore"):
                getattr(np, name).at(theirs, key, values)
            getattr(nd, name).at(ours, key if len(key) > 1 else key[0], nd.asarray(values))
            npt.assert_allclose(
                np.asarray(ours), theirs, rtol=30 * TOLERANCE.get(dtype, 0), err_msg=f"{dtype} {shape} {key}"
            )


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8"])
@pytest.mark.parametrize("name", ["add", "maximum", "remainder"])
def test_views_and_values_that_are_repeated(name, dtype):
    views = (lambda x: x[::-1], lambda x: x[1::3], lambda x: x.reshape(6, 10).T, lambda x: x.reshape(6, 10)[::-2, 3:7])
    for view in views:
        for values in (2, np.asarray([3], dtype), np.arange(3).astype(dtype) + 1):
            theirs = sample(dtype, (60,), special=False, low=1, high=9)
            ours = nd.asarray(theirs, copy=True)
            key = np.asarray([0, 2, -1]) if view(theirs).ndim == 1 else (np.asarray([[0], [2], [0]]), [0, -1, 0])
            getattr(np, name).at(view(theirs), key, values)
            getattr(nd, name).at(view(ours), key, values if isinstance(values, int) else nd.asarray(values))
            npt.assert_array_equal(np.asarray(ours), theirs)


def test_values_of_other_dtypes():
    x = nd.zeros(3, dtype="float32")
    nd.add.at(x, [0, 0, 2], nd.asarray([1, 2, 3], dtype="float64"))
    nd.maximum.at(x, [1], nd.asarray([7], dtype="int8"))
    assert (x.dtype, x.tolist()) == ("float32", [3.0, 7.0, 3.0])
    whole = nd.asarray([5, 6, 7], dtype="int8")
    nd.maximum.at(whole, [0, 2], nd.asarray([2**33, 6]))  # compared as they are given, not as int8
    assert whole.tolist() == np.maximum([5, 6, 7], [2**33, 0, 6]).astype("int8").tolist()
    nd.subtract.at(whole, [1, 1], nd.asarray([1, 2], dtype="uint8"))
    assert whole[1] == 3


def test_nan_and_zeros_as_the_function_takes_them():
    for name in ("maximum", "minimum", "fmax", "add"):
        theirs = np.asarray([np.nan, 0.0, -0.0, np.inf, 1.0])
        ours = nd.asarray(theirs, copy=True)
        values = np.asarray([1.0, -0.0, 0.0, -np.inf, np.nan])
        with np.errstate(all="ignore"):
            getattr(np, name).at(theirs, np.arange(5), values)
        getattr(nd, name).at(ours, nd.arange(5), nd.asarray(values))
        want = getattr(nd, name)(nd.asarray([np.nan, 0.0, -0.0, np.inf, 1.0]), nd.asarray(values))
        assert np.asarray(ours).tobytes() == np.asarray(want).tobytes()
        npt.assert_array_equal(np.asarray(ours), theirs)


@pytest.mark.parametrize("name", ["add", "multiply", "hypot"])
def test_nothing_is_written_where_an_index_is_wrong(name):
    x = nd.ones((3, 4))
    for key in ([0, 3], [-4, 0], ([0, 1], [0, 4]), (slice(None), [0, -5]), [2**62], [-(2**63)]):
        with pytest.raises(IndexError, match="out of range for axis"):
            getattr(nd, name).at(x, key, 2.0)
    with pytest.raises(ValueError, match="broadcast|shape"):
        getattr(nd, name).at(x, [0, 1], nd.ones((3, 3)))
    assert x.tolist() == [[1.0] * 4] * 3


def test_pending_arrays_are_written():
    x = nd.arange(200_000.0) * 2
    nd.add.at(x, [0, 0, 1], 1.0)
    nd.maximum.at(x, nd.arange(200_000), 3.0)
    assert x[:4].tolist() == [3.0, 3.0, 4.0, 6.0]


def test_threads_do_not_change_the_sums_of_rows():
    rng = np.random.default_rng(0)
    indices, values = rng.integers(0, 50, 20_000), rng.normal(size=(20_000, 33))
    results = []
    for n_threads in (1, 2):
        with nd.threads(n_threads):
            sums = nd.zeros((50, 33))
            nd.add.at(sums, nd.asarray(indices), nd.asarray(values))
            results.append(np.asarray(sums).tobytes())
    theirs = np.zeros((50, 33))
    np.add.at(theirs, indices, values)
    assert results == [theirs.tobytes()] * 2
