"""Derivatives at special points: at 0, at ties, at the borders of domains and ranges, beside what a textbook says.

Where a slope jumps the gradient is a subgradient: 0 for abs, relu and norms at 0, and equal elements share what max
and min give.  Where the slope is infinite so is the gradient.  It is NaN only where the function has no slope.
"""

import itertools
import math
import re

import numpy as np
import pytest
from table import MAPS

import nd4py as nd
from nd4py._spec.ops import REDUCTIONS, SCANS

INF, NAN = math.inf, math.nan
SELU, EPS = 1.0507009873554805 * 1.6732632423543772, 1e-10

# {row: {operand: [(the operands, the slope there)]}}
SLOPES = {
    "divide": {"x1": [((1, 0), INF), ((0, 2), 0.5)], "x2": [((1, 0), -INF), ((0, 2), 0)]},
    "remainder": {"x2": [((5, 2), -2), ((-5, 2), 3)]},
    "fmod": {"x2": [((5, 2), -2), ((-5, 2), 2), ((5, -2), 2)]},
    "pow": {
        "x1": [((0, 0), 0), ((0, 1), 1), ((0, 2), 0), ((0, 0.5), INF), ((2, 0), 0), ((-2, 0), 0), ((-2, 3), 12),
               ((INF, 0), 0)],
        "x2": [((0, 0), 0), ((0, 2), 0), ((0, -1), -INF), ((1, 5), 0), ((2, 0), math.log(2)), ((-2, 2), NAN)],
    },
    "maximum": {"x1": [((1, 1), 0.5), ((2, 1), 1), ((0, 1), 0)], "x2": [((1, 1), 0.5), ((2, 1), 0), ((0, -0.0), 0.5)]},
    "minimum": {"x1": [((1, 1), 0.5), ((2, 1), 0), ((1, 2), 1)], "x2": [((1, 1), 0.5), ((2, 1), 1)]},
    "fmax": {
        "x1": [((1, 1), 0.5), ((2, 1), 1), ((0, 1), 0), ((1, NAN), 1), ((NAN, 1), 0)],
        "x2": [((1, 1), 0.5), ((2, 1), 0), ((NAN, 1), 1), ((1, NAN), 0), ((NAN, NAN), 1)],
    },
    "fmin": {
        "x1": [((1, 1), 0.5), ((2, 1), 0), ((0, 1), 1), ((1, NAN), 1), ((NAN, 1), 0)],
        "x2": [((1, 1), 0.5), ((2, 1), 1), ((NAN, 1), 1), ((1, NAN), 0), ((NAN, NAN), 1)],
    },
    "clip": {
        "x": [((0, 0, 1), 1), ((1, 0, 1), 1), ((2, 0, 1), 0), ((-1, 0, 1), 0), ((0.5, 1, 0), 0)],
        "low": [((0, 0, 1), 0), ((-1, 0, 1), 1), ((2, 0, 1), 0), ((-1, 1, 0), 0)],
        "high": [((1, 0, 1), 0), ((2, 0, 1), 1), ((-1, 0, 1), 0), ((-1, 1, 0), 1), ((0.5, 1, 0), 1)],
    },
    "where": {"x1": [((1, 2, 3), 1), ((0, 2, 3), 0)], "x2": [((1, 2, 3), 0), ((0, 2, 3), 1)]},
    "abs": {"x": [((0,), 0), ((-0.0,), 0), ((-2,), -1)]},
    "copysign": {"x1": [((0, 1), 0), ((-0.0, 1), 0), ((-2, 1), -1), ((2, -1), -1), ((-2, -1), 1)]},
    "reciprocal": {"x": [((0,), -INF)]},
    "log": {"x": [((0,), INF)]},
    "log1p": {"x": [((-1,), INF)]},
    "log2": {"x": [((0,), INF)]},
    "log10": {"x": [((0,), INF)]},
    "logaddexp": {
        "x1": [((-INF, -INF), 0.5), ((INF, INF), 0.5), ((0, -INF), 1), ((-INF, 0), 0), ((0, 1e6), 0)],
        "x2": [((-INF, -INF), 0.5), ((0, -INF), 0), ((-INF, 0), 1)],
    },
    "logaddexp2": {
        "x1": [((-INF, -INF), 0.5), ((INF, INF), 0.5), ((0, -INF), 1), ((-INF, 0), 0), ((0, 1e6), 0)],
        "x2": [((-INF, -INF), 0.5), ((0, -INF), 0), ((-INF, 0), 1)],
    },
    "sqrt": {"x": [((0,), INF)]},
    "rsqrt": {"x": [((0,), -INF)]},
    "cbrt": {"x": [((0,), INF)]},
    "hypot": {"x1": [((0, 0), 0), ((3, 4), 0.6), ((0, 1), 0)], "x2": [((0, 0), 0), ((3, 4), 0.8)]},
    "asin": {"x": [((1,), INF), ((-1,), INF)]},
    "acos": {"x": [((1,), -INF), ((-1,), -INF)]},
    "atan": {"x": [((INF,), 0)]},
    "atan2": {"x1": [((0, 0), 0), ((0, 2), 0.5)], "x2": [((0, 0), 0), ((2, 0), -0.5)]},
    "asinh": {"x": [((0,), 1), ((1e300,), 0)]},
    "acosh": {"x": [((1,), INF)]},
    "atanh": {"x": [((1,), INF), ((-1,), INF)]},
    "relu": {"x": [((0,), 0), ((-0.0,), 0), ((1e-30,), 1)]},
    "relu6": {"x": [((0,), 0), ((6,), 0), ((3,), 1)]},
    "leaky_relu": {"x": [((0,), 0.01)]},
    "threshold_relu": {"x": [((1,), 0), ((1.5,), 1)]},
    "elu": {"x": [((0,), 1), ((-INF,), 0)]},
    "selu": {"x": [((0,), SELU), ((-INF,), 0)]},
    "sigmoid": {"x": [((0,), 0.25), ((-1000,), 0), ((1000,), 0)]},
    "hard_sigmoid": {"x": [((2.5,), 0), ((-2.5,), 0), ((0,), 0.2)]},
    "hard_tanh": {"x": [((1,), 0), ((-1,), 0), ((0,), 1)]},
    "rational_tanh": {"x": [((0,), 1.7159 * 2 / 3), ((-0.0,), 1.7159 * 2 / 3)]},
    "rectified_tanh": {"x": [((0,), 0), ((-1,), 0)]},
    "softplus": {"x": [((0,), 0.5), ((-1000,), 0), ((1000,), 1)]},
    "softsign": {"x": [((0,), 1)]},
    "swish": {"x": [((0,), 0.5), ((1000,), 1)]},
    "gelu": {"x": [((0,), 0.5), ((1000,), 1), ((-1000,), 0)]},
    "mish": {"x": [((0,), 0.6), ((1000,), 1), ((-1000,), 0)]},
    "hard_swish": {"x": [((-3,), 0), ((3,), 1), ((0,), 0.5), ((-INF,), 0)]},
    "log_sigmoid": {"x": [((0,), 0.5), ((-1000,), 1), ((1000,), 0)]},
    "soft_shrink": {"x": [((0.5,), 0), ((-0.5,), 0), ((-2,), 1)]},
    "hard_shrink": {"x": [((0.5,), 0), ((-0.5,), 0), ((-2,), 1)]},
    "celu": {"x": [((0,), 1), ((-INF,), 0)]},
    "squared_error": {"x": [((2, 2), 0)], "labels": [((2, 2), 0)]},
    "absolute_error": {"x": [((2, 2), 0), ((1, 2), -1)], "labels": [((2, 2), 0), ((1, 2), 1)]},
    "absolute_percentage_error": {
        "x": [((2, 2), 0), ((1, 2), -50), ((-1, -2), 50)], "labels": [((2, 2), 0), ((1, 2), 25), ((-1, -2), -25)],
    },
    "squared_log_error": {"x": [((2, 2), 0), ((-1, 0), -INF)], "labels": [((2, 2), 0)]},
    "binary_cross_entropy": {
        "x": [((0, 0), 1 / (1 - 1e-5)), ((1, 1), -1 / (1 - 1e-5)), ((0.5, 0.5), 0)],
        "labels": [((0.5, 0), 0), ((0, 0), math.log((1 - 1e-5) / 1e-5))],
    },
    "cross_entropy": {"x": [((0, 1), -1 / EPS), ((0, 0), 0)], "labels": [((1, 0), 0), ((0, 1), -math.log(EPS))]},
    "kl_divergence": {"x": [((0, 0), 0), ((0, 1), -1 / EPS)], "labels": [((1, 0), math.log(EPS)), ((0.5, 0.5), 1)]},
    "hinge": {"x": [((1, 1), 0), ((0, 1), -1)], "labels": [((1, 1), 0), ((0.5, 1), -0.5)]},
    "squared_hinge": {"x": [((1, 1), 0), ((0, 1), -2)], "labels": [((1, 1), 0)]},
    "poisson_loss": {"x": [((0, 0), 1), ((0, 1), 1 - 1 / EPS)], "labels": [((1, 0), 0), ((0, 1), -math.log(EPS))]},
    "logit": {"x": [((0,), INF), ((1,), INF), ((0.5,), 4)]},
    "sinc": {"x": [((0,), 0), ((1,), -1), ((2,), 0.5)]},
    "replace_nonfinite": {"x": [((NAN,), 0), ((INF,), 0), ((-INF,), 0), ((1,), 1)]},
    "heaviside": {"x2": [((0, 5), 1), ((1, 5), 0), ((-0.0, 5), 1)]},
}  # fmt: skip
# Texts of derivatives in which something happens at some point.
NOTABLE = re.compile(r"[?/]|sign\(|if_positive|slope")
POINTS = [
    pytest.param(op, name, point, slope, id=f"{op.name}-{name}-{','.join(map(str, point))}")
    for op in MAPS
    for name, points in SLOPES.get(op.name, {}).items()
    for point, slope in points
]


