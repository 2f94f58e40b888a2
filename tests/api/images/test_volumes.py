"""Convolution and pooling of volumes, and transposed convolution, against NumPy; gradients of any order; refusals."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nd4py as nd

TOLERANCE = {"float16": 3e-2, "bfloat16": 3e-1, "float32": 1e-4, "float64": 1e-11}


def numbers(shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def windows(x, spans, stride, edges, fill=0.0):
    """(images, channels, *positions, *spans)"""
    padded = np.pad(x, ((0, 0), (0, 0), *np.reshape(edges, (-1, 2))), constant_values=fill)
    seen = np.lib.stride_tricks.sliding_window_view(padded, spans, tuple(range(2, x.ndim)))
    return seen[(slice(None), slice(None), *(slice(None, None, step) for step in stride))]


def convolve(x, w, stride, edges, dilation, groups):
    """The convolution by its definition: each group's windows times its filters."""
    n = x.ndim - 2
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True)]
    seen = windows(x, spans, stride, edges)[(..., *(slice(None, None, step) for step in dilation))]
    parts = zip(np.split(seen, groups, axis=1), np.split(w, groups), strict=True)
    axes = (1, *range(2 + n, 2 + 2 * n)), tuple(range(1, 2 + n))
    return np.concatenate([np.moveaxis(np.tensordot(part, own, axes), -1, 1) for part, own in parts], axis=1)


