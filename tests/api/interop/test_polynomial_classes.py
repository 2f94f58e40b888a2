"""`nd.polynomial`: NumPy's classes of polynomials take nd4py's arrays, and are imported as NumPy's are."""

import subprocess
import sys

import numpy as np
import pytest

import nd4py as nd

X = np.linspace(-1.0, 2.0, 7)


@pytest.mark.parametrize("name", [name for name in np.polynomial.__all__ if name.istitle() or name == "HermiteE"])
def test_classes_take_our_arrays(name):
    theirs, ours = getattr(np.polynomial, name), getattr(nd.polynomial, name)
    for given in ([1.0, -2.0, 0.5], [3], [0.0, 1j]):
        want, got = theirs(given), ours(nd.asarray(given))
        np.testing.assert_allclose(got(nd.asarray(X)), want(X))
        np.testing.assert_allclose(got.deriv()(nd.asarray(X)), want.deriv()(X))
    np.testing.assert_allclose(
        ours.fit(nd.asarray(X), nd.asarray(X**2), 2).convert().coef, theirs.fit(X, X**2, 2).convert().coef, atol=1e-12
    )


def test_results_go_on_in_our_functions():
    low, high = nd.polynomial.Polynomial.fit(nd.asarray(X), nd.asarray(3 * X + 1), 1).convert()
    y = nd.exp(low) * nd.asarray(X) + high
    assert isinstance(y, nd.NDArray)
    np.testing.assert_allclose(np.asarray(y), np.exp(1) * X + 3)


def test_gradients_are_not_lost_in_silence():
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda x: nd.sum(nd.asarray(nd.polynomial.Polynomial([1.0, 2.0])(x))))(nd.ones(3))


@pytest.mark.parametrize("line", [
    "from nd4py.polynomial import Polynomial", "import nd4py.polynomial as P; P.Chebyshev",
    "from nd4py.polynomial import polynomial; polynomial.polyval", "from nd4py.polynomial.legendre import legval",
    "import nd4py as np; np.polynomial.Hermite; np.polynomial.polynomial.polyadd",
    "from nd4py.polynomial import *; Laguerre", "import nd4py.polynomial.polynomial as P; P.polyfit",
])  # fmt: skip
def test_it_is_imported_as_numpys_is(line):
    subprocess.run([sys.executable, "-c", line], check=True, timeout=100)


def test_it_has_no_other_names():
    with pytest.raises(AttributeError, match="has an attribute 'no_such'"):
        _ = nd.polynomial.no_such
    assert set(np.polynomial.__all__) <= set(dir(nd.polynomial))
