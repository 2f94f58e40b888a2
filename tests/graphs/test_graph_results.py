"""A graph gives what its function gives, bit for bit, whatever the inputs."""

import numpy as np
import pytest
from graph_programs import DTYPES, FLOATS, assert_same, laid_out, program, sample

import nd4py as nd
from nd4py.examples.lenet import lenet


@pytest.mark.parametrize("combines", [True, False])
@pytest.mark.parametrize("rows, columns", [(1, 1), (3, 4), (40, 300)])
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed, rows, columns, combines):
    rng = np.random.default_rng(seed)
    function = program(seed, 8)
    with nd.combine(combines):
        graph = nd.capture(function)
        for _ in range(3):
            inputs = [laid_out(rng, sample(rng, (rows, columns), FLOATS[seed % 2])) for _ in range(2)]
            assert_same(graph(*inputs), function(*inputs))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 0), (2, 3, 5), (300, 200)])
def test_every_dtype_and_shape(shape, dtype):
    rng = np.random.default_rng(1)

    def function(x, y):
        flat = nd.concat([x.reshape(-1), y.reshape(-1)])
        return nd.where(x == y, x, y), nd.equal(x, y), x.sum(), (x == y).copy(), flat

    graph = nd.capture(function)
    for _ in range(2):
        inputs = [sample(rng, shape, dtype) for _ in range(2)]
        assert_same(graph(*inputs), function(*inputs))


@pytest.mark.parametrize("m, k, n", [(1, 784, 512), (128, 64, 10), (5, 3, 3), (1, 100, 1), (300, 200, 100), (4, 0, 3),
                                     (20, 100_000, 8)])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16", "complex64"])
def test_products(m, k, n, dtype):
    rng = np.random.default_rng(2)
    w = sample(rng, (k, n), dtype)

    def function(x):
        return x @ w, w.T @ x.T, x[None] @ w

    graph = nd.capture(function)
    for _ in range(2):
        x = sample(rng, (m, k), dtype)
        assert_same(graph(x), function(x))


