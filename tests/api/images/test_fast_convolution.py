"""Convolutions with kernels of 3 x 3 in tiles: errors, what is not finite, neighbouring images, threads, graphs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd

ERROR = 1e-6  # of single precision, as a part of the sum of the products' magnitudes: 4e-7 were found


@pytest.fixture(autouse=True)
def without_helpers():
    before = nd.helpers(False)
    yield
    nd.helpers(before)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")


def by_definition(x, w, padding):
    """The convolution in double precision."""
    top, bottom, left, right = padding
    x = np.pad(x.astype("float64"), ((0, 0), (0, 0), (top, bottom), (left, right)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    return np.moveaxis(np.tensordot(windows, w.astype("float64"), axes=((1, 4, 5), (1, 2, 3))), -1, 1)


def gradient_by_definition(dy, w, padding, shape):
    """The gradient of the images: the kernels are turned around, and slide over dy and a frame."""
    top, _, left, _ = padding
    turned = w[:, :, ::-1, ::-1].swapaxes(0, 1)
    frame = (2, max(0, shape[2]), 2, max(0, shape[3]))
    return by_definition(dy, turned, frame)[:, :, top : top + shape[2], left : left + shape[3]]


def weights_by_definition(x, dy, padding):
    """The gradient of the kernels: dy slides over the images."""
    top, bottom, left, right = padding
    x, dy = np.pad(x.astype("float64"), ((0, 0), (0, 0), (top, bottom), (left, right))), dy.astype("float64")
    height, width = dy.shape[2:]
    taps = [np.tensordot(dy, x[:, :, ky : ky + height, kx : kx + width], axes=((0, 2, 3),) * 2)
            for ky, kx in np.ndindex(3, 3)]  # fmt: skip
    return np.stack(taps, -1).reshape(*taps[0].shape, 3, 3)


def convolved(x, w, padding, bias=None):
    arrays = [None if a is None else nd.asarray(a) for a in (x, w, bias)]
    return np.asarray(nd.conv2d(*arrays, padding=padding))


def gradient_of_images(x, w, padding, dy):
    w, dy = nd.asarray(w), nd.asarray(dy)
    return np.asarray(nd.grad(lambda x: nd.sum(nd.conv2d(x, w, padding=padding) * dy))(nd.asarray(x)))


def gradient_of_weights(x, w, padding, dy):
    """Of the kernels and of the bias."""
    x, dy, bias = nd.asarray(x), nd.asarray(dy), nd.zeros(len(w), dtype="float32")
    f = nd.grad(lambda w, b: nd.sum(nd.conv2d(x, w, b, padding=padding) * dy), (0, 1))
    return [np.asarray(g) for g in f(nd.asarray(w), bias)]


def assert_near(got, want, magnitudes):
    """Errors are small beside the products that were added up: where these are zero, there are none."""
    assert got.shape == want.shape
    assert np.all(np.abs(got - want) <= ERROR * magnitudes)


@st.composite
def geometries(draw):
    """Shapes of x and w, and padding (top, bottom, left, right), so that there are results enough for tiles."""
    images, channels, filters = draw(st.integers(1, 5)), draw(st.integers(24, 70)), draw(st.integers(24, 50))
    height = draw(st.integers(1, 40))
    width = draw(st.integers(-(-72 // height), 90))
    padding = tuple(draw(st.integers(low, 2 + low)) for low in (height < 3, height < 3, width < 3, width < 3))
    return (images, channels, height, width), (filters, channels, 3, 3), padding


@settings(max_examples=40)
@given(geometry=geometries())
def test_errors_are_those_of_single_precision(geometry):
    x_shape, w_shape, padding = geometry
    x, w, bias = numbers(*x_shape, seed=1), numbers(*w_shape, seed=2), numbers(w_shape[0], seed=3)
    want, magnitudes = by_definition(x, w, padding), by_definition(abs(x), abs(w), padding)
    added = bias[:, None, None]
    assert_near(convolved(x, w, padding, bias), want + added, magnitudes + abs(added))
    assert_near(convolved(x, w, padding), want, magnitudes)
    dy = numbers(*want.shape, seed=4)
    want, magnitudes = (gradient_by_definition(f(dy), f(w), padding, x_shape) for f in (np.positive, np.abs))
    assert_near(gradient_of_images(x, w, padding, dy), want, magnitudes)
    dw, dbias = gradient_of_weights(x, w, padding, dy)
    want, magnitudes = (weights_by_definition(f(x), f(dy), padding) for f in (np.positive, np.abs))
    assert_near(dw, want, magnitudes.max(axis=(2, 3), keepdims=True))  # of the nine weights together
    assert_near(dbias, *(f(dy).sum((0, 2, 3), dtype="float64") for f in (np.positive, np.abs)))


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 1e3, 1e15])
def test_errors_do_not_depend_on_the_scale(scale):
    x, w = numbers(2, 32, 9, 9) * np.float32(scale), numbers(32, 32, 3, 3, seed=1)
    assert_near(convolved(x, w, 1), by_definition(x, w, (1,) * 4), by_definition(abs(x), abs(w), (1,) * 4))


@pytest.mark.parametrize("pixel", [(0, 0), (4, 5), (5, 4), (7, 7), (12, 10)])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e30])
def test_a_pixel_reaches_its_own_windows_only(value, pixel):
    """What is not finite, and what is large, is seen by nine results of each filter: there the errors are those of the
    largest weight of a kernel, and elsewhere of what they are without it."""
    x, w = numbers(2, 24, 13, 11), numbers(24, 24, 3, 3, seed=1)
    x[1, 3, pixel[0], pixel[1]] = value
    largest = np.broadcast_to(abs(w).max(axis=(2, 3), keepdims=True), w.shape)
    frame = (1,) * 4
    with np.errstate(invalid="ignore"):
        want, magnitudes = by_definition(x, w, frame), by_definition(abs(x), largest, frame)
        dx = gradient_by_definition(x, w, frame, x.shape)
        dx_magnitudes = gradient_by_definition(abs(x), largest, frame, x.shape)
    y, gradient = convolved(x, w, 1), gradient_of_images(x, w, 1, x)
    for got, wanted, most in ((y, want, magnitudes), (gradient, dx, dx_magnitudes)):
        is_finite = np.isfinite(wanted)
        np.testing.assert_array_equal(got[~is_finite], wanted[~is_finite])
        assert_near(got[is_finite], wanted[is_finite], most[is_finite])


@pytest.mark.parametrize("pixel", [(0, 0), (4, 5), (12, 10)])
@pytest.mark.parametrize("value", [np.inf, np.nan, 3e38])
def test_what_is_not_finite_reaches_the_gradient_of_its_weights_only(value, pixel):
    x, dy = numbers(2, 24, 13, 11), numbers(2, 24, 13, 11, seed=1)
    for a, channel in ((x, 3), (dy, 7)):
        a[1, channel, pixel[0], pixel[1]] = value
        with np.errstate(invalid="ignore", over="ignore"):
            want = weights_by_definition(x, dy, (1,) * 4).astype("float32")
        dw, dbias = gradient_of_weights(x, np.ones((24, 24, 3, 3), "float32"), 1, dy)
        is_finite = abs(want) < 1e30
        np.testing.assert_allclose(dw[~is_finite], want[~is_finite], rtol=1e-5)
        np.testing.assert_allclose(dw[is_finite], want[is_finite], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(dbias, dy.sum((0, 2, 3)), rtol=1e-5, atol=1e-4)
        a[1, channel, pixel[0], pixel[1]] = 1.0


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_weights_that_are_not_finite(value):
    x, w = abs(numbers(2, 24, 8, 9)), numbers(25, 24, 3, 3, seed=1)
    w[7, 5, 1, 2] = value
    with np.errstate(invalid="ignore"):
        want = by_definition(x, w, (0,) * 4)
    got = convolved(x, w, 0)
    np.testing.assert_array_equal(got[:, 7], want[:, 7])
    np.testing.assert_allclose(np.delete(got, 7, 1), np.delete(want, 7, 1), rtol=1e-4, atol=1e-4)


def test_sums_that_overflow_in_tiles_alone():
    """Neighbours of opposite signs, whose difference has no number, and weights whose sum has none."""
    large, small = np.float32(3e38), np.float32(1e-3)
    signs = np.where(np.indices((9, 10)).sum(0) % 4 < 2, 1, -1).astype("float32")
    x = np.zeros((3, 24, 9, 10), "float32")
    x[1] = large * signs
    w = numbers(24, 24, 3, 3) * small
    y = convolved(x, w, 1)
    assert np.isfinite(y).all()
    assert_near(y, by_definition(x, w, (1,) * 4), by_definition(abs(x), abs(w), (1,) * 4))
    x, w = np.full((1, 24, 9, 10), 1e-4, "float32"), np.full((24, 24, 3, 3), large)
    np.testing.assert_allclose(convolved(x, w, 0), by_definition(x, w, (0,) * 4), rtol=1e-5)


@pytest.mark.parametrize("size, channels, filters", [
    ((6, 6), 24, 24), ((7, 7), 64, 40), ((14, 13), 33, 31), ((56, 9), 40, 64),
])  # fmt: skip
def test_an_image_has_the_same_bits_alone_and_in_a_batch(size, channels, filters):
    """On any number of threads, whatever the images beside it hold."""
    x, w = numbers(9, channels, *size), numbers(filters, channels, 3, 3, seed=1)
    dy = numbers(9, filters, *size, seed=2)
    for a in (x, dy):
        a[3, 1, 2, 3], a[4, 0, 5, 5], a[8, 2, 0, 0] = np.nan, np.inf, -np.inf
    whole = convolved(x, w, 1), gradient_of_images(x, w, 1, dy)
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            alone = [
                (convolved(x[i : i + 1], w, 1), gradient_of_images(x[i : i + 1], w, 1, dy[i : i + 1])) for i in range(9)
            ]
        for together, parts in zip(whole, zip(*alone, strict=True), strict=True):
            assert np.concatenate(parts).tobytes() == together.tobytes()


@pytest.mark.parametrize("images, channels, filters, size", [
    (1, 24, 40, (30, 31)), (9, 64, 70, (14, 14)), (3, 200, 130, (9, 8)), (2, 33, 24, (57, 60)),
])  # fmt: skip
def test_threads_change_no_bit_of_the_gradient_of_weights(images, channels, filters, size):
    x, dy = numbers(images, channels, *size), numbers(images, filters, *size, seed=1)
    w, results = numbers(filters, channels, 3, 3, seed=2), []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(b"".join(g.tobytes() for g in gradient_of_weights(x, w, 1, dy)))
    assert results[0] == results[1] == results[2]


def test_graphs_compute_the_same_bits():
    """With weights that a graph keeps, and those that it is given; images that are not finite too."""
    w, x = nd.asarray(numbers(32, 24, 3, 3), copy=True), numbers(3, 24, 10, 10, seed=1)
    infinite = x.copy()
    infinite[1, 2, 3, 4] = np.inf
    gradients = nd.grad(lambda x, w: nd.sum(nd.conv2d(x, w, padding=1) ** 2), (0, 1))
    graphs = [nd.capture(lambda x: nd.conv2d(x, w, padding=1), nd.asarray(x)), nd.capture(gradients, nd.asarray(x), w)]
    for _ in range(2):
        for images in (x, infinite, -x):
            want = convolved(images, np.asarray(w), 1)
            assert np.asarray(graphs[0](nd.asarray(images))).tobytes() == want.tobytes()
            dx, dw = graphs[1](nd.asarray(images), w)
            assert np.asarray(dx).tobytes() == gradient_of_images(images, np.asarray(w), 1, 2 * want).tobytes()
            assert np.asarray(dw).tobytes() == gradient_of_weights(images, np.asarray(w), 1, 2 * want)[0].tobytes()
        w *= 2.0
