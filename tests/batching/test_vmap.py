"""nd.vmap: axes, structures, batches in batches, indexing and writing, gradients, and what it says of mistakes."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import nd4py as nd

X = nd.asarray(np.random.default_rng(1).normal(size=(5, 3)))
Y = nd.asarray(np.random.default_rng(2).normal(size=(5, 3)))
W = nd.asarray(np.random.default_rng(3).normal(size=(3, 4)))
ROWS = nd.asarray([0, 2, 1, 2, 0])


def stacked(function, *operands):
    return nd.stack([nd.asarray(function(*[x[i] for x in operands])) for i in range(operands[0].shape[0])])


def assert_alike(got, want, rtol=1e-12):
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=rtol, atol=1e-13)


# Axes and structures.


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("out_axis", [0, 1, -1])
def test_examples_along_any_axis(axis, out_axis):
    x = nd.reshape(nd.arange(24.0), (2, 3, 4))
    got = nd.vmap(lambda e: e * 2, axis, out_axis)(x)
    want = nd.stack([nd.take(x, i, axis=axis) * 2 for i in range(x.shape[axis])], out_axis)
    assert_alike(got, want)


class Pair(NamedTuple):
    first: nd.NDArray
    second: nd.NDArray


@dataclasses.dataclass
class Parameters:
    weights: nd.NDArray
    bias: nd.NDArray


def test_structures_of_arguments_and_results():
    def function(pair, settings, parameters):
        y = pair.first * settings["scale"] + parameters.bias
        return {"sum": [y.sum(), y], "same": Pair(settings["scale"], parameters.weights)}

    axes = (0, {"scale": None, "unused": 0}, Parameters(None, 1))
    arguments = (Pair(X, Y), {"scale": 3.0, "unused": X}, Parameters(W, Y.T))
    got = nd.vmap(function, axes, {"sum": 0, "same": None})(*arguments)
    assert_alike(got["sum"][1], X * 3.0 + Y)
    assert_alike(got["sum"][0], (X * 3.0 + Y).sum(axis=1))
    assert type(got["same"]) is Pair
    assert got["same"].second is W
    assert got["same"].first == 3.0


def test_arguments_by_name_have_examples_along_their_first_axis():
    assert_alike(nd.vmap(lambda a, *, b: a + b)(X, b=Y), X + Y)


def test_arrays_of_numpy_and_results_that_are_the_same_for_all():
    got = nd.vmap(lambda a: (a, 2.0, W))(np.asarray(X))
    assert_alike(got[0], X)
    assert got[1].tolist() == [2.0] * 5
    assert got[2].shape == (5, 3, 4)


def test_results_have_memory_of_their_own():
    x = nd.arange(6.0).reshape((2, 3))
    for result in (nd.vmap(lambda a: a)(x), nd.vmap(lambda a: a[::-1])(x), nd.vmap(lambda a: W[0])(x)):
        result[...] = -1.0
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert not (W == -1).any()


def test_no_examples():
    assert nd.vmap(lambda a: nd.exp(a).sum())(nd.zeros((0, 3))).shape == (0,)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "bfloat16", "complex64"])
def test_dtypes_stay(dtype):
    x = X.astype(dtype) if dtype != "bool" else X > 0
    assert nd.vmap(lambda a: a[::-1])(x).dtype == dtype
    if dtype != "bool":
        assert nd.vmap(lambda a: a * 2)(x).dtype == dtype


# Batches in batches.


def test_all_pairs():
    pairs = nd.vmap(lambda a: nd.vmap(lambda b: ((a - b) ** 2).sum())(Y))(X)
    assert_alike(pairs, ((X[:, None] - Y) ** 2).sum(axis=-1))


def test_the_inner_batch_uses_arrays_of_the_outer_one():
    got = nd.vmap(lambda a, i: nd.vmap(lambda e: e * a.sum() + a[i])(a))(X, ROWS)
    assert_alike(got, X * X.sum(axis=1, keepdims=True) + nd.take_along_axis(X, ROWS[:, None], axis=1))


# Indexing and writing.

KEYS = {
    "int": lambda a, i: a[1],
    "slice": lambda a, i: a[::-1, None],
    "dots": lambda a, i: a[..., 1],
    "own": lambda a, i: a[i],
    "own and slice": lambda a, i: nd.outer(a, a)[i, 1:],
    "slice and own": lambda a, i: nd.outer(a, a)[1:, i],
    "own and same": lambda a, i: nd.outer(a, a)[i, nd.asarray([2, 0])],
    "array": lambda a, i: a[nd.asarray([[0, 2], [1, 1]])],
    "apart": lambda a, i: nd.einsum("i,j,k->ijk", a, a, a)[i, :, nd.asarray([2, 0])],
    "own of outside": lambda a, i: W[i],
    "own column of outside": lambda a, i: W[:, i] * a,
    "mask of outside": lambda a, i: a[nd.asarray([True, False, True])],
    "take": lambda a, i: nd.take(a, i),
    "negative": lambda a, i: a[i - 3],
}


@pytest.mark.parametrize("name", KEYS)
def test_indexing(name):
    assert_alike(nd.vmap(KEYS[name])(X, ROWS), stacked(KEYS[name], X, ROWS))


def written(write):
    def function(a, i):
        y = nd.zeros_like(a)
        write(y, a, i)
        return y

    return function


WRITES = {
    "int": lambda y, a, i: y.__setitem__(1, a[0]),
    "number": lambda y, a, i: y.__setitem__(slice(1, None), 7),
    "own": lambda y, a, i: y.__setitem__(i, a.sum()),
    "array": lambda y, a, i: y.__setitem__(nd.asarray([2, 0]), a[:2]),
    "all": lambda y, a, i: y.__setitem__(..., a[None]),
    "of outside": lambda y, a, i: y.__setitem__(..., W[:, 0]),
    "in place": lambda y, a, i: y.__iadd__(a * 2),
    "out": lambda y, a, i: nd.add(a, 1, out=y),
    "along": lambda y, a, i: nd.put_along_axis(y, nd.argsort(a), a, axis=0),
}


@pytest.mark.parametrize("name", WRITES)
def test_writing(name):
    function = written(WRITES[name])
    assert_alike(nd.vmap(function)(X, ROWS), stacked(function, X, ROWS))


def test_an_element_keeps_its_value():
    def function(a):
        first = a[0]
        a[0] = 5.0
        return first

    x = X.copy()
    assert_alike(nd.vmap(function)(x), X[:, 0])
    assert (x[:, 0] == 5.0).all()  # as calls for each row would have written


def test_an_array_made_inside_is_written_under_each_of_its_names():
    def function(a):
        y = nd.zeros(3)
        also = y
        also += a
        return y

    assert nd.vmap(function)(nd.ones((2, 3))).tolist() == [[1.0] * 3] * 2


def test_writing_to_an_array_made_inside():
    """It is not of the batch, so that the function is called for each example."""

    def function(a):
        y = nd.zeros(3)
        y[1] = a[0]
        return y

    assert_alike(nd.vmap(function)(X), stacked(function, X))


def test_random_numbers_are_drawn_for_each_example():
    def function(a, generator):
        return a + generator.normal(shape=3)

    one, other = nd.random.Generator(3), nd.random.Generator(3)
    assert_alike(nd.vmap(lambda a: function(a, one))(X), stacked(lambda a: function(a, other), X))


# Gradients.


def test_a_jacobian():
    def function(x):
        return nd.tanh(W.T @ x)

    jacobian = nd.vmap(lambda i: nd.grad(lambda x: function(x)[i])(X[0]))(nd.arange(4))
    assert_alike(jacobian, (1 - nd.tanh(W.T @ X[0]) ** 2)[:, None] * W.T)


def test_gradients_for_parameters_of_all_examples():
    """Per-example gradients of weights that are the same for all."""
    gradients = nd.vmap(nd.grad(lambda w, x: nd.tanh(x @ w).sum()), (None, 0))(W, X)
    assert_alike(gradients, stacked(lambda x: nd.grad(lambda w: nd.tanh(x @ w).sum())(W), X))


def test_values_and_gradients_of_structures():
    def loss(parameters, x, y):
        return ((x @ parameters["w"] + parameters["b"] - y) ** 2).sum()

    parameters = {"w": W, "b": nd.ones(4)}
    values, gradients = nd.vmap(nd.value_and_grad(loss), (None, 0, None))(parameters, X, 1.0)
    assert_alike(values, ((X @ W) ** 2).sum(axis=1))
    assert_alike(gradients["b"], 2 * (X @ W))


def by_hand(w):
    return (nd.softmax(X @ (2 * w)) ** 2).sum()


def by_batch(w):
    """Its weights are used by an operation inside the batch, too, which is of no example."""
    return (nd.vmap(lambda x: nd.softmax(x @ (2 * w)))(X) ** 2).sum()


def test_the_gradient_of_a_batch_for_what_lies_outside():
    assert_alike(nd.grad(by_batch)(W), nd.grad(by_hand)(W))


def test_the_gradient_of_batches_in_batches():
    def loss(w):
        return nd.vmap(lambda x: nd.vmap(lambda y: nd.tanh(x @ w @ (y @ w)))(Y))(X).sum()

    assert_alike(nd.grad(loss)(W), nd.grad(lambda w: nd.tanh((X @ w) @ (Y @ w).T).sum())(W))


def test_the_gradient_of_a_function_that_is_called_for_each_example():
    def loss(w):
        return nd.vmap(lambda x: nd.unique_values(x @ w).sum())(X).sum()

    assert_alike(nd.grad(loss)(W), nd.grad(lambda w: (X @ w).sum())(W))


def test_a_write_that_a_gradient_would_read():
    def loss(a):
        b = a * 1.0
        y = nd.exp(b)
        nd.stop_gradient(y)[...] = 0.0
        return y.sum()

    for function in (lambda x: loss(x[0]), nd.vmap(nd.grad(loss))):
        with pytest.raises(ValueError, match="written in place"):
            nd.grad(function)(X) if function.__name__ == "<lambda>" else function(X)


@pytest.mark.parametrize("of", [nd.sin, nd.tanh, lambda a: a**3, nd.fft.rfft, lambda a: nd.cumsum(a) ** 2])
def test_gradients_for_each_example_have_gradients(of):
    def one(w, a):
        return nd.sum(nd.real(of(a * w)) ** 2)

    def slopes(w, x):
        return nd.vmap(nd.grad(one, argnums=1), (None, 0))(w, x)

    def slopes_in_a_loop(w, x):
        return nd.stack([nd.grad(one, argnums=1)(w, a) for a in x])

    def gradient(f, argnums):
        return nd.grad(lambda w, x: nd.sum(f(w, x) ** 2), argnums)(W[:, 0], X)

    for argnums in (0, 1):
        assert_alike(gradient(slopes, argnums), gradient(slopes_in_a_loop, argnums))


@pytest.mark.parametrize("transform", ["fft", "ifft", "rfft", "ihfft", "hfft", "irfft"])
@pytest.mark.parametrize("n", [None, 3, 4, 9])
def test_transforms_of_a_batch_have_gradients(transform, n):
    def one(a):
        return nd.sum(nd.abs(getattr(nd.fft, transform)(a, n=n)) ** 2)

    found = nd.grad(lambda x: nd.sum(nd.vmap(one)(x)))(X)
    assert_alike(found, nd.stack([nd.grad(one)(a) for a in X]))


# Mistakes.


@pytest.mark.parametrize(
    "look",
    [
        lambda a: a if a[0] > 0 else -a,
        lambda a: float(a[0]),
        lambda a: a[0].item(),
        lambda a: list(range(a.astype("int64")[0])),
        lambda a: np.asarray(a),
        lambda a: a.tolist(),
    ],
)
def test_a_look_at_values(look):
    with pytest.raises(TypeError, match="nd.vmap computes all examples at once.*nd.where"):
        nd.vmap(look)(X)


def test_texts_show_all_examples():
    texts = []
    nd.vmap(lambda a: texts.append(f"{a} {a[0]:.3f} {a!r}") or a)(nd.ones((2, 3)))
    assert "one for each of 2 examples" in texts[0]
    assert "1." in texts[0]


def leaking():
    kept = []
    nd.vmap(lambda a: kept.append(a) or a)(X)
    return kept[0] + 1


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: nd.vmap(nd.add)(X, Y[:4]), ValueError, "5 and 4 examples"),
        (lambda: nd.vmap(nd.add, (0, 0, 0))(X, Y), ValueError, "3 entries.*2 arguments"),
        (lambda: nd.vmap(nd.add)(X, 1.0), TypeError, "float has no axis"),
        (lambda: nd.vmap(nd.add)(X, nd.asarray(1.0)), ValueError, "without dimensions"),
        (lambda: nd.vmap(nd.add, None)(X, Y), ValueError, "no argument has examples"),
        (lambda: nd.vmap(nd.exp, 2)(X), ValueError, "2"),
        (lambda: nd.vmap(nd.exp, (0.5,))(X), ValueError, "one axis is needed"),
        (lambda: nd.vmap(lambda d: d["a"], ({"b": 0},))({"a": X}), ValueError, "structure"),
        (lambda: nd.vmap(lambda a: a, 0, None)(X), ValueError, "differs from example to example"),
        (lambda: nd.vmap(lambda a: (a, a), 0, (0, 0, 0))(X), ValueError, "structure"),
        (lambda: nd.vmap(lambda a: "text")(X), TypeError, "must return arrays.*str"),
        (lambda: nd.vmap(lambda a: nd.unique_values(a > 0))(X), ValueError, "have shapes"),
        (lambda: nd.vmap(lambda a: a + nd.ones(4))(X), ValueError, "broadcast"),
        (lambda: nd.vmap(lambda a: a @ nd.ones(4))(X), ValueError, "inner sizes differ"),
        (lambda: nd.vmap(lambda a: a.sum(axis=1))(X), ValueError, "axis"),
        (lambda: nd.vmap(lambda a: a[7])(X), IndexError, "7"),
        (lambda: nd.vmap(lambda a: a.reshape(2, 2))(X), ValueError, "reshape"),
        (leaking, ValueError, "has ended"),
    ],
)
def test_mistakes(call, error, words):
    with pytest.raises(error, match=words):
        call()
