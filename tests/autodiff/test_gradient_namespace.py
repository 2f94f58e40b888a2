"""Gradients of the whole namespace: right, or refused in words; never dropped in silence.

Every function is called with each of its floating operands being differentiated in turn, and the gradient is compared
with central differences.  A new function of the namespace is in this test by its call in `namespace_calls`.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from namespace_calls import CALLS

import nd4py as nd

STEP = 1e-6
REFUSING = ("gradient", "differentiat", "derivative", "must be a number", "needs numbers")
# What makes a constant, or reads nothing but the shape of its operand.
CONSTANTS = {"stop_gradient", "zeros_like", "ones_like", "full_like", "empty_like"}
# What refuses: all others have gradients.
REFUSED = {
    "constant", "from_dlpack", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "linalg.eig",
    "linalg.eigvals", "put_along_axis", "roots", "copyto", "fill_diagonal", "place", "put", "putmask",
    *(name for name in CALLS if name.endswith("_step")),
    # Other operands than the first.
    "geomspace", "linspace start", "linspace stop", "logspace", "norm ord", "pad value", "random loc",
    "random exponential",
}  # fmt: skip
# Functions of symmetric matrices: they read one half of the operand, and their gradient is symmetric.
OF_SYMMETRIC = {"linalg.cholesky", "linalg.eigh", "linalg.eigvalsh"}


class Operands:
    """Makes the operands of a call: one of them is given, the others come from the call's own samples."""

    device = "cpu"

    def __init__(self, position=None, x=None):
        self.position, self.x = position, x
        self.made = []

    def __call__(self, values):
        array = self.sampled(values)
        self.made.append(array)
        return self.x if len(self.made) - 1 == self.position else nd.asarray(array)

    def sampled(self, values):
        """Floating samples off their kinks and ties, in float64."""
        values = np.asarray(values)
        if values.dtype.kind != "f":
            return values
        return values.astype("float64") + np.random.default_rng(len(self.made)).uniform(0.01, 0.04, values.shape)


def floating_results(results):
    """The real and complex floating arrays among results, the parts of complex ones apart."""
    assert not isinstance(results, float), "a number has no gradient"
    if isinstance(results, nd.NDArray):
        return [results] if results.dtype.kind == "f" else parts(results)
    if isinstance(results, (tuple, list)):
        return [array for item in results for array in floating_results(item)]
    return []


def parts(results):
    return [nd.real(results), nd.imag(results)] if results.dtype.kind == "c" else []


def number_of(call, operands):
    """One number that depends on every floating element of the results of a call; None without any."""
    total = None
    for array in floating_results(call(nd, operands)):
        weights = nd.asarray(np.cos(np.arange(array.size)).reshape(array.shape) + 1.5)
        product = nd.nansum(array * weights)
        total = product if total is None else total + product
    return total


def positions_of(call):
    """The operands of a call that can be differentiated: their positions and values."""
    operands = Operands()
    call(nd, operands)
    return [(i, array) for i, array in enumerate(operands.made) if array.dtype.kind == "f"]


def slopes(function, x):
    """Central differences of a function of NumPy arrays."""
    g = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        low, high = x.copy(), x.copy()
        low[i] -= STEP
        high[i] += STEP
        g[i] = (function(high) - function(low)) / (2 * STEP)
    return g


def check(name, number, x):
    """The gradient of `number`, from arrays to 0-d arrays, is right, or refused; None is no floating result."""
    if number(nd.asarray(x)) is None:
        return
    try:
        got = np.asarray(nd.grad(number)(nd.asarray(x)))
    except (TypeError, ValueError, NotImplementedError) as error:
        assert name in REFUSED, error
        assert any(word in str(error) for word in REFUSING), error
        return
    want = slopes(lambda values: float(number(nd.asarray(values))), x)
    if name in OF_SYMMETRIC:
        got, want = got + got.T, want + want.T
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6 * max(np.nanmax(np.abs(want), initial=0), 1))


@pytest.mark.parametrize("name", sorted(CALLS.keys() - CONSTANTS))
def test_gradient_is_right_or_refused(name):
    for position, x in positions_of(CALLS[name]):
        check(name, lambda x, position=position: number_of(CALLS[name], Operands(position, x)), x)


