"""Convolution and pooling against direct NumPy loops: every geometry; gradients; threads; what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nd4py as nd

FLOATS = ["float32", "float64"]
TOLERANCE = {"float16": 3e-2, "bfloat16": 3e-1, "float32": 3e-4, "float64": 1e-10}


def numbers(shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def positions(size, before, after, kernel, stride, dilation):
    """For every output position, the input positions that its window reads, those in the padding included."""
    span = (kernel - 1) * dilation + 1
    starts = range(-before, size + after - span + 1, stride)
    return [range(start, start + span, dilation) for start in starts]


def windows(shape, kernel, stride, padding, dilation=(1, 1)):
    """Every (output row, output column, window row, window column, input row, input column) inside the image."""
    rows = positions(shape[2], *padding[:2], kernel[0], stride[0], dilation[0])
    columns = positions(shape[3], *padding[2:], kernel[1], stride[1], dilation[1])
    inside = [
        (oy, ox, ky, kx, y, x)
        for (oy, ys), (ox, xs) in itertools.product(enumerate(rows), enumerate(columns))
        for (ky, y), (kx, x) in itertools.product(enumerate(ys), enumerate(xs))
        if 0 <= y < shape[2] and 0 <= x < shape[3]
    ]
    return inside, (len(rows), len(columns))


def conv2d_by_definition(x, w, bias, stride, padding, dilation):
    inside, out = windows(x.shape, w.shape[2:], stride, padding, dilation)
    y = np.zeros((x.shape[0], w.shape[0], *out), x.dtype)
    for oy, ox, ky, kx, i, j in inside:
        y[:, :, oy, ox] += x[:, :, i, j] @ w[:, :, ky, kx].T
    return y + bias[:, None, None]


def conv2d_gradients_by_definition(x, w, dy, stride, padding, dilation):
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    for oy, ox, ky, kx, i, j in windows(x.shape, w.shape[2:], stride, padding, dilation)[0]:
        dx[:, :, i, j] += dy[:, :, oy, ox] @ w[:, :, ky, kx]
        dw[:, :, ky, kx] += dy[:, :, oy, ox].T @ x[:, :, i, j]
    return dx, dw, dy.sum((0, 2, 3))


def in_groups(groups, x, w, *per_filter):
    """The operands of each group: its channels of x, its filters of w, bias and dy."""
    return zip(*(np.split(a, groups, axis=1 if a.ndim == 4 and a is not w else 0) for a in (x, w, *per_filter)),
               strict=True)  # fmt: skip


def pool_by_definition(x, kernel, stride, padding, dy=None):
    """Maxima and means, and with dy their gradients."""
    inside, out = windows(x.shape, kernel, stride, padding)
    maxima, means = np.zeros((*x.shape[:2], *out)), np.zeros((*x.shape[:2], *out))
    max_gradient, mean_gradient = np.zeros_like(x), np.zeros_like(x)
    for (oy, ox), group in itertools.groupby(inside, key=lambda tap: tap[:2]):
        ys, xs = zip(*(tap[4:] for tap in group), strict=True)
        window = x[:, :, ys, xs]
        maxima[:, :, oy, ox], means[:, :, oy, ox] = window.max(-1), window.mean(-1)
        if dy is not None:
            first = window.argmax(-1)
            for n, c in np.ndindex(x.shape[:2]):
                max_gradient[n, c, ys[first[n, c]], xs[first[n, c]]] += dy[n, c, oy, ox]
            for y, x_ in zip(ys, xs, strict=True):
                mean_gradient[:, :, y, x_] += dy[:, :, oy, ox] / len(ys)
    return (maxima, means) if dy is None else (max_gradient, mean_gradient)


def assert_close(got, want, dtype="float64"):
    assert got.shape == want.shape
    assert got.dtype == dtype
    got = np.asarray(got.astype("float64"))
    np.testing.assert_allclose(got, want, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 10)


@st.composite
def geometries(draw):
    """x's shape, w's shape, stride, padding (top, bottom, left, right) and dilation that fit together."""
    sizes = st.integers(1, 12)
    x = (draw(st.integers(1, 9)), draw(st.integers(1, 4)), draw(sizes), draw(sizes))
    w = (draw(st.integers(1, 13)), x[1], draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))
    padding = draw(st.tuples(*[st.integers(0, 3)] * 4))
    stride, dilation = draw(pairs), draw(pairs)
    assume((w[2] - 1) * dilation[0] < x[2] + padding[0] + padding[1])
    assume((w[3] - 1) * dilation[1] < x[3] + padding[2] + padding[3])
    return x, w, stride, padding, dilation


@settings(max_examples=150)
@given(geometry=geometries(), dtype=st.sampled_from(FLOATS))
def test_conv2d_matches_definition(geometry, dtype):
    x_shape, w_shape, *window = geometry
    x, w, bias = numbers(x_shape, dtype, 1), numbers(w_shape, dtype, 2), numbers(w_shape[:1], dtype, 3)
    stride, padding, dilation = window
    got = nd.conv2d(*map(nd.asarray, (x, w, bias)), stride=stride, padding=padding, dilation=dilation)
    assert_close(got, conv2d_by_definition(x, w, bias, *window), dtype)


@pytest.fixture
def without_helpers():
    """The built-in path alone, whose bits are promised."""
    before = nd.helpers(False)
    yield
    nd.helpers(before)


def weighted_sum(f, weights):
    return lambda *arrays: nd.sum(f(*arrays) * nd.asarray(weights))


@settings(max_examples=150)
@given(geometry=geometries(), dtype=st.sampled_from(FLOATS))
def test_conv2d_gradients_match_definition(geometry, dtype):
    x_shape, w_shape, *window = geometry
    stride, padding, dilation = window
    x, w, bias = numbers(x_shape, dtype, 1), numbers(w_shape, dtype, 2), numbers(w_shape[:1], dtype, 3)
    dy = numbers(conv2d_by_definition(x, w, bias, *window).shape, dtype, 4)
    f = weighted_sum(lambda *a: nd.conv2d(*a, stride=stride, padding=padding, dilation=dilation), dy)
    got = nd.grad(f, argnums=(0, 1, 2))(nd.asarray(x), nd.asarray(w), nd.asarray(bias))
    for one, other in zip(got, conv2d_gradients_by_definition(x, w, dy, *window), strict=True):
        assert_close(one, other, dtype)


@settings(max_examples=60)
@given(geometry=geometries(), groups=st.integers(2, 5), filters=st.integers(1, 7), dtype=st.sampled_from(FLOATS))
def test_conv2d_in_groups_matches_definition(geometry, groups, filters, dtype):
    x_shape, w_shape, *window = geometry
    x = numbers((x_shape[0], groups * x_shape[1], *x_shape[2:]), dtype, 1)
    w, bias = numbers((groups * filters, *w_shape[1:]), dtype, 2), numbers(groups * filters, dtype, 3)
    options = dict(zip(("stride", "padding", "dilation"), window, strict=True), groups=groups)
    y = np.concatenate([conv2d_by_definition(*part, *window) for part in in_groups(groups, x, w, bias)], axis=1)
    assert_close(nd.conv2d(*map(nd.asarray, (x, w, bias)), **options), y, dtype)
    dy = numbers(y.shape, dtype, 4)
    got = nd.grad(weighted_sum(lambda *a: nd.conv2d(*a, **options), dy), argnums=(0, 1, 2))(
        nd.asarray(x), nd.asarray(w), nd.asarray(bias)
    )
    parts = [conv2d_gradients_by_definition(*part, *window) for part in in_groups(groups, x, w, dy)]
    for i, (one, axis) in enumerate(zip(got, (1, 0, 0), strict=True)):
        assert_close(one, np.concatenate([part[i] for part in parts], axis=axis), dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("x_shape, filters, groups", [
    ((3, 40, 7, 9), 30, 1), ((1, 64, 12, 12), 300, 1), ((2, 96, 5, 5), 8, 2), ((9, 33, 1, 1), 5, 1),
], ids=str)  # fmt: skip
def test_kernels_of_one_pixel(without_helpers, x_shape, filters, groups, dtype):
    x, w = numbers(x_shape, dtype, 1), numbers((filters, x_shape[1] // groups, 1, 1), dtype, 2)
    bias, window = numbers(filters, dtype, 3), ((1, 1), (0, 0, 0, 0), (1, 1))
    y = np.concatenate([conv2d_by_definition(*part, *window) for part in in_groups(groups, x, w, bias)], axis=1)
    assert_close(nd.conv2d(*map(nd.asarray, (x, w, bias)), groups=groups), y, dtype)
    dy = numbers(y.shape, dtype, 4)
    f = weighted_sum(lambda *a: nd.conv2d(*a, groups=groups), dy)
    got = nd.grad(f, argnums=(0, 1))(nd.asarray(x), nd.asarray(w))
    parts = [conv2d_gradients_by_definition(*part, *window) for part in in_groups(groups, x, w, dy)]
    assert_close(got[0], np.concatenate([part[0] for part in parts], axis=1), dtype)
    assert_close(got[1], np.concatenate([part[1] for part in parts], axis=0), dtype)


def central_difference(f, x, step=1e-6):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[i] += step
        low[i] -= step
        gradient[i] = (f(nd.asarray(high)).item() - f(nd.asarray(low)).item()) / (2 * step)
    return gradient


FUNCTIONS = {
    "conv2d": lambda x: nd.conv2d(x, nd.asarray(numbers((3, 2, 3, 2))), stride=(2, 1), padding=(1, 0)),
    "conv2d of w": lambda w: nd.conv2d(nd.asarray(numbers((3, 2, 7, 6))), w, stride=2, dilation=(1, 2), padding=3),
    "max_pool2d": lambda x: nd.max_pool2d(x, (2, 2)),
    "max_pool2d overlapping": lambda x: nd.max_pool2d(x, 3, stride=(1, 2), padding=(1, 1)),
    "avg_pool2d": lambda x: nd.avg_pool2d(x, (2, 3)),
    "avg_pool2d overlapping": lambda x: nd.avg_pool2d(x, 3, stride=2, padding=(1, 0, 2, 1)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_match_central_differences(name):
    x = numbers((2, 2, 5, 6))
    f = weighted_sum(FUNCTIONS[name], numbers(FUNCTIONS[name](nd.asarray(x)).shape, seed=7))
    np.testing.assert_allclose(np.asarray(nd.grad(f)(nd.asarray(x))), central_difference(f, x), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("wanted", [(0,), (1,), (2,), (0, 2), (1, 2)], ids=str)
def test_conv2d_gradient_of_some_operands(wanted):
    operands = [nd.asarray(numbers(shape, seed=i)) for i, shape in enumerate([(2, 3, 6, 6), (4, 3, 3, 3), (4,)])]
    f = weighted_sum(nd.conv2d, numbers((2, 4, 4, 4)))
    every = nd.grad(f, argnums=(0, 1, 2))(*operands)
    for i, got in zip(wanted, nd.grad(f, argnums=wanted)(*operands), strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(every[i]))


@st.composite
def pools(draw):
    """x's shape, kernel, stride and a padding smaller than the kernel."""
    x = (draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 20)), draw(st.integers(1, 70)))
    kernel = draw(st.sampled_from([(2, 2), (1, 1), (2, 3), (3, 3), (4, 1)]))
    stride = draw(st.sampled_from([kernel, (2, 2), (1, 1), (1, 3)]))
    padding = tuple(draw(st.integers(0, size - 1)) for size in (kernel[0], kernel[0], kernel[1], kernel[1]))
    padding = draw(st.sampled_from([(0, 0, 0, 0), padding]))
    assume(kernel[0] <= x[2] + padding[0] + padding[1] and kernel[1] <= x[3] + padding[2] + padding[3])
    return x, kernel, stride, padding


