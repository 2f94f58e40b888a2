"""Fourier transforms: sizes, axes, normalization and dtypes, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, shapes
from .subject import DTYPES, assert_array, dtype_of, find, xp

NORMS = st.sampled_from(["backward", "ortho", "forward"])
# name: whether input and output are real
ALONG_AXIS = {
    "fft": (False, False),
    "ifft": (False, False),
    "rfft": (True, False),
    "irfft": (False, True),
    "hfft": (False, True),
    "ihfft": (True, False),
}
OVER_AXES = {"fftn": (False, False), "ifftn": (False, False), "rfftn": (True, False), "irfftn": (False, True)}
FULL = shapes(min_dims=1, max_dims=3).map(lambda shape: tuple(n + 1 for n in shape))
precisions = pytest.mark.parametrize("precision", ["single", "double"])


def dtypes_of(kinds, precision):
    """(dtype of the input, dtype of the output)."""
    real, whole = {"single": ("float32", "complex64"), "double": ("float64", "complex128")}[precision]
    return tuple(real if is_real else whole for is_real in kinds)


def largest(values):
    """The size that a transform's errors are relative to."""
    return max(1.0, float(np.abs(values).sum()))


@precisions
@pytest.mark.parametrize("name", ALONG_AXIS)
@EXAMPLES
@given(data=st.data(), norm=NORMS)
def test_along_an_axis(name, precision, data, norm):
    """n pads and crops; irfft and hfft make 2(m - 1) elements unless n says otherwise, odd numbers too."""
    given_dtype, result = dtypes_of(ALONG_AXIS[name], precision)
    values, x = data.draw(arrays(given_dtype, FULL))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    n = data.draw(st.none() | st.integers(1, 9))
    if n is None and name in ("irfft", "hfft") and values.shape[axis] == 1:
        n = 1  # 2(m - 1) is nothing
    exact = values.astype("complex128" if values.dtype.kind == "c" else "float64")
    want = getattr(np.fft, name)(exact, n=n, axis=axis, norm=norm)
    got = find(name, "fft")(x, n=n, axis=axis, norm=norm)
    assert_array(got, want, result, ulp=40, scale=largest(values), signs=False)
    if axis == values.ndim - 1 and n is None and norm == "backward":
        assert_array(find(name, "fft")(x), want, result, ulp=40, scale=largest(values), signs=False)


@precisions
@pytest.mark.parametrize("name", OVER_AXES)
@EXAMPLES
@given(data=st.data(), norm=NORMS)
def test_over_axes(name, precision, data, norm):
    """Some axes or all; s pads and crops, -1 keeps a side (the text leaves it open for the last one of irfftn)."""
    given_dtype, result = dtypes_of(OVER_AXES[name], precision)
    values, x = data.draw(arrays(given_dtype, FULL))
    one = st.integers(-values.ndim, values.ndim - 1)
    axes = data.draw(st.none() | st.lists(one, min_size=1, unique_by=lambda axis: axis % values.ndim).map(tuple))
    sizes = None
    if axes is not None and data.draw(st.booleans()):
        sizes = tuple(data.draw(st.integers(1, 6) | st.just(-1)) for _ in axes)
        sizes = (*sizes[:-1], 5) if name == "irfftn" and sizes[-1] == -1 else sizes
    if name == "irfftn" and sizes is None and values.shape[-1 if axes is None else axes[-1]] == 1:
        return  # 2(m - 1) is nothing
    exact = values.astype("complex128" if values.dtype.kind == "c" else "float64")
    got = find(name, "fft")(x, s=sizes, axes=axes, norm=norm)
    numpy_sizes = sizes and [values.shape[axis] if n == -1 else n for n, axis in zip(sizes, axes, strict=True)]
    want = getattr(np.fft, name)(exact, s=numpy_sizes, axes=axes, norm=norm)
    assert_array(got, want, result, ulp=40, scale=largest(values), signs=False)


@precisions
@pytest.mark.parametrize("n", [1, 2, 7, 16, 97, 360, 1009])
def test_there_and_back(precision, n):
    """Lengths with small factors, large primes and odd numbers; single precision stays single."""
    real, whole = dtypes_of((True, False), precision)
    rng = np.random.default_rng(n)
    values = rng.normal(size=(2, n)).astype(real)
    x = xp.asarray(values)
    z = xp.astype(x, dtype_of(whole))
    for norm in ("backward", "ortho", "forward"):
        for there, back in ((xp.fft.fft, xp.fft.ifft), (xp.fft.fftn, xp.fft.ifftn)):
            assert_array(back(there(z, norm=norm), norm=norm), values.astype(whole), ulp=40, scale=8)
        assert_array(xp.fft.irfft(xp.fft.rfft(x, norm=norm), n=n, norm=norm), values, ulp=40, scale=8)
        assert_array(xp.fft.hfft(xp.fft.ihfft(x, norm=norm), n=n, norm=norm), values, ulp=40, scale=8)
        spectrum = xp.fft.rfftn(x, norm=norm)
        assert_array(xp.fft.irfftn(spectrum, s=(2, n), axes=(0, 1), norm=norm), values, ulp=40, scale=8)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name):
    device = xp.zeros(1).device
    for n in (1, 2, 5, 6, 9):
        for d in (1.0, 0.25, 3):
            want = getattr(np.fft, name)(n, d)
            assert_array(find(name, "fft")(n, d=d), want, "float64", ulp=2, signs=False)
            for dtype in DTYPES["real floating"]:
                got = find(name, "fft")(n, d=d, dtype=dtype_of(dtype), device=device)
                assert_array(got, want, dtype, ulp=2)
        assert_array(find(name, "fft")(n), getattr(np.fft, name)(n), "float64", ulp=2)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("dtype", DTYPES["floating"])
@EXAMPLES
@given(data=st.data())
def test_shifts(name, dtype, data):
    values, x = data.draw(arrays(dtype, shapes(min_dims=1)))
    one = st.integers(-values.ndim, values.ndim - 1)
    several = st.lists(one, min_size=1, unique_by=lambda axis: axis % values.ndim).map(tuple)
    axes = data.draw(st.none() | one | several)
    assert_array(find(name, "fft")(x, axes=axes), getattr(np.fft, name)(values, axes))


def test_refusals():
    z = xp.ones((2, 3), dtype=xp.complex128)
    for call in (
        lambda: xp.fft.fft(z, n=0),
        lambda: xp.fft.fft(z, axis=2),
        lambda: xp.fft.fft(z, norm="loud"),
        lambda: xp.fft.fftn(z, s=(2,), axes=(0, 1)),
        lambda: xp.fft.rfft(z),
        lambda: xp.fft.irfftn(z, axes=(0, 5)),
    ):
        with pytest.raises((IndexError, TypeError, ValueError)):
            call()
