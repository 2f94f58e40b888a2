"""Gradients for each example of a batch that are differentiated again outside of it."""

import numpy as np
import pytest

import nd4py as nd

RNG = np.random.default_rng(4)
X = nd.asarray(RNG.normal(size=(5, 3)) + 3.0)
W = nd.asarray(RNG.normal(size=3) + 2.0)


def value(w, x):
    hidden = nd.tanh(w * x) ** 2
    return nd.sum(hidden) * nd.max(w) + nd.prod(x) / nd.sum(w)


def loops(function, *operands):
    return nd.stack([function(*[x[i] for x in operands]) for i in range(operands[0].shape[0])])


# Each takes (w, x) and a way to call a function for each example: how the inner gradient's argument comes in.
WAYS = {
    "a closure": lambda w, xs, each: each(lambda x: nd.grad(lambda w: value(w, x))(w), xs),
    "computed from a closure": lambda w, xs, each: each(
        lambda x: nd.grad(lambda w: value(w * w + 1.0, x))(w / 3.0), xs
    ),
    "an argument": lambda w, xs, each: each(lambda x: nd.grad(lambda x: value(w, x))(x), xs),
    "both": lambda w, xs, each: each(lambda x: sum(nd.grad(value, argnums=(0, 1))(w, x)), xs),
    "a step": lambda w, xs, each: each(lambda x: value(w - 0.1 * nd.grad(value)(w, x), x), xs),
    "a gradient of a gradient": lambda w, xs, each: each(
        lambda x: nd.grad(lambda x: nd.sum(nd.grad(lambda x: value(w, x))(x) ** 2))(x), xs
    ),
    "vjp": lambda w, xs, each: each(lambda x: nd.vjp(value, w, x)[1](nd.ones(()))[0], xs),
    "the value too": lambda w, xs, each: each(lambda x: nd.value_and_grad(value)(w, x)[0] * w, xs),
    "a constant": lambda w, xs, each: each(lambda x: nd.grad(lambda x: value(nd.stop_gradient(w), x))(x), xs),
}


kept_less = nd.checkpoint(value)


@nd.custom_gradient
def cubes(x):
    return nd.sum(x**3), lambda g: g * 3.0 * x**2


def adapted(w, x):
    """The loss after some steps, as in meta-learning."""
    for _ in range(2):
        w = w - 0.01 * nd.grad(value)(w, x)
    return value(w, x)


def read_twice(w, xs, each):
    """What one batch gives is read by the next."""
    y = each(lambda x: nd.grad(lambda w: nd.sum(w**2 * x))(w), xs)
    return each(lambda x: nd.grad(lambda x: nd.sum(y[0] * x**3))(x), xs)


WAYS |= {
    "checkpoint": lambda w, xs, each: each(lambda x: nd.grad(kept_less)(w, x), xs),
    "a gradient of its own": lambda w, xs, each: each(lambda x: nd.grad(lambda x: cubes(x * w))(x), xs),
    "jvp": lambda w, xs, each: each(lambda x: nd.jvp(lambda x: nd.tanh(w * x), (x,), (x * w,))[1], xs),
    "jacobian": lambda w, xs, each: each(lambda x: nd.jacobian(lambda x: nd.tanh(w * x) * nd.sum(x))(x), xs),
    "hessian": lambda w, xs, each: each(lambda x: nd.hessian(lambda x: value(w, x))(x), xs),
    "a batch in a batch": lambda w, xs, each: each(
        lambda x: nd.vmap(lambda a: nd.grad(lambda a: nd.tanh(a / 9.0 * nd.sum(w * x)))(a))(x), xs
    ),
    "matrices": lambda w, xs, each: each(lambda x: nd.grad(lambda w: nd.sum(nd.sin(x @ nd.outer(w, w))))(w), xs),
    "complex numbers": lambda w, xs, each: each(
        lambda x: nd.grad(lambda w: nd.sum(nd.abs(nd.fft.fft(w * x)) ** 3))(w), xs
    ),
    "float32": lambda w, xs, each: each(
        lambda x: nd.grad(lambda w: nd.sum(w.astype("float32").astype("float64") ** 3 * x))(w), xs
    ),
    "steps": lambda w, xs, each: each(lambda x: adapted(w, x), xs),
    "batches one after the other": read_twice,
}


@pytest.mark.parametrize("of", ["w", "x"])
@pytest.mark.parametrize("way", WAYS)
def test_gradients_of_gradients_for_each_example(way, of):
    def loss(each):
        function = (lambda w: WAYS[way](w, X, each)) if of == "w" else (lambda x: WAYS[way](W, x, each))
        return lambda operand: nd.sum(function(operand) ** 2)

    operand = W if of == "w" else X
    got, want = nd.grad(loss(lambda f, xs: nd.vmap(f)(xs)))(operand), nd.grad(loss(loops))(operand)
    assert bool(want.any()) == (way != "a constant" or of == "x")
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-5 if way == "float32" else 1e-10)
