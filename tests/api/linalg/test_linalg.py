"""Linear algebra against NumPy: every dtype, stacks, zero sizes, layouts, threads; what is refused and how."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py import linalg

DTYPES = ["float32", "float64", "complex64", "complex128"]
STACKS = [(), (3,), (2, 3), (0,), (2, 0)]
SHAPES = [(1, 1), (4, 4), (5, 3), (3, 5), (6, 1), (1, 6)]
EMPTY = [(0, 0), (0, 3), (3, 0)]
SIZES = [1, 2, 5, 0]


def eps(dtype):
    return float(np.finfo(dtype).eps)


def numbers(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if "complex" in dtype:
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def hermitian(shape, dtype="float64", seed=0):
    x = numbers(shape, dtype, seed)
    return x + np.conj(np.swapaxes(x, -1, -2))


def positive_definite(shape, dtype="float64", seed=0):
    x = numbers(shape, dtype, seed)
    return x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(shape[-1], dtype=dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def values(x):
    return np.asarray(x)


def assert_close(got, want, dtype, factor=200.0):
    assert isinstance(got, nd.NDArray)
    assert got.dtype == dtype
    assert got.shape == want.shape
    scale = max(float(np.max(np.abs(want), initial=0)), 1.0)
    np.testing.assert_allclose(values(got), want, rtol=factor * eps(dtype), atol=factor * eps(dtype) * scale)


def real_of(dtype):
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def complex_of(dtype):
    return {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)


every_dtype = pytest.mark.parametrize("dtype", DTYPES)
every_stack = pytest.mark.parametrize("stack", STACKS, ids=str)
every_shape = pytest.mark.parametrize("shape", SHAPES + EMPTY, ids=str)
every_size = pytest.mark.parametrize("n", SIZES)


@pytest.mark.sampled(2)
@every_dtype
@every_stack
@every_shape
@pytest.mark.parametrize("full", [True, False])
def test_svd(dtype, stack, shape, full):
    x = numbers((*stack, *shape), dtype)
    u, s, vh = linalg.svd(nd.asarray(x), full_matrices=full)
    wanted = np.linalg.svd(x, full_matrices=full)
    assert (u.shape, s.shape, vh.shape) == tuple(part.shape for part in wanted)
    assert (u.dtype, s.dtype, vh.dtype) == (dtype, real_of(dtype), dtype)
    assert_close(s, wanted.S, real_of(dtype))
    assert_close(linalg.svdvals(nd.asarray(x)), wanted.S, real_of(dtype))
    k = s.shape[-1]
    rebuilt = (values(u)[..., :k] * values(s)[..., None, :]) @ values(vh)[..., :k, :]
    np.testing.assert_allclose(rebuilt, x, atol=100 * eps(dtype))
    for basis in (values(u), adjoint(values(vh))):
        identity = np.broadcast_to(np.eye(basis.shape[-1]), (*stack, basis.shape[-1], basis.shape[-1]))
        np.testing.assert_allclose(adjoint(basis) @ basis, identity, atol=100 * eps(dtype))


@pytest.mark.sampled(2)
@every_dtype
@every_stack
@every_shape
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr(dtype, stack, shape, mode):
    x = numbers((*stack, *shape), dtype)
    q, r = linalg.qr(nd.asarray(x), mode=mode)
    wanted = np.linalg.qr(x, mode=mode)
    assert (q.shape, r.shape, q.dtype, r.dtype) == (wanted.Q.shape, wanted.R.shape, dtype, dtype)
    np.testing.assert_allclose(values(q) @ values(r), x, atol=100 * eps(dtype))
    np.testing.assert_array_equal(values(r), np.triu(values(r)))
    identity = np.broadcast_to(np.eye(q.shape[-1]), (*stack, q.shape[-1], q.shape[-1]))
    np.testing.assert_allclose(adjoint(values(q)) @ values(q), identity, atol=100 * eps(dtype))


@every_dtype
@every_stack
@every_size
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(dtype, stack, n, upper):
    x = positive_definite((*stack, n, n), dtype)
    assert_close(linalg.cholesky(nd.asarray(x), upper=upper), np.linalg.cholesky(x, upper=upper), dtype)


@every_dtype
@every_stack
@every_size
def test_eigh(dtype, stack, n):
    x = hermitian((*stack, n, n), dtype)
    result = linalg.eigh(nd.asarray(x))
    w, v = result
    assert result._fields == ("eigenvalues", "eigenvectors")
    assert_close(w, np.linalg.eigvalsh(x), real_of(dtype))
    assert_close(linalg.eigvalsh(nd.asarray(x)), np.linalg.eigvalsh(x), real_of(dtype))
    assert (v.shape, v.dtype) == (x.shape, dtype)
    np.testing.assert_allclose(x @ values(v), values(v) * values(w)[..., None, :], atol=300 * eps(dtype))
    np.testing.assert_allclose(
        adjoint(values(v)) @ values(v), np.broadcast_to(np.eye(n), x.shape), atol=99 * eps(dtype)
    )


def test_eigh_reads_the_lower_triangle():
    x = hermitian((4, 4), "complex128")
    spoiled = nd.asarray(np.tril(x) + np.triu(np.full((4, 4), 7.0), 1))
    assert_close(linalg.eigh(spoiled).eigenvalues, np.linalg.eigvalsh(x), "float64")


@every_dtype
@every_stack
@every_size
def test_eig(dtype, stack, n):
    x = numbers((*stack, n, n), dtype)
    w, v = linalg.eig(nd.asarray(x))
    assert (w.shape, w.dtype) == (x.shape[:-1], complex_of(dtype))
    assert (v.shape, v.dtype) == (x.shape, complex_of(dtype))
    wanted = np.linalg.eigvals(x)
    for found in (values(w), values(linalg.eigvals(nd.asarray(x)))):
        np.testing.assert_allclose(
            np.sort_complex(found), np.sort_complex(wanted), rtol=1e3 * eps(dtype), atol=1e3 * eps(dtype)
        )
    np.testing.assert_allclose(x @ values(v), values(v) * values(w)[..., None, :], atol=500 * eps(dtype))
    np.testing.assert_allclose(np.linalg.norm(values(v), axis=-2), np.ones(w.shape), rtol=50 * eps(dtype))


def test_eig_of_real_eigenvalues_is_complex():
    result = linalg.eig(nd.asarray([[2.0, 0.0], [0.0, 3.0]]))
    assert result.eigenvalues.dtype == result.eigenvectors.dtype == nd.complex128
    np.testing.assert_array_equal(values(result.eigenvalues), [2, 3])


@every_dtype
@every_stack
@every_size
def test_inv_and_determinants(dtype, stack, n):
    x = numbers((*stack, n, n), dtype) + 3 * np.eye(n, dtype=dtype)
    assert_close(linalg.inv(nd.asarray(x)), np.linalg.inv(x), dtype)
    assert_close(linalg.det(nd.asarray(x)), np.asarray(np.linalg.det(x)), dtype)
    sign, logarithm = linalg.slogdet(nd.asarray(x))
    wanted = np.linalg.slogdet(x)
    assert_close(sign, np.asarray(wanted.sign), dtype)
    assert_close(logarithm, np.asarray(wanted.logabsdet), real_of(dtype))


def test_determinants_of_special_matrices():
    assert linalg.det(nd.asarray([[1.0, 2.0], [3.0, 4.0]])).item() == -2
    assert linalg.det(nd.zeros((0, 0))).item() == 1
    assert linalg.det(nd.asarray([[1.0, 2.0], [2.0, 4.0]])).item() == 0
    sign, logarithm = linalg.slogdet(nd.asarray([[1.0, 2.0], [2.0, 4.0]]))
    assert (sign.item(), logarithm.item()) == (0, -np.inf)
    huge = np.diag([1e200, 1e200, 1e-200, -1e-200])
    np.testing.assert_allclose(linalg.det(nd.asarray(huge)).item(), -1, rtol=1e-12)
    assert linalg.det(nd.asarray(np.diag([1e200, 1e200]))).item() == np.inf
    assert linalg.slogdet(nd.asarray(np.diag([1e200] * 4))).logabsdet.item() == pytest.approx(800 * np.log(10))
    for function in (linalg.det, lambda x: linalg.slogdet(x).logabsdet):
        assert np.isnan(function(nd.asarray([[np.nan, 1.0], [1.0, 1.0]])).item())


@every_dtype
@pytest.mark.parametrize("left, right", [
    ((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3, 4)), ((3, 3), (2, 3, 4)),
    ((2, 1, 3, 3), (5, 3, 2)), ((3, 3), (0, 3, 4)), ((0, 0), (0,)), ((0, 0), (0, 3)), ((2, 3, 3), (3, 0)),
    ((0, 3, 3), (3, 2)), ((4, 3, 3), (4, 2, 4, 3, 5)), ((2, 3, 3), (3, 3)),
], ids=str)  # fmt: skip
def test_solve(dtype, left, right):
    a, b = numbers(left, dtype, 1), numbers(right, dtype, 2)
    if len(left) == 3 and len(right) == 5:
        a = a[:, None]
        a = np.broadcast_to(a, (4, 1, 3, 3))
        b = np.broadcast_to(b[:, :, 0], (4, 2, 3, 5))
        a = np.broadcast_to(a, (4, 2, 3, 3))
    wanted = np.linalg.solve(a, b)
    assert_close(linalg.solve(nd.asarray(a), nd.asarray(b)), wanted, dtype, factor=2000)


def test_solve_promotes():
    a, b = numbers((3, 3), "float32"), numbers((3,), "complex128")
    assert_close(linalg.solve(nd.asarray(a), nd.asarray(b)), np.linalg.solve(a, b), "complex128", factor=2000)


@every_dtype
@every_stack
@every_shape
def test_pinv_and_rank(dtype, stack, shape):
    x = numbers((*stack, *shape), dtype)
    assert_close(linalg.pinv(nd.asarray(x)), np.linalg.pinv(x), dtype, factor=1000)
    rank = linalg.matrix_rank(nd.asarray(x))
    assert rank.dtype == nd.int64
    np.testing.assert_array_equal(values(rank), np.linalg.matrix_rank(x))


def test_rank_deficient():
    x = numbers((3, 6, 2), seed=1) @ numbers((3, 2, 5), seed=2)
    np.testing.assert_array_equal(values(linalg.matrix_rank(nd.asarray(x))), [2, 2, 2])
    assert_close(linalg.pinv(nd.asarray(x)), np.linalg.pinv(x, rtol=1e-14), "float64", factor=1e4)
    scaled = nd.asarray(np.diag([1.0, 1e-3, 1e-6]) + np.zeros((2, 3, 3)))
    np.testing.assert_array_equal(values(linalg.matrix_rank(scaled, rtol=nd.asarray([1e-2, 1e-5]))), [1, 2])
    np.testing.assert_array_equal(values(linalg.matrix_rank(scaled, rtol=1e-7)), [3, 3])
    got = values(linalg.pinv(scaled, rtol=nd.asarray([1e-2, 1e-5])))
    np.testing.assert_allclose(got, [np.diag([1, 0, 0]), np.diag([1, 1e3, 0])], atol=1e-9)


@every_dtype
@pytest.mark.parametrize("left, right", [
    ((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3, 2)), ((4, 4), (4,)), ((0, 3), (0,)), ((3, 0), (3, 2)),
    ((5, 3), (5, 0)), ((0, 0), (0, 2)),
], ids=str)  # fmt: skip
def test_lstsq(dtype, left, right):
    a, b = numbers(left, dtype, 1), numbers(right, dtype, 2)
    x, residuals, rank, s = linalg.lstsq(nd.asarray(a), nd.asarray(b))
    wanted = np.linalg.lstsq(a, b)
    assert_close(x, wanted[0], dtype, factor=1000)
    np.testing.assert_allclose(values(residuals), wanted[1], rtol=1e4 * eps(dtype))
    assert rank.item() == wanted[2]
    assert_close(s, wanted[3], real_of(dtype))


def test_lstsq_of_deficient_rank():
    a = numbers((6, 2), seed=1) @ numbers((2, 4), seed=2)
    b = numbers((6,), seed=3)
    x, residuals, rank, _ = linalg.lstsq(nd.asarray(a), nd.asarray(b), 1e-10)
    np.testing.assert_allclose(values(x), np.linalg.lstsq(a, b, 1e-10)[0], atol=1e-10)
    assert (rank.item(), residuals.shape) == (2, (0,))


@every_dtype
@every_stack
@pytest.mark.parametrize("power", [-3, -1, 0, 1, 2, 3, 6, 7])
def test_matrix_power(dtype, stack, power):
    x = numbers((*stack, 3, 3), dtype) + 2 * np.eye(3, dtype=dtype)
    assert_close(linalg.matrix_power(nd.asarray(x), power), np.linalg.matrix_power(x, power), dtype, factor=5000)


def test_matrix_power_is_no_alias():
    x = nd.eye(2)
    linalg.matrix_power(x, 1)[0, 0] = 5
    assert x[0, 0].item() == 1
    np.testing.assert_array_equal(values(linalg.matrix_power(nd.asarray([[1, 1], [1, 0]]), 10)), [[89, 55], [55, 34]])


# What is converted and what is refused.


def results_of(result):
    """The arrays of one result or of several."""
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name, arguments", [
    ("cholesky", 1), ("det", 1), ("eig", 1), ("eigh", 1), ("eigvals", 1), ("eigvalsh", 1), ("inv", 1), ("pinv", 1),
    ("matrix_norm", 1), ("matrix_rank", 1), ("qr", 1), ("slogdet", 1), ("solve", 2), ("svd", 1), ("svdvals", 1),
    ("vector_norm", 1), ("lstsq", 2), ("cond", 1),
])  # fmt: skip
def test_dtypes_and_objects(name, arguments):
    function = getattr(linalg, name)
    whole = [nd.asarray([[2, 1], [1, 3]])] * arguments
    wanted = results_of(function(*[x.astype("float64") for x in whole]))
    for got, want in zip(results_of(function(*whole)), wanted, strict=True):
        np.testing.assert_array_equal(values(got), values(want))  # integers are computed in float64
    for got, want in zip(results_of(function(*[x.tolist() for x in whole])), wanted, strict=True):
        np.testing.assert_array_equal(values(got), values(want))
    with pytest.raises(TypeError, match=rf"{name}: needs .*given.*dict.*asarray"):
        function(*[{1: 2}] * arguments)
    if name != "vector_norm":
        with pytest.raises(TypeError, match=rf"{name}: no float16 loop; convert first, x.astype\('float32'\)"):
            function(*[nd.ones((2, 2), dtype="float16")] * arguments)


def test_numpy_arrays_are_operands():
    x = hermitian((3, 3))
    assert_close(linalg.eigvalsh(x), np.linalg.eigvalsh(x), "float64")
    assert_close(linalg.solve(x, nd.asarray(x)), np.eye(3), "float64", factor=2000)


@pytest.mark.parametrize("name", ["cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet"])
def test_square_matrices_are_needed(name):
    with pytest.raises(ValueError, match=rf"{name}: needs square matrices.*given shape \(2, 3\)"):
        getattr(linalg, name)(nd.ones((2, 3)))
    with pytest.raises(ValueError, match=rf"{name}: needs a matrix.*given shape \(3,\)"):
        getattr(linalg, name)(nd.ones(3))


@pytest.mark.parametrize("call, text", [
    (lambda: linalg.solve(nd.ones((2, 2)), nd.ones(3)), r"solve: x2 must be \(n,\) or .*n = 2, given shape \(3,\)"),
    (lambda: linalg.solve(nd.ones((2, 2)), nd.ones(())), r"solve: x2 must be .*given shape \(\)"),
    (lambda: linalg.solve(nd.ones((2, 2, 2)), nd.ones((3, 2, 2))), "do not broadcast"),
    (lambda: linalg.qr(nd.ones((2, 2)), mode="raw"), "mode must be one of 'reduced', 'complete', 'r', given 'raw'"),
    (lambda: linalg.matrix_norm(nd.ones((2, 2)), ord=3), "matrix_norm: ord must be .*given 3"),
    (lambda: linalg.lstsq(nd.ones((2, 2)), nd.ones(3)), r"lstsq: needs a .*given shapes \(2, 2\) and \(3,\)"),
    (lambda: linalg.outer(nd.ones((2, 2)), nd.ones(3)), "outer: needs vectors"),
    (lambda: linalg.cond(nd.ones((2, 3)), 1), "cond: p=1 needs square matrices"),
    (lambda: linalg.cond(nd.ones((0, 0))), "cond: a matrix without elements"),
    (lambda: linalg.matrix_power(nd.ones((2, 3)), 2), "matrix_power: needs square matrices"),
])  # fmt: skip
def test_wrong_arguments(call, text):
    with pytest.raises(ValueError, match=text):
        call()


SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


@every_dtype
def test_matrices_without_result(dtype):
    assert issubclass(linalg.LinAlgError, ValueError)
    stack = nd.asarray(np.asarray([np.eye(2)] * 6).reshape(2, 3, 2, 2).astype(dtype))
    stack[1, 2, ...] = nd.asarray(SINGULAR).astype(dtype)
    for call, text in (
        (lambda: linalg.inv(stack), r"inv: matrix \(1, 2\) of the stack is singular"),
        (lambda: linalg.solve(stack[1], stack[1]), "solve: matrix 2 of the stack is singular"),
        (lambda: linalg.solve(stack[1, 2], stack[1, 2, 0]), "solve: the matrix is singular"),
        (lambda: linalg.cholesky(-stack[0]), "cholesky: matrix 0 of the stack is not positive definite"),
        (lambda: linalg.matrix_power(stack, -2), "is singular"),
    ):
        with pytest.raises(linalg.LinAlgError, match=text):
            call()


@every_dtype
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["svd", "svdvals", "eig", "eigvals", "eigh", "eigvalsh", "pinv", "matrix_rank"])
def test_nan_and_infinity_are_refused(name, bad, dtype):
    x = numbers((2, 40, 40), dtype)
    x[1, 3, 5] = bad
    x[1, 5, 3] = bad
    with pytest.raises(linalg.LinAlgError, match="matrix 1 of the stack holds NaN or infinity"):
        getattr(linalg, name)(nd.asarray(x))


def test_nan_in_systems():
    x = nd.asarray([[np.nan, 1.0], [1.0, 1.0]])
    for call in (lambda: linalg.lstsq(x, x), lambda: linalg.cholesky(x)):
        with pytest.raises(linalg.LinAlgError, match="the matrix holds NaN or infinity"):
            call()
    try:
        assert np.isnan(values(linalg.inv(x))).any()
    except linalg.LinAlgError as error:
        assert "holds NaN or infinity" in str(error)


# Layouts, threads, names.


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 6), stack=st.sampled_from([(), (3,)]), dtype=st.sampled_from(DTYPES),
    layout=st.sampled_from(["transposed", "reversed", "strided", "repeated"]),
)  # fmt: skip
def test_every_layout(n, stack, dtype, layout):
    x = positive_definite((*stack, n, n), dtype)
    ours = {
        "transposed": lambda: nd.asarray(np.ascontiguousarray(x.mT)).mT,
        "reversed": lambda: nd.asarray(np.ascontiguousarray(x[..., ::-1, ::-1]))[..., ::-1, ::-1],
        "strided": lambda: nd.asarray(np.repeat(x, 2, -1))[..., ::2],
        "repeated": lambda: nd.asarray(x)[None].broadcast_to((2, *x.shape)),
    }[layout]()
    x = values(ours)
    assert_close(linalg.inv(ours), np.linalg.inv(x), dtype, factor=3000)
    assert_close(linalg.cholesky(ours), np.linalg.cholesky(x), dtype, factor=1000)
    assert_close(linalg.svdvals(ours), np.linalg.svdvals(x), real_of(dtype), factor=1000)
    assert_close(abs(linalg.qr(ours).R), abs(np.linalg.qr(x).R), real_of(dtype), factor=1000)
    assert_close(linalg.det(ours), np.asarray(np.linalg.det(x)), dtype, factor=3000)
    assert_close(linalg.eigvalsh(ours), np.linalg.eigvalsh(x), real_of(dtype), factor=1000)
    assert_close(linalg.solve(ours, ours), np.broadcast_to(np.eye(n), x.shape).astype(dtype), dtype, factor=3000)


def everything(x):
    """All results of one stack of matrices as bytes."""
    definite = x @ nd.conj(x.mT) + nd.eye(x.shape[-1], dtype=x.dtype)
    results = [
        *linalg.svd(x), *linalg.qr(x), *linalg.eigh(definite), *linalg.eig(x), linalg.inv(definite),
        linalg.cholesky(definite), linalg.det(x), *linalg.slogdet(x), linalg.solve(definite, x), linalg.pinv(x),
    ]  # fmt: skip
    return [bytes(memoryview(result)) for result in results]


@pytest.mark.parametrize("shape", [(200, 8, 8), (3, 150, 150), (400, 400)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_threads_change_no_bit(shape, dtype):
    x = nd.asarray(numbers(shape, dtype))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(everything(x))
    assert results[0] == results[1] == results[2]


def test_many_python_threads_at_once():
    x = nd.asarray(numbers((20, 12, 12)))
    wanted = everything(x)
    wrong = []

    def work():
        for _ in range(10):
            if everything(x) != wanted:
                wrong.append(threading.get_ident())

    workers = [threading.Thread(target=work) for _ in range(5)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@pytest.mark.parametrize("n", [512, 700])
@every_dtype
def test_large_matrices(n, dtype):
    x, definite = numbers((n, n), dtype), positive_definite((n, n), dtype)
    ours, results = nd.asarray(x), []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            factors = [linalg.cholesky(nd.asarray(definite), upper=upper) for upper in (False, True)]
            solved = [linalg.inv(ours), linalg.solve(ours, ours[:, :5]), *linalg.slogdet(ours)]
        results.append([bytes(memoryview(result)) for result in factors + solved])
    assert results[0] == results[1] == results[2]
    for factor, upper in zip(factors, (False, True), strict=True):
        assert_close(factor, np.linalg.cholesky(definite, upper=upper), dtype)
    np.testing.assert_allclose(x @ values(solved[0]), np.eye(n), atol=2e4 * eps(dtype))
    np.testing.assert_allclose(x @ values(solved[1]), x[:, :5], atol=2e4 * eps(dtype))
    assert_close(solved[3], np.asarray(np.linalg.slogdet(x).logabsdet), real_of(dtype))


def test_large_matrices_without_result():
    x = numbers((2, 600, 600))
    x[1, :, 400] = 0
    with pytest.raises(linalg.LinAlgError, match="inv: matrix 1 of the stack is singular"):
        linalg.inv(nd.asarray(x))
    np.testing.assert_array_equal(values(linalg.slogdet(nd.asarray(x)).sign)[1], 0)
    definite = positive_definite((600, 600))
    definite[500, 500] = -1
    with pytest.raises(linalg.LinAlgError, match="cholesky: the matrix is not positive definite"):
        linalg.cholesky(nd.asarray(definite))


def test_operands_are_left_alone():
    x = nd.asarray(positive_definite((3, 4, 4)))
    before = values(x).copy()
    everything(x)
    linalg.lstsq(x[0], x[1])
    np.testing.assert_array_equal(values(x), before)


STANDARD = {
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul", "matrix_norm",
    "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
    "tensordot", "trace", "vecdot", "vector_norm",
}  # fmt: skip


def test_the_standard_is_complete():
    import nd4py.linalg

    assert set(nd.linalg.__all__) >= STANDARD
    assert set(nd4py.linalg.__all__) == set(linalg.__all__)
    assert all(getattr(nd4py.linalg, name) is getattr(nd.linalg, name) for name in STANDARD)
    assert linalg.svd(nd.eye(2))._fields == ("U", "S", "Vh")
    assert linalg.qr(nd.eye(2))._fields == ("Q", "R")
    assert linalg.slogdet(nd.eye(2))._fields == ("sign", "logabsdet")
    assert linalg.eig(nd.eye(2))._fields == ("eigenvalues", "eigenvectors")
