"""Every row of the table for a batch: nd.vmap(f) is what f gives for each example, stacked."""

import numpy as np
import pytest
from table import arguments_of, assert_close, params_of, sample

import nd4py as nd
from nd4py._spec.ops import OPS
from nd4py.api.environment import batched_functions

SIZE = 3
SHAPE = (2, 5)
ROWS = [op for op in OPS if op.family != "custom"]
CASES = [pytest.param(op, dtype, id=f"{op.name}-{dtype}") for op in ROWS for dtype in (op.types[0], op.types[-1])]
DIFFERENTIABLE = [op for op in ROWS if any(op.vjp) and "float64" in op.types and len(op.outputs) == 1]
EXAMPLES = [
    pytest.param(op, dtype, text, id=f"{op.name}-{dtype}-{number}")
    for op in OPS
    for dtype in op.types[-1:]
    for number, text in enumerate(op.examples)
]
# What no rule batches, so that the function is called for each example: results whose shape depends on values.
LOOPED = {"unique_values", "unique_counts", "unique_inverse", "unique_all"}


def inputs_of(op, dtype, n_examples=SIZE, shape=SHAPE):
    """One array of examples for each operand."""
    size = n_examples * int(np.prod(shape))
    return [nd.asarray(x.reshape((n_examples, *shape))) for x in sample(op, dtype, size)]


def function_of(op):
    """The row as a function of its operands."""
    settings = {} if op.family in ("reduce", "argreduce") else {"axis": 1} if op.family == "scan" else params_of(op)
    return lambda *operands: getattr(nd, op.name)(*operands, **settings)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def stacked(function, *operands):
    """What the function gives for each example, stacked: the definition of vmap."""
    results = [as_tuple(function(*[x[i] for x in operands])) for i in range(SIZE)]
    return [nd.stack([nd.asarray(y) for y in column]) for column in zip(*results, strict=True)]


def assert_alike(got, want, ulp):
    for one, other in zip(as_tuple(got), want, strict=True):
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        wide = other.astype("float64") if other.dtype == "bfloat16" else other
        assert_close(one, np.asarray(wide), str(one.dtype), ulp)


def refused(*_):
    raise AssertionError("the function was called for each example")


@pytest.fixture
def without_loop(monkeypatch):
    """A call for each example is an error."""

    monkeypatch.setattr(batched_functions, "example_by_example", refused)


@pytest.mark.parametrize("op, dtype", CASES)
def test_rows_of_a_batch(op, dtype, without_loop):
    inputs, function = inputs_of(op, dtype), function_of(op)
    ulp = 0 if op.family == "map" else 64
    assert_alike(nd.vmap(function)(*inputs), stacked(function, *inputs), ulp)


@pytest.mark.parametrize("op, dtype", CASES)
def test_rows_with_examples_along_another_axis(op, dtype):
    inputs, function = inputs_of(op, dtype), function_of(op)
    moved = [nd.moveaxis(x, 0, -1) for x in inputs]
    got = as_tuple(nd.vmap(function, in_axes=-1, out_axes=-1)(*moved))
    assert_alike(tuple(nd.moveaxis(y, -1, 0) for y in got), stacked(function, *inputs), 64)


