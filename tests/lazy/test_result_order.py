"""The memory order of elementwise results: that of the operands, as NumPy's order="K", run at once or deferred."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import nd4py as nd

SHAPES = [(3, 4), (2, 3, 4), (2, 3, 2, 5), (2, 1, 3, 2, 2), (1, 3), (3, 1), (0, 3), (1, 1, 4)]


def permuted(shape, order, dtype="float64", seed=0):
    """Numbers of a shape whose axes lie in memory in an order."""
    values = np.random.default_rng(seed).integers(1, 50, [shape[i] for i in order]).astype(dtype)
    return values.transpose(np.argsort(order))


def orders(ndim):
    """All orders of a few axes, some of many."""
    every = list(itertools.permutations(range(ndim)))
    return every if len(every) <= 24 else every[::7]


def same_layout(x, expected):
    """Whether strides agree along axes of several elements, where they mean something."""
    assert x.shape == expected.shape
    if expected.size == 0:
        return True
    return all(a == b for n, a, b in zip(x.shape, x.strides, expected.strides, strict=True) if n > 1)


def check(x, expected):
    assert same_layout(x, expected), (x.shape, x.strides, expected.strides)
    assert np.array_equal(np.asarray(x), expected)


@pytest.fixture(params=["at once", "deferred"], autouse=True)
def run(request, monkeypatch):
    """Each test runs at once, and deferred."""
    with nd.combine(request.param == "deferred"):
        yield request.param


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_results_lie_as_numpys(shape):
    for first, second in itertools.product(orders(len(shape)), repeat=2):
        a, b = permuted(shape, first), permuted(shape, second, seed=1)
        x, y = nd.asarray(a), nd.asarray(b)
        check(x + y, a + b)
        check(nd.where(x > y, x, y), np.where(a > b, a, b))
        if first == second:
            check(2 * x + 1, 2 * a + 1)
            check(nd.sqrt(x), np.sqrt(a))
            check(-x, -a)
            check(x.astype("float32"), a.astype("float32"))
            check(x > 3, a > 3)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_repeated_operands_say_nothing_of_their_axes(shape):
    for order in orders(len(shape)):
        a = permuted(shape, order)
        x = nd.asarray(a)
        for key in ((0,), (slice(None, 1),), (..., slice(None, 1)), (..., 0, None)):
            if a.size == 0 or any(size == 0 for size in a[key].shape):
                continue
            check(x * x[key], a * a[key])
        row = np.arange(1.0, shape[-1] + 1)
        check(nd.asarray(row) + x, row + a)
        wide = np.broadcast_to(a, (3, *shape))
        check(nd.asarray(a).broadcast_to((3, *shape)) + 1, wide + 1)


@pytest.mark.parametrize("dtypes", [("float32", "float64"), ("int8", "float16"), ("bool", "int64")], ids=str)
def test_operands_of_other_dtypes_keep_the_order(dtypes):
    for order in orders(3):
        a, b = permuted((2, 3, 4), order, dtypes[0]), permuted((2, 3, 4), order, dtypes[1], seed=1)
        check(nd.asarray(a) + nd.asarray(b), a + b)


def test_steps_and_reversed_axes_leave_gaps_nowhere():
    a = permuted((4, 6), (1, 0))
    for key in ((slice(None, None, 2),), (slice(None), slice(None, None, -1)), (slice(None, None, -2), slice(1, None))):
        check(nd.asarray(a)[key] + 1, a[key] + 1)


def large(order, shape=(80, 60, 70), dtype="float32", seed=0):
    return permuted(shape, order, dtype, seed) / np.float32(7)


def own(values, order):
    """An array of nd4py's own memory with its axes in an order."""
    dense = nd.asarray(np.ascontiguousarray(values.transpose(order)), copy=True)
    return nd.permute_dims(dense, np.argsort(order).tolist())