def test_every_notable_derivative_has_its_points():
    notable = {
        (op.name, name)
        for op in MAPS
        for name, text in itertools.zip_longest(op.args, op.vjp if isinstance(op.expr, str) else (), fillvalue="")
        if NOTABLE.search(text)
    }
    assert notable <= {(row, name) for row, points in SLOPES.items() for name in points}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("op, name, point, slope", POINTS)
def test_slope_at_a_point(op, name, point, slope, dtype):
    operands = [nd.full((7,), float(value), dtype=dtype) for value in point]
    if op.args[0] == "condition":
        operands[0] = operands[0].astype("bool")
    position = op.args.index(name)

    def total(x):
        return nd.sum(getattr(nd, op.name)(*operands[:position], x, *operands[position + 1 :]))

    got = np.asarray(nd.grad(total)(operands[position]))
    np.testing.assert_allclose(got, np.full(7, slope), rtol=1e-4 if dtype == "float32" else 1e-9, atol=1e-12)


def test_powers_with_scalars():
    x = nd.asarray([0.0, 2.0, -3.0])
    for n, want in [(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [0, 4, -6]), (3, [0, 12, 27]), (0.0, [0, 0, 0])]:
        assert nd.grad(lambda x, n=n: nd.sum(x**n))(x).tolist() == want
    assert nd.grad(lambda y: nd.sum(0.0**y))(nd.asarray([0.0, 2.0])).tolist() == [0.0, 0.0]


