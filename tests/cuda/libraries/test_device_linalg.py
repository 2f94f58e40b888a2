"""Factorizations and Fourier transforms of a device's library: here NumPy's, on the memory of simulated devices."""

import numpy as np
import pytest
from device_training import numpy_of
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda import UnsupportedOnDevice
from nd4py.linalg import LinAlgError

pytestmark = pytest.mark.usefixtures("simulator")

RNG = np.random.default_rng(2)
DTYPES = ["float32", "float64", "complex64", "complex128"]
SHAPES = [(3, 3), (5, 3), (3, 5), (2, 3, 3), (2, 2, 4, 3), (0, 3, 3), (3, 0), (0, 3), (2, 0, 0)]


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def numbers(shape, dtype):
    values = RNG.normal(size=shape) + (1j * RNG.normal(size=shape) if dtype.startswith("complex") else 0)
    return values.astype(dtype)


def definite(x):
    return x @ x.conj().swapaxes(-1, -2) + 3 * np.eye(x.shape[-1], dtype=x.dtype)


def arrays_of(found):
    return list(found) if isinstance(found, tuple) else [found]


def assert_as_on_host(function, *operands):
    """The host's dtypes, shapes and values: NumPy and the host call one LAPACK's algorithms."""
    found, wanted = function(*map(on, operands)), function(*map(nd.asarray, operands))
    assert type(found) is type(wanted) or not isinstance(wanted, tuple)
    for got, want in zip(arrays_of(found), arrays_of(wanted), strict=True):
        got, want = numpy_of(got), np.asarray(want)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        epsilon = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
        np.testing.assert_allclose(got, want, rtol=100 * epsilon, atol=100 * epsilon)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_factorizations_of_any_matrices(shape, dtype):
    x = numbers(shape, dtype)
    for is_full in (False, True):
        u, s, vh = map(numpy_of, nd.linalg.svd(on(x), full_matrices=is_full))
        k = min(shape[-2:])
        np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], x, atol=1e-4)
        assert (u.dtype, s.dtype) == (x.dtype, x.real.dtype)
        want = nd.linalg.svd(nd.asarray(x), full_matrices=is_full)
        assert [y.shape for y in (u, s, vh)] == [y.shape for y in want]
    for mode in ("reduced", "complete"):
        assert_as_on_host(lambda x, mode=mode: nd.linalg.qr(x, mode), x)
    assert_as_on_host(nd.linalg.svdvals, x)
    assert_as_on_host(nd.linalg.matrix_rank, x)
    assert_as_on_host(nd.linalg.pinv, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [s for s in SHAPES if s[-1] == s[-2]], ids=str)
def test_factorizations_of_square_matrices(shape, dtype):
    x, b = numbers(shape, dtype), numbers((*shape[:-1], 2), dtype)
    for upper in (False, True):
        assert_as_on_host(lambda x, upper=upper: nd.linalg.cholesky(x, upper=upper), definite(x))
    assert_as_on_host(nd.linalg.det, x)
    assert_as_on_host(nd.linalg.slogdet, x)
    assert_as_on_host(nd.linalg.inv, definite(x))
    assert_as_on_host(nd.linalg.solve, definite(x), b)
    assert_as_on_host(nd.linalg.eigvalsh, definite(x))
    values, vectors = map(numpy_of, nd.linalg.eigh(on(definite(x))))
    np.testing.assert_allclose(definite(x) @ vectors, vectors * values[..., None, :], atol=1e-3)
    values, vectors = map(numpy_of, nd.linalg.eig(on(x)))
    np.testing.assert_allclose(x @ vectors, vectors * values[..., None, :], atol=1e-3)
    assert values.dtype == vectors.dtype == np.result_type(dtype, "complex64")
    assert sorted(numpy_of(nd.linalg.eigvals(on(x))).ravel(), key=abs) == pytest.approx(
        sorted(values.ravel(), key=abs), rel=1e-3, abs=1e-4
    )


def test_only_one_triangle_is_read():
    x = definite(numbers((4, 4), "complex128"))
    lower, upper = np.tril(x) + np.triu(np.full((4, 4), 9), 1), np.triu(x) + np.tril(np.full((4, 4), 9), -1)
    factor = np.linalg.cholesky(x)
    np.testing.assert_allclose(numpy_of(nd.linalg.cholesky(on(lower))), factor, rtol=1e-12)
    np.testing.assert_allclose(numpy_of(nd.linalg.cholesky(on(upper), upper=True)), factor.conj().T, rtol=1e-12)
    np.testing.assert_allclose(numpy_of(nd.linalg.eigvalsh(on(lower))), np.linalg.eigvalsh(x), rtol=1e-12)