@settings(max_examples=150)
@given(pool=pools(), dtype=st.sampled_from(FLOATS))
def test_pooling_matches_definition(pool, dtype):
    shape, kernel, stride, padding = pool
    x = np.round(numbers(shape, dtype), 1)  # rounding makes equal elements
    maxima, means = pool_by_definition(x, kernel, stride, padding)
    dy = numbers(maxima.shape, dtype, 1)
    gradients = pool_by_definition(x, kernel, stride, padding, dy)
    for pooling, want, gradient in zip((nd.max_pool2d, nd.avg_pool2d), (maxima, means), gradients, strict=True):
        assert_close(pooling(nd.asarray(x), kernel, stride=stride, padding=padding), want, dtype)
        f = weighted_sum(lambda a, pooling=pooling: pooling(a, kernel, stride=stride, padding=padding), dy)
        assert_close(nd.grad(f)(nd.asarray(x)), gradient, dtype)


@pytest.mark.parametrize("kernel, width", [((2, 2), 4), ((2, 2), 38), ((3, 2), 9)])
def test_max_pool2d_of_not_a_number(kernel, width):
    x = np.round(numbers((2, 3, 8, width), "float32"), 1)
    x[np.random.default_rng(1).random(x.shape) < 0.2] = np.nan
    x[0, 0] = -np.inf
    want = pool_by_definition(x, kernel, kernel, (0, 0, 0, 0))[0]
    np.testing.assert_array_equal(np.asarray(nd.max_pool2d(nd.asarray(x), kernel)), want)
    gradient = pool_by_definition(x, kernel, kernel, (0, 0, 0, 0), np.ones_like(want))[0]
    got = nd.grad(lambda a: nd.sum(nd.max_pool2d(a, kernel)))(nd.asarray(x))
    np.testing.assert_array_equal(np.asarray(got), gradient)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("x_shape, w_shape, options", [
    ((33, 1, 28, 28), (20, 1, 5, 5), {}),
    ((130, 20, 12, 12), (50, 20, 5, 5), {}),
    ((3, 40, 30, 41), (33, 40, 3, 3), {"padding": 1, "stride": 2}),
    ((2, 8, 90, 90), (6, 8, 3, 3), {"padding": 2, "dilation": 2}),
    ((1, 64, 20, 20), (70, 64, 1, 1), {}),
    ((5, 12, 30, 30), (24, 3, 3, 3), {"padding": 1, "groups": 4}),
    ((3, 32, 40, 40), (32, 1, 3, 3), {"padding": 1, "groups": 32}),
], ids=str)  # fmt: skip
def test_threads_change_no_bit(without_helpers, x_shape, w_shape, options, dtype):
    operands = [nd.asarray(numbers(shape, dtype, i)) for i, shape in enumerate([x_shape, w_shape, w_shape[:1]])]
    f = nd.value_and_grad(lambda x, w, b: nd.mean(nd.max_pool2d(nd.conv2d(x, w, b, **options), 2)), argnums=(0, 1, 2))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            y = nd.conv2d(*operands, **options)
            value, gradients = f(*operands)
            arrays = (y, nd.avg_pool2d(y, 3, padding=1), value, *gradients)
            results.append([np.asarray(a).tobytes() for a in arrays])
    assert results[0] == results[1] == results[2]


