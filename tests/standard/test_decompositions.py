"""Decompositions: each is what its definition says, for stacks, empty matrices and every layout."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, draw_values, lay_out, layouts, seeds
from .matrices import adjoint, assert_equal_matrices, assert_is, assert_unitary, norm_of, regular, stacks, wide
from .subject import DTYPES, PART, WHOLE, assert_array, numpy_of, xp

floating = pytest.mark.parametrize("dtype", DTYPES["floating"])


def eye_like(values):
    return np.broadcast_to(np.eye(values.shape[-1]), values.shape)


@floating
@EXAMPLES
@given(data=st.data(), upper=st.booleans())
def test_cholesky(dtype, data, upper):
    values, x = data.draw(regular(dtype, "positive"))
    factor = xp.linalg.cholesky(x, upper=upper)
    assert_is(factor, values.shape, dtype)
    triangle = np.triu if upper else np.tril
    got = wide(factor)
    assert (got == triangle(got)).all()
    assert (np.diagonal(got, 0, -2, -1).imag == 0).all()
    assert_equal_matrices(adjoint(got) @ got if upper else got @ adjoint(got), wide(values), like=factor)
    if not upper:
        assert_array(xp.linalg.cholesky(x), numpy_of(factor))


@floating
@EXAMPLES
@given(data=st.data())
def test_qr(dtype, data):
    values, x = data.draw(stacks(dtype))
    *batch, m, n = values.shape
    for mode, k in (("reduced", min(m, n)), ("complete", m)):
        result = xp.linalg.qr(x, mode=mode)
        assert_is(result.Q, (*batch, m, k), dtype)
        assert_is(result.R, (*batch, k, n), dtype)
        assert_unitary(result.Q)
        assert (np.triu(numpy_of(result.R)) == numpy_of(result.R)).all()
        assert_equal_matrices(wide(result.Q) @ wide(result.R), wide(values), like=result.Q)
    assert xp.linalg.qr(x).Q.shape == (*batch, m, min(m, n))


@floating
@EXAMPLES
@given(data=st.data())
def test_svd(dtype, data):
    values, x = data.draw(stacks(dtype))
    *batch, m, n = values.shape
    k, real = min(m, n), PART.get(dtype, dtype)
    for full in (True, False):
        u, s, vh = xp.linalg.svd(x, full_matrices=full)
        assert_is(u, (*batch, m, m if full else k), dtype)
        assert_is(s, (*batch, k), real)
        assert_is(vh, (*batch, n if full else k, n), dtype)
        sizes = wide(s)
        assert (sizes >= 0).all()
        assert (np.diff(sizes, axis=-1) <= 0).all()
        assert_unitary(u)
        assert_unitary(xp.conj(xp.matrix_transpose(vh)))
        product = (wide(u)[..., :k] * sizes[..., None, :]) @ wide(vh)[..., :k, :]
        assert_equal_matrices(product, wide(values), like=u)
    assert_array(xp.linalg.svdvals(x), sizes, real, ulp=200, scale=norm_of(values))
    assert xp.linalg.svd(x).U.shape == (*batch, m, m)


@floating
@EXAMPLES
@given(data=st.data())
def test_eigh(dtype, data):
    values, x = data.draw(regular(dtype, "hermitian"))
    eigenvalues, vectors = xp.linalg.eigh(x)
    assert_is(eigenvalues, values.shape[:-1], PART.get(dtype, dtype))
    assert_is(vectors, values.shape, dtype)
    assert_unitary(vectors)
    q = wide(vectors)
    assert_equal_matrices((q * wide(eigenvalues)[..., None, :]) @ adjoint(q), wide(values), like=vectors)
    want = np.sort(wide(eigenvalues), axis=-1)
    got = xp.sort(xp.linalg.eigvalsh(x))
    assert_array(got, want, PART.get(dtype, dtype), ulp=200, scale=norm_of(values))


@floating
@EXAMPLES
@given(data=st.data())
def test_eig(dtype, data):
    """Complex, for real matrices too: A v = v lambda, and the trace and determinant are theirs."""
    values, x = data.draw(regular(dtype))
    result = xp.linalg.eig(x)
    whole = WHOLE.get(dtype, dtype)
    assert_is(result.eigenvalues, values.shape[:-1], whole)
    assert_is(result.eigenvectors, values.shape, whole)
    vectors, eigenvalues = wide(result.eigenvectors), wide(result.eigenvalues)
    assert_equal_matrices(wide(values) @ vectors, vectors * eigenvalues[..., None, :], like=result.eigenvectors)
    assert np.abs(np.sum(np.abs(vectors) ** 2, axis=-2) - 1).max(initial=0) < 1e-4
    alone = xp.linalg.eigvals(x)
    assert_is(alone, values.shape[:-1], whole)
    trace = np.trace(wide(values), axis1=-2, axis2=-1)
    for found in (eigenvalues, wide(alone)):
        error = np.abs(found.sum(-1) - trace).max(initial=0)
        assert error <= 200 * np.finfo(whole).eps * norm_of(values)


def test_eigenvalues_of_a_rotation():
    """A real matrix whose eigenvalues are not real."""
    for dtype, whole in WHOLE.items():
        x = xp.asarray(np.asarray([[0, -1], [1, 0]], dtype))
        found = np.sort_complex(numpy_of(xp.linalg.eigvals(x)))
        assert_array(xp.asarray(found), np.asarray([-1j, 1j]), whole, ulp=4)


@floating
@EXAMPLES
@given(data=st.data())
def test_inverse_and_determinant(dtype, data):
    values, x = data.draw(regular(dtype))
    inverse = xp.linalg.inv(x)
    assert_is(inverse, values.shape, dtype)
    assert_equal_matrices(wide(inverse) @ wide(values), eye_like(values), like=inverse)
    widest = "complex128" if dtype in PART else "float64"
    want = np.linalg.det(values.astype(widest))
    assert_array(xp.linalg.det(x), np.asarray(want), dtype, ulp=200, scale=np.maximum(np.abs(want), 1))
    sign, size = xp.linalg.slogdet(x)
    assert_is(sign, values.shape[:-2], dtype)
    assert_is(size, values.shape[:-2], PART.get(dtype, dtype))
    assert (
        np.abs(wide(sign) * np.exp(wide(size)) - want) <= 500 * np.finfo(dtype).eps * np.maximum(np.abs(want), 1)
    ).all()


@floating
def test_singular_matrices(dtype):
    """No determinant, sign 0 and logarithm -inf; inv and solve do not give an answer that looks right."""
    values = np.asarray([[1, 2], [2, 4]]).astype(dtype)
    x = xp.asarray(values)
    assert_array(xp.linalg.det(x), np.zeros((), dtype), signs=False)
    sign, size = xp.linalg.slogdet(x)
    assert_array(sign, np.zeros((), dtype), signs=False)
    assert_array(size, np.asarray(-np.inf).astype(PART.get(dtype, dtype)))
    for call in (lambda: xp.linalg.inv(x), lambda: xp.linalg.solve(x, xp.ones((2,), dtype=x.dtype))):
        try:
            result = call()
        except (ArithmeticError, ValueError):
            continue
        assert not xp.all(xp.isfinite(result))


@floating
@EXAMPLES
@given(data=st.data())
def test_solve(dtype, data):
    """A vector only where x2 has rank 1; else stacks of matrices, broadcast."""
    values, x = data.draw(regular(dtype))
    n, batch = values.shape[-1], values.shape[:-2]
    rng = np.random.default_rng(data.draw(seeds))
    others = [(n,), (n, 0), (n, 1), (n, 3), (*batch, n, 2), (4, *(1 for _ in batch), n, 2), (n, n)]
    shape = data.draw(st.sampled_from(others))
    right, y = lay_out(draw_values(rng, dtype, shape, (-3, 3)), data.draw(layouts))
    got = xp.linalg.solve(x, y)
    columns = right[:, None] if right.ndim == 1 else right
    found = numpy_of(got)[..., None] if right.ndim == 1 else numpy_of(got)
    want = (*np.broadcast_shapes(batch, columns.shape[:-2]), *columns.shape[-2:])
    assert_is(got, want[:-1] if right.ndim == 1 else want, dtype)
    product = wide(values) @ wide(found)
    assert_equal_matrices(product, np.broadcast_to(wide(columns), product.shape), like=got)


@floating
@EXAMPLES
@given(data=st.data())
def test_pinv(dtype, data):
    """Moore and Penrose: A A+ A = A and A+ A A+ = A+, both products Hermitian."""
    values, x = data.draw(stacks(dtype, (data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5)))))
    got = xp.linalg.pinv(x)
    *batch, m, n = values.shape
    assert_is(got, (*batch, n, m), dtype)
    widest = "complex128" if dtype in PART else "float64"
    rcond = max(m, n) * np.finfo(dtype).eps
    want = np.linalg.pinv(values.astype(widest), rcond=rcond)
    error = 500 * np.finfo(dtype).eps * norm_of(values) * max(1, np.abs(want).max(initial=0)) ** 2
    assert np.abs(numpy_of(got) - want).max(initial=0) <= error


@floating
def test_ranks(dtype):
    """Tolerances: the default, a number, one for each matrix."""
    diagonals = [[4, 2, 1], [4, 2, 0], [4, 1e-3, 0], [0, 0, 0]]
    values = np.asarray([np.diag(d) for d in diagonals]).astype(dtype)
    x = xp.asarray(values)
    real = PART.get(dtype, dtype)
    assert_array(xp.linalg.matrix_rank(x), np.asarray([3, 2, 2, 0]))
    assert_array(xp.linalg.matrix_rank(x, rtol=0.01), np.asarray([3, 2, 1, 0]))
    each = xp.asarray(np.asarray([0.3, 0.6, 0.0, 0.5]).astype(real))
    assert_array(xp.linalg.matrix_rank(x, rtol=each), np.asarray([2, 1, 2, 0]))
    assert_array(xp.linalg.matrix_rank(x[0, :2, :]), np.asarray(2))
    cut = xp.linalg.pinv(x[0, ...], rtol=0.3)
    assert_array(cut, np.diag([0.25, 0.5, 0]).astype(dtype), ulp=8)
    assert_array(xp.linalg.pinv(x[:2, ...], rtol=each[:2])[1, ...], np.diag([0.25, 0, 0]).astype(dtype), ulp=8)


@floating
def test_empty_stacks_and_matrices(dtype):
    for shape in ((0, 3, 3), (2, 0, 0)):
        x = xp.asarray(np.zeros(shape, dtype))
        assert_is(xp.linalg.inv(x), shape, dtype)
        assert_array(xp.linalg.det(x), np.ones(shape[:-2], dtype))
        assert_is(xp.linalg.cholesky(x), shape, dtype)
        assert_is(xp.linalg.eigh(x).eigenvectors, shape, dtype)
        assert_is(xp.linalg.svdvals(x), shape[:-1], PART.get(dtype, dtype))


def test_decompositions_refuse_vectors_and_oblong_matrices():
    wrong = (ValueError, getattr(xp.linalg, "LinAlgError", ValueError), getattr(np.linalg, "LinAlgError", ValueError))
    for name in ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet"):
        for shape in ((3,), (2, 3), ()):
            with pytest.raises(wrong):
                getattr(xp.linalg, name)(xp.ones(shape))
    for name in ("qr", "svd", "svdvals", "pinv", "matrix_norm", "diagonal", "trace"):
        with pytest.raises(wrong):
            getattr(xp.linalg, name)(xp.ones(3))
    with pytest.raises(wrong):
        xp.linalg.qr(xp.ones((2, 2)), mode="raw-ish")
    with pytest.raises(wrong):
        xp.linalg.cholesky(xp.asarray([[1.0, 2.0], [2.0, 1.0]]))