@st.composite
def geometries(draw, n_axes=3):
    """x's shape, w's shape, stride, padding before and after each axis, dilation and groups that fit together."""
    groups = draw(st.integers(1, 3))
    x = (draw(st.integers(1, 4)), groups * draw(st.integers(1, 3)), *(draw(st.integers(1, 7)) for _ in range(n_axes)))
    w = (groups * draw(st.integers(1, 7)), x[1] // groups, *(draw(st.integers(1, 3)) for _ in range(n_axes)))
    stride, dilation = (tuple(draw(st.integers(1, most)) for _ in range(n_axes)) for most in (3, 2))
    edges = tuple(draw(st.integers(0, 2)) for _ in range(2 * n_axes))
    for axis in range(n_axes):
        assume((w[2 + axis] - 1) * dilation[axis] < x[2 + axis] + edges[2 * axis] + edges[2 * axis + 1])
    return x, w, stride, edges, dilation, groups


@settings(max_examples=150)
@given(geometry=geometries(), dtype=st.sampled_from(["float32", "float64"]))
def test_conv3d_and_its_gradients_match_the_definition(geometry, dtype):
    x_shape, w_shape, stride, edges, dilation, groups = geometry
    x, w, bias = numbers(x_shape, dtype, 1), numbers(w_shape, dtype, 2), numbers(w_shape[:1], dtype, 3)
    options = {"stride": stride, "padding": edges, "dilation": dilation, "groups": groups}
    y = convolve(x.astype(float), w.astype(float), stride, edges, dilation, groups)
    dy = numbers(y.shape, dtype, 4)
    value, got = nd.value_and_grad(lambda *a: nd.sum(nd.conv3d(*a, **options) * nd.asarray(dy)), (0, 1, 2))(
        *map(nd.asarray, (x, w, bias))
    )
    y = y + bias.reshape(-1, 1, 1, 1)
    found = np.asarray(nd.conv3d(*map(nd.asarray, (x, w, bias)), **options))
    scale = TOLERANCE[dtype] * max(1.0, np.abs(y).max())
    np.testing.assert_allclose(found, y, atol=scale)
    assert float(value) == pytest.approx((y * dy).sum(), rel=1e-3, abs=1e-2)
    np.testing.assert_allclose(np.asarray(got[2]), dy.sum((0, 2, 3, 4)), atol=100 * TOLERANCE[dtype])
    # The convolution is linear in x and in w: gradients times a direction are its results there.
    for own, direction, moved in (
        (got[0], numbers(x_shape, dtype, 5), lambda v: convolve(v, w, stride, edges, dilation, groups)),
        (got[1], numbers(w_shape, dtype, 6), lambda v: convolve(x, v, stride, edges, dilation, groups)),
    ):
        want = (moved(direction).astype(float) * dy).sum()
        bound = np.abs(dy).sum() * np.abs(direction).max() * np.sqrt(w[0].size)
        assert (np.asarray(own).astype(float) * direction).sum() == pytest.approx(want, abs=TOLERANCE[dtype] * bound)


@settings(max_examples=100)
@given(geometry=geometries(), n_axes=st.sampled_from([2, 3]))
def test_transposed_convolutions_are_the_gradient_of_convolutions(geometry, n_axes):
    x_shape, w_shape, stride, edges, dilation, groups = (
        each[: 2 + n_axes] if i < 2 else each[:n_axes] if i in (2, 4) else each[: 2 * n_axes] if i == 3 else each
        for i, each in enumerate(geometry)
    )
    function, transposed = {2: (nd.conv2d, nd.conv_transpose2d), 3: (nd.conv3d, nd.conv_transpose3d)}[n_axes]
    options = {"stride": stride, "padding": edges, "dilation": dilation, "groups": groups}
    x, w = nd.asarray(numbers(x_shape, seed=1)), nd.asarray(numbers(w_shape, seed=2))
    y = nd.asarray(numbers(function(x, w, **options).shape, seed=3))
    spans = [(k - 1) * d + 1 for k, d in zip(w_shape[2:], dilation, strict=True)]
    behind = tuple(
        n + edges[2 * i] + edges[2 * i + 1] - (y.shape[2 + i] - 1) * stride[i] - spans[i]
        for i, n in enumerate(x_shape[2:])
    )
    got = transposed(y, w, output_padding=behind, **options)
    assert got.shape == x_shape
    want = nd.grad(lambda x: nd.sum(function(x, w, **options) * y))(x)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
    bias = numbers(x_shape[1], seed=4)
    with_bias = np.asarray(transposed(y, w, nd.asarray(bias), output_padding=behind, **options))
    np.testing.assert_allclose(with_bias, np.asarray(got) + bias.reshape(-1, *[1] * n_axes), rtol=1e-14)


@pytest.mark.parametrize("x_shape, w_shape, options", [
    ((3, 8, 9, 12, 12), (16, 8, 3, 3, 3), {"padding": 1}),
    ((1, 6, 4, 40, 40), (60, 6, 2, 3, 3), {"stride": (1, 2, 2)}),
    ((2, 4, 13, 24, 20), (8, 4, 3, 3, 3), {"stride": (2, 1, 1), "padding": (2, 1, 0)}),
    ((2, 6, 9, 20, 20), (12, 3, 3, 3, 2), {"dilation": (2, 1, 1), "groups": 2}),
    ((2, 40, 6, 12, 12), (48, 40, 1, 1, 1), {}),
], ids=str)  # fmt: skip
def test_threads_change_no_bit(x_shape, w_shape, options):
    x, w = numbers(x_shape, "float32", 1), numbers(w_shape, "float32", 2)
    stride, padding = options.get("stride", (1, 1, 1)), np.broadcast_to(options.get("padding", 0), 3)
    want = convolve(x, w, stride, np.repeat(padding, 2), options.get("dilation", (1, 1, 1)), options.get("groups", 1))
    gradients = nd.grad(lambda x, w: nd.mean(nd.max_pool3d(nd.conv3d(x, w, **options), 2)), (0, 1))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            y = nd.conv3d(nd.asarray(x), nd.asarray(w), **options)
            arrays = (y, *gradients(nd.asarray(x), nd.asarray(w)), nd.avg_pool3d(y, 2, stride=1))
            results.append([np.asarray(each).tobytes() for each in arrays])
    np.testing.assert_allclose(np.asarray(y), want, rtol=1e-3, atol=1e-3)
    assert results[0] == results[1] == results[2]


BILINEAR = {
    "conv2d": (nd.conv2d, (2, 2, 4, 3), (4, 1, 2, 2), 4, {"stride": (2, 1), "padding": (1, 0), "groups": 2}),
    "conv3d": (nd.conv3d, (2, 2, 3, 3, 2), (2, 2, 2, 1, 2), 2, {"dilation": (2, 1, 1), "padding": 1}),
    "conv_transpose2d": (nd.conv_transpose2d, (2, 2, 2, 3), (2, 3, 2, 2), 3, {"stride": 2, "output_padding": 1}),
    "conv_transpose3d": (nd.conv_transpose3d, (1, 2, 2, 2, 2), (2, 1, 2, 1, 2), 2, {"padding": (1, 0, 0), "groups": 2}),
}


@pytest.mark.parametrize("operand", [0, 1, 2])
@pytest.mark.parametrize("name", BILINEAR)
def test_gradients_of_gradients(name, operand):
    function, x_shape, w_shape, n_filters, options = BILINEAR[name]
    operands = [numbers(shape, seed=i) for i, shape in enumerate((x_shape, w_shape, (n_filters,)))]
    directions = [nd.asarray(numbers(each.shape, seed=7 + i)) for i, each in enumerate(operands)]

    def total(*arrays):
        return nd.sum(nd.tanh(function(*arrays, **options)) ** 2)

    def of_gradients(value):
        arrays = [nd.asarray(each) for each in operands]
        arrays[operand] = value
        found = nd.grad(total, (0, 1, 2))(*arrays)
        pairs = zip(found, directions, strict=True)
        return nd.sum(nd.stack([nd.sum(gradient * direction) for gradient, direction in pairs]))

    check_gradient(of_gradients, operands[operand], rtol=1e-5, atol=1e-7)

    def of_operand(value):
        return total(*(value if i == operand else nd.asarray(each) for i, each in enumerate(operands)))

    check_gradient(of_operand, operands[operand], rtol=1e-5, atol=1e-7)


def test_gradients_of_operands_of_several_dtypes():
    x, w = numbers((1, 2, 4, 4)), numbers((3, 2, 2, 2))
    want = nd.grad(lambda x, w: nd.sum(nd.conv2d(x, w) ** 2), (0, 1))(nd.asarray(x.astype("float32")), nd.asarray(w))
    single = nd.grad(lambda x, w: nd.sum(nd.conv2d(x, w) ** 2), (0, 1))(
        nd.asarray(x.astype("float32").astype(float)), nd.asarray(w)
    )
    assert [each.dtype for each in want] == ["float32", "float64"]
    for one, other in zip(want, single, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_types_are_computed_in_float32(dtype):
    x, w = (
        nd.asarray(numbers(shape, seed=i)).astype(dtype) for i, shape in enumerate([(1, 2, 3, 4, 4), (2, 2, 2, 2, 2)])
    )
    wide = [each.astype("float32") for each in (x, w)]
    for function in (nd.conv3d, nd.conv_transpose3d):
        got, want = function(x, w), function(*wide)
        assert got.dtype == dtype
        np.testing.assert_array_equal(
            np.asarray(got.astype("float32")), np.asarray(want.astype(dtype).astype("float32"))
        )
    got, want = nd.avg_pool3d(x, 2, stride=1), nd.avg_pool3d(wide[0], 2, stride=1).astype(dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.asarray(got.astype("float32")), np.asarray(want.astype("float32")))


@settings(max_examples=100)
@given(data=st.data())
def test_pooling_of_volumes_matches_the_definition(data):
    kernel = tuple(data.draw(st.integers(1, 3)) for _ in range(3))
    stride = tuple(data.draw(st.integers(1, 3)) for _ in range(3))
    edges = tuple(data.draw(st.integers(0, k - 1)) for k in kernel for _ in range(2))
    x = numbers((2, 3, *(data.draw(st.integers(k, 7)) for k in kernel)))
    x = np.where(numbers(x.shape, seed=1) > 1, np.nan, np.round(x, 1)) if data.draw(st.booleans()) else np.round(x, 1)
    options = {"stride": stride, "padding": edges}
    seen = windows(x, kernel, stride, edges, -np.inf)
    np.testing.assert_array_equal(np.asarray(nd.max_pool3d(nd.asarray(x), kernel, **options)), seen.max((5, 6, 7)))
    inside = windows(np.ones_like(x), kernel, stride, edges)
    sums = windows(x, kernel, stride, edges).sum((5, 6, 7))
    got = np.asarray(nd.avg_pool3d(nd.asarray(x), kernel, **options))
    np.testing.assert_allclose(got, sums / inside.sum((5, 6, 7)), rtol=1e-12, atol=1e-14)


def test_the_first_maximum_of_a_volume_receives_the_gradient():
    x = np.zeros((1, 1, 2, 2, 2))
    x[0, 0, 0, 1, 1] = x[0, 0, 1, 0, 0] = 1.0
    g = np.asarray(nd.grad(lambda x: nd.sum(nd.max_pool3d(x, 2)))(nd.asarray(x)))
    assert np.argwhere(g).tolist() == [[0, 0, 0, 1, 1]]


def test_the_gradient_of_means_of_volumes():
    x, g = numbers((1, 2, 2, 3, 2)), nd.asarray(numbers((1, 2, 3, 2, 3), seed=1))
    check_gradient(lambda x: nd.sum(nd.avg_pool3d(x, 2, stride=(1, 2, 1), padding=1) * g), x)


@pytest.mark.parametrize("shape", [(0, 2, 3, 3, 3), (2, 0, 3, 3, 3)], ids=str)
def test_nothing_is_convolved(shape):
    x, w = nd.ones(shape), nd.ones((4, shape[1], 2, 2, 2))
    assert nd.conv3d(x, w, nd.ones(4)).tolist() == np.ones((shape[0], 4, 2, 2, 2)).tolist()
    assert nd.conv_transpose3d(x, nd.ones((shape[1], 3, 2, 2, 2))).tolist() == np.zeros((shape[0], 3, 4, 4, 4)).tolist()


VOLUMES, IMAGES = nd.ones((1, 2, 4, 4, 4)), nd.ones((1, 2, 4, 4))
POINTS, POINT = nd.ones((3, 2, 1, 1, 1)), nd.ones((2, 3, 1, 1))


@pytest.mark.parametrize("call, text", [
    (lambda: nd.conv3d(IMAGES, POINTS), r"conv3d: x must be \(images, channels, depth, height, width\), given"),
    (lambda: nd.conv3d(VOLUMES, POINTS[:, :1]), r"conv3d: w must be \(filters, 2 channels, kernel depth, kernel he"),
    (lambda: nd.conv3d(VOLUMES, nd.ones((3, 2, 5, 1, 1))), r"a window of 5 x 1 x 1 does not fit x of shape"),
    (lambda: nd.conv3d(VOLUMES, POINTS, padding=(1, 1)), r"padding must be .* \(front, back, top, bottom, left"),
    (lambda: nd.conv3d(VOLUMES, POINTS, stride=(1, 2)), r"stride must be .*\(depth, height, width\), each at least 1"),
    (lambda: nd.conv_transpose3d(VOLUMES, POINTS), r"conv_transpose3d: w must be \(2 channels, filters // groups, ker"),
    (lambda: nd.conv_transpose2d(IMAGES, POINT, nd.ones(2)), r"bias must be one number per filter, \(3,\), given \(2,"),
    (lambda: nd.conv_transpose2d(IMAGES, POINT, output_padding=1), r"output_padding \(1, 1\) must be smaller"),
    (lambda: nd.conv_transpose2d(IMAGES, POINT, padding=2), r"conv_transpose2d: nothing is left, sizes \(0, 0\), of x"),
    (lambda: nd.conv_transpose2d(IMAGES, POINT, groups=3), "groups must be a whole number that divides channels"),
    (lambda: nd.max_pool3d(VOLUMES, 2, padding=(0, 2, 0)), r"padding \(0, 0, 2, 2, 0, 0\) \(front, back, top"),
    (lambda: nd.avg_pool3d(IMAGES, 2), r"avg_pool3d: x must be \(images, channels, depth, height, width\), given"),
], ids=lambda each: each if isinstance(each, str) else "")  # fmt: skip
def test_what_does_not_fit_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()
