"""Functions with Fourier transforms, and complex numbers inside, as ONNX files: both runtimes compute what they do."""

import numpy as np
import pytest
from test_export_functions import exported, states

import nd4py as nd

X, WINDOW = states(3, 8), nd.asarray(np.hanning(8).astype("float32"))
FILTER = nd.asarray([1j, 2.0, 3.0 - 1j, 1.0, 1.0, 0.5])


def arithmetic(x):
    c = nd.fft.rfft(x)
    d = c * nd.conj(c) - c / (c + 20) + nd.exp(c * 0.1).sum(axis=1, keepdims=True) - c / 2 + 1j * c - (-c)
    return nd.real(d), nd.imag(d) + nd.imag(nd.square(c) + c**2), nd.abs(1 / (c + 9)), nd.angle(d[:, 1:-1])


def views(x):
    c = nd.fft.rfft(x)
    return nd.abs(nd.concat([c.T[1:], c.reshape(5, 3) * x[:1, :3], x[:2, :3]])), nd.abs(c.mean(axis=0)[::-1])


SPECTRA = {
    "of real numbers": lambda x: (nd.abs(nd.fft.rfft(x)), nd.abs(nd.fft.rfft(x[0]))),
    "power": lambda x: nd.abs(nd.fft.rfft(x * WINDOW, n=12)) ** 2,
    "axes": lambda x: (nd.fft.fft(x, axis=0).real, nd.fft.fft(x, n=5).imag),
    "norms": lambda x: (nd.abs(nd.fft.fft(x, norm="ortho")), nd.fft.ifft(x, norm="forward").real),
    "there and back": lambda x: (nd.fft.irfft(nd.fft.rfft(x)), nd.fft.irfft(nd.fft.rfft(x, n=9), n=9)),
    "other sizes": lambda x: (nd.fft.irfft(nd.fft.rfft(x), n=7), nd.fft.irfft(nd.fft.rfft(x), n=14)),
    "filter": lambda x: nd.fft.irfft(nd.fft.rfft(x, n=10) * FILTER, n=12, norm="ortho"),
    "several axes": lambda x: (nd.abs(nd.fft.fft2(x)), nd.fft.irfft2(nd.fft.rfft2(x), s=(3, 8))),
    "of symmetric numbers": lambda x: (nd.fft.hfft(x), nd.abs(nd.fft.ihfft(x))),
    "shifted": lambda x: nd.abs(nd.fft.fftshift(nd.fft.fft(x), axes=1)),
    "frames": lambda x: nd.abs(nd.fft.rfft(nd.stack([x[:, i : i + 4] for i in (0, 2, 4)], axis=1))),
    "chosen": lambda x: nd.abs(nd.take(nd.fft.fft(x), nd.asarray([0, 3]), axis=1)),
    "for each": nd.vmap(lambda row: nd.abs(nd.fft.rfft(row))),
    "made complex": lambda x: nd.real(x.astype("complex64") * (2j - 1)),
    "arithmetic": arithmetic,
    "views": views,
}


@pytest.mark.parametrize("name", SPECTRA)
def test_spectra(name, tmp_path):
    exported(SPECTRA[name], str(tmp_path / "f.onnx"), [X], tolerance=1e-4 if name == "arithmetic" else 1e-5)
    exported(SPECTRA[name], str(tmp_path / "g.onnx"), [X.astype("float64")], needs_onnxruntime=False)


def test_batches_of_any_size(tmp_path):
    path = str(tmp_path / "f.onnx")
    nd.onnx.export(lambda x: nd.fft.irfft(nd.fft.rfft(x) * WINDOW[:5], n=8), path, X, dynamic_batch=True)
    for n in (1, 3, 7):
        given = states(n, 8)
        wanted = np.fft.irfft(np.fft.rfft(np.asarray(given)) * np.asarray(WINDOW)[:5], n=8)
        np.testing.assert_allclose(nd.onnx.load(path).run([given])[0], wanted, rtol=1e-5, atol=1e-5)


def test_complex_results_and_functions_without_nodes_are_refused(tmp_path):
    for function, way in (
        (nd.fft.fft, r"give and return nd\.real"),
        (lambda x: nd.real(nd.sqrt(nd.fft.fft(x))), r"sqrt \(complex numbers\)"),
    ):
        with pytest.raises(NotImplementedError, match=way):
            nd.onnx.export(function, tmp_path / "f.onnx", X)
