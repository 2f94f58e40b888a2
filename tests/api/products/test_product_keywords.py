"""Keywords of NumPy's products give what NumPy's give: out, dtype, order and casting of einsum, axes of cross."""

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

X = numpy.arange(6.0).reshape(2, 3)
INTEGERS = numpy.arange(6).reshape(2, 3)


def written(np, call, shape, dtype="float64"):
    """What a call left in an array given as `out`, which it must return."""
    out = np.full(shape, 7, dtype=dtype)
    assert call(out) is out
    return out


PROGRAMS = {
    "einsum": [
        lambda np: written(np, lambda out: np.einsum("ij->ji", np.asarray(X), out=out), (3, 2)),
        lambda np: written(np, lambda out: np.einsum("ij,kj", np.asarray(X), np.asarray(X), out=out), (2, 2)),
        lambda np: written(np, lambda out: np.einsum("ij->i", np.asarray(INTEGERS), out=out), (2,)),
        lambda np: written(np, lambda out: np.einsum("ij->", np.asarray(X), out=out), ()),
        lambda np: np.einsum("ij->ji", np.asarray(X), out=np.zeros((2, 2))),
        lambda np: np.einsum("ij,kj", np.asarray(X), np.asarray(INTEGERS), dtype="float32", casting="same_kind"),
        lambda np: np.einsum("ij->i", np.asarray(INTEGERS), dtype="float64"),
        lambda np: np.einsum("ij->i", np.asarray(X), dtype="int64", casting="unsafe"),
        lambda np: np.einsum("ij->i", np.asarray(X), dtype="float32"),
        lambda np: np.einsum(np.asarray(X), np.asarray([0, 1]), np.asarray([1])),
        lambda np: np.einsum(np.asarray(X), (0, 1), np.asarray(X), np.asarray([2, 1]), [0, 2]),
        lambda np: np.einsum(np.asarray(X), np.asarray([0.0, 1.0])),
    ],
    "cross": [
        lambda np: np.cross(np.asarray([1, 2]), np.asarray([3, 5])),
        lambda np: np.cross(np.asarray(X[:, :2]), np.asarray(X[::-1, :2] + 1)),
        lambda np: np.cross(np.asarray(X[:, :2]), np.asarray(X + 1)),
        lambda np: np.cross(np.asarray(X), np.asarray([1.5, 2.5])),
        lambda np: np.cross(np.asarray(X[:2]), np.asarray(X[:2] + 1), 0, 0),
        lambda np: np.cross(np.asarray(X[:2]), np.asarray(X[:2] + 1), axis=0),
        lambda np: np.cross(np.asarray(X), np.asarray(X[::-1] + 1)),
        lambda np: np.cross(np.asarray(X.T.copy()), np.asarray(X + 1), axisa=0),
        lambda np: np.cross(np.asarray(X), np.asarray(X.T + 1), axisb=0),
        lambda np: np.cross(np.asarray(X), np.asarray(X + 1), axisc=0),
        lambda np: np.cross(np.asarray(X.T.copy()), np.asarray(X.T + 1), 0, 0, 0),
        lambda np: np.cross(np.asarray(X.T.copy()), np.asarray(X.T + 1), axis=0),
        lambda np: np.cross(np.asarray(X), np.asarray([1, 2, 3]), axisc=0),
        lambda np: np.cross(np.asarray(X.T.copy()), np.asarray(X), axisa=1),
    ],
    "matvec": [
        lambda np: np.matvec(np.asarray(X), np.asarray([1, 2, 3])),
        lambda np: np.matvec([X, X], [[1j, 2, 3]] * 2),
        lambda np: np.matvec(np.asarray([X, X + 1]), np.asarray(X)),
        lambda np: np.matvec(X, [1, 2]),
        lambda np: np.matvec([1, 2, 3], X),
        lambda np: np.matvec(INTEGERS, 2),
        lambda np: written(np, lambda out: np.matvec(np.asarray(X), np.asarray([1, 2, 3]), out), (2,)),
    ],
    "vecmat": [
        lambda np: np.vecmat(np.asarray([1, 2]), np.asarray(X)),
        lambda np: np.vecmat([1j, 2], [X, X * 1j]),
        lambda np: np.vecmat(np.asarray(X[:, :2]), np.asarray([X, X + 1])),
        lambda np: np.vecmat([1, 2, 3], X),
        lambda np: np.vecmat(X, [1, 2, 3]),
        lambda np: np.vecmat(2, INTEGERS),
        lambda np: written(np, lambda out: np.vecmat(np.asarray([1, 2]), np.asarray(X), out), (3,)),
    ],  # fmt: skip
    "multi_dot": [
        lambda np: np.linalg.multi_dot([np.asarray(X), np.asarray(X.T.copy()), np.asarray(X)]),
        lambda np: written(
            np, lambda out: np.linalg.multi_dot([np.asarray(X), np.asarray(X.T.copy()), np.asarray(X)], out=out), (2, 3)
        ),
    ],
}


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_programs_give_what_numpy_gives(program):
    check(program)


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij,kj->ki"])
def test_einsum_makes_the_order_that_is_asked_for(subscripts, order):
    def flags(np):
        x = np.asarray(numpy.asfortranarray(X[:, :2]))
        y = np.einsum(subscripts, *[x] * len(subscripts.split("->")[0].split(",")), order=order)
        return y.flags.c_contiguous, y.flags.f_contiguous

    assert order == "K" or flags(nd) == flags(numpy)