@pytest.mark.parametrize("op", [op for op in ROWS if len(op.args) == 2], ids=lambda op: op.name)
@pytest.mark.parametrize("same", [0, 1])
def test_operands_that_are_the_same_for_all_examples(op, same, without_loop):
    """Of other shapes, too, which broadcast to the example's."""
    inputs, function = inputs_of(op, op.types[-1]), function_of(op)
    inputs[same] = inputs[same][0, :1]
    axes = tuple(None if k == same else 0 for k in range(2))
    want = [as_tuple(function(*[x if k == same else x[i] for k, x in enumerate(inputs)])) for i in range(SIZE)]
    assert_alike(nd.vmap(function, axes)(*inputs), [nd.stack(list(column)) for column in zip(*want, strict=True)], 0)


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_batches_in_batches(op, without_loop):
    dtype, function = op.types[-1], function_of(op)
    outer = [nd.stack([x, x[::-1]]) for x in inputs_of(op, dtype)]
    got = as_tuple(nd.vmap(nd.vmap(function))(*outer))
    each = [stacked(function, *[x[i] for x in outer]) for i in range(2)]
    assert_alike(got, [nd.stack(list(column)) for column in zip(*each, strict=True)], 64)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_gradients_for_each_example(op, without_loop):
    inputs, function = inputs_of(op, "float64"), function_of(op)
    argnums = tuple(k for k, rule in enumerate(op.vjp) if rule) if op.family == "map" else (0,)

    def gradient(*operands):
        return nd.grad(lambda *xs: nd.sum(nd.asarray(function(*xs)) ** 2), argnums)(*operands)

    assert_alike(nd.vmap(gradient)(*inputs), stacked(gradient, *inputs), 2**14)


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op.family != "scan"], ids=lambda op: op.name)
def test_gradients_around_gradients_for_each_example(op, monkeypatch):
    """All at once; a product looks for zeros, so that each example is computed apart."""
    inputs, function = inputs_of(op, "float64"), function_of(op)
    if op.name not in ("prod", "nanprod"):
        monkeypatch.setattr(batched_functions, "example_by_example", refused)

    def gradient(scale, *operands):
        return nd.grad(lambda x: nd.sum(nd.asarray(function(x * scale, *operands[1:])) ** 2))(operands[0])

    def loss(scale, x, each):
        return nd.sum(each(gradient, scale, (x, *inputs[1:])) ** 2)

    def looped(function, scale, arrays):
        return nd.stack([function(scale, *[x[i] for x in arrays]) for i in range(SIZE)])

    def batched(function, scale, arrays):
        return nd.vmap(function, (None, *(0 for _ in arrays)))(scale, *arrays)

    got, want = (nd.grad(loss, (0, 1))(nd.asarray(1.0), inputs[0], each) for each in (batched, looped))
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_gradients_of_a_batch(op, without_loop):
    """The gradient of a sum over examples is that of each example."""
    inputs, function = inputs_of(op, "float64"), function_of(op)

    def loss(x):
        return nd.sum(nd.vmap(function)(x, *inputs[1:]) ** 2)

    def each(x, *others):
        return nd.grad(lambda x: nd.sum(function(x, *others) ** 2))(x)

    if not op.vjp[0] and op.family == "map":
        assert not nd.grad(loss)(inputs[0]).any()
    else:
        assert_alike(nd.grad(loss)(inputs[0]), stacked(each, *inputs), 2**14)


@pytest.mark.parametrize("op, dtype, text", EXAMPLES)
@pytest.mark.parametrize("is_nested", [False, True], ids=["batch", "batch-in-batch"])
def test_irregular_rows(op, dtype, text, is_nested, monkeypatch):
    """All arrays of the call are of the batch, the others as they are."""
    arguments, keywords = arguments_of(text, op, dtype)
    places = [k for k, x in enumerate(arguments) if isinstance(x, np.ndarray)]
    calls = []
    loop = batched_functions.example_by_example
    monkeypatch.setattr(batched_functions, "example_by_example", lambda *given: calls.append(0) or loop(*given))

    def function(*arrays):
        given = list(arguments)
        for place, array in zip(places, arrays, strict=True):
            given[place] = array
        return as_tuple(getattr(nd, op.name)(*given, **keywords))

    inputs = [nd.stack([nd.asarray(arguments[place])] * SIZE) for place in places]
    if is_nested:
        got = nd.vmap(nd.vmap(function))(*[nd.stack([x, x]) for x in inputs])
        got = tuple(y[1] for y in got)
    else:
        got = nd.vmap(function)(*inputs)
    assert_alike(got, stacked(function, *inputs), max(op.ulp, 64))
    assert bool(calls) <= (op.name in LOOPED)
