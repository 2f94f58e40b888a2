"""Graphs that read and write through index arrays and masks, bit for bit as their functions do."""

import numpy as np
import pytest
from graph_programs import DTYPES, assert_same, laid_out, sample

import nd4py as nd


@pytest.mark.parametrize("shape", [(6,), (5, 7), (4, 3, 9), (300, 200)])
@pytest.mark.parametrize("index_dtype", ["int64", "int32", "uint8"])
@pytest.mark.parametrize("dtype", ["float32", "complex128", "bool", "int8"])
def test_elements_read_through_index_arrays(shape, index_dtype, dtype):
    rng = np.random.default_rng(13)
    outside = nd.asarray(rng.integers(0, shape[0], 11).astype(index_dtype))

    def function(x, index):
        last = nd.take(x, index % x.shape[-1], axis=-1)
        return nd.take(x, index, axis=0), last, x[index], x[outside], x[index, ...].sum(axis=0)

    graph = nd.capture(function)
    for n in (5, 5, 4000, 0):
        x, index = sample(rng, shape, dtype), nd.asarray(rng.integers(0, shape[0], n).astype(index_dtype))
        assert_same(graph(x, index), function(x, index))
        assert_same(graph(laid_out(rng, x), index), function(laid_out(rng, x), index))


@pytest.mark.parametrize("shape", [(6,), (5, 7), (4, 3, 9), (300, 200)])
@pytest.mark.parametrize("index_dtype", ["int64", "int32", "uint8"])
@pytest.mark.parametrize("dtype", ["float32", "complex128", "int8"])
def test_elements_written_through_index_arrays(shape, index_dtype, dtype):
    rng = np.random.default_rng(14)
    outside = nd.asarray(rng.integers(0, shape[0], 11).astype(index_dtype))

    def function(x, index, values):
        y, z = x.copy(), x * 2
        y[index] = values[: index.size]
        y[outside, ...] = 3
        nd.put_along_axis(z, (index % z.shape[-1]).reshape(*[1] * (z.ndim - 1), -1), x[..., :1] * 5, axis=-1)
        added = nd.index_add(x, index, values[: index.size])
        return y, z[::-1], added, nd.take(y, index, axis=0)

    graph = nd.capture(function)
    for n in (5, 5, 40, 0):
        index = nd.asarray(rng.integers(0, shape[0], n).astype(index_dtype))
        x, values = sample(rng, shape, dtype), sample(rng, (40, *shape[1:]), dtype)
        assert_same(graph(x, index, values), function(x, index, values))
        assert_same(graph(laid_out(rng, x), index, values), function(laid_out(rng, x), index, values))
    assert "scatter" in graph.summary()


@pytest.mark.parametrize("n", [4, 20_000])
def test_of_several_values_for_one_element_the_last_stays(n):
    rng = np.random.default_rng(15)

    def function(x, index, values):
        y = nd.zeros_like(x)
        y[index] = values
        return y

    graph = nd.capture(function)
    for _ in range(3):
        index, values = nd.asarray(rng.integers(0, 3, n)), nd.asarray(rng.random(n))
        y = graph(nd.ones(10), index, values)
        assert_same(y, function(nd.ones(10), index, values))
        last = {int(i): float(v) for i, v in zip(np.asarray(index), np.asarray(values), strict=True)}
        assert {i: float(y[i]) for i in last} == last


def test_gradients_of_what_was_read_through_index_arrays():
    rng = np.random.default_rng(16)
    index = nd.asarray(np.array([1, 1, 4, 0]))
    slope = nd.grad(lambda x: (x[index] ** 2).sum() + nd.take_along_axis(x, nd.argsort(x, axis=0), axis=0)[0].sum())
    graph = nd.capture(slope)
    for _ in range(3):
        x = nd.asarray(rng.random((6, 3)))
        assert_same(graph(x), slope(x))


@pytest.mark.parametrize("shape", [(), (0,), (6,), (5, 7), (300, 200)])
@pytest.mark.parametrize("dtype", [*DTYPES, "int8"])
def test_elements_written_where_a_mask_holds(shape, dtype):
    rng = np.random.default_rng(17)

    def function(x, y):
        first, second, third = x.copy(), x.copy(), nd.where(x == y, x, y)
        first[x == y] = 1
        second[nd.not_equal(x, 0)] = y.reshape(-1)[:1] if y.size else 0
        third[nd.equal(third, 0)[...]] = third.reshape(-1)[-1] if x.size else 0
        return first, second, third, first[::-1] if x.ndim else first

    graph = nd.capture(function)
    for _ in range(3):
        x, y = (laid_out(rng, sample(rng, shape, dtype)) for _ in range(2))
        assert_same(graph(x, y), function(x, y))


@pytest.mark.parametrize("index_dtype", ["int64", "int8", "uint8"])
def test_one_hot(index_dtype):
    function = lambda i: nd.one_hot(i, 200, dtype="float64")  # noqa: E731
    graph = nd.capture(function)
    for shape in ((4,), (2, 3), (0,), ()):
        i = nd.asarray(np.random.default_rng(19).integers(0, 100, shape).astype(index_dtype))
        assert_same(graph(i), function(i))
    for wrong in ([0, 201], [-1, 0]):
        if wrong[0] >= 0 and index_dtype == "int8":
            continue
        if wrong[0] < 0 and index_dtype == "uint8":
            continue
        for call in (graph, function):
            call(nd.asarray(np.array([1, 2], dtype=index_dtype)))
            with pytest.raises(IndexError):
                call(nd.asarray(np.array(wrong).astype(index_dtype)))


def test_an_index_out_of_range_writes_nothing():
    def function(x, i):
        y = x * 2
        y[i] = 1.0
        return y

    graph = nd.capture(function, nd.arange(5.0), nd.asarray([0, 1]))
    for wrong in ([0, 5], [-6, 0]):
        with pytest.raises(IndexError, match=r"out of range.*test_graph_indexing\.py, line"):
            graph(nd.arange(5.0), nd.asarray(wrong))
    assert graph(nd.arange(5.0), nd.asarray([-1, 0])).tolist() == [1.0, 2.0, 4.0, 6.0, 1.0]


def test_negative_indices_and_those_out_of_range():
    x = nd.arange(5.0)
    graph = nd.capture(lambda x, i: x[i] * 2, x, nd.asarray([0, 1, -1]))
    assert graph(x, nd.asarray([-5, 4, -2])).tolist() == [0.0, 8.0, 6.0]
    for wrong in ([0, 5, 1], [-6, 0, 0]):
        with pytest.raises(IndexError, match=r"out of range.*test_graph_indexing\.py, line"):
            graph(x, nd.asarray(wrong))
    assert graph(x, nd.asarray([1, 1, 1])).tolist() == [2.0] * 3
    with pytest.raises(IndexError):
        nd.capture(lambda x, i: x[i], x, nd.asarray([7]))
    rows = nd.capture(lambda x, i: nd.take(x, i, axis=0), nd.ones((3, 0)), nd.asarray([0]))
    with pytest.raises(IndexError):
        rows(nd.ones((3, 0)), nd.asarray([3]))