def test_views_stacks_that_broadcast_and_powers():
    a, b = definite(numbers((4, 4), "float64")), numbers((3, 4, 2), "float64")
    assert_as_on_host(nd.linalg.solve, a, b)
    assert_as_on_host(nd.linalg.solve, np.stack([a, a + 1, a + 2]), b[0])
    assert_as_on_host(nd.linalg.solve, a, b[0, :, 0])
    np.testing.assert_allclose(numpy_of(nd.linalg.inv(on(a).mT)), np.linalg.inv(a.T), rtol=1e-10)
    for n in (-2, 0, 3):
        assert_as_on_host(lambda x, n=n: nd.linalg.matrix_power(x, n), a)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        assert_as_on_host(lambda x, order=order: nd.linalg.matrix_norm(x, ord=order), b)
        assert_as_on_host(lambda x, order=order: nd.linalg.cond(x, order), a)
    singular = nd.linalg.cond(on(np.ones((2, 3, 3))), 1)
    assert np.isinf(numpy_of(singular)).all()


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (4, 4), (0, 2), (2, 0)], ids=str)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_least_squares(shape, dtype):
    a = numbers(shape, dtype)
    assert_as_on_host(nd.linalg.lstsq, a, numbers((shape[0], 2), dtype))
    assert_as_on_host(nd.linalg.lstsq, a, numbers((shape[0],), dtype))
    assert_as_on_host(nd.linalg.lstsq, a, numbers((shape[0], 0), dtype))
    lame = a[:, :1] @ a[:1, :] if 0 not in shape else a
    found = nd.linalg.lstsq(on(lame), on(numbers((shape[0], 2), dtype)))
    assert int(found.rank) == min(1, *shape)


def test_matrices_without_a_result_are_named():
    good, bad = np.eye(3), np.zeros((3, 3))
    holey = np.where(good > 0, 1.0, np.nan)
    stack = np.stack([[good, good], [bad, good]])
    for where, x in (("the matrix", bad), (r"matrix \(1, 0\) of the stack", stack)):
        with pytest.raises(LinAlgError, match=f"inv: {where} is singular"):
            nd.linalg.inv(on(x))
        with pytest.raises(LinAlgError, match=f"solve: {where} is singular"):
            nd.linalg.solve(on(x), on(np.ones((*x.shape[:-1], 1))))
        with pytest.raises(LinAlgError, match=f"cholesky: {where} is not positive definite"):
            nd.linalg.cholesky(on(x - np.eye(3) * 0.5))
    for function in (nd.linalg.svd, nd.linalg.svdvals, nd.linalg.eigh, nd.linalg.eigvalsh, nd.linalg.eig,
                     nd.linalg.eigvals):  # fmt: skip
        with pytest.raises(LinAlgError, match=f"{function.__name__}: matrix 1 of the stack holds NaN or infinity"):
            function(on(np.stack([good, holey])))
    with pytest.raises(LinAlgError, match="cholesky: the matrix holds NaN"):
        nd.linalg.cholesky(on(np.diag([1.0, np.nan])))
    assert np.isnan(numpy_of(nd.linalg.solve(on(good), on(np.asarray([1.0, np.nan, 0.0]))))).any()
    with pytest.raises(ValueError, match="inv: needs square matrices"):
        nd.linalg.inv(on(np.ones((2, 3))))
    with pytest.raises(TypeError, match="det: no float16 loop"):
        nd.linalg.det(on(np.eye(2, dtype="float16")))
    with pytest.raises(ValueError, match="different devices"):
        nd.linalg.solve(on(good), nd.ones(3))


def test_libraries_that_do_not_say_what_failed(monkeypatch):
    """cuBLAS's solver of stacks reports nothing: results that are not finite do."""
    monkeypatch.setattr(np.linalg, "solve", lambda a, b: np.stack([b[0], b[1] / 0]))
    with np.errstate(all="ignore"), pytest.raises(LinAlgError, match="solve: matrix 1 of the stack is singular"):
        nd.linalg.solve(on(np.ones((2, 2, 2))), on(np.ones((2, 2, 1))))