def test_images_do_not_depend_on_their_neighbours():
    """One image gives the same bits alone and in a batch, and infinities stay where they belong."""
    x, w = numbers((20, 3, 9, 11), "float32"), numbers((7, 3, 3, 3), "float32")
    together = np.asarray(nd.conv2d(nd.asarray(x), nd.asarray(w), padding=1))
    alone = np.asarray(nd.conv2d(nd.asarray(x[4:5]), nd.asarray(w), padding=1))
    np.testing.assert_array_equal(together[4:5], alone)
    x[5, 0, 2, 3] = np.inf
    y = np.asarray(nd.conv2d(nd.asarray(x), nd.asarray(w), padding=1))
    assert not np.isfinite(y[5, :, 1:4, 2:5]).any()
    y[5, :, 1:4, 2:5] = together[5, :, 1:4, 2:5]
    np.testing.assert_array_equal(y, together)


def test_infinite_pixel_reaches_only_its_own_weights():
    x, dy = numbers((1, 1, 4, 5)), np.zeros((1, 1, 2, 3))
    x[0, 0, 0, 0] = np.inf
    dy[0, 0, 1, 2] = 1
    f = weighted_sum(nd.conv2d, dy)
    got = np.asarray(nd.grad(f, argnums=1)(nd.asarray(x), nd.asarray(numbers((1, 1, 3, 3)))))
    assert np.isnan(got[0, 0, 0, 0])  # 0 * inf, of its own tap
    want = x[0, 0, 1:4, 2:5].copy()
    want[0, 0] = np.nan
    np.testing.assert_array_equal(got[0, 0], want)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_types_are_computed_in_single(dtype):
    x, w = nd.asarray(numbers((2, 3, 6, 6)), dtype=dtype), nd.asarray(numbers((4, 3, 3, 3)), dtype=dtype)
    plain_x, plain_w = (np.asarray(a.astype("float64")) for a in (x, w))
    y = nd.conv2d(x, w)
    assert_close(y, conv2d_by_definition(plain_x, plain_w, np.zeros(4), (1, 1), (0,) * 4, (1, 1)), dtype)
    assert nd.max_pool2d(x, 2).dtype == nd.avg_pool2d(x, 2).dtype == dtype
    gradients = nd.grad(lambda a, b: nd.sum(nd.avg_pool2d(nd.conv2d(a, b), 2)), argnums=(0, 1))(x, w)
    assert [g.dtype for g in gradients] == [dtype, dtype]


