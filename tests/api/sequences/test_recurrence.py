"""Recurrent layers as functions: against loops in NumPy, central differences, masks, states, threads."""

import numpy as np
import pytest
from central_differences import central_difference

import nd4py as nd
from nd4py.api.sequences import steps

KINDS = ("lstm", "peepholes", "gru", "gru, as published", "tanh", "relu")
N_GATES = {"lstm": 4, "peepholes": 4, "gru": 3, "gru, as published": 3, "tanh": 1, "relu": 1}
SIZES = [(3, 5, 2, 4), (2, 4, 3, 17), (1, 1, 1, 1), (5, 3, 4, 8)]  # batch, length, n_in, units
EMPTY = [(2, 0, 3, 4), (0, 5, 3, 4)]
MASK = np.asarray([[1, 1, 0, 1, 0], [0, 0, 1, 1, 1], [1, 1, 1, 1, 1]], float)


def logistic(x):
    return 1 / (1 + np.exp(-x))


def operands(kind, batch, length, n_in, units, dtype="float64", seed=0):
    """{name: array} of a call."""
    rng, n = np.random.default_rng(seed), N_GATES[kind]
    shapes = {"x": (batch, length, n_in), "w": (n_in, n * units), "rw": (units, n * units), "b": (n * units,)}
    shapes |= {"h": (batch, units)}
    shapes |= {"c": (batch, units)} if n == 4 else {}
    shapes |= {"peepholes": (3, units)} if kind == "peepholes" else {"rb": (units,)} if kind == "gru" else {}
    return {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}


def call(kind, **arrays):
    if kind in ("lstm", "peepholes"):
        return nd.lstm(**arrays)
    if kind in ("tanh", "relu"):
        return nd.simple_rnn(**arrays, activation=kind)
    return nd.gru(**arrays, reset_after=kind == "gru")


def by_loop(kind, x, w, rw, b, h, c=None, peepholes=None, rb=0.0, mask=None):
    """What NumPy makes of the formulas: y, and the states after the last step."""
    units, found = rw.shape[0], []
    p = np.zeros((3, units)) if peepholes is None else peepholes
    for t in range(x.shape[1]):
        z, r = np.split(x[:, t] @ w + b, N_GATES[kind], 1), np.split(h @ rw, N_GATES[kind], 1)
        new = c
        if N_GATES[kind] == 4:
            i, f = logistic(z[0] + r[0] + p[0] * c), logistic(z[1] + r[1] + p[1] * c)
            new = f * c + i * np.tanh(z[2] + r[2])
            y = logistic(z[3] + r[3] + p[2] * new) * np.tanh(new)
        elif N_GATES[kind] == 3:
            reset, u = logistic(z[0] + r[0]), logistic(z[1] + r[1])
            inner = reset * (r[2] + rb) if kind == "gru" else (reset * h) @ rw[:, 2 * units :]
            y = u * h + (1 - u) * np.tanh(z[2] + inner)
        else:
            y = np.tanh(z[0] + r[0]) if kind == "tanh" else np.maximum(z[0] + r[0], 0)
        there = np.ones((len(x), 1)) if mask is None else mask[:, t : t + 1]
        h, c = np.where(there, y, h), None if c is None else np.where(there, new, c)
        found.append(np.where(there, y, 0))
    return [y for y in (np.stack(found, 1), h, c) if y is not None]


def assert_alike(got, want, rtol=1e-11):
    for one, other in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=rtol, atol=rtol)


