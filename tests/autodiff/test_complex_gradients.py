"""Gradients for complex numbers, first and second, against central differences of both parts."""

import numpy as np
import pytest

import nd4py as nd

STEP = 1e-5
RNG = np.random.default_rng(11)


def numbers(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


def reals(*shape):
    return RNG.normal(size=shape)


def definite(n):
    a = numbers(n, n)
    return a @ a.conj().T + n * np.eye(n)


def hermitian(x):
    return (x + nd.conj(x).mT) / 2


UNARY = [
    *("negative", "square", "reciprocal", "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "abs", "sign", "conj", "real", "imag"),
    *("angle", "positive"),
]
FUNCTIONS = {
    **{name: (getattr(nd, name), numbers(3)) for name in UNARY},
    "real of the array": (lambda z: z.real**2, numbers(3)),
    "imag of the array": (lambda z: z.imag**2, numbers(2, 3)),
    "real_if_close": (lambda z: nd.real_if_close(z, 1e30) ** 2, numbers(3)),
    "add": (nd.add, numbers(2, 3), numbers(3)),
    "subtract": (nd.subtract, reals(3), numbers(3)),
    "multiply": (nd.multiply, numbers(2, 1), reals(3)),
    "divide": (nd.divide, reals(3), numbers(3)),
    "pow": (nd.pow, numbers(3), numbers(3)),
    "number": (lambda z: z * (2 - 1j) + 1j, reals(3)),
    "where": (lambda z, w: nd.where(nd.asarray([True, False, True]), z, w), numbers(3), reals(3)),
    "astype": (lambda x: x.astype("complex128") * 1j, reals(3)),
    "sum": (lambda z: nd.sum(z, axis=0) ** 2, numbers(2, 3)),
    "mean": (lambda z: nd.mean(z, axis=1) ** 2, numbers(2, 3)),
    "prod": (lambda z: nd.prod(z, axis=1), numbers(2, 3)),
    "prod of zeros": (nd.prod, np.asarray([0j, 2j, 0j])),
    "cumulative_sum": (lambda z: nd.cumulative_sum(z) ** 2, numbers(4)),
    "cumulative_prod": (nd.cumulative_prod, numbers(4)),
    "vector_norm": (nd.linalg.vector_norm, numbers(3)),
    "matmul": (nd.matmul, numbers(2, 3), numbers(3, 2)),
    "matmul with reals": (nd.matmul, reals(2, 3), numbers(3)),
    "vecdot": (nd.vecdot, numbers(3), numbers(3)),
    "einsum": (lambda a, b: nd.einsum("ij,kj->ik", a, b), numbers(2, 3), numbers(2, 3)),
    "outer": (nd.linalg.outer, numbers(2), numbers(3)),
    "kron": (nd.kron, numbers(2), reals(2)),
    "concat": (lambda z, x: nd.concat([z, x]) ** 2, numbers(2), reals(2)),
    "stack": (lambda z, x: nd.stack([z, x]) ** 2, numbers(2), reals(2)),
    "index": (lambda z: z[nd.asarray([0, 2, 0])] ** 2, numbers(3)),
    "index_add": (lambda z, x: nd.index_add(z, [0, 0], x) ** 2, numbers(2), reals(2)),
    "reshape": (lambda z: z.reshape((3, 2)).mT[0] ** 2, numbers(2, 3)),
    "solve": (nd.linalg.solve, numbers(3, 3), numbers(3, 2)),
    "inv": (nd.linalg.inv, numbers(3, 3)),
    "pinv": (nd.linalg.pinv, numbers(3, 2)),
    "det": (nd.linalg.det, numbers(3, 3)),
    "slogdet": (lambda z: nd.linalg.slogdet(z).logabsdet, numbers(3, 3)),
    "slogdet's sign": (lambda z: nd.linalg.slogdet(z).sign, numbers(3, 3)),
    "cholesky": (lambda z: nd.linalg.cholesky(hermitian(z)), definite(3)),
    "cholesky, upper": (lambda z: nd.linalg.cholesky(hermitian(z), upper=True), definite(3)),
    "eigvalsh": (lambda z: nd.linalg.eigvalsh(hermitian(z)), definite(3)),
    "eigenvectors": (lambda z: nd.abs(nd.linalg.eigh(hermitian(z)).eigenvectors), definite(3)),
    "svd": (lambda z: nd.abs(nd.linalg.svd(z, full_matrices=False).U), numbers(3, 2)),
    "svd's products": (lambda z: (lambda y: y.U * y.S**2 @ y.Vh)(nd.linalg.svd(z, full_matrices=False)), numbers(2, 3)),
    "svdvals": (nd.linalg.svdvals, numbers(3, 2)),
    "lstsq": (lambda a, b: nd.linalg.lstsq(a, b)[0], numbers(4, 2), numbers(4)),
    "fft": (nd.fft.fft, numbers(2, 4)),
    "fft of reals": (lambda x: nd.fft.fft(x, n=6, norm="ortho"), reals(4)),
    "fft, cut": (lambda z: nd.fft.fft(z, n=3, axis=0, norm="forward"), numbers(5, 2)),
    "ifft": (nd.fft.ifft, numbers(5)),
    "rfft": (nd.fft.rfft, reals(2, 5)),
    "rfft, cut": (lambda x: nd.fft.rfft(x, n=4, axis=0), reals(5, 2)),
    "irfft": (nd.fft.irfft, numbers(4)),
    "irfft of odd length": (lambda z: nd.fft.irfft(z, n=7, norm="ortho"), numbers(3)),
    "hfft": (nd.fft.hfft, numbers(4)),
    "ihfft": (nd.fft.ihfft, reals(6)),
    "fft2": (nd.fft.fft2, numbers(2, 3)),
    "rfftn": (nd.fft.rfftn, reals(2, 3)),
    "irfftn": (lambda z: nd.fft.irfftn(z, s=(2, 3), axes=(0, 1)), numbers(2, 2)),
    "fftshift": (nd.fft.fftshift, numbers(3)),
}


def value_of(function, given):
    """A real number that depends on both parts of all results."""
    y = function(*given)
    a, b = (np.cos(np.arange(y.size) + i).reshape(y.shape) for i in (0, 1))
    if y.dtype.kind == "f":
        return nd.sum(y**2 * nd.asarray(a))
    return nd.sum(nd.real(y) * nd.asarray(a)) + nd.sum(nd.imag(y) ** 2 * nd.asarray(b))


def directions(operands, seed):
    rng = np.random.default_rng(seed)
    kinds = [np.iscomplexobj(x) for x in operands]
    return [rng.normal(size=x.shape) + (1j * rng.normal(size=x.shape) if kind else 0)
            for x, kind in zip(operands, kinds, strict=True)]  # fmt: skip


def along(gradients, direction):
    """The slope in a direction: the real inner product."""
    return sum(nd.sum(nd.real(g * nd.asarray(np.conj(d)))) for g, d in zip(gradients, direction, strict=True))


def check(function, operands, direction):
    found = nd.grad(function, tuple(range(len(operands))))(*map(nd.asarray, operands))
    for g, x in zip(found, operands, strict=True):
        assert (g.dtype.kind == "c") == np.iscomplexobj(x)

    def moved(by):
        return float(function(*(nd.asarray(x + by * d) for x, d in zip(operands, direction, strict=True))))

    want = (moved(STEP) - moved(-STEP)) / (2 * STEP)
    assert float(along(found, direction)) == pytest.approx(want, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name):
    function, *operands = FUNCTIONS[name]
    check(lambda *given: value_of(function, given), operands, directions(operands, 1))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name):
    function, *operands = FUNCTIONS[name]
    first = directions(operands, 2)

    def slope(*given):
        gradients = nd.grad(lambda *given: value_of(function, given), tuple(range(len(operands))))(*given)
        return along(gradients, first)

    check(slope, operands, directions(operands, 1))


def test_gradients_point_uphill():
    z = nd.asarray([3.0 + 4.0j])
    assert nd.grad(lambda z: nd.sum(nd.real(z * nd.conj(z))))(z).tolist() == [6.0 + 8.0j]
    assert nd.grad(lambda z: nd.sum(nd.abs(z)))(z).tolist() == [0.6 + 0.8j]
    assert nd.grad(lambda z: nd.sum(nd.imag(z)))(z).tolist() == [1j]
    assert nd.grad(lambda z: nd.sum(nd.abs(z)))(nd.asarray([0j])).tolist() == [0j]


def test_products_with_vectors():
    z, t = nd.asarray([1.0 + 2.0j, -1j]), nd.asarray([0.5 - 1j, 2.0 + 0j])
    value, derivative = nd.jvp(nd.exp, (z,), (t,))
    np.testing.assert_allclose(np.asarray(derivative), np.asarray(nd.exp(z) * t), rtol=1e-14)
    _, pull = nd.vjp(nd.exp, z)
    np.testing.assert_allclose(np.asarray(pull(t)[0]), np.asarray(nd.conj(nd.exp(z)) * t), rtol=1e-14)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_dtypes_are_kept(dtype):
    z = nd.asarray([1.0 + 2.0j, -1j], dtype=dtype)
    for function in (lambda z: nd.sum(nd.abs(nd.fft.fft(z))), lambda z: nd.sum(nd.real(nd.exp(z) * 2j))):
        assert nd.grad(function)(z).dtype == dtype


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda z: nd.sum(z), "must return a real number, given complex128; end it with nd4py.real or nd4py.abs"),
        (lambda z: nd.sum(nd.abs(nd.linalg.qr(z.reshape((1, 2))).Q)), "qr of complex matrices have no gradient"),
    ],
)
def test_what_has_none_says_so(function, words):
    with pytest.raises((TypeError, NotImplementedError), match=words):
        nd.grad(function)(nd.asarray([1.0 + 2.0j, -1j]))


def test_matrices_of_derivatives_are_of_real_numbers():
    with pytest.raises(TypeError, match="jacobian: needs real arrays"):
        nd.jacobian(nd.exp)(nd.asarray([1j]))
