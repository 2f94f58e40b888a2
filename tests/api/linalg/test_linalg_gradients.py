"""Gradients of linear algebra against central differences, for one matrix and for stacks."""

import numpy as np
import pytest
from central_differences import check_gradient
from test_linalg import numbers

import nd4py as nd
from nd4py import linalg


def symmetric(x):
    return (x + x.mT) * 0.5


def definite(x):
    return x @ x.mT + nd.eye(x.shape[-1])


def signs_fixed(basis):
    """Vectors in columns, free of their arbitrary sign: their outer products with themselves."""
    return basis[..., :, None, :] * basis[..., None, :, :]


def function_of(u, s, vh):
    """A matrix whose singular values are exponentials of those given."""
    return (u * nd.exp(s)[..., None, :]) @ vh


FUNCTIONS = {
    "cholesky": ((3, 3), lambda x: linalg.cholesky(definite(x))),
    "cholesky of a symmetric part": ((3, 3), lambda x: linalg.cholesky(symmetric(x) + 5 * nd.eye(3))),
    "cholesky, upper": ((3, 3), lambda x: linalg.cholesky(definite(x), upper=True)),
    "inv": ((3, 3), linalg.inv),
    "solve, left": ((3, 3), lambda x: linalg.solve(x, nd.asarray(numbers((3, 2), seed=5)))),
    "solve, left of a vector": ((3, 3), lambda x: linalg.solve(x, nd.asarray(numbers((3,), seed=5)))),
    "solve, right": ((3, 2), lambda x: linalg.solve(nd.asarray(numbers((3, 3), seed=5)), x)),
    "solve, both": ((3, 3), lambda x: linalg.solve(x, x * x)),
    "solve, one left of many": ((3, 3), lambda x: linalg.solve(x.reshape((-1, 3, 3))[0], numbers((2, 3, 2), seed=5))),
    "solve, many left of one": ((3, 3), lambda x: linalg.solve(x, numbers((3, 2), seed=5))),
    "det": ((3, 3), linalg.det),
    "slogdet": ((3, 3), lambda x: linalg.slogdet(x).logabsdet),
    "slogdet, both": ((3, 3), lambda x: linalg.slogdet(x).logabsdet * linalg.slogdet(x).sign),
    "eigvalsh": ((4, 4), lambda x: linalg.eigvalsh(symmetric(x))),
    "eigh, values": ((4, 4), lambda x: linalg.eigh(symmetric(x)).eigenvalues),
    "eigh, vectors": ((4, 4), lambda x: signs_fixed(linalg.eigh(symmetric(x)).eigenvectors)),
    "eigh, both": ((3, 3), lambda x: (lambda w, v: signs_fixed(v) * w[..., None, None, :])(*linalg.eigh(symmetric(x)))),
    "svdvals": ((4, 3), linalg.svdvals),
    "svd, values": ((3, 4), lambda x: linalg.svd(x, full_matrices=False).S),
    "svd, left": ((4, 3), lambda x: signs_fixed(linalg.svd(x, full_matrices=False).U)),
    "svd, right": ((3, 4), lambda x: signs_fixed(linalg.svd(x, full_matrices=False).Vh.mT)),
    "svd, left of wide": ((3, 4), lambda x: signs_fixed(linalg.svd(x, full_matrices=False).U)),
    "svd, all": ((4, 3), lambda x: function_of(*linalg.svd(x, full_matrices=False))),
    "svd, full and square": ((3, 3), lambda x: function_of(*linalg.svd(x))),
    "qr, Q": ((5, 3), lambda x: linalg.qr(x).Q),
    "qr, R": ((5, 3), lambda x: linalg.qr(x).R),
    "qr, both": ((3, 3), lambda x: linalg.qr(x).Q @ nd.exp(linalg.qr(x).R)),
    "qr of wide": ((3, 5), lambda x: linalg.qr(x).Q @ nd.exp(linalg.qr(x).R)),
    "qr of wide, complete": ((3, 5), lambda x: linalg.qr(x, mode="complete").R),
    "pinv of tall": ((4, 2), linalg.pinv),
    "pinv of wide": ((2, 4), linalg.pinv),
    "vector_norm": ((3, 4), lambda x: linalg.vector_norm(x, axis=-1)),
    "vector_norm of order 3": ((3, 4), lambda x: linalg.vector_norm(x, ord=3, axis=-2)),
    "vector_norm of order 1": ((3, 4), lambda x: linalg.vector_norm(x, ord=1)),
    "vector_norm of order inf": ((3, 4), lambda x: linalg.vector_norm(x, ord=np.inf, axis=-1)),
    "matrix_norm": ((3, 4), linalg.matrix_norm),
    "matrix_norm, nuc": ((3, 4), lambda x: linalg.matrix_norm(x, ord="nuc", keepdims=True)),
    "matrix_norm, 2": ((3, 4), lambda x: linalg.matrix_norm(x, ord=2)),
    "matrix_norm, 1": ((3, 4), lambda x: linalg.matrix_norm(x, ord=1)),
    "norm": ((3, 4), linalg.norm),
    "cond": ((3, 3), linalg.cond),
    "cond, fro": ((3, 3), lambda x: linalg.cond(x, "fro")),
    "matrix_power": ((3, 3), lambda x: linalg.matrix_power(x, -2)),
}  # fmt: skip


