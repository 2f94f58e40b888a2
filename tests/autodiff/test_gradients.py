"""Gradients: every differentiable row against central differences, and what the tape promises."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import given
from hypothesis import strategies as st
from table import MAPS, REDUCTIONS, params_of, sample

import nd4py as nd

DIFFERENTIABLE = [
    pytest.param(op, i, id=f"{op.name}-{name}")
    for op in MAPS
    if len(op.outputs) == 1
    for i, name in enumerate(op.args)
    if i < len(op.vjp) and op.vjp[i]
]
DIFFERENTIABLE_REDUCTIONS = [op for op in REDUCTIONS if op.vjp]


def away_from_kinks(op, x):
    """Inputs moved off whole and half numbers, where slopes of piecewise rows jump."""
    near = np.abs(x * 2 - np.round(x * 2)) < 1e-3
    return np.where(near, x + 7e-3, x)


@pytest.mark.parametrize("op, i", DIFFERENTIABLE)
def test_row_gradient(op, i):
    inputs = [away_from_kinks(op, x) for x in sample(op, "float64", n=23, seed=5)]
    weights = nd.asarray(np.linspace(-1, 1, 23))

    def function(x):
        operands = [nd.asarray(value) for value in inputs]
        operands[i] = x
        return nd.sum(getattr(nd, op.name)(*operands, **params_of(op)) * weights)

    check_gradient(function, inputs[i])


@pytest.mark.parametrize("op", DIFFERENTIABLE_REDUCTIONS, ids=lambda op: op.name)
@pytest.mark.parametrize("axis, keepdims", [(None, False), (0, False), (1, True), ((0, 2), False), (2, True)])
def test_reduction_gradient(op, axis, keepdims):
    x = sample(op, "float64", n=24, seed=6)[0].reshape(2, 3, 4)
    weights = np.random.default_rng(0).uniform(0.5, 1, np.sum(x, axis=axis, keepdims=keepdims).shape)

    def function(x):
        return nd.sum(getattr(nd, op.name)(x, axis=axis, keepdims=keepdims) * nd.asarray(weights))

    check_gradient(function, x, 1e-5)


@pytest.mark.parametrize(
    "name, function",
    [
        ("reshape", lambda x: nd.sum(nd.square(x.reshape(6, 4)[1:3]))),
        ("transpose", lambda x: nd.sum(nd.square(x.permute_dims((2, 0, 1))) * x.permute_dims((2, 0, 1)))),
        ("strided reshape", lambda x: nd.sum(nd.square(x.permute_dims((2, 1, 0)).reshape(-1)[::3]))),
        ("getitem", lambda x: nd.sum(nd.square(x[1, ::2, None, ::-1]))),
        ("broadcast", lambda x: nd.sum(nd.square(nd.broadcast_to(x[0], (5, 3, 4))))),
        ("operand broadcast", lambda x: nd.sum(x * x[0] * x[:, :1] * x[0, 0, 0])),
        ("tad", lambda x: nd.sum(nd.square(x.tensor_along_dimension(1, 0, 2)))),
        ("concat", lambda x: nd.sum(nd.square(nd.concat([x, x[:, :1] * 2.0, x], axis=1)))),
        ("stack", lambda x: nd.sum(nd.square(nd.stack([x, x * 2.0], axis=-1)))),
        ("take", lambda x: nd.sum(nd.square(nd.take(x, nd.asarray([2, 0, 2]), axis=1)))),
        ("mask", lambda x: nd.sum(nd.square(x[nd.asarray(np.arange(24).reshape(2, 3, 4) % 5 == 0)]))),
        ("softmax", lambda x: nd.sum(nd.softmax(x) * x)),
        ("log_softmax", lambda x: nd.sum(nd.log_softmax(x, axis=0) * x)),
        ("logsumexp", lambda x: nd.sum(nd.logsumexp(x, axis=1))),
        ("var", lambda x: nd.sum(nd.var(x, axis=2, correction=1.0) + nd.std(x, axis=2))),
        ("copy", lambda x: nd.sum(x.copy() * x)),
        ("flip", lambda x: nd.sum(nd.flip(x) * x)),
        ("scalars", lambda x: nd.sum(2.0 / (1.0 + x * x) - 3.0 * x)),
        ("operators", lambda x: nd.sum(-x + abs(x) ** 1.5 / (x * x + 1.0) - +x)),
        ("unused part", lambda x: nd.sum(x[0] * 2.0)),
        ("reused", lambda x: nd.sum(x * x * x + x * x)),
    ],
)
def test_composite_gradient(name, function):
    check_gradient(function, np.random.default_rng(1).uniform(0.3, 1.3, (2, 3, 4)), 1e-5, 1e-7)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_gradient_keeps_the_dtype(dtype):
    x = nd.asarray([0.5, 2.0]).astype(dtype)
    g = nd.grad(lambda x: nd.sum(nd.square(x).astype("float64")))(x)
    assert g.dtype == dtype
    assert g.tolist() == [1.0, 4.0]


def test_structures():
    params = {"w": nd.asarray([1.0, 2.0]), "layers": [nd.asarray(3.0), (nd.asarray([4.0]),)]}
    value, g = nd.value_and_grad(lambda p: nd.sum(p["w"]) * p["layers"][0] + nd.sum(p["layers"][1][0]))(params)
    assert float(value) == 13.0
    assert g["w"].tolist() == [3.0, 3.0]
    assert float(g["layers"][0]) == 3.0
    assert g["layers"][1][0].tolist() == [1.0]
    a, b = nd.grad(lambda x, y: nd.sum(x * y), argnums=(0, 1))(nd.asarray([2.0]), nd.asarray([5.0]))
    assert (a.tolist(), b.tolist()) == ([5.0], [2.0])


def test_no_dependence_is_zero():
    x = nd.asarray([1.0, 2.0])
    assert nd.grad(lambda x: nd.sum(nd.ones(2)))(x).tolist() == [0.0, 0.0]
    assert nd.grad(lambda x: nd.sum(nd.floor(x)))(x).tolist() == [0.0, 0.0]
    assert nd.grad(lambda x: nd.sum(nd.stop_gradient(x) * x))(x).tolist() == [1.0, 2.0]


class Lent:
    """A column of another library."""

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)


@pytest.mark.parametrize(
    "function, x, error, text",
    [
        (lambda x: x, nd.ones(3), ValueError, "must return one number"),
        (lambda x: 1.0, nd.ones(3), TypeError, "must return a floating array"),
        (lambda x: nd.sum(x > 0.0), nd.ones(3), TypeError, "must return a floating array"),
        (nd.sum, nd.ones(3, dtype="int32"), TypeError, "can differentiate floating arrays"),
        (nd.sum, Lent(), TypeError, "given Lent; nd.asarray makes an array of it"),
        (nd.sum, 1, TypeError, "given int; integers have no gradient, give floats"),
        (lambda x: nd.sum(x.__iadd__(1.0)), nd.ones(3), ValueError, "cannot be written in place"),
        (lambda x: x.__setitem__(0, 1.0), nd.ones(3), ValueError, "gradients do not flow"),
        (lambda x: nd.zeros(3).__setitem__(..., x), nd.ones(3), ValueError, "gradients do not flow"),
        (lambda x: nd.sum(nd.add(x, x, out=nd.ones(3))), nd.ones(3), ValueError, "out= cannot be used"),
    ],
)
def test_refusals(function, x, error, text):
    with pytest.raises(error, match=text):
        nd.grad(function)(x)


@pytest.mark.parametrize("maker", [nd.grad, nd.value_and_grad, nd.jacobian, nd.hessian])
def test_arguments_that_are_not_there_are_refused(maker):
    for argnums, error, text in (
        (2, ValueError, "argnums is 2, and the function was called with 2 arguments by position"),
        ((0, -3), ValueError, "argnums is -3"),
        (1.0, TypeError, "argnums must be a whole number or a tuple of them, given 1.0"),
        ([0, 1], TypeError, r"given \[0, 1\]"),
        ("x", TypeError, "given 'x'"),
    ):
        with pytest.raises(error, match=text):
            maker(lambda a, b: nd.sum(a * b), argnums=argnums)(nd.ones(2), nd.ones(2))
    with pytest.raises(ValueError, match="called with 1 arguments by position; those by name are constants"):
        maker(lambda a, b: nd.sum(a * b), argnums=1)(nd.ones(2), b=nd.ones(2))


def test_overwritten_operand_is_an_error_not_a_wrong_gradient():
    w = nd.asarray([1.0, 2.0])

    def function(x):
        y = nd.sum(x * w)
        w[...] = 5.0
        return y

    with pytest.raises(ValueError, match="written in place after its use"):
        nd.grad(function)(nd.ones(2))


def test_the_tape_leaves_no_memory_behind():
    import gc

    def function(x):
        return nd.sum(nd.exp(x) * x)

    x = nd.ones(10_000)
    nd.grad(function)(x)
    gc.collect()
    gc.disable()
    try:
        before = nd.memory.stats().live_bytes
        for _ in range(50):
            nd.grad(function)(x)
        assert nd.memory.stats().live_bytes <= before
    finally:
        gc.enable()


STEPS = ["add", "mul", "exp", "slice", "mean", "transpose"]


@given(st.lists(st.sampled_from(STEPS), min_size=1, max_size=6), st.integers(0, 99))
def test_random_programs(steps, seed):
    x = np.random.default_rng(seed).uniform(0.1, 0.9, (3, 3))

    def function(x):
        y = x
        for step in steps:
            if step == "add":
                y = y + x[0, 0]
            elif step == "mul":
                y = y * y
            elif step == "exp":
                y = nd.exp(y * -0.5)
            elif step == "slice":
                y = y[::-1]
            elif step == "mean":
                y = nd.mean(y, axis=0, keepdims=True) + x
            else:
                y = y.permute_dims((1, 0))
        return nd.mean(y)

    check_gradient(function, x, 1e-4, 1e-6)


SHARED_GRADIENTS = {
    "one array": lambda x, y: nd.sum((x + y) * 3),
    "one array read by nothing else": lambda x, y: nd.sum(x + y),
    "one array among others": lambda x, y: nd.sum((x - (-y)) * nd.tanh(x)),
    "a view of the other's": lambda x, y: nd.sum((x + y.T) * 3),
    "another shape": lambda x, y: nd.sum((x + nd.reshape(nd.reshape(y, (-1,)), (3, 3))) * 3),
    "parts of one array": lambda x, y: nd.sum(nd.concat((x, y)) * 3),
    "stacked": lambda x, y: nd.sum(nd.stack((x, y)) * 3),
    "selected": lambda x, y: nd.sum(nd.where(x > y, x, y) * 3),
    "broadcast": lambda x, y: nd.sum(x + y[0]),
    "halves of a product": lambda x, y: nd.sum(x @ y),
    "mean": lambda x, y: nd.mean(x + y),
    "max": lambda x, y: nd.max(x) + nd.min(y),
    "max along an axis": lambda x, y: nd.sum(nd.max(x, axis=0)) + nd.prod(y),
    "not used": lambda x, y: nd.sum(x),
}


@pytest.mark.parametrize("name", SHARED_GRADIENTS)
def test_gradients_may_be_written_each_for_itself(name):
    arrays = [nd.asarray(np.arange(9.0).reshape(3, 3) / 7 - position / 3) for position in range(2)]
    value, expected = nd.value_and_grad(SHARED_GRADIENTS[name], argnums=(0, 1))(*arrays)
    before = [np.array(np.asarray(x)) for x in (value, *expected, *arrays)]
    gradients = nd.grad(SHARED_GRADIENTS[name], argnums=(0, 1))(*arrays)
    for position, gradient in enumerate(gradients):
        gradient += 1
        np.testing.assert_array_equal(np.asarray(gradient), before[1 + position] + 1)
        gradient[...] = before[1 + position]
        gradient *= 2
    np.testing.assert_array_equal(np.asarray(gradients[0]), before[1] * 2)
    np.testing.assert_array_equal(np.asarray(gradients[1]), before[2] * 2)
    for array, values in zip((value, *expected, *arrays), before, strict=True):
        np.testing.assert_array_equal(np.asarray(array), values)


def test_floats_are_arrays_without_dimensions():
    def product(x, y):
        return x * x * y["scale"][0]

    assert nd.grad(product, (0, 1))(3.0, {"scale": [2.0]}) == (12.0, {"scale": [9.0]})
    value, gradient = nd.value_and_grad(nd.exp)(0.0)
    assert (value, gradient, gradient.dtype) == (1.0, 1.0, nd.float64)
    gradient = nd.grad(lambda x: nd.sum(x * x))(np.arange(3.0))  # as scipy.optimize calls it
    assert isinstance(gradient, nd.NDArray)
    assert gradient.tolist() == [0.0, 2.0, 4.0]


def test_what_a_function_returns_beside_its_value_is_told_to_need_has_aux():
    for derive in (nd.grad, nd.value_and_grad):
        with pytest.raises(TypeError, match="given tuple; what comes beside the value needs has_aux=True"):
            derive(lambda x: (nd.sum(x), x))(nd.ones(2))