# Operands that the calls above give as numbers, or leave out.
LINE = np.asarray([1.3, 0.4, -0.7, 2.1])
ASCENDING = nd.asarray([0.1, 0.9, 1.4, 2.2])
GRID = nd.asarray(np.cos(np.arange(12.0)).reshape(3, 4))
ELSEWHERE = {
    "average weights": lambda x: nd.average(GRID, axis=1, weights=x),
    "average weights returned": lambda x: nd.average(GRID, axis=1, weights=x * x, returned=True),
    "bincount weights": lambda x: nd.bincount(nd.asarray([0, 2, 1, 2]), weights=x),
    "clip low": lambda x: nd.clip(GRID, x - 2.0, 3.0),
    "clip high": lambda x: nd.clip(GRID, -3.0, x),
    "clip by a number": lambda x: nd.clip(GRID, x[0] - 2.0, x[3]),
    "method clip": lambda x: GRID.clip(x - 2.0, 3.0),
    "cov weights": lambda x: nd.cov(GRID, aweights=x * x),
    "diff prepend": lambda x: nd.diff(GRID, axis=0, prepend=x[None]),
    "diff append": lambda x: nd.diff(GRID, axis=0, append=x[None]),
    "full value": lambda x: nd.full((2, 3), x[0]),
    "full_like value": lambda x: nd.full_like(GRID, x[0]),
    "geomspace": lambda x: nd.geomspace(x[0], x[3], 5),
    "gradient spacing": lambda x: nd.gradient(GRID, x, axis=1),
    "histogram weights": lambda x: nd.histogram(ASCENDING, 3, weights=x)[0],
    "histogram bins": lambda x: nd.histogram(GRID, ASCENDING + x[0]),
    "interp points": lambda x: nd.interp(ASCENDING, nd.sort(x), ASCENDING),
    "interp left": lambda x: nd.interp(ASCENDING - 5.0, ASCENDING, ASCENDING, left=x[0]),
    "interp right": lambda x: nd.interp(ASCENDING + 5.0, ASCENDING, ASCENDING, right=x[0]),
    "isclose": lambda x: nd.isclose(x, 1.0),
    "layer_norm scale": lambda x: nd.layer_norm(GRID, x),
    "layer_norm bias": lambda x: nd.layer_norm(GRID, None, x),
    "rms_norm scale": lambda x: nd.rms_norm(GRID, x),
    "linspace start": lambda x: nd.linspace(x[0], 2.0, 4),
    "linspace stop": lambda x: nd.linspace(0.0, x[0], 4),
    "logspace": lambda x: nd.logspace(0.0, x[0], 4),
    "meshgrid": lambda x: nd.meshgrid(x, ASCENDING),
    "norm ord": lambda x: nd.linalg.norm(GRID[0], ord=x[0]),
    "pad value": lambda x: nd.pad(GRID, 1, constant_values=x[0]),
    "percentile q": lambda x: nd.percentile(GRID, nd.abs(x) * 20.0),
    "quantile q": lambda x: nd.quantile(GRID, nd.abs(x) * 0.2, axis=1),
    "polyval coefficients": lambda x: nd.polyval(x, ASCENDING),
    "put_along_axis": lambda x: put_along_axis(x),
    "random loc": lambda x: nd.random.Generator(1).normal(loc=x[0]),
    "random exponential": lambda x: nd.random.Generator(1).exponential(x[3]),
    "random choice": lambda x: nd.random.Generator(1).choice(x, (3,)),
    "random permutation": lambda x: nd.random.Generator(1).permutation(x),
    "take with a mask": lambda x: nd.extract(nd.asarray([True, False, True, True]), x),
    "trapezoid x": lambda x: nd.trapezoid(GRID, x=x),
    "trapezoid dx": lambda x: nd.trapezoid(GRID, dx=x[0]),
    "where scalars": lambda x: nd.where(x > 0.5, x, 0.0),
    "asarray of a list": lambda x: nd.asarray([x[0], x[1] * 2.0]),
    "asarray with a dtype": lambda x: nd.asarray(x, dtype="float64"),
    "array": lambda x: nd.array(x, copy=True),
    "constant": lambda x: nd.constant(x),
    "concat of scalars": lambda x: nd.concat([x, x[:1]]),
    "index_add values": lambda x: nd.index_add(GRID, nd.asarray([0]), x[None]),
    "power of a scalar": lambda x: 2.0**x,
    "scalar divided": lambda x: 1.0 / x,
    "operators": lambda x: [x + 1, 1 - x, x // 2, x % 2, -x, +x, abs(x), x**2, x @ x],
    "divmod": lambda x: [x // 0.31, x % 0.31],
    "numpy.add": lambda x: np.add(x, np.ones(4)),
    "numpy.where": lambda x: np.where(np.asarray([True, False, True, True]), x, np.zeros(4)),
    "numpy.concatenate": lambda x: np.concatenate([x, np.ones(2)]),
    "numpy.linalg.norm": np.linalg.norm,
    "numpy.clip": lambda x: np.clip(x, -0.5, 1.0),
    "numpy.interp": lambda x: np.interp(np.asarray([0.5]), np.asarray(ASCENDING), x),
}


def put_along_axis(x):
    target = nd.zeros(4)
    nd.put_along_axis(target, nd.asarray([1, 2]), x[:2], axis=0)
    return target


@pytest.mark.parametrize("name", ELSEWHERE)
def test_gradient_of_other_operands_is_right_or_refused(name):
    check(name, lambda x: number_of(lambda nd, a: ELSEWHERE[name](x), None), LINE)


METHODS = {
    name: getattr(nd.NDArray, name)
    for name in ("all", "any", "argmax", "argmin", "argsort", "conj", "copy", "cumprod", "cumsum", "detach", "diagonal",
                 "dup", "flatten", "leverage", "max", "mean", "migrate", "min", "nonzero", "prod", "ravel", "round",
                 "squeeze", "std", "sum", "transpose", "unsafe_duplication", "var", "block")
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("is_in_workspace", [False, True])
def test_gradient_of_methods_is_right_or_refused(name, is_in_workspace):
    x = LINE.reshape(2, 2)
    arguments = (0,) if name in ("cumprod", "cumsum") else ()

    def number(x):
        return number_of(lambda nd, a: getattr(x, name)(*arguments), None)

    with nd.workspace("gradients of methods") if is_in_workspace else nullcontext():
        check(name, number, x)
