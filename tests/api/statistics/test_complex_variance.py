"""Variances and deviations of complex numbers are NumPy's, and have gradients."""

import numpy
import pytest
from beside_numpy import check, parameters
from central_differences import check_gradient

import nd4py as nd

X = numpy.array([[1 + 2j, 3 - 1j, -2], [complex("nan+1j"), 1j, 4]])
ARGUMENTS = [
    {}, {"axis": 0}, {"axis": 1, "ddof": 1}, {"axis": (0, 1)}, {"axis": 0, "keepdims": True},
    {"axis": 1, "where": [True, False, True]},
]  # fmt: skip
PROGRAMS = {
    name: [lambda np, f=name, k=k: getattr(np, f)(np.asarray(X), **k) for k in ARGUMENTS]
    for name in ("var", "std", "nanvar", "nanstd")
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_it_is_numpys(program):
    check(program)


@pytest.mark.parametrize("name", ["var", "nanvar"])
def test_a_mean_may_be_given_and_an_array_for_the_result(name):
    out = nd.zeros(2)
    x = nd.asarray(X[:, 1:])
    assert getattr(nd, name)(x, 1, out=out, mean=nd.mean(x, axis=1, keepdims=True)) is out
    numpy.testing.assert_allclose(out, numpy.var(X[:, 1:], 1))


def test_gradient():
    scale = nd.asarray(X[0])
    check_gradient(lambda x: nd.var(scale * x, correction=1), numpy.array([0.5, 2.0, -1.0]))