@pytest.mark.parametrize("order", orders(3), ids=str)
def test_long_chains_keep_the_order_and_the_bits(order):
    a, b = large(order), large(order, seed=1)
    x, y, z = own(a, order), nd.asarray(b, copy=True), own(b, order)
    result = ((x * z + 2) * x - z) * z + x
    check(result, ((a * b + 2) * a - b) * b + a)
    in_c_order = ((x.copy() * y.copy() + 2) * x.copy() - y.copy()) * y.copy() + x.copy()
    assert in_c_order.is_contiguous
    assert np.array_equal(np.asarray(result), np.asarray(in_c_order))
    several = [x * z, x * z + 1, x * z - x]
    for got, expected in zip(several, [a * b, a * b + 1, a * b - a], strict=True):
        check(got, expected)
    product = a * b  # NumPy writes over what nobody holds
    check(x * z + y.copy(), product + np.ascontiguousarray(b))


@pytest.mark.parametrize("order", orders(3), ids=str)
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2), (1, 2)], ids=str)
def test_reductions_of_chains_have_the_bits_of_reductions_of_their_results(order, axis):
    x = own(large(order), order)
    for name in ("sum", "max", "mean", "prod"):
        reduce = getattr(nd, name)
        at_once = reduce((x * x + 1).block(), axis=axis)
        assert np.asarray(reduce(x * x + 1, axis=axis)).tobytes() == np.asarray(at_once).tobytes()
        kept = x * x + 1
        together = reduce(kept, axis=axis, keepdims=True)
        assert np.asarray(together).tobytes() == np.asarray(at_once).tobytes()
        assert np.array_equal(np.asarray(kept), np.asarray(x) * np.asarray(x) + 1)


def test_rows_of_transposed_arrays_are_reduced_and_read_again():
    a = large((1, 0), (500, 600))
    x = nd.asarray(np.ascontiguousarray(a.T), copy=True).T
    for function, axis in itertools.product((nd.max, nd.sum, nd.mean), (0, 1)):
        shifted = x - function(x, axis=axis, keepdims=True)
        e = nd.exp(shifted / 100)
        result = e / nd.sum(e, axis=axis, keepdims=True)
        alone = x.copy() - function(x, axis=axis, keepdims=True).copy()
        assert np.array_equal(np.asarray(shifted), np.asarray(alone))
        assert np.allclose(np.asarray(nd.sum(result, axis=axis)), 1, rtol=1e-5)


def test_in_place_operations_keep_the_memory():
    a = large((1, 0), (400, 500))
    for turn in (False, True):
        x = nd.asarray(np.ascontiguousarray(a.T), copy=True).T
        y = (x + 1).T if turn else x + 1
        strides = y.strides
        y *= 3
        y += x.T if turn else x
        expected = (a + 1) * 3 + a
        assert y.strides == strides
        assert np.array_equal(np.asarray(y), expected.T if turn else expected)


def test_out_is_written_as_it_lies():
    a = permuted((3, 4), (1, 0))
    out = nd.zeros((3, 4))
    assert nd.add(nd.asarray(a), nd.asarray(a), out=out) is out
    assert out.is_contiguous
    assert np.array_equal(np.asarray(out), a + a)


@pytest.mark.parametrize("order", orders(3), ids=str)
def test_what_is_made_like_an_array_lies_as_it_does(order):
    a = permuted((2, 3, 4), order)
    x = nd.asarray(a)
    for name in ("zeros_like", "ones_like"):
        check(getattr(nd, name)(x), getattr(np, name)(a))
        check(getattr(nd, name)(x, dtype="int8"), getattr(np, name)(a, dtype="int8"))
    check(nd.full_like(x, 3), np.full_like(a, 3))
    check(nd.full_like(x, 3, dtype="int8"), np.full_like(a, 3, dtype="int8"))
    assert same_layout(nd.empty_like(x), np.empty_like(a))
    for copied, expected in ((copy.copy(x), copy.copy(a)), (copy.deepcopy(x), copy.deepcopy(a)), (x.copy(), a.copy())):
        check(copied, expected)
    assert x.copy().is_contiguous
    assert nd.ascontiguous(x + 1).is_contiguous
    deferred = x + 1
    check(nd.zeros_like(deferred), np.zeros_like(a + 1))


