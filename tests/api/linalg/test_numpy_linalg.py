"""What NumPy's linear algebra does beyond the standard: R alone, ranks of vectors, conditions of singular matrices."""

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

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
# Matrices of other shapes than these functions take.
SHAPES = [
    lambda np: np.linalg.det(np.ones((2, 3))), lambda np: np.linalg.inv(np.ones(3)),
    lambda np: np.linalg.matrix_power(np.ones((2, 3)), 2), lambda np: np.linalg.qr(np.ones(3)),
    lambda np: np.linalg.cond(np.ones((0, 0))), lambda np: np.linalg.cond(np.ones((2, 3)), 1),
    lambda np: np.linalg.lstsq(np.ones((2, 3)), np.ones(3)), lambda np: np.linalg.svd(np.ones(3)),
    lambda np: np.linalg.eigvals(np.ones((2, 3))),
]  # fmt: skip


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_programs_give_what_numpy_gives(program):
    check(program)


@pytest.mark.parametrize("program", SHAPES)
def test_other_shapes_are_errors_of_linear_algebra(program):
    for np in (numpy, nd):
        with pytest.raises(np.linalg.LinAlgError):
            program(np)