def test_strided_operands():
    x, w = numbers((4, 6, 7, 3)), numbers((3, 3, 3, 5))
    got = nd.conv2d(nd.asarray(x).permute_dims((0, 3, 1, 2)), nd.asarray(w).permute_dims((3, 0, 1, 2)))
    plain = np.ascontiguousarray(x.transpose(0, 3, 1, 2)), np.ascontiguousarray(w.transpose(3, 0, 1, 2))
    assert_close(got, conv2d_by_definition(*plain, np.zeros(5), (1, 1), (0,) * 4, (1, 1)))
    pooled = nd.max_pool2d(nd.asarray(x).permute_dims((0, 3, 1, 2))[:, :, ::-1], 2)
    assert_close(pooled, pool_by_definition(plain[0][:, :, ::-1], (2, 2), (2, 2), (0,) * 4)[0])


@pytest.mark.parametrize("x_shape, w_shape, y_shape", [
    ((0, 3, 5, 5), (4, 3, 2, 2), (0, 4, 4, 4)),
    ((2, 0, 5, 5), (4, 0, 2, 2), (2, 4, 4, 4)),
    ((2, 3, 5, 5), (0, 3, 2, 2), (2, 0, 4, 4)),
], ids=str)  # fmt: skip
def test_zero_sizes(x_shape, w_shape, y_shape):
    operands = [nd.ones(shape) for shape in (x_shape, w_shape, w_shape[:1])]
    y = nd.conv2d(*operands)
    np.testing.assert_array_equal(np.asarray(y), np.ones(y_shape))
    gradients = nd.grad(lambda *a: nd.sum(nd.conv2d(*a)), argnums=(0, 1, 2))(*operands)
    assert [g.shape for g in gradients] == [x_shape, w_shape, w_shape[:1]]
    np.testing.assert_array_equal(np.asarray(gradients[0]), np.zeros(x_shape))
    np.testing.assert_array_equal(np.asarray(gradients[2]), np.full(w_shape[0], y_shape[0] * 16.0))