@pytest.mark.parametrize("stack", [(), (2,)], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient(name, stack):
    shape, function = FUNCTIONS[name]
    x = numbers((*stack, *shape), seed=11)
    weights = nd.asarray(numbers(function(nd.asarray(x)).shape, seed=12))
    check_gradient(lambda x: nd.sum(function(x) * weights), x, rtol=2e-5, atol=2e-6)


def test_gradient_of_a_singular_determinant_is_the_cofactors():
    got = nd.grad(linalg.det)(nd.asarray([[1.0, 2.0], [2.0, 4.0]]))
    np.testing.assert_allclose(np.asarray(got), [[4, -2], [-2, 1]], atol=1e-12)


def test_gradient_of_a_norm_at_zero():
    np.testing.assert_array_equal(np.asarray(nd.grad(linalg.norm)(nd.zeros(3))), [0, 0, 0])


def test_gradient_of_a_pseudoinverse_of_constant_rank():
    left = nd.asarray(numbers((4, 2), seed=3))
    weights = nd.asarray(numbers((3, 4), seed=4))
    check_gradient(lambda x: nd.sum(linalg.pinv(left @ x) * weights), numbers((2, 3), seed=5), rtol=1e-5, atol=1e-7)


def test_gradient_in_single_precision():
    x = nd.asarray(numbers((3, 3)), dtype="float32")
    gradient = nd.grad(lambda x: nd.sum(linalg.solve(x, nd.ones(3, dtype="float64"))))(x)
    assert gradient.dtype == nd.float32


@pytest.mark.parametrize("function, text", [
    (lambda x: nd.sum(nd.abs(linalg.eig(x).eigenvalues)), "eig has no gradient; symmetric matrices have one, see eigh"),
    (lambda x: nd.sum(nd.abs(linalg.eigvals(x))), "eigvals has no gradient"),
    (lambda x: nd.sum(linalg.svd(x[:2]).U), "full_matrices=True has no gradient; use full_matrices=False"),
    (lambda x: nd.sum(linalg.qr(x[:, :2], mode="complete").Q), "qr of mode 'complete' has no gradient"),
])  # fmt: skip
def test_refused_in_words(function, text):
    with pytest.raises(NotImplementedError, match=text):
        nd.grad(function)(nd.asarray(numbers((3, 3))))


def test_results_without_influence():
    def function(x):
        result = linalg.svd(x, full_matrices=False)
        return nd.sum(result.S * result.S)

    x = numbers((4, 3))
    np.testing.assert_allclose(np.asarray(nd.grad(function)(nd.asarray(x))), 2 * x, atol=1e-12)


def test_written_operands_are_found_out():
    def function(x):
        y = linalg.inv(x)
        x = nd.stop_gradient(x)
        x[0, 0] = 5.0
        return nd.sum(y)

    with pytest.raises(ValueError, match="written in place"):
        nd.grad(function)(nd.asarray(numbers((3, 3))))
