"""Fourier transforms agree with NumPy's, keep single precision, and refuse what they cannot compute."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import nd4py as nd
import nd4py.fft
from nd4py.fft import rfft

ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
MANY_AXES = ("fftn", "ifftn", "rfftn", "irfftn")
TWO_AXES = ("fft2", "ifft2", "rfft2", "irfft2")
REAL_INPUT = {"rfft", "ihfft", "rfftn", "rfft2"}
DTYPES = ("float32", "float64", "complex64", "complex128")
NORMS = (None, "backward", "ortho", "forward")
LAYOUTS = {
    "plain": lambda x: x,
    "reversed": lambda x: x[::-1],
    "transposed": lambda x: nd.permute_dims(x, tuple(range(x.ndim))[::-1]),
    "read-only": lambda x: nd.broadcast_to(x[:1], x.shape),
}


def numbers(shape, dtype, seed=0):
    """Random numbers; complex ones where the dtype is."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


def assert_agrees(result, expected, dtype):
    """Equal to rounding, and of NumPy's dtype, which keeps the precision."""
    assert isinstance(result, nd.NDArray)
    assert result.dtype == expected.dtype
    assert result.itemsize in (4, 8) if "32" in dtype or dtype == "complex64" else result.itemsize in (8, 16)
    tolerance = 1e-6 if result.dtype in ("float32", "complex64") else 1e-14
    np.testing.assert_allclose(np.asarray(result), expected, rtol=tolerance, atol=tolerance * expected.size)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ONE_AXIS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_transforms_along_an_axis(name, dtype, data):
    if name in REAL_INPUT and dtype.startswith("complex"):
        dtype = dtype.replace("complex64", "float32").replace("complex128", "float64")
    shape = data.draw(st.lists(st.integers(2, 9), min_size=1, max_size=3))
    layout = data.draw(st.sampled_from(sorted(LAYOUTS)))
    x = LAYOUTS[layout](nd.asarray(numbers(shape, dtype)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    if x.shape[axis] < 2:
        axis = int(np.argmax(x.shape))
    n = data.draw(st.none() | st.integers(1, 12))
    norm = data.draw(st.sampled_from(NORMS))
    before = x.tolist()
    result = getattr(nd.fft, name)(x, n=n, axis=axis, norm=norm)
    assert_agrees(result, getattr(np.fft, name)(np.asarray(x), n=n, axis=axis, norm=norm), dtype)
    assert x.tolist() == before


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MANY_AXES)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_transforms_along_several_axes(name, dtype, data):
    if name in REAL_INPUT and dtype.startswith("complex"):
        dtype = dtype.replace("complex64", "float32").replace("complex128", "float64")
    x = LAYOUTS[data.draw(st.sampled_from(sorted(LAYOUTS)))](nd.asarray(numbers((5, 4, 6), dtype)))
    axes = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True))
    axes = axes if axes is None else [axis - 3 * (axis % 2) for axis in axes]
    s = data.draw(st.none() | st.lists(st.integers(1, 8), min_size=len(axes), max_size=len(axes))) if axes else None
    norm = data.draw(st.sampled_from(NORMS))
    before = x.tolist()
    result = getattr(nd.fft, name)(x, s=s, axes=axes, norm=norm)
    assert_agrees(result, getattr(np.fft, name)(np.asarray(x), s=s, axes=axes, norm=norm), dtype)
    assert x.tolist() == before


@pytest.mark.parametrize("name", TWO_AXES)
def test_transforms_of_two_axes(name):
    x = numbers((3, 4, 5), "float64" if name in REAL_INPUT else "complex128")
    assert_agrees(getattr(nd.fft, name)(nd.asarray(x)), getattr(np.fft, name)(x), "float64")
    result = getattr(nd.fft, name)(nd.asarray(x), (6, 3), (0, 1), "ortho")
    assert_agrees(result, getattr(np.fft, name)(x, (6, 3), (0, 1), "ortho"), "float64")


def test_lengths_without_axes_are_those_of_the_last():
    x = numbers((3, 4, 5), "float64")
    expected = np.fft.fftn(x, s=(6, 7), axes=(1, 2))
    assert_agrees(nd.fft.fftn(nd.asarray(x), s=(6, 7)), expected, "float64")