@pytest.mark.parametrize("kernel, stride, padding, groups", [(3, 1, 1, 1), (1, 1, 0, 1), (5, 2, 2, 2), (1, 2, 0, 4)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_convolution_and_pooling(kernel, stride, padding, groups, dtype):
    rng = np.random.default_rng(3)
    w, bias = sample(rng, (64, 32 // groups, kernel, kernel), dtype), sample(rng, (64,), dtype)

    def function(x):
        y = nd.conv2d(x, w, bias, stride=stride, padding=padding, groups=groups)
        return nd.max_pool2d(y, 2), nd.avg_pool2d(y, 3, stride=1), nd.relu(y)

    graph = nd.capture(function)
    for images in (1, 3, 1):
        x = sample(rng, (images, 32, 12, 12), dtype)
        assert_same(graph(x), function(x))


def test_gradients_taken_inside():
    rng = np.random.default_rng(4)
    w = sample(rng, (4, 1, 3, 3), "float32")

    def loss(w, x):
        return nd.square(nd.max_pool2d(nd.conv2d(x, w), 2)).mean()

    function = nd.value_and_grad(loss, (0, 1))
    graph = nd.capture(function)
    for _ in range(2):
        x = sample(rng, (2, 1, 8, 8), "float32")
        assert_same(graph(w, x), function(w, x))


@pytest.mark.parametrize("batch", [1, 7])
def test_a_network(batch):
    network = lenet()
    graph = nd.capture(lambda x: network.feed_forward(x))
    for seed in range(3):
        x = nd.asarray(np.random.default_rng(seed).random((batch, 784), dtype="float32"))
        assert_same(graph(x), network.feed_forward(x))


def test_a_result_may_be_an_input_a_view_of_one_or_an_array_from_outside():
    outside = nd.arange(3.0)
    graph = nd.capture(lambda x: (x, x.T, outside, x[1:], 5, None))
    x = nd.asarray([[1.0, 2.0], [3.0, 4.0]])
    y, transposed, same, rest, five, none = graph(x)
    assert y is x
    assert same is outside
    assert (five, none) == (5, None)
    x[1, 0] = 7.0
    assert transposed.tolist() == [[1.0, 7.0], [2.0, 4.0]]
    assert rest.tolist() == [[7.0, 4.0]]


def test_results_of_earlier_calls_stay():
    graph = nd.capture(lambda x: (x + 1, (x * 2)[1:]))
    first = graph(nd.asarray([1.0, 2.0]))
    graph(nd.asarray([5.0, 6.0]))
    assert [x.tolist() for x in first] == [[2.0, 3.0], [4.0]]


def test_results_share_memory_as_those_of_the_function():
    graph = nd.capture(lambda x: (lambda y: (y, y.T))(x + 1))
    y, transposed = graph(nd.zeros((2, 2)))
    y[0, 1] = 9.0
    assert transposed[1, 0] == 9.0


def test_inputs_may_be_one_array_or_lie_over_one_another():
    graph = nd.capture(lambda x, y: x - y * 2, nd.ones(3), nd.ones(3))
    x = nd.arange(4.0)
    assert graph(x[1:], x[1:]).tolist() == [-1.0, -2.0, -3.0]
    assert graph(x[1:], x[:-1]).tolist() == [1.0, 0.0, -1.0]
    same = nd.capture(lambda x, y: x - y * 2, x, x)
    assert same(nd.ones(4), nd.zeros(4)).tolist() == [1.0] * 4


def test_numbers_are_part_of_what_is_captured():
    graph = nd.capture(lambda x, a: x * a)
    for a in (2, 2.0, 0.0, -0.0, True, float("nan"), 2):
        assert_same(graph(nd.asarray([1.0, -1.0]), a), nd.asarray([1.0, -1.0]) * a)
    assert graph.n_captures == 6


def test_other_inputs_capture_again_and_the_last_kinds_are_remembered():
    runs = []

    def function(x):
        runs.append(x.shape)
        return x + 1

    graph = nd.capture(function)
    for n in (3, 4, 3, 4, 3):
        assert graph(nd.zeros(n)).shape == (n,)
    assert runs == [(3,), (4,)]
    for n in range(30):
        graph(nd.zeros(n))
    assert graph.n_captures == 16


def test_deferred_and_foreign_inputs():
    x = np.arange(200_000.0)
    graph = nd.capture(lambda x: x.sum() + x[0])
    assert float(graph(x)) == x.sum()
    assert float(graph(nd.asarray(x) * 2)) == 2 * x.sum()


def test_elements_that_are_written_and_read():
    def program(x):
        y = x * 2
        y[0], y[1], y[2] = 5, np.float32(3), x[3]
        y[-1] = x[0] + x[1]
        return y + y[0], [item * 2 for item in y]

    graph = nd.capture(program)
    for seed in range(3):
        x = nd.asarray(np.random.default_rng(seed).normal(size=5))
        (result, items), (expected, others) = graph(x), program(x)
        assert np.array_equal(np.asarray(result), np.asarray(expected))
        assert [item.item() for item in items] == [item.item() for item in others]


@pytest.mark.parametrize("shape", [(3, 4), (400, 500)])
def test_results_keep_the_memory_order_of_inputs(shape):
    graph = nd.capture(lambda x, y: ((x + y) * 2 - x, x.astype("float32"), nd.sum(x * y, axis=0)))
    for seed in range(2):
        a, b = (nd.asarray(np.random.default_rng(seed + k).normal(size=shape), copy=True) for k in range(2))
        for x, y in ((a, b), (a.T, b.T), (a, b.T.copy().T)):
            results = graph(x, y)
            expected = ((x + y) * 2 - x, x.astype("float32"), nd.sum(x * y, axis=0))
            for got, wanted in zip(results, expected, strict=True):
                assert got.strides == wanted.strides
                assert np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize("shape, axis, driver", [
    ((3_000, 40), 1, "blocks"), ((3_000, 64), 0, "sweeps"), ((40, 60, 50), 1, "blocks"),
    ((40, 60, 50), (1, 2), "blocks"), ((400, 300), 1, "blocks|rows"),
    ((50, 3_000), 1, "rows"), ((4, 7, 3_000), -1, "rows"),
    ((200, 400), 0, "sweeps"), ((4, 300, 64), 1, "sweeps"), ((3, 70_000), 1, "sweeps"),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_rows_that_are_reduced_and_read_again(shape, axis, driver, dtype):
    rng = np.random.default_rng(10)
    w = sample(rng, shape, dtype)

    def function(x, y):
        d = nd.clip(x, -3, 2.5) - nd.mean(x, axis=axis, keepdims=True)
        e = nd.exp(nd.minimum(d, 4)) * y + w
        top = nd.max(e, axis=axis, keepdims=True)
        return e / top, top * 2, nd.sum(d * 2.5, axis=axis)

    graph = nd.capture(function)
    for lays in (lambda rng, x: x, laid_out, laid_out):
        inputs = [lays(rng, sample(rng, shape, dtype)) for _ in range(2)]
        with nd.combine(False):
            expected = function(*inputs)
        assert_same(graph(*inputs), expected)
    # Wide rows of halves are converted a few at a time, and reduced at once.
    assert any(name in graph.summary() for name in driver.split("|")) or (dtype == "float16" and shape == (200, 400))


@pytest.mark.parametrize("n_calls", [0, 2])
def test_a_graph_inside_of_a_graph_is_its_function(n_calls):
    inner = nd.capture(lambda x: nd.tanh(x) + 1)
    x = nd.arange(4.0)
    for _ in range(n_calls):
        inner(x)
    outer = nd.capture(lambda x: inner(x * 2) * inner(x))
    for scale in (1.0, 3.0):
        assert_same(outer(x * scale), (nd.tanh(x * scale * 2) + 1) * (nd.tanh(x * scale) + 1))
    assert "launches" in outer.summary()


def test_other_instruction_sets_and_helpers_capture_again():
    runs = []

    def function(x):
        runs.append(nd.config()["instruction set"])
        return nd.exp(x) @ x

    x = nd.asarray(np.random.default_rng(11).normal(size=(40, 40)).astype("float32"))
    graph = nd.capture(function, x)
    names = nd.config()["usable instruction sets"].split(", ")
    wanted = nd.helpers(True)
    try:
        for name in [*names, names[0]]:
            nd.select_instruction_set(name)
            assert_same(graph(x), nd.exp(x) @ x)
            assert graph.n_captures == 1
        assert runs == [names[0], *names[1:], names[0]] if len(names) > 1 else [names[0]]
        n_runs = len(runs)
        for wants, n_more in ((True, 0), (False, 1), (False, 1), (True, 2)):
            nd.helpers(wants)
            graph(x)
            assert len(runs) == n_runs + n_more
    finally:
        nd.select_instruction_set()
        nd.helpers(wanted)


def ordered(x):
    return (nd.sort(x), nd.sort(x, descending=True, axis=0), nd.argsort(x, axis=-1), *nd.topk(x, 2),
            nd.take_along_axis(x, nd.argsort(x, axis=0), axis=0))  # fmt: skip


def scanned(x):
    return (nd.cumulative_sum(x, axis=0), nd.cumulative_prod(x, axis=-1), nd.cumulative_max(x, axis=0),
            nd.cumulative_sum(x * 2 + 1, axis=-1, include_initial=True) / 3)  # fmt: skip


@pytest.mark.parametrize("function", [ordered, scanned])
@pytest.mark.parametrize("shape", [(3, 4), (2, 5, 7), (300, 40), (2, 100_000), (50_000, 3)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
def test_sorting_and_scans(function, shape, dtype):
    rng = np.random.default_rng(12)
    graph = nd.capture(function)
    for lays in (lambda rng, x: x, laid_out, laid_out):
        x = lays(rng, sample(rng, shape, dtype))
        assert_same(graph(x), function(x))
    summary = graph.summary()
    assert "scan" in summary or "sort" in summary


@pytest.mark.parametrize("shape", [(0,), (6,), (5, 7), (40, 3), (2, 70_000)])
@pytest.mark.parametrize("dtype", [*DTYPES, "float64", "int8", "complex128"])
def test_products_of_elements(shape, dtype):
    rng = np.random.default_rng(18)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30]

    def function(x):
        return nd.prod(x), nd.prod(x, axis=0), nd.prod(x, axis=-1, keepdims=True), nd.prod(x * 2, axis=0)

    graph = nd.capture(function)
    for round in range(4):
        x = np.array(sample(rng, shape, "float64")) + 2.5
        if round and x.size:
            for _ in range(round):
                x.reshape(-1)[rng.integers(0, min(x.size, 50))] = special[rng.integers(0, len(special))]
        with np.errstate(all="ignore"):
            x = nd.asarray(np.clip(np.nan_to_num(x), -9, 9) if "int" in dtype else x).astype(dtype)
        assert_same(graph(x), function(x))