def as_arrays(given):
    return {name: nd.asarray(x) for name, x in given.items()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_values_are_those_of_a_loop(kind, size, instruction_set):
    given = operands(kind, *size)
    assert_alike(call(kind, **as_arrays(given)), by_loop(kind, **given))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_dtypes(kind, dtype):
    """Halves are computed in float32 and rounded once."""
    given = {name: nd.asarray(x).astype(dtype) for name, x in operands(kind, 3, 5, 2, 4).items()}
    got = call(kind, **given)
    want = by_loop(kind, **{name: np.asarray(x.astype("float64")) for name, x in given.items()})
    assert all(y.dtype == dtype for y in got)
    assert_alike([y.astype("float64") for y in got], want, {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5}[dtype])


@pytest.mark.parametrize("kind", KINDS)
def test_views_and_missing_operands(kind):
    """Strides of any sign; states that are not given are 0, and so is a bias."""
    given = operands(kind, 4, 6, 3, 5)
    x = np.asfortranarray(given["x"])[::-2, ::-1]
    zeros = {name: np.zeros_like(y) for name, y in given.items() if name in ("b", "h", "c", "rb", "peepholes")}
    zeros |= {name: y[:2] for name, y in zeros.items() if name in ("h", "c")}
    got = call(
        kind, x=nd.asarray(given["x"])[::-2, ::-1], w=nd.asarray(given["w"].T.copy()).T, rw=nd.asarray(given["rw"])
    )
    assert_alike(got, by_loop(kind, **{**given, **zeros, "x": x}))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", EMPTY, ids=str)
def test_no_steps_and_no_sequences(kind, size):
    given = operands(kind, *size)
    y, h, *c = call(kind, **as_arrays(given))
    assert y.shape == (size[0], size[1], size[3])
    assert_alike([h, *c], [given["h"], given.get("c")][: 1 + len(c)])
    total = nd.grad(lambda w: nd.sum(call(kind, **{**as_arrays(given), "w": w})[0]))(nd.asarray(given["w"]))
    assert not total.any()


def weighted(kind, given, names, mask=None):
    """A function of the arrays called `names` to one number that all results are part of."""
    rng = np.random.default_rng(9)
    results = call(kind, **as_arrays(given))
    weights = [nd.asarray(rng.normal(size=y.shape)) for y in results]

    def function(*arrays):
        arrays = {**as_arrays(given), **dict(zip(names, arrays, strict=True))}
        found = call(kind, **arrays, mask=mask)
        sums = [nd.sum(y * g) for y, g in zip(found, weights, strict=True)]
        return sum(sums[1:], sums[0])

    return function


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("units", [4, 17])
def test_gradients_against_central_differences(kind, is_masked, units, instruction_set):
    given = operands(kind, 3, 5, 2, units, seed=3)
    names, mask = list(given), nd.asarray(MASK) if is_masked else None
    function = weighted(kind, given, names, mask)
    got = nd.grad(function, tuple(range(len(names))))(*as_arrays(given).values())
    for k, name in enumerate(names):
        if units == 17 and name in ("w", "rw"):
            continue  # thousands of differences; the same loops as for 4 units

        def moved(value, name=name):
            return float(function(*{**as_arrays(given), name: nd.asarray(value)}.values()))

        np.testing.assert_allclose(np.asarray(got[k]), central_difference(moved, given[name]), rtol=2e-6, atol=2e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("results", [(0,), (1,), (0, 1)])
def test_gradients_of_steps_are_those_of_the_loop(kind, results):
    """Of some of the results only: those of the others are 0."""
    given = as_arrays(operands(kind, 3, 5, 2, 4, seed=4))
    composed = {
        "lstm": lambda a: steps.lstm_steps(a["x"], a["w"], a["rw"], a["b"], None, a["h"], a["c"], nd.asarray(MASK)),
        "peepholes": lambda a: steps.lstm_steps(
            a["x"], a["w"], a["rw"], a["b"], a["peepholes"], a["h"], a["c"], nd.asarray(MASK)
        ),
        "gru": lambda a: steps.gru_steps(a["x"], a["w"], a["rw"], a["b"], a["rb"], a["h"], nd.asarray(MASK), True),
        "gru, as published": lambda a: steps.gru_steps(
            a["x"], a["w"], a["rw"], a["b"], None, a["h"], nd.asarray(MASK), False
        ),
        "tanh": lambda a: steps.simple_steps(a["x"], a["w"], a["rw"], a["b"], a["h"], nd.asarray(MASK)),
        "relu": lambda a: steps.simple_steps(a["x"], a["w"], a["rw"], a["b"], a["h"], nd.asarray(MASK), nd.relu),
    }[kind]

    def of(function):
        return nd.grad(lambda a: sum((nd.sum(function(a)[k] ** 2) for k in results), nd.asarray(0.0)))(given)

    got, want = of(lambda a: call(kind, **a, mask=nd.asarray(MASK))), of(composed)
    assert_alike(got.values(), want.values())
    assert_alike(call(kind, **given, mask=nd.asarray(MASK)), composed(given))


@pytest.mark.parametrize("kind", KINDS)
def test_masked_steps_keep_states_and_give_zeros(kind):
    given = operands(kind, 3, 5, 2, 4)
    assert_alike(call(kind, **as_arrays(given), mask=nd.asarray(MASK)), by_loop(kind, **given, mask=MASK))


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_nothing(kind):
    """Not even where it is NaN: neither values nor gradients."""
    given, mask = operands(kind, 3, 4, 2, 4), np.pad(np.ones((3, 4)), ((0, 0), (0, 3)))
    padded = {**given, "x": np.pad(given["x"], ((0, 0), (0, 3), (0, 0)), constant_values=np.nan)}

    def loss(a, mask=None):
        y, h, *_ = call(kind, **a, mask=mask)
        return nd.sum(y**2) + nd.sum(h)

    plain = call(kind, **as_arrays(given))
    got = call(kind, **as_arrays(padded), mask=nd.asarray(mask))
    assert_alike([got.y[:, :4], got.h], [plain.y, plain.h], 1e-13)
    assert not np.asarray(got.y)[:, 4:].any()
    want, masked = nd.grad(loss)(as_arrays(given)), nd.grad(loss)(as_arrays(padded), nd.asarray(mask))
    assert_alike([masked["rw"], masked["h"], masked["x"][:, :4]], [want["rw"], want["h"], want["x"]])
    assert not np.asarray(masked["x"])[:, 4:].any()


@pytest.mark.parametrize("kind", KINDS)
def test_steps_one_by_one_are_the_whole_sequence(kind):
    given = as_arrays(operands(kind, 3, 6, 2, 17))
    want, state = call(kind, **given), {name: given[name] for name in ("h", "c") if name in given}
    for t in range(6):
        one = call(kind, **{**given, **state, "x": given["x"][:, t : t + 1]})
        assert_alike([one.y[:, 0]], [want.y[:, t]], 1e-14)
        state = {name: getattr(one, name) for name in state}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_do_not_depend_on_threads(kind, dtype):
    given = as_arrays(operands(kind, 51, 20, 33, 40, dtype))

    def results():
        value, gradients = nd.value_and_grad(lambda a: nd.sum(call(kind, **a)[0] ** 2))(given)
        return [np.asarray(y) for y in (value, *call(kind, **given), *gradients.values())]

    with nd.threads(1):
        want = results()
    with nd.threads(2):
        got = results()
    for one, other in zip(got, want, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_of_batches(kind):
    """`nd.vmap`, also of gradients."""
    given = as_arrays(operands(kind, 2, 3, 2, 4))
    xs = nd.stack([given["x"], given["x"] * 2.0])

    def each(x):
        return call(kind, **{**given, "x": x}).y

    def gradient(x):
        return nd.grad(lambda x: nd.sum(each(x) ** 2))(x)

    for function in (each, gradient):
        assert_alike([nd.vmap(function)(xs)], [nd.stack([function(xs[0]), function(xs[1])])])


@pytest.mark.parametrize("kind", KINDS)
def test_graphs(kind):
    given = as_arrays(operands(kind, 2, 3, 2, 4))
    others = {name: x for name, x in given.items() if name != "x"}
    graph = nd.capture(lambda x: nd.sum(call(kind, x=x, **others).y ** 2, axis=2), given["x"])
    for x in (given["x"], given["x"] * 3.0):
        np.testing.assert_array_equal(
            np.asarray(graph(x)), np.asarray(nd.sum(call(kind, x=x, **others).y ** 2, axis=2))
        )


X, W, RW = nd.ones((2, 3, 2)), nd.ones((2, 12)), nd.ones((3, 12))


@pytest.mark.parametrize(
    "function, error, words",
    [
        (lambda: nd.lstm(X, W, nd.ones((3, 11))), ValueError, r"lstm: rw must have shape \(3, 12\), given \(3, 11\)"),
        (lambda: nd.lstm(X[0], W, RW), ValueError, r"x must be \(batch, length, n_in\) and w \(n_in, 4 \* units\)"),
        (lambda: nd.lstm(X, nd.ones((2, 10)), RW), ValueError, r"given \(2, 3, 2\) and \(2, 10\)"),
        (lambda: nd.lstm(X, W, RW, h=nd.ones((3, 3))), ValueError, r"lstm: h must have shape \(2, 3\)"),
        (lambda: nd.lstm(X, W, RW, mask=nd.ones((2, 4))), ValueError, r"lstm: mask must have shape \(2, 3\)"),
        (lambda: nd.lstm(X, W, RW, peepholes=nd.ones(3)), ValueError, r"lstm: peepholes must have shape \(3, 3\)"),
        (lambda: nd.lstm(X.astype("int32"), W, RW), TypeError, "lstm: no int32 loop; convert first"),
        (lambda: nd.lstm([[[1.0]]], W, RW), TypeError, "lstm: needs arrays, given list"),
        (lambda: nd.lstm(X, W, RW, mask=[[1]]), TypeError, "lstm: mask must be an array, given list"),
        (lambda: nd.gru(X, W, nd.ones((4, 12)), rb=nd.ones(3)), ValueError, r"gru: rb must have shape \(4,\)"),
        (lambda: nd.gru(X, W, RW, rb=nd.ones(4), reset_after=False), ValueError, "needs reset_after=True"),
        (lambda: nd.simple_rnn(X, W, RW, activation="elu"), ValueError, "must be tanh or relu, given 'elu'"),
    ],
)
def test_refusals(function, error, words):
    with pytest.raises(error, match=words):
        function()
