"""What NumPy's linear algebra does beyond the standard: R alone, ranks of vectors, conditions of singular matrices."""

import numpy
import pytest
from beside_numpy import check, parameters

X = numpy.random.default_rng(0).standard_normal((2, 4, 3))
SINGULAR = numpy.stack([numpy.zeros((2, 2)), numpy.eye(2), numpy.ones((2, 2)) * numpy.nan])
PROGRAMS = {
    "qr": [
        *(lambda np, x=x: np.linalg.qr(np.asarray(x), mode="r") for x in (X, X[0], X.mT, X[:, :0], X[0] + 1j)),
        lambda np: np.linalg.qr(np.asarray(X), "other"),
    ],
    "matrix_rank": [lambda np, x=x: np.linalg.matrix_rank(np.asarray(x)) for x in ([0, 0], [0, 1.5], 0, 3, [1j], [])],
    "cond": [lambda np, p=p: np.linalg.cond(np.asarray(SINGULAR), p) for p in (None, 2, -2)],
}


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_programs_give_what_numpy_gives(program):
    check(program)