@pytest.mark.parametrize("n", [1, 2, 3, 8, 15, 97, 1000])
def test_inverses(n):
    x, z = nd.asarray(numbers(n, "float64")), nd.asarray(numbers(n, "complex128"))
    for norm in ("backward", "ortho", "forward"):
        np.testing.assert_allclose(nd.fft.ifft(nd.fft.fft(z, norm=norm), norm=norm), z, atol=1e-13)
        np.testing.assert_allclose(nd.fft.irfft(nd.fft.rfft(x, norm=norm), n=n, norm=norm), x, atol=1e-13)
        np.testing.assert_allclose(nd.fft.hfft(nd.fft.ihfft(x, norm=norm), n=n, norm=norm), x, atol=1e-13)
        np.testing.assert_allclose(nd.fft.irfftn(nd.fft.rfftn(x, norm=norm), s=(n,), norm=norm), x, atol=1e-13)


def test_the_definition():
    """The formula of the standard, without a fast algorithm."""
    for n in (1, 2, 5, 6):
        x = numbers(n, "complex128")
        j = np.arange(n)
        expected = np.exp(-2j * np.pi * np.outer(j, j) / n) @ x
        np.testing.assert_allclose(nd.fft.fft(nd.asarray(x)), expected, atol=1e-13)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64"])
def test_integers_are_computed_in_float64(dtype):
    x = np.arange(6).astype(dtype)
    assert_agrees(nd.fft.fft(nd.asarray(x)), np.fft.fft(x), "float64")
    assert_agrees(nd.fft.rfftn(nd.asarray(x)), np.fft.rfftn(x), "float64")


def test_single_precision_is_rounded_once():
    x = numbers((7, 30), "complex64")
    wide = np.fft.fft(x.astype("complex128"))
    assert np.asarray(nd.fft.fft(nd.asarray(x))).tobytes() == wide.astype("complex64").tobytes()


def test_shapes_without_elements():
    assert nd.fft.fft(nd.zeros((0, 4))).shape == (0, 4)
    assert nd.fft.irfftn(nd.zeros((3, 0, 5), dtype="complex64"), axes=(0, 2)).shape == (3, 0, 8)
    assert nd.fft.fft(nd.zeros((0, 4)), n=3, axis=0).shape == (3, 4)
    assert nd.fft.fftshift(nd.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 1000])
@pytest.mark.parametrize("d", [1.0, 0.1, -2.0])
def test_frequencies(n, d):
    np.testing.assert_allclose(nd.fft.fftfreq(n, d=d), np.fft.fftfreq(n, d), rtol=1e-15)
    np.testing.assert_allclose(nd.fft.rfftfreq(n, d), np.fft.rfftfreq(n, d), rtol=1e-15)
    assert nd.fft.fftfreq(n).dtype == nd.float64
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = nd.fft.rfftfreq(n, d=d, dtype=dtype, device="cpu")
        assert x.dtype == dtype
        assert x.tolist() == nd.fft.rfftfreq(n, d=d).astype(dtype).tolist()


@given(
    shape=st.lists(st.integers(0, 6), max_size=3),
    dtype=st.sampled_from(["bool", "int32", "float16", "float64", "complex64"]),
    data=st.data(),
)
@settings(deadline=None)
def test_shifts(shape, dtype, data):
    x = numbers(shape, "float64").astype(dtype)
    n = len(shape)
    axes = data.draw(st.none() | st.integers(-n, n - 1) | st.lists(st.integers(0, n - 1), unique=True)) if n else None
    for name in ("fftshift", "ifftshift"):
        result = getattr(nd.fft, name)(nd.asarray(x), axes)
        expected = getattr(np.fft, name)(x, axes) if n else x  # NumPy cannot shift what has no axis
        np.testing.assert_array_equal(np.asarray(result), expected)
        assert result.dtype == dtype
    back = nd.fft.ifftshift(nd.fft.fftshift(nd.asarray(x), axes=axes), axes=axes)
    np.testing.assert_array_equal(np.asarray(back), x)