@pytest.mark.parametrize("order", orders(3), ids=str)
def test_what_reads_a_result_reads_its_elements_in_their_order(order):
    a = permuted((2, 3, 4), order) + 1
    x = nd.asarray(permuted((2, 3, 4), order)) + 1
    assert x.tolist() == a.tolist()
    assert x.tobytes() == a.tobytes()
    assert np.array_equal(np.asarray(x), a)
    assert np.array_equal(np.from_dlpack(x), a)
    assert np.array_equal(np.asarray(memoryview(x)), a)
    assert np.array_equal(np.asarray(pickle.loads(pickle.dumps(x))), a)
    for shape in ((-1,), (6, 4), (4, 6), (2, 12), (3, 2, 4), (24, 1)):
        assert np.array_equal(np.asarray(x.reshape(shape)), a.reshape(shape))
        assert np.array_equal(np.asarray((x * 1).reshape(shape)), a.reshape(shape))
    assert np.array_equal(np.asarray(x.flatten()), a.flatten())
    assert np.array_equal(np.asarray(x.ravel()), a.ravel())
    for i in range(3):
        assert np.array_equal(np.asarray(nd.sort(x, axis=i)), np.sort(a, axis=i))
        assert np.array_equal(np.asarray(nd.cumulative_sum(x, axis=i)), np.cumsum(a, axis=i))
        assert np.array_equal(np.asarray(nd.argmax(x, axis=i)), np.argmax(a, axis=i))
        assert np.array_equal(np.asarray(nd.flip(x, axis=i)), np.flip(a, axis=i))
        assert np.array_equal(np.asarray(nd.concat([x, x], axis=i)), np.concatenate([a, a], axis=i))
        assert np.array_equal(np.asarray(nd.take(x, nd.asarray([1, 0]), axis=i)), np.take(a, [1, 0], axis=i))
    assert nd.argmax(x).item() == np.argmax(a)
    assert nd.max(x).item() == a.max()
    assert np.array_equal(np.asarray(x[x > 9]), a[a > 9])
    assert np.array_equal(np.asarray(nd.unique_values(x)), np.unique(a))
    assert np.array_equal(np.asarray(x @ x.mT), a @ a.swapaxes(1, 2))
    assert np.array_equal(np.asarray(nd.tensordot(x, x, axes=([0, 2], [0, 2]))), np.tensordot(a, a, ([0, 2], [0, 2])))
    x[x > 20] = 0
    a[a > 20] = 0
    x[1] = 5
    a[1] = 5
    assert np.array_equal(np.asarray(x), a)


def test_a_saved_result_is_read_again(tmp_path):
    a = permuted((3, 4), (1, 0)) + 1
    nd.save(tmp_path / "x.npy", nd.asarray(permuted((3, 4), (1, 0))) + 1)
    assert np.array_equal(np.load(tmp_path / "x.npy"), a)
    assert np.array_equal(np.asarray(nd.load(tmp_path / "x.npy")), a)


@pytest.mark.parametrize("order", orders(3), ids=str)
def test_gradients_are_those_of_contiguous_operands(order):
    a = permuted((2, 3, 4), order)
    x, dense = nd.asarray(a), nd.asarray(np.ascontiguousarray(a))

    def loss(w):
        y = nd.tanh(w / 50) * w + 1
        return (y.reshape(-1)[::2] * 2).sum() + (nd.astype(y, nd.float32) * 3).sum().astype("float64")

    value, slope = nd.value_and_grad(loss)(x)
    expected, reference = nd.value_and_grad(loss)(dense)
    assert np.allclose(value.item(), expected.item())
    assert np.allclose(np.asarray(slope), np.asarray(reference))