# Reductions: small whole numbers, so that ties and zeros abound.


def grids(n, values):
    return [np.asarray(row, "float64") for row in itertools.product(values, repeat=n)]


def shared(x, chosen):
    return chosen / chosen.sum()


def product_of_others(x):
    return np.asarray([np.prod(np.delete(x, i)) for i in range(len(x))])


def running_products(x):
    """The gradient of the sum of running products."""
    g = np.zeros_like(x)
    for last in range(len(x)):
        g[: last + 1] += product_of_others(x[: last + 1])
    return g


def running_shares(x):
    """The gradient of the sum of running log(sum(exp(x)))."""
    y = np.logaddexp.accumulate(x)
    return np.asarray([np.sum(np.exp(x[i] - y[i:])) for i in range(len(x))])


WHOLE = {
    "max": lambda x: shared(x, x == x.max()),
    "min": lambda x: shared(x, x == x.min()),
    "amax": lambda x: shared(x, x == x.max()),
    "nanmax": lambda x: shared(x, x == x.max()),
    "nanmin": lambda x: shared(x, x == x.min()),
    "max_of_absolutes": lambda x: shared(x, np.abs(x) == np.abs(x).max()) * np.sign(x),
    "sum_of_absolutes": np.sign,
    "prod": product_of_others,
    "nanprod": product_of_others,
    "ptp": lambda x: shared(x, x == x.max()) - shared(x, x == x.min()),
    "std": lambda x: (x - x.mean()) / (len(x) * x.std()) if x.std() else 0 * x,
    "nanstd": lambda x: (x - x.mean()) / (len(x) * x.std()) if x.std() else 0 * x,
    "var": lambda x: 2 * (x - x.mean()) / len(x),
    "cumulative_prod": running_products,
    "nancumprod": running_products,
    "log_cumulative_sum_exp": running_shares,
    "linalg.norm": lambda x: x / np.linalg.norm(x) if x.any() else 0 * x,
    "linalg.vector_norm": lambda x: x / np.linalg.norm(x) if x.any() else 0 * x,
}


def function_called(name):
    found = nd
    for part in name.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_reduction_of_ties_and_zeros(name):
    function = function_called(name)
    for x in grids(4, (-1, 0, 2)):
        got = np.asarray(nd.grad(lambda x: nd.sum(function(x)))(nd.asarray(x)))
        np.testing.assert_allclose(got, WHOLE[name](x), atol=1e-12, err_msg=str(x))