def test_a_shift_shares_no_memory():
    x = nd.ones(())
    nd.fft.fftshift(x)[...] = 2.0
    assert x.tolist() == 1.0
    y = nd.ones(3)
    nd.fft.fftshift(y, axes=())[0] = 2.0
    assert y.tolist() == [1.0] * 3


def test_numpys_functions_come_here():
    x = nd.asarray(numbers(8, "float64"))
    for result in (np.fft.fft(x), np.fft.rfft(x, norm="ortho"), np.fft.fftn(x), np.fft.fftshift(x)):
        assert isinstance(result, nd.NDArray)
    assert nd4py.fft.fftfreq is nd.fft.fftfreq
    assert rfft(x).tolist() == nd.fft.rfft(x).tolist()
    assert nd.fft.fft([1, 2, 3]).shape == (3,)
    assert set(nd.fft.__all__) >= {
        name for name in np.fft.__dict__ if "fft" in name and callable(getattr(np.fft, name))
    }


def test_the_results_are_pooled():
    before = nd.memory.stats().live_bytes
    y = nd.fft.fft(nd.ones(4096))
    assert nd.memory.stats().live_bytes - before >= y.nbytes


@pytest.mark.parametrize(
    "error, message, call",
    [
        (TypeError, "float16.*astype", lambda: nd.fft.fft(nd.ones(4, dtype="float16"))),
        (TypeError, "bfloat16.*astype", lambda: nd.fft.rfftn(nd.ones(4, dtype="bfloat16"))),
        (TypeError, "rfft: needs real.*complex64", lambda: nd.fft.rfft(nd.ones(4, dtype="complex64"))),
        (TypeError, "ihfft: needs real", lambda: nd.fft.ihfft(nd.ones(4, dtype="complex128"))),
        (TypeError, "rfft2?n?: needs real", lambda: nd.fft.rfft2(nd.ones((4, 4), dtype="complex128"))),
        (ValueError, "norm.*'half'", lambda: nd.fft.fft(nd.ones(4), norm="half")),
        (ValueError, "at least 1, given 0", lambda: nd.fft.fft(nd.ones(4), n=0)),
        (ValueError, "at least 1, given -2", lambda: nd.fft.fftn(nd.ones((4, 4)), s=(4, -2), axes=(0, 1))),
        (TypeError, "whole number", lambda: nd.fft.fft(nd.ones(4), n=2.0)),
        (ValueError, "axis 1 is out of range", lambda: nd.fft.fft(nd.ones(4), axis=1)),
        (ValueError, "axis -1 is out of range", lambda: nd.fft.fft(nd.ones(()))),
        (ValueError, "one axis or more", lambda: nd.fft.fftn(nd.ones(()))),
        (ValueError, "each of them once", lambda: nd.fft.fftn(nd.ones((4, 4)), axes=(0, -2))),
        (ValueError, "2 lengths.*1 axes", lambda: nd.fft.fftn(nd.ones((4, 4)), s=(4, 4), axes=(0,))),
        (ValueError, "out of range", lambda: nd.fft.fftn(nd.ones(4), s=(4, 4))),
        (ValueError, "no points", lambda: nd.fft.fft(nd.zeros((3, 0)))),
        (ValueError, "no points", lambda: nd.fft.irfft(nd.zeros(1, dtype="complex64"))),
        (ValueError, "at least 1", lambda: nd.fft.fftfreq(0)),
        (ValueError, "d of samples", lambda: nd.fft.fftfreq(4, d=0.0)),
        (TypeError, "floating dtype.*int32", lambda: nd.fft.rfftfreq(4, dtype="int32")),
        (ValueError, "device 'moon'", lambda: nd.fft.fftfreq(4, device="moon")),
        (ValueError, "out of range", lambda: nd.fft.fftshift(nd.ones(3), axes=1)),
        (TypeError, "hfft: no float16", lambda: nd.fft.hfft(nd.ones(4, dtype="float16"))),
        (TypeError, "must return a real number", lambda: nd.grad(lambda x: nd.sum(nd.fft.fft(x)))(nd.ones(3))),
    ],
)
def test_refusals(error, message, call):
    with pytest.raises(error, match=message):
        call()
