"""partition, lexsort and their like, and NumPy's arguments of sort, give what NumPy's give."""

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

DTYPES = ("bool", "int8", "int64", "uint16", "float32", "float64")


def numbers(np, *shape, dtype="float64"):
    return np.asarray((numpy.random.default_rng(3).integers(0, 9, shape) - 3).astype(dtype))


PROGRAMS = {
    "sort": [
        lambda np: np.sort(numbers(np, 3, 4), kind="stable"), lambda np: np.sort(numbers(np, 3, 4), 0, "quicksort"),
        lambda np: np.sort(numbers(np, 3, 4), axis=None, kind="mergesort"),
        lambda np: np.sort(numbers(np, 3), stable=True),
        lambda np: np.sort(numbers(np, 3), kind="x"), lambda np: np.argsort(numbers(np, 3, 4), 0, "stable"),
        lambda np: np.sort(numbers(np, 3), order="a"), lambda np: np.sort([3, 1, 2]),
        lambda np: np.argsort([3, 1, 2], kind="heapsort"),
    ],
    "lexsort": [
        lambda np: np.lexsort((numbers(np, 9), numbers(np, 9)[::-1])), lambda np: np.lexsort([[1, 2, 3], [5, 4, 5]]),
        lambda np: np.lexsort((numbers(np, 3, 4), numbers(np, 3, 4) * -1), axis=0),
        lambda np: np.lexsort(numbers(np, 3, 4)),
        lambda np: np.lexsort([]), lambda np: np.lexsort(([1], [1, 2])), lambda np: np.lexsort((numbers(np, 3, 0),)),
        lambda np: np.lexsort(keys=([3, 1, 2],)), lambda np: np.lexsort(numbers(np, 2, 3, 4), -2),
    ],
    "sort_complex": [
        lambda np: np.sort_complex(np.asarray([2 + 1j, 1 + 2j, 1 - 1j])), lambda np: np.sort_complex([3, 1, 2]),
        lambda np: np.sort_complex(numbers(np, 3, 4, dtype="int8")),
        lambda np: np.sort_complex(numbers(np, 3, dtype="float32")),
        lambda np: np.sort_complex(numbers(np, 0)),
    ],
    "searchsorted": [
        lambda np: np.searchsorted([1, 2, 3], 2.5),
        lambda np: np.searchsorted(np.asarray([1.0, 2.0, 3.0]), [0, 4], side="right"),
        lambda np: np.searchsorted([3, 1, 2], [2, 3], sorter=[1, 2, 0]),
        lambda np: np.asarray([1, 2, 3]).searchsorted(2, "right"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_programs_give_what_numpy_gives(program):
    check(program)


def assert_partitioned(lines, kth, ordered):
    """Every line has at `kth` what sorting puts there, nothing larger before and nothing smaller behind."""
    for k in numpy.atleast_1d(kth):
        numpy.testing.assert_array_equal(lines[..., k], ordered[..., k])
        pivot = lines[..., k, None]
        k = k % lines.shape[-1]
        assert not (lines[..., :k] > pivot).any()
        assert not (lines[..., k:] < pivot).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kth", [0, 2, -1, (1, 3)], ids=str)
@pytest.mark.parametrize(("shape", "axis"), [((7,), -1), ((5, 6), 0), ((5, 6), 1), ((5, 6), None), ((2, 5, 4), 1)])
def test_partition(shape, axis, kth, dtype):
    x = numpy.asarray(numbers(numpy, *shape, dtype=dtype))
    flat = x.reshape(-1) if axis is None else x
    last = -1 if axis is None else axis
    ordered = numpy.moveaxis(numpy.sort(flat, last), last, -1)
    got = numpy.asarray(nd.partition(nd.asarray(x), kth, axis=axis))
    assert (got.dtype, got.shape) == (x.dtype, flat.shape)
    lines = numpy.moveaxis(got, last, -1)
    assert_partitioned(lines, kth, ordered)
    numpy.testing.assert_array_equal(numpy.sort(lines, -1), ordered)
    order = numpy.asarray(nd.argpartition(nd.asarray(x), kth, axis))
    taken = numpy.take_along_axis(flat, order, last)
    assert_partitioned(numpy.moveaxis(taken, last, -1), kth, ordered)
    if axis is not None:
        y = nd.asarray(x.copy())
        y.partition(kth, axis)
        assert_partitioned(numpy.moveaxis(numpy.asarray(y), last, -1), kth, ordered)


LONG_LINES = {
    "random": lambda rng, n: rng.standard_normal(n),
    "sorted": lambda rng, n: numpy.arange(n, dtype="float64"),
    "equal": lambda rng, n: numpy.ones(n),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype("float64"),
    "with NaN": lambda rng, n: numpy.where(rng.random(n) < 0.5, numpy.nan, rng.standard_normal(n)),
    "all NaN": lambda rng, n: numpy.full(n, numpy.nan),
    "large ones here and there": lambda rng, n: numpy.where(
        numpy.arange(n) % (n // 4096 + 1) == 0, 1e9, rng.standard_normal(n)
    ),
    "integers": lambda rng, n: rng.integers(-(2**62), 2**62, n),
    "narrow integers": lambda rng, n: rng.integers(-50, 50, n).astype("int32"),
    "halves": lambda rng, n: rng.standard_normal(n).astype("float16"),
    "both zeros": lambda rng, n: rng.integers(-1, 2, n) * -0.0 + rng.integers(0, 2, n),
    "alike but for the last bits": lambda rng, n: 1 + rng.integers(0, 1 << 12, n) * 2.0**-52,
}


@pytest.mark.parametrize("n", [300, 5_001, 250_007])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.5, 0.9999, 1.0])
@pytest.mark.parametrize("name", LONG_LINES)
def test_long_lines(name, share, n):
    x = LONG_LINES[name](numpy.random.default_rng(5), n)
    k = round(share * (x.size - 1))
    ordered = numpy.sort(x)
    got, order = numpy.asarray(nd.partition(nd.asarray(x), k)), numpy.asarray(nd.argpartition(nd.asarray(x), k))
    for line in (got, x[order]):
        numpy.testing.assert_array_equal(line[k], ordered[k])
        numpy.testing.assert_array_equal(numpy.sort(line[:k]), ordered[:k])
        numpy.testing.assert_array_equal(numpy.sort(line[k:]), ordered[k:])


@pytest.mark.parametrize("name", LONG_LINES)
def test_several_positions_of_long_lines(name):
    x = numpy.stack([LONG_LINES[name](numpy.random.default_rng(seed), 9_000) for seed in range(3)])
    for kth in ([10, 4000], [-1, 5], [2999, 3000, 3001], []):
        got, order = numpy.asarray(nd.partition(nd.asarray(x), kth)), numpy.asarray(nd.argpartition(nd.asarray(x), kth))
        assert (numpy.sort(order) == numpy.arange(9_000)).all()
        for lines in (got, numpy.take_along_axis(x, order, -1)):
            numpy.testing.assert_array_equal(numpy.sort(lines), numpy.sort(x))
            for k in kth:
                numpy.testing.assert_array_equal(lines[:, k], numpy.sort(x)[:, k])
                numpy.testing.assert_array_equal(numpy.sort(lines[:, :k]), numpy.sort(x)[:, :k])


def test_partitions_of_batches_and_their_gradients():
    x = nd.asarray([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
    assert nd.vmap(lambda x: nd.partition(x, 1))(x).tolist() == [[1.0, 2.0, 3.0], [0.0, 4.0, 5.0]]
    assert nd.vmap(lambda x: nd.argpartition(x, 0))(x)[:, 0].tolist() == [1, 0]
    assert nd.grad(lambda x: nd.sum(nd.partition(x, 1)[:, 0] * nd.asarray([2.0, 3.0])))(x).tolist() == [
        [0.0, 2.0, 0.0], [3.0, 0.0, 0.0],
    ]  # fmt: skip


def test_partition_puts_nan_last():
    got = nd.partition(nd.asarray([3.0, nd.nan, 1.0, 2.0]), 2)
    assert got[2].item() == 3.0
    assert nd.isnan(got[3])


@pytest.mark.parametrize("call", [
    lambda: nd.partition(nd.ones(3), 3),
    lambda: nd.partition(nd.ones(3), -4),
    lambda: nd.partition(nd.ones(3), 1, kind="x"),
    lambda: nd.argpartition(nd.ones((2, 3)), [0, 5]),
    lambda: nd.partition(nd.ones(3), 0, axis=2),
    lambda: nd.partition([3, 1], 0, order="a"),
])  # fmt: skip
def test_wrong_arguments_of_partition(call):
    with pytest.raises(ValueError, match=r"partition|axis"):
        call()


def test_gradients_of_what_is_sorted():
    x, weights = nd.asarray([3.0, 1.0, 2.0]), nd.asarray([1.0, 10.0, 100.0])
    assert nd.grad(lambda x: (nd.partition(x, 1) * weights).sum())(x).tolist() == [100.0, 1.0, 10.0]
    assert nd.grad(lambda x: nd.real(nd.sort_complex(x) * weights).sum())(x).tolist() == [100.0, 1.0, 10.0]