GRADIENTS = {
    "det": lambda x: nd.linalg.det(x).sum(),
    "inv": lambda x: (nd.linalg.inv(x) ** 2).sum(),
    "cholesky": lambda x: nd.linalg.cholesky(x + x.mT).sum(),
    "qr": lambda x: nd.linalg.qr(x).R.sum(),
    "svd": lambda x: (nd.linalg.svd(x, full_matrices=False).S * 2).sum() + nd.linalg.svd(x).U[..., 0].sum(),
    "eigh": lambda x: nd.linalg.eigh(x + x.mT).eigenvalues[..., 0].sum(),
    "slogdet": lambda x: nd.linalg.slogdet(x).logabsdet.sum(),
    "solve": lambda x: nd.linalg.solve(x, x[..., :1]).sum(),
    "pinv": lambda x: nd.linalg.pinv(x[..., :2]).sum(),
    "nuc": lambda x: nd.linalg.matrix_norm(x, ord="nuc").sum(),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_are_those_of_the_host(name):
    x = definite(numbers((2, 3, 3), "float64"))
    got = numpy_of(nd.grad(GRADIENTS[name])(on(x)))
    np.testing.assert_allclose(got, np.asarray(nd.grad(GRADIENTS[name])(nd.asarray(x))), rtol=1e-9, atol=1e-11)


def test_what_a_library_lacks(simulator, host_fallback):
    x = definite(numbers((3, 3), "float64"))
    simulator.missing_routines = {"eig"}
    try:
        nd.cuda.fallback("error")
        with pytest.raises(UnsupportedOnDevice, match=r"eig: the simulated library lacks it; x.to_device\('cpu'\)"):
            nd.linalg.eig(on(x))
        nd.cuda.fallback("host")
        with pytest.warns(nd.cuda.HostFallbackWarning, match="eig has no CUDA kernel and ran on the host"):
            found = nd.linalg.eig(on(x, "cuda:1"))
        assert found.eigenvectors.device == "cuda:1"
        np.testing.assert_allclose(numpy_of(found.eigenvalues), np.linalg.eig(x).eigenvalues, rtol=1e-10)
        assert nd.cuda.fallbacks() == {"eig": 1}
    finally:
        simulator.missing_routines = set()


# Fourier transforms.


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int32"])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward", None])
def test_transforms(dtype, norm):
    x = (numbers((3, 6, 4), dtype) * 4).astype(dtype)
    transforms = ["fft", "ifft", "irfft", "hfft"] + ([] if dtype.startswith("complex") else ["rfft", "ihfft"])
    for name in transforms:
        for n, axis in ((None, -1), (5, 1), (9, 0)):
            assert_close(getattr(nd.fft, name), x, n, axis, norm)
    for name in ("fftn", "ifftn", "irfftn", "fft2", "irfft2"):
        for s, axes in ((None, (0, 1)), ((4, 7), (1, 2))):
            assert_close(getattr(nd.fft, name), x, s, axes, norm)


def assert_close(function, x, *settings):
    got, want = numpy_of(function(on(x), *settings)), np.asarray(function(nd.asarray(x), *settings))
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    epsilon = np.finfo(want.dtype).eps
    np.testing.assert_allclose(got, want, rtol=50 * epsilon, atol=50 * epsilon * abs(want).max())


def test_transforms_that_are_errors():
    with pytest.raises(TypeError, match="rfft: needs real numbers, given complex64"):
        nd.fft.rfft(on(np.ones(3, "complex64")))
    with pytest.raises(ValueError, match="the number of points must be at least 1, given 0"):
        nd.fft.fft(on(np.ones(3)), 0)


def test_gradients_of_transforms():
    def power(x):
        return nd.sum(nd.abs(nd.fft.rfft(x)) ** 2) + nd.sum(nd.fft.irfft(x) ** 2)

    x = np.asarray([1.0, -2.0, 0.5])
    got = nd.grad(power)(on(x))
    assert got.device == "cuda:0"
    np.testing.assert_allclose(numpy_of(got), np.asarray(nd.grad(power)(nd.asarray(x))), atol=1e-12)


def test_transforms_are_recorded_and_factorizations_are_not():
    x = on(np.arange(6.0))
    graph = nd.cuda.Graph(lambda: nd.fft.rfft(x * 2))
    x[...] = on(np.arange(6.0)[::-1].copy())
    np.testing.assert_allclose(numpy_of(graph.launch()), np.fft.rfft(np.arange(6.0)[::-1] * 2), atol=1e-12)
    graph.close()
    with pytest.raises(nd.cuda.DeviceError, match="inverse waits for the device, which a graph cannot record"):
        nd.cuda.Graph(lambda: nd.linalg.inv(x.reshape(2, 3)[:, :2]))


def test_routines_follow_the_work_of_their_stream():
    """On a device that is late, what a routine reads was computed before, and what reads its result waits."""
    with in_use(default_driver(delays=True, flags=QUICK), 1):
        x = definite(numbers((4, 4), "float64"))
        with nd.cuda.Stream("cuda:0").scope():
            y = nd.linalg.inv(on(x) * 2) + 1
            z = nd.fft.fft(on(x) * 2) + 1
            np.testing.assert_allclose(numpy_of(y), np.linalg.inv(x * 2) + 1, rtol=1e-10)
            np.testing.assert_allclose(numpy_of(z), np.fft.fft(x * 2) + 1, rtol=1e-10)
        del y, z


def test_one_call_of_the_library_for_a_stack(stub):
    stub.counts.clear()
    nd.linalg.svd(nd.empty((5, 3, 3), device="cuda:0"))
    nd.linalg.inv(nd.empty((0, 3, 3), device="cuda:0"))
    nd.fft.fft2(nd.empty((4, 4), device="cuda:0"))
    assert stub.counts["run_routine"] == 1 + 0 + 2