@pytest.mark.parametrize("name", ["max", "min", "nanmax", "prod", "nanprod", "std", "max_of_absolutes"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("axis, keepdims", [(0, False), (1, True), (2, False), ((0, 2), False), ((0, 1, 2), True)])
def test_reduction_of_ties_along_axes(name, dtype, axis, keepdims):
    x = np.random.default_rng(3).integers(-1, 2, (3, 4, 5)).astype("float64")
    x[1] = 1.0
    axes = axis if isinstance(axis, tuple) else (axis,)
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    lines = moved.reshape(-1, math.prod(x.shape[i] for i in axes))
    want = np.stack([WHOLE[name](line) for line in lines]).reshape(moved.shape)
    want = np.moveaxis(want, range(-len(axes), 0), axes)
    got = nd.grad(lambda x: nd.sum(function_called(name)(x, axis=axis, keepdims=keepdims)))(nd.asarray(x).astype(dtype))
    assert got.dtype == dtype
    tolerance = {"float16": 2e-3, "bfloat16": 1e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
    np.testing.assert_allclose(np.asarray(got.astype("float64")), want, atol=tolerance)


def test_many_ties_of_halves():
    g = nd.grad(lambda x: nd.sum(nd.max(x) * 70_000.0).astype("float32"))(nd.ones(70_000, dtype="float32"))
    assert g.tolist() == [1.0] * 70_000
    g = nd.grad(lambda x: nd.max(x))(nd.ones(70_000, dtype="float16"))
    np.testing.assert_allclose(np.asarray(g, "float64"), 1 / 70_000, rtol=1e-2)


def test_nan_beside_zeros_and_ties():
    x = nd.asarray([NAN, 0.0, 3.0, 2.0])
    np.testing.assert_array_equal(nd.grad(nd.nanprod)(x), [0.0, 6.0, 0.0, 0.0])
    x = nd.asarray([NAN, 3.0, 3.0, 2.0])
    np.testing.assert_array_equal(nd.grad(nd.nanmax)(x), [0.0, 0.5, 0.5, 0.0])


@pytest.mark.parametrize("ord", [1, 2, 3, 1.5, INF])
def test_norms_at_zero(ord):
    assert nd.grad(lambda x: nd.linalg.vector_norm(x, ord=ord))(nd.zeros(3)).tolist() == [0.0] * 3
    mixed = nd.grad(lambda x: nd.sum(nd.linalg.vector_norm(x, ord=ord, axis=1)))(nd.asarray([[0.0, 0.0], [0.0, 2.0]]))
    np.testing.assert_allclose(np.asarray(mixed), [[0.0, 0.0], [0.0, 1.0]], rtol=1e-14)


def test_matrix_norm_at_zero():
    assert nd.grad(lambda x: nd.linalg.matrix_norm(x))(nd.zeros((2, 2))).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_logarithms_of_sums_at_extremes():
    g = nd.grad(lambda x: nd.sum(nd.logsumexp(x, axis=1)))
    assert g(nd.asarray([[-INF, -INF], [-INF, 0.0], [1e308, -1e308]])).tolist() == [[0, 0], [0, 1], [1, 0]]
    g = nd.grad(lambda x: nd.sum(nd.softmax(x)[:, 0]))
    assert g(nd.asarray([[1e308, -1e308], [0.0, 0.0], [-INF, 0.0]])).tolist() == [[0, 0], [0.25, -0.25], [0, 0]]
    g = nd.grad(lambda x: nd.sum(nd.log_softmax(x)[:, 0]))
    assert g(nd.asarray([[1e308, -1e308], [0.0, 0.0]])).tolist() == [[0, 0], [0.5, -0.5]]
    g = nd.grad(lambda x: nd.sum(nd.log_cumulative_sum_exp(x, axis=1)[:, -1]))
    assert g(nd.asarray([[-INF, 0.0], [0.0, -INF], [1e308, -1e308]])).tolist() == [[0, 1], [1, 0], [1, 0]]


SELECTING = {
    "sort": lambda x: nd.sum(nd.sort(x)[1:3]),
    "topk": lambda x: nd.sum(nd.topk(x, 2).values),
    "median": lambda x: 2 * nd.median(x),
    "quantile": lambda x: 2 * nd.quantile(x, 0.4),
    "max_pool2d": lambda x: 2 * nd.sum(nd.max_pool2d(x.reshape(1, 1, 2, 2), 2)),
    "cumulative_max": lambda x: 2 * nd.cumulative_max(x)[-1],
    "nanmedian": lambda x: 2 * nd.nanmedian(x),
}


@pytest.mark.parametrize("name", SELECTING)
def test_what_selects_elements_gives_a_subgradient_at_ties(name):
    for x in grids(4, (0, 1)):
        g = np.asarray(nd.grad(SELECTING[name])(nd.asarray(x)))
        assert g.sum() == pytest.approx(2.0)
        assert (g >= 0).all()


def test_every_notable_reduction_and_scan_is_known_here():
    # The number of elements is never 0; cumulative_min is cumulative_max with another sign.
    known = {*WHOLE, *SELECTING, "cumulative_min"}
    rows = (*REDUCTIONS, *SCANS)
    assert {op.name for op in rows if any(NOTABLE.search(text.replace("/ n", "")) for text in op.vjp)} <= known
