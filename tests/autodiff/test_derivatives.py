"""vjp, jvp, jacobian, hessian, hvp, custom_gradient, checkpoint and has_aux, in closed form and against differences."""

import dataclasses
import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import nd4py as nd

STEP = 1e-6
X = np.asarray([0.7, -1.2, 0.4])
FUNCTIONS = {
    "map": lambda x: nd.sin(x) * x,
    "one number": lambda x: nd.sum(nd.exp(x) * x),
    "outer": lambda x: x[:, None] * nd.tanh(x[None, :]),
    "matmul": lambda x: nd.sin(x[:, None]) @ x[None, :],
    "softmax": nd.softmax,
    "slices": lambda x: x[1:] ** 3 * x[:-1],
    "prod": lambda x: nd.prod(x) ** 2,
    "constant": lambda x: nd.ones((2,)),
    "itself": lambda x: x,
}


def moved(function, x, direction):
    """The central difference of a function in a direction."""
    above, below = (np.asarray(function(nd.asarray(x + sign * STEP * direction))) for sign in (1, -1))
    return (above - below) / (2 * STEP)


def differences(function, x):
    """The matrix of derivatives by central differences."""
    rows = [moved(function, x, unit.reshape(x.shape)) for unit in np.eye(x.size)]
    return np.stack(rows, axis=-1).reshape(rows[0].shape + x.shape)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_products_and_matrices(name):
    function, matrix = FUNCTIONS[name], differences(FUNCTIONS[name], X)
    rng = np.random.default_rng(1)
    t, x = rng.normal(size=3), nd.asarray(X)
    value, pull = nd.vjp(function, x)
    np.testing.assert_array_equal(np.asarray(value), np.asarray(function(x)))
    assert value.node is None
    for _ in range(2):  # more than once
        ct = rng.normal(size=value.shape)
        want = np.tensordot(ct, matrix, ct.ndim)
        np.testing.assert_allclose(np.asarray(pull(nd.asarray(ct))[0]), want, rtol=1e-6, atol=1e-8)
    value, slope = nd.jvp(function, (x,), (nd.asarray(t),))
    assert value.node is None
    assert slope.node is None
    np.testing.assert_allclose(np.asarray(slope), matrix @ t, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(np.asarray(nd.jacobian(function)(x)), matrix, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name):
    def function(x):
        return nd.sum(FUNCTIONS[name](x) ** 2)

    matrix, t = differences(nd.grad(function), X), np.asarray([1.0, -2.0, 0.5])
    np.testing.assert_allclose(np.asarray(nd.hessian(function)(nd.asarray(X))), matrix, rtol=1e-6, atol=1e-7)
    (product,) = nd.hvp(function, (nd.asarray(X),), (nd.asarray(t),))
    np.testing.assert_allclose(np.asarray(product), matrix @ t, rtol=1e-6, atol=1e-7)
    _, forward = nd.jvp(nd.grad(function), (nd.asarray(X),), (nd.asarray(t),))
    np.testing.assert_allclose(np.asarray(forward), matrix @ t, rtol=1e-6, atol=1e-7)


def test_third_derivatives_through_jacobian_jvp_and_vjp():
    x = nd.asarray(X)
    cubes = nd.jacobian(nd.hessian(lambda x: nd.sum(nd.sin(x))))(x)
    want = np.zeros((3, 3, 3))
    want[range(3), range(3), range(3)] = -np.cos(X)
    np.testing.assert_allclose(np.asarray(cubes), want, atol=1e-14)
    one = nd.ones(3)
    inner = nd.grad(lambda x: nd.sum(nd.jvp(nd.sin, (x,), (one,))[1]))
    np.testing.assert_allclose(np.asarray(inner(x)), -np.sin(X), rtol=1e-13)
    around = nd.grad(lambda x: nd.sum(nd.vjp(nd.sin, x)[1](x * x)[0]))
    np.testing.assert_allclose(np.asarray(around(x)), 2 * X * np.cos(X) - X**2 * np.sin(X), rtol=1e-13)
    along = nd.grad(lambda t: nd.sum(nd.jvp(nd.sin, (x,), (t,))[1] ** 2))
    np.testing.assert_allclose(np.asarray(along(x)), 2 * X * np.cos(X) ** 2, rtol=1e-13)
    twice = nd.jvp(lambda x: nd.jvp(nd.sin, (x,), (one,))[1], (x,), (one,))[1]
    np.testing.assert_allclose(np.asarray(twice), -np.sin(X), rtol=1e-13)


def test_each_example():
    x = nd.asarray(np.random.default_rng(2).normal(size=(4, 3)))
    got = nd.vmap(nd.hessian(lambda x: nd.sum(nd.sin(x))))(x)
    want = -np.sin(np.asarray(x))[:, :, None] * np.eye(3)
    np.testing.assert_allclose(np.asarray(got), want, atol=1e-14)


@dataclasses.dataclass
class Line:
    slope: nd.NDArray
    offset: nd.NDArray


def test_structures():
    line = Line(nd.asarray([2.0]), nd.asarray([3.0]))
    x = nd.asarray([5.0])

    def function(line, x):
        return {"y": line.slope * x + line.offset, "more": [line.slope**2]}

    value, pull = nd.vjp(function, line, x)
    found, of_x = pull({"y": nd.asarray([1.0]), "more": [nd.asarray([10.0])]})
    assert (float(found.slope[0]), float(found.offset[0]), float(of_x[0])) == (45.0, 1.0, 2.0)
    assert value["more"][0].tolist() == [4.0]
    _, slope = nd.jvp(function, (line, x), (Line(nd.asarray([1.0]), nd.asarray([0.5])), nd.asarray([2.0])))
    assert (float(slope["y"][0]), float(slope["more"][0][0])) == (9.5, 4.0)
    matrix = nd.jacobian(function, argnums=(0, 1))(line, x)
    assert matrix["y"][0].slope.tolist() == [[5.0]]
    assert matrix["y"][1].tolist() == [[2.0]]
    assert matrix["more"][0][1].tolist() == [[0.0]]
    second = nd.hessian(lambda line, x: nd.sum(function(line, x)["y"] ** 2))(line, x)
    assert second.slope.offset.tolist() == [[10.0]]


def test_dtypes_and_shapes_are_those_of_the_arguments():
    x = nd.ones((2, 3), dtype="float32")
    assert nd.jacobian(lambda x: nd.sum(x, axis=0).astype("float64"))(x).dtype == nd.float32
    assert nd.jacobian(lambda x: nd.sum(x, axis=0))(x).shape == (3, 2, 3)
    assert nd.jacobian(lambda x: x[:0])(x).shape == (0, 3, 2, 3)
    assert nd.hessian(nd.sum)(x).tolist() == np.zeros((2, 3, 2, 3)).tolist()


def test_aux():
    def function(x):
        return nd.sum(x**2), {"twice": 2 * x, "name": "f"}

    x = nd.asarray([3.0])
    (value, aux), found = nd.value_and_grad(function, has_aux=True)(x)
    assert (float(value), found.tolist(), aux["twice"].tolist(), aux["name"]) == (9.0, [6.0], [6.0], "f")
    assert nd.grad(function, has_aux=True)(x)[1]["name"] == "f"
    assert nd.vjp(function, x, has_aux=True)[2]["twice"].tolist() == [6.0]
    assert nd.jvp(function, (x,), (x,), has_aux=True)[2]["twice"].tolist() == [6.0]
    assert nd.hessian(function, has_aux=True)(x)[1]["twice"].tolist() == [6.0]
    outer = nd.grad(lambda a: nd.sum(nd.grad(lambda x: (nd.sum(x), a * x), has_aux=True)(x)[1]))
    assert outer(nd.asarray([2.0])).tolist() == [3.0]
    with pytest.raises(TypeError, match="pair"):
        nd.grad(nd.sum, has_aux=True)(x)


def test_results_share_no_memory():
    ct = nd.ones(3)
    (found,) = nd.vjp(lambda x: x, nd.zeros(3))[1](ct)
    found += 1.0
    assert ct.tolist() == [1.0, 1.0, 1.0]
    tangent = nd.ones(3)
    _, slope = nd.jvp(lambda x: x, (nd.zeros(3),), (tangent,))
    slope += 1.0
    assert tangent.tolist() == [1.0, 1.0, 1.0]


ERRORS = [
    (lambda x: nd.vjp(lambda x: 1, x), TypeError, "floating arrays"),
    (lambda x: nd.vjp(lambda x: nd.argmax(x), x), TypeError, "has_aux"),
    (lambda x: nd.vjp(nd.sin, nd.asarray([1])), TypeError, "vjp: .*give floats"),
    (lambda x: nd.vjp(nd.sin, x)[1](nd.ones(2)), ValueError, r"shape \(3,\), given \(2,\)"),
    (lambda x: nd.vjp(nd.sin, x)[1]([x]), ValueError, "structure"),
    (lambda x: nd.jvp(nd.sin, x, x), TypeError, r"write \(x,\)"),
    (lambda x: nd.jvp(nd.sin, (x,), ()), ValueError, "1 primals and 0 tangents"),
    (lambda x: nd.jvp(nd.sin, (x,), (nd.ones(2),)), ValueError, "tangents must have shape"),
    (lambda x: nd.hvp(nd.sin, (x,), (x,)), ValueError, "one number"),
    (lambda x: nd.grad(nd.custom_gradient(lambda x: nd.sum(x)))(x), TypeError, "pair of its value"),
    (
        lambda x: nd.grad(nd.custom_gradient(lambda x: (nd.sum(x), lambda g: (g, g))))(x),
        ValueError,
        "2 gradients for 1",
    ),
    (lambda x: nd.grad(nd.custom_gradient(lambda x: (nd.sum(x), lambda g: g)))(x), ValueError, "has shape"),
    (lambda x: nd.grad(lambda w: nd.checkpoint(lambda x: nd.sum(w * x))(w * x))(x), TypeError, "no argument of it"),
    (lambda x: nd.grad(lambda x: nd.checkpoint(lambda x: 1.0)(x))(x), TypeError, "must return arrays"),
]


@pytest.mark.parametrize(("call", "error", "match"), ERRORS)
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        call(nd.asarray(X))


def test_a_stated_gradient_is_used_and_has_one_itself():
    calls = []

    @nd.custom_gradient
    def log1pexp(x):
        calls.append(1)
        e = nd.exp(x)
        return nd.log(1 + e), lambda g: g * (1 - 1 / (1 + e))

    assert float(nd.grad(log1pexp)(100.0)) == 1.0
    assert len(calls) == 1
    assert float(nd.grad(nd.grad(log1pexp))(0.0)) == pytest.approx(0.25)
    assert float(nd.grad(nd.grad(nd.grad(log1pexp)))(1.0)) == pytest.approx(
        float(nd.grad(nd.grad(nd.sigmoid))(1.0)), rel=1e-12
    )
    x = nd.asarray(X)
    np.testing.assert_allclose(np.asarray(nd.vmap(nd.grad(log1pexp))(x)), 1 / (1 + np.exp(-X)), rtol=1e-14)
    outside = nd.grad(lambda x: nd.sum(nd.vmap(log1pexp)(x)))(x)
    np.testing.assert_allclose(np.asarray(outside), 1 / (1 + np.exp(-X)), rtol=1e-14)
    np.testing.assert_allclose(np.asarray(nd.jacobian(log1pexp)(x)), np.diag(1 / (1 + np.exp(-X))), rtol=1e-14)
    np.testing.assert_allclose(np.asarray(nd.jvp(log1pexp, (x,), (x,))[1]), X / (1 + np.exp(-X)), rtol=1e-14)


def test_stated_gradients_of_structures_and_several_results():
    @nd.custom_gradient
    def function(p, n, x, *, scale):
        return (p["a"] * x * scale, x * n), lambda g: ({"a": g[0] * 100.0}, None, g[1])

    found = nd.grad(lambda p, x: nd.sum(function(p, 3, x, scale=2.0)[0]), argnums=(0, 1))({"a": nd.ones(2)}, nd.ones(2))
    assert found[0]["a"].tolist() == [100.0, 100.0]
    assert found[1].tolist() == [0.0, 0.0]
    assert function({"a": nd.ones(2)}, 3, nd.ones(2), scale=2.0)[1].tolist() == [3.0, 3.0]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_checkpoints_have_the_same_derivatives(name):
    plain, kept = FUNCTIONS[name], nd.checkpoint(FUNCTIONS[name])
    x = nd.asarray(X)
    for of in (
        lambda f: nd.grad(lambda x: nd.sum(f(x) ** 2)),
        nd.jacobian,
        lambda f: nd.hessian(lambda x: nd.sum(f(x) ** 2)),
    ):
        np.testing.assert_allclose(np.asarray(of(kept)(x)), np.asarray(of(plain)(x)), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(np.asarray(nd.vmap(nd.grad(lambda x: nd.sum(kept(x))))(nd.stack([x, x]))[1]),
                               np.asarray(nd.grad(lambda x: nd.sum(plain(x)))(x)), rtol=1e-12)  # fmt: skip


def test_checkpoints_of_structures_with_whole_numbers():
    def gathered(p, indices, n):
        return {"y": nd.take(p["w"], indices) ** n}

    def loss(of):
        return nd.grad(lambda p: nd.sum(of(p, nd.asarray([0, 2, 2]), 3)["y"]))({"w": nd.asarray(X)})["w"]

    np.testing.assert_allclose(np.asarray(loss(nd.checkpoint(gathered))), np.asarray(loss(gathered)), rtol=1e-14)


def test_what_checkpoints_draw_is_drawn_again():
    def noisy(x):
        return x * nd.random.uniform(size=(3,)) + nd.random.normal(size=(3,)) * x**2

    def value(x):
        return nd.sum(nd.checkpoint(noisy)(nd.checkpoint(noisy)(x)) * nd.random.uniform(size=(3,)))

    def plain(x):
        return nd.sum(noisy(noisy(x)) * nd.random.uniform(size=(3,)))

    nd.random.seed(5)
    found, after = nd.value_and_grad(value)(nd.ones(3)), nd.random.uniform(size=(2,))
    nd.random.seed(5)
    expected, expected_after = nd.value_and_grad(plain)(nd.ones(3)), nd.random.uniform(size=(2,))
    np.testing.assert_allclose(np.asarray(found[0]), np.asarray(expected[0]), rtol=1e-14)
    np.testing.assert_allclose(np.asarray(found[1]), np.asarray(expected[1]), rtol=1e-13)
    assert after.tolist() == expected_after.tolist()  # the gradient leaves the generator as it finds it


def test_checkpoints_lower_the_peak_of_memory():
    def block(x):
        for _ in range(8):
            x = nd.sin(x) * 1.5
        return x

    def peak_of(each):
        def loss(x):
            for _ in range(4):
                x = each(x)
            return nd.sum(x)

        x = nd.ones(100_000)
        with nd.combine(False):
            nd.grad(loss)(x)
            nd.memory.trim()
            nd.memory.reset_peak()
            before = nd.memory.stats().live_bytes
            nd.grad(loss)(x)
            return nd.memory.stats().peak_live_bytes - before

    assert peak_of(nd.checkpoint(block)) < 0.6 * peak_of(block)


def test_a_pull_for_each_example_inside_of_a_gradient():
    def function(x):
        _, pull = nd.vjp(nd.sin, x)
        return nd.sum(nd.vmap(lambda g: pull(g)[0])(nd.eye(3)))

    np.testing.assert_allclose(np.asarray(nd.grad(function)(nd.asarray(X))), -np.sin(X), rtol=1e-14)


def test_what_does_not_depend_on_the_argument_has_zeros():
    x = nd.asarray(X)
    assert nd.jacobian(lambda x: nd.stop_gradient(x) ** 2)(x).tolist() == np.zeros((3, 3)).tolist()
    assert nd.jvp(lambda x: nd.stop_gradient(x) ** 2, (x,), (x,))[1].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "name", ["checkpoint", "custom_gradient", "grad", "hessian", "jacobian", "value_and_grad", "vmap", "vjp"]
)
def test_what_is_no_function_is_refused(name):
    with pytest.raises(TypeError, match="needs a function, given int"):
        getattr(nd, name)(7)


@pytest.mark.parametrize("name", ["hvp", "jvp"])
def test_what_is_no_function_of_two_is_refused(name):
    with pytest.raises(TypeError, match=f"{name}: needs a function, given int"):
        getattr(nd, name)(7, (nd.ones(2),), (nd.ones(2),))


@dataclasses.dataclass
class Weights:
    w: Any
    settings: Any


class Pair(NamedTuple):
    first: Any
    second: Any


@pytest.mark.parametrize("given, name", [(3, "int"), ("x", "str"), (None, "NoneType"), (nd.asarray([1]), "int64")])
@pytest.mark.parametrize("transform", [nd.grad, nd.jacobian, nd.hessian])
def test_what_of_a_structure_has_no_gradient_is_told_with_its_place(transform, given, name):
    places = {
        "['n']": {"a": 2.0, "n": given},
        "[1]['k'][0]": [nd.ones(2), {"k": (given, 1.0)}],
        ".settings['k']": Weights(nd.ones(2), {"k": given}),
        ".second[1].first": Pair(1.0, (2.0, Pair(given, 3.0))),
    }
    for place, tree in places.items():
        with pytest.raises(TypeError, match=rf"given {name} at {re.escape(place)};.* go into another argument"):
            transform(lambda tree: nd.asarray(1.0))(tree)
    with pytest.raises(TypeError, match=rf"given {name}(; integers.*)?$"):
        transform(lambda tree: nd.asarray(1.0))(given)
