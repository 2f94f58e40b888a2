"""Gradients of gradients, of every row of the table against central differences, and in closed form."""

import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.formulas import derivative, names_in, read
from nd4py._spec.ops import ALL, OPS

STEP = 1e-6
WEIGHTS = np.asarray([1.0, 2.0, 0.5])
ROWS = [op for op in OPS if op.family in ("map", "reduce") and isinstance(op.expr, str) and any(op.vjp)]


def inputs_of(op):
    """Three elements for each operand, off the kinks."""
    rng = np.random.default_rng(3)
    domains = op.domain if isinstance(op.domain[0], tuple) else (op.domain,) * len(op.args)
    return [rng.uniform(low, high, 3) for low, high in domains]


def function_of(op):
    """The public function of a row, with its parameters."""
    params = {name: 0.3 if default is None else default for name, default in op.params}
    if op.name == "where":
        return lambda condition, x1, x2: nd.where(nd.stop_gradient(condition) > 0, x1, x2)
    return lambda *operands: getattr(nd, op.name)(*operands, **params)


def check_second(gradient, operands, j):
    """The gradient of a weighted sum of `gradient` for operand `j` against central differences."""

    def value(*given):
        return nd.sum(gradient(*given) * nd.asarray(WEIGHTS))

    def moved(k, by):
        given = [x.copy() for x in operands]
        given[j][k] += by
        return float(value(*map(nd.asarray, given)))

    got = np.asarray(nd.grad(value, j)(*map(nd.asarray, operands)))
    want = [(moved(k, STEP) - moved(k, -STEP)) / (2 * STEP) for k in range(operands[j].size)]
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_every_row_has_second_derivatives(op):
    if op.name == "ldexp":
        pytest.skip("its second operand is whole numbers; test_scaling_by_powers_of_two")
    function, operands = function_of(op), inputs_of(op)
    for i in range(len(op.vjp)):
        gradient = nd.grad(lambda *given: nd.sum(nd.sin(function(*given))), i)
        for j in range(len(op.args)):
            if op.vjp[i] and j < len(op.vjp) and op.vjp[j]:
                check_second(gradient, operands, j)


def test_scaling_by_powers_of_two():
    def f(x):
        return nd.sum(nd.ldexp(x, nd.asarray([2, 1])) ** 2)

    got = nd.grad(lambda x: nd.sum(nd.grad(f)(x)))(nd.asarray([1.0, 3.0]))
    assert got.tolist() == [32.0, 8.0]


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_formulas_of_rows_can_be_differentiated_twice(op):
    for expression in filter(None, op.vjp):
        tree = read(expression)
        for name in names_in(tree):
            derivative(derivative(tree, name), name)


FUNCTIONS = {
    "softmax": lambda x: nd.sum(nd.softmax(x) ** 2),
    "log_softmax": lambda x: nd.sum(nd.log_softmax(x) ** 2),
    "logsumexp": lambda x: nd.logsumexp(x) ** 2,
    "vector_norm": lambda x: nd.linalg.vector_norm(x) ** 3,
    "matmul": lambda x: nd.sum((x.reshape((3, 1)) @ x.reshape((1, 3))) ** 2),
    "vectors": lambda x: (x @ nd.sin(x)) ** 2,
    "slices": lambda x: nd.sum(x[1:] ** 3 * x[:-1]),
    "tad": lambda x: nd.sum(x.reshape((3, 1)).tensor_along_dimension(0, 0) ** 3),
    "broadcast": lambda x: nd.sum(x[:, None] ** 2 * x[None, :]),
    "powers": lambda x: nd.sum((x**2 + 1.0) ** 1.5),
    "mixed dtypes": lambda x: nd.sum(nd.exp(x.astype("float64").permute_dims((0,))) * x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives_of_functions(name):
    check_second(nd.grad(FUNCTIONS[name]), [np.asarray([0.7, -1.2, 0.4])], 0)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_third_derivatives_of_functions(name):
    second = nd.grad(lambda x: nd.sum(nd.grad(FUNCTIONS[name])(x) * nd.asarray(WEIGHTS[::-1].copy())))
    check_second(second, [np.asarray([0.7, -1.2, 0.4])], 0)


def test_grad_of_grad_of_sin_to_sixth_order():
    f, x = nd.sin, 0.7
    for order, want in enumerate([np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin, np.cos], 1):
        f = nd.grad(f)
        assert abs(float(f(x)) - want(x)) < 1e-14, order


def test_what_is_not_chosen_does_not_reach_second_derivatives():
    f = nd.grad(nd.grad(lambda x: x**3.0))
    assert float(f(0.0)) == 0.0
    assert float(nd.grad(nd.grad(nd.sinc))(0.0)) == pytest.approx(-(np.pi**2) / 3)


def test_an_array_of_the_outer_gradient_inside_of_the_inner_one():
    f = nd.grad(lambda a: nd.grad(lambda x: nd.sin(x) * a**2)(nd.asarray(0.5)))
    assert float(f(3.0)) == pytest.approx(6 * np.cos(0.5))
    independent = nd.grad(lambda a: a * nd.grad(lambda x: x**2)(nd.asarray(3.0)))
    assert float(independent(2.0)) == 6.0
    confused = nd.grad(lambda x: x * nd.grad(lambda y: x + y)(nd.asarray(1.0)))
    assert float(confused(1.0)) == 1.0


def test_values_and_gradients_inside_of_a_gradient_count():
    def f(x):
        value, gradient = nd.value_and_grad(lambda z: nd.sum(z**3))(x)
        return value + nd.sum(gradient**2)

    np.testing.assert_allclose(np.asarray(nd.grad(f)(nd.asarray([2.0]))), [12.0 + 36 * 8])


def test_halves_and_floats_keep_their_dtypes():
    for dtype in ("float16", "bfloat16", "float32"):
        x = nd.asarray([0.5, 1.5]).astype(dtype)
        got = nd.grad(lambda x: nd.sum(nd.grad(lambda z: nd.sum(nd.exp(z)))(x)))(x)
        assert got.dtype == dtype
        np.testing.assert_allclose(np.asarray(got.astype("float64")), np.exp([0.5, 1.5]), rtol=2e-2)


def test_second_derivatives_of_each_example():
    x = nd.asarray([0.1, 0.2, 0.3])
    np.testing.assert_allclose(np.asarray(nd.vmap(nd.grad(nd.grad(nd.sin)))(x)), -np.sin(np.asarray(x)), rtol=1e-14)


def test_no_row_of_the_backward_pass_is_a_row_with_a_gradient():
    assert not any(op.vjp for op in ALL if "_vjp_" in op.name)


def test_products_with_zeros():
    def slope(x):
        return nd.sum(nd.grad(lambda z: nd.prod(z))(x) * nd.asarray(WEIGHTS))

    # prod = a * b * c, so that the sum of weighted slopes is b * c + 2 * a * c + a * b / 2
    got = nd.grad(slope)(nd.asarray([0.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.asarray(got), [2 * 3 + 0.5 * 2, 3.0, 2.0])
    got = nd.grad(slope)(nd.asarray([0.0, 0.0, 3.0]))
    np.testing.assert_allclose(np.asarray(got), [3.0 * 2, 3.0 * 1, 0.0])
    got = nd.grad(lambda x: nd.sum(nd.grad(lambda z: nd.sum(nd.prod(z, axis=0)))(x)))(nd.asarray([[0.0, 1.0]] * 3))
    np.testing.assert_allclose(np.asarray(got), [[0.0, 2.0]] * 3)