def test_numbers_and_pairs_mean_the_same():
    x, w = nd.asarray(numbers((1, 2, 9, 9))), nd.asarray(numbers((3, 2, 3, 3)))
    by_number = nd.conv2d(x, w, stride=2, padding=1, dilation=2)
    for padding in ((1, 1), [1, 1, 1, 1]):
        by_pair = nd.conv2d(x, w, stride=(2, 2), padding=padding, dilation=(2, 2))
        np.testing.assert_array_equal(np.asarray(by_number), np.asarray(by_pair))


def convolve(x=(2, 3, 8, 8), w=(4, 3, 3, 3), bias=None, dtype="float64", **options):
    return nd.conv2d(nd.ones(x, dtype=dtype), nd.ones(w), None if bias is None else nd.ones(bias), **options)


def pool(kernel, pooling=nd.max_pool2d, x=(2, 3, 8, 8), dtype="float64", **options):
    return pooling(nd.ones(x, dtype=dtype), kernel, **options)


@pytest.mark.parametrize("call, text", [
    (lambda: convolve(x=(3, 8, 8)), r"conv2d: x must be \(images.*given shape \(3, 8, 8\)"),
    (lambda: convolve(w=(4, 2, 3, 3)), r"w must be \(filters, 3 channels.*given \(4, 2, 3, 3\)"),
    (lambda: convolve(w=(4, 3, 3)), r"w must be .*given \(4, 3, 3\)"),
    (lambda: convolve(w=(4, 3, 0, 3)), r"given \(4, 3, 0, 3\)"),
    (lambda: convolve(groups=0), "groups must be a whole number that divides channels and filters, given 0"),
    (lambda: convolve(groups=2), r"groups must be .*given 2 for x of shape \(2, 3, 8, 8\) and w"),
    (lambda: convolve(w=(4, 1, 3, 3), groups=3), r"groups must be .*given 3 .* w of shape \(4, 1, 3, 3\)"),
    (lambda: convolve(w=(3, 3, 3, 3), groups=3), r"w must be \(filters, 1 channels.*given \(3, 3, 3, 3\)"),
    (lambda: convolve(bias=3), r"bias must be .*\(4,\), given \(3,\)"),
    (lambda: convolve(w=(4, 3, 9, 3)), "a window of 9 x 3 does not fit x of shape"),
    (lambda: convolve(dilation=4), "a window of 9 x 9 does not fit"),
    (lambda: convolve(stride=0), "stride must be .*at least 1, given 0"),
    (lambda: convolve(stride=(1, 2, 3)), "stride must be"),
    (lambda: convolve(padding=-1), "padding must be .*none negative, given -1"),
    (lambda: convolve(padding=(1, 2, 3)), "padding must be"),
    (lambda: convolve(padding=1.5), "padding must be .*given 1.5"),
    (lambda: convolve(padding=2**40), "padding .* is out of range"),
    (lambda: pool(2, x=(8, 8)), r"max_pool2d: x must be .*given shape \(8, 8\)"),
    (lambda: pool(9), "max_pool2d: a window of 9 x 9 does not fit"),
    (lambda: pool((2, 0)), r"kernel must be .*given \(2, 0\)"),
    (lambda: pool(2, padding=2), r"padding \(2, 2, 2, 2\).*smaller than the kernel \(2, 2\)"),
    (lambda: pool(2, nd.avg_pool2d, stride=0), "avg_pool2d: stride must be"),
])  # fmt: skip
def test_wrong_shapes_and_numbers(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("call, text", [
    (lambda: convolve(dtype="int32"), "conv2d: no int32 loop; convert first"),
    (lambda: nd.conv2d(nd.ones((1, 1, 4, 4)), [1.0]), "conv2d: needs arrays, given list"),
    (lambda: pool(2, nd.avg_pool2d, dtype="bool"), "avg_pool2d: no bool loop"),
])  # fmt: skip
def test_wrong_types(call, text):
    with pytest.raises(TypeError, match=text):
        call()


@pytest.mark.parametrize("filters, channels, size, kernel, groups", [
    (50, 20, 12, 5, 1), (7, 3, 5, 3, 1), (64, 16, 7, 3, 2), (1, 1, 9, 2, 1), (200, 2, 6, 3, 1), (96, 4, 40, 3, 1),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_image_has_the_same_bits_alone_and_in_a_batch(filters, channels, size, kernel, groups, dtype):
    shapes = (9, channels, size, size), (filters, channels // groups, kernel, kernel), (filters,)
    x, w, bias = (nd.asarray(numbers(shape, dtype, seed)) for seed, shape in enumerate(shapes))
    before = nd.helpers(False)
    try:
        whole = np.asarray(nd.conv2d(x, w, bias, groups=groups))
        for n_threads in (1, 2, 3):
            with nd.threads(n_threads):
                alone = [np.asarray(nd.conv2d(x[i : i + 1], w, bias, groups=groups)) for i in range(9)]
            assert np.concatenate(alone).tobytes() == whole.tobytes()
    finally:
        nd.helpers(before)


@settings(max_examples=150)
@given(geometry=geometries(), groups=st.integers(1, 5), filters=st.integers(1, 5), dtype=st.sampled_from(FLOATS))
def test_depthwise_conv2d_matches_definition(geometry, groups, filters, dtype):
    """Groups of one channel: with so few filters that they have loops of their own, and with one more."""
    x_shape, w_shape, *window = geometry
    stride, padding, dilation = window
    x = numbers((x_shape[0], groups, *x_shape[2:]), dtype, 1)
    w, bias = numbers((groups * filters, 1, *w_shape[2:]), dtype, 2), numbers((groups * filters,), dtype, 3)
    want = [conv2d_by_definition(*operands, *window) for operands in in_groups(groups, x, w, bias)]
    how = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    assert_close(nd.conv2d(*map(nd.asarray, (x, w, bias)), **how), np.concatenate(want, axis=1), dtype)
    dy = numbers((x.shape[0], groups * filters, *want[0].shape[2:]), dtype, 4)
    f = weighted_sum(lambda *operands: nd.conv2d(*operands, **how), dy)
    got = nd.grad(f, argnums=(0, 1, 2))(*map(nd.asarray, (x, w, bias)))
    pieces = [conv2d_gradients_by_definition(*operands, *window) for operands in in_groups(groups, x, w, dy)]
    for one, parts, axis in zip(got, zip(*pieces, strict=True), (1, 0, 0), strict=True):
        assert_close(one, np.concatenate(parts, axis=axis), dtype)


def test_depthwise_weight_gradient_reads_no_window_but_its_own(without_helpers):
    """Infinities that no window with a gradient reads do not become NaN."""
    x = np.ones((1, 2, 5, 7))
    x[0, :, :, 5:] = np.inf
    w = nd.ones((2, 1, 1, 1))
    g = nd.grad(lambda w: nd.sum(nd.conv2d(nd.asarray(x), w, groups=2, stride=(1, 4))))(w)
    assert np.asarray(g).ravel().tolist() == [10.0, 10.0]


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_depthwise_bands_of_tall_images_and_threads(n_threads, without_helpers):
    x, w = numbers((2, 3, 300, 260), "float32", 1), numbers((3, 1, 3, 3), "float32", 2)

    def gradients():
        return nd.grad(lambda x, w: nd.sum(nd.square(nd.conv2d(x, w, groups=3, padding=1))), (0, 1))(
            nd.asarray(x), nd.asarray(w)
        )

    with nd.threads(1):
        want = [np.asarray(a) for a in (nd.conv2d(nd.asarray(x), nd.asarray(w), groups=3, padding=1), *gradients())]
    with nd.threads(n_threads):
        got = [np.asarray(a) for a in (nd.conv2d(nd.asarray(x), nd.asarray(w), groups=3, padding=1), *gradients())]
    assert [a.tobytes() for a in got] == [a.tobytes() for a in want]
    y = conv2d_by_definition(
        x[:1, :1, 240:].astype("float64"), w[:1].astype("float64"), np.zeros(1), (1, 1), (0, 1, 1, 1), (1, 1)
    )
    np.testing.assert_allclose(want[0][0, 0, 241:], y[0, 0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kernel, frame", [(1, 0), (2, 1), (3, 1), (5, 2)])
@pytest.mark.parametrize("size", [(1, 1), (3, 4), (7, 7), (14, 14), (5, 30), (3, 65), (2, 127)], ids=str)
def test_rows_of_few_vectors(without_helpers, size, kernel, frame, dtype):
    """Depthwise ones, whose rows are copied as vectors, and kernels of one pixel, which read x where it lies."""
    x, bias = numbers((2, 9, *size), dtype, 1), numbers((18,), dtype, 2)
    dense, depthwise = numbers((18, 9, kernel, kernel), dtype, 3), numbers((18, 1, kernel, kernel), dtype, 4)
    window = (1, 1), (frame,) * 4, (1, 1)
    if min(size) + 2 * frame >= kernel:
        y = nd.conv2d(*map(nd.asarray, (x, dense, bias)), padding=frame)
        assert_close(y, conv2d_by_definition(x, dense, bias, *window), dtype)
        y = nd.conv2d(*map(nd.asarray, (x, depthwise, bias)), padding=frame, groups=9)
        want = [conv2d_by_definition(*operands, *window) for operands in in_groups(9, x, depthwise, bias)]
        assert_close(y, np.concatenate(want, axis=1), dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kernel, stride", [(3, 1), (3, 2), (5, 3), (3, 7), (200, 5), (256, 1), (300, 40)])
def test_maxima_of_long_rows(kernel, stride, dtype):
    x = numbers((1, 2, 2, 701), dtype)
    x[0, 0, 1, 300] = np.nan
    want = pool_by_definition(x, (2, kernel), (1, stride), (1, 0, 2, 1))[0]
    got = nd.max_pool2d(nd.asarray(x), (2, kernel), stride=(1, stride), padding=(1, 0, 2, 1))
    np.testing.assert_array_equal(np.asarray(got), want)
