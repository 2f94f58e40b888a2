"""SciPy with SCIPY_ARRAY_API=1: its functions take our arrays and give ours."""

import numpy as np
import pytest
from compare import check

scipy = pytest.importorskip("scipy")

from scipy import cluster, fft, integrate, interpolate, ndimage, optimize, signal, special, stats  # noqa: E402
from scipy.spatial.transform import Rotation  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 6))
POSITIVE = np.abs(X) + 0.1
SIGNAL = np.sin(np.arange(200) / 7.0) + 0.1 * RNG.normal(size=200)
IMAGE = RNG.normal(size=(16, 18))

WORK = {
    # special
    "gammaln": lambda x, p: special.gammaln(p),
    "expit": lambda x, p: special.expit(x),
    "logit": lambda x, p: special.logit(p / (p + 1)),
    "erf": lambda x, p: special.erf(x),
    "erfc": lambda x, p: special.erfc(x),
    "ndtr": lambda x, p: special.ndtr(x),
    "ndtri": lambda x, p: special.ndtri(p / (p + 1)),
    "xlogy": lambda x, p: special.xlogy(p, p),
    "entr": lambda x, p: special.entr(p),
    "i0": lambda x, p: special.i0(x),
    "betainc": lambda x, p: special.betainc(p, p + 1, p / (p + 1)),
    "chdtr": lambda x, p: special.chdtr(p, p),
    "logsumexp": lambda x, p: special.logsumexp(x, axis=1),
    "softmax": lambda x, p: special.softmax(x, axis=1),
    "log_softmax": lambda x, p: special.log_softmax(x, axis=0),
    # stats
    "zscore": lambda x, p: stats.zscore(x, axis=0),
    "gmean": lambda x, p: stats.gmean(p, axis=0),
    "hmean": lambda x, p: stats.hmean(p, axis=0),
    "skew": lambda x, p: stats.skew(x, axis=0),
    "kurtosis": lambda x, p: stats.kurtosis(x, axis=1),
    "moment": lambda x, p: stats.moment(x, order=3),
    "variation": lambda x, p: stats.variation(p),
    "sem": lambda x, p: stats.sem(x),
    "entropy": lambda x, p: stats.entropy(p, axis=1),
    "ttest_ind": lambda x, p: tuple(stats.ttest_ind(x, p)),
    "ttest_1samp": lambda x, p: tuple(stats.ttest_1samp(x, 0.0)),
    "pearsonr": lambda x, p: tuple(stats.pearsonr(x[:, 0], p[:, 0])),
    "f_oneway": lambda x, p: tuple(stats.f_oneway(x, p)),
    "power_divergence": lambda x, p: tuple(stats.power_divergence(p, axis=1)),
    "trim_mean": lambda x, p: stats.trim_mean(x, 0.1),
    "rankdata": lambda x, p: stats.rankdata(x, axis=0),
    "ks_1samp": lambda x, p: stats.bartlett(x[:, 0], p[:, 1]).pvalue,
    "directional": lambda x, p: stats.directional_stats(x).mean_direction,
    "circmean": lambda x, p: stats.circmean(x, axis=0),
    # integrate, interpolate, optimize, spatial, cluster
    "trapezoid": lambda x, p: integrate.trapezoid(x, axis=0),
    "cumulative_trapezoid": lambda x, p: integrate.cumulative_trapezoid(x, axis=0),
    "romb": lambda x, p: integrate.romb(x[:17], axis=0),
    "cubic spline": lambda x, p: interpolate.CubicSpline(np.arange(20.0) + 0 * x[:, 0], x)(p[:, 0]),
    "rosen": lambda x, p: optimize.rosen(x[:, 0]),
    "rosen_der": lambda x, p: optimize.rosen_der(x[:, 0]),
    "rotation": lambda x, p: Rotation.from_rotvec(x[:, :3]).as_matrix(),
    "rotation applied": lambda x, p: Rotation.from_quat(x[:, :4]).apply(p[:, :3]),
    "whiten": lambda x, p: cluster.vq.whiten(p),
    "vq": lambda x, p: cluster.vq.vq(x, p)[1],
    "linkage": lambda x, p: cluster.hierarchy.linkage(x, "average"),
}


@pytest.mark.parametrize("name", WORK)
def test_functions(name):
    check(WORK[name], X, POSITIVE, rtol=1e-6, atol=1e-9)


FFT = {
    "fft": fft.fft,
    "ifft": fft.ifft,
    "rfft": fft.rfft,
    "irfft": lambda x: fft.irfft(fft.rfft(x)),
    "fftn": lambda x: fft.fftn(x.reshape((10, 20))),
    "hfft": fft.hfft,
    "dct": fft.dct,
    "fftshift": fft.fftshift,
    "next": lambda x: fft.fft(x, n=fft.next_fast_len(x.shape[0])),
}


@pytest.mark.parametrize("name", FFT)
def test_fft(name):
    check(FFT[name], SIGNAL)


SIGNALS = {
    "convolve": lambda x: signal.convolve(x, x[:9]),
    "fftconvolve": lambda x: signal.fftconvolve(x, x[:9], mode="same"),
    "correlate": lambda x: signal.correlate(x, x[:9]),
    "hilbert": signal.hilbert,
    "detrend": signal.detrend,
    "sosfilt": lambda x: signal.sosfilt(signal.butter(2, 0.2, output="sos") + 0 * x[:6], x),
    "lfilter": lambda x: signal.lfilter(x[:3], x[3:5] + 3.0, x),
    "resample": lambda x: signal.resample(x, 100),
    "freqz": lambda x: signal.freqz(x[:5])[1],
    "medfilt": lambda x: signal.medfilt(x, 3),
    "bilinear": lambda x: signal.bilinear(x[:2], x[2:4]),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_signal(name):
    check(SIGNALS[name], SIGNAL, rtol=1e-6, atol=1e-9)


IMAGES = {
    "gaussian_filter": lambda x: ndimage.gaussian_filter(x, 1.0),
    "uniform_filter": lambda x: ndimage.uniform_filter(x, 3),
    "sobel": ndimage.sobel,
    "median_filter": lambda x: ndimage.median_filter(x, 3),
    "zoom": lambda x: ndimage.zoom(x, 2.0),
    "rotate": lambda x: ndimage.rotate(x, 30.0),
    "label": lambda x: ndimage.label(x > 0)[0],
    "distance": lambda x: ndimage.distance_transform_edt(x > 0),
    "erosion": lambda x: ndimage.binary_erosion(x > -1),
    "center_of_mass": lambda x: ndimage.center_of_mass(x),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name):
    check(IMAGES[name], IMAGE)


COERCED = {
    "simpson": lambda x: integrate.simpson(x),
    "minimize": lambda x: optimize.minimize(optimize.rosen, x[:3]).x,
    "solve": lambda x: scipy.linalg.solve(x[:36].reshape((6, 6)), x[:6]),
    "gaussian_kde": lambda x: stats.gaussian_kde(x)(x[:5]),
    "welch": lambda x: signal.welch(x, nperseg=64)[1],
    "sparse": lambda x: scipy.sparse.csr_array(x.reshape((10, 20))).toarray(),
}


@pytest.mark.parametrize("name", COERCED)
def test_functions_that_coerce(name):
    """They work, through `__array__`, and give NumPy's arrays."""
    check(COERCED[name], SIGNAL, is_ours=False, rtol=1e-4, atol=1e-6)
