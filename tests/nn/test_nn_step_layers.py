"""Convolution and pooling over steps, blocks of pixels, and normalization in groups, beside NumPy and differences."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(8)


def output(layer, params, x, **how):
    return np.asarray(layer.forward({name: nd.asarray(each) for name, each in params.items()}, nd.asarray(x), **how))


def windows(x, kernel, stride, before, after, dilation=1):
    """(batch, new length, kernel, size)"""
    padded = np.pad(x, ((0, 0), (before, after), (0, 0)))
    span = kernel + (kernel - 1) * (dilation - 1)
    starts = range(0, padded.shape[1] - span + 1, stride)
    return np.stack([padded[:, start : start + span : dilation] for start in starts], axis=1)


@pytest.mark.parametrize(
    "mode, kernel, stride, padding, dilation, edges",
    [
        ("truncate", 3, 2, 1, 1, (1, 1)),
        ("truncate", 2, 1, 0, 3, (0, 0)),
        ("same", 4, 1, 0, 1, (1, 2)),
        ("same", 3, 2, 0, 1, (1, 1)),
        ("causal", 3, 1, 0, 2, (4, 0)),
        ("causal", 2, 3, 0, 1, (1, 0)),
    ],
)
def test_convolution_over_steps(mode, kernel, stride, padding, dilation, edges):
    x, w, b = RNG.normal(size=(2, 7, 3)), RNG.normal(size=(4, 3, kernel)), RNG.normal(size=4)
    layer = nn.Convolution1D(kernel, 4, stride, padding, dilation, mode)
    want = np.einsum("blks,osk->blo", windows(x, kernel, stride, *edges, dilation), w) + b
    got = output(layer, {"W": w, "b": b}, x)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    assert layer.output_type(nn.InputType.recurrent(3, 7)).dimensions == want.shape[1:]
    assert layer.output_type(nn.InputType.recurrent(3)).dimensions == (None, 4)


def test_causal_steps_see_none_behind_them():
    layer, x = nn.Convolution1D(3, 2, convolution_mode="causal"), RNG.normal(size=(1, 6, 3))
    params = {"W": RNG.normal(size=(2, 3, 3)), "b": np.zeros(2)}
    later = x.copy()
    later[:, 4:] += 1
    np.testing.assert_array_equal(output(layer, params, x)[:, :4], output(layer, params, later)[:, :4])


def test_masks_follow_the_windows():
    mask = nd.asarray([[1.0] * 6, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]])
    given = nn.InputType.recurrent(3, 6)
    found = nn.Convolution1D(2, 4, stride=2).output_mask(mask, given)
    assert found.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]
    found = nn.Convolution1D(2, 4, convolution_mode="causal").output_mask(mask, given)
    assert found.tolist() == [[1.0] * 6, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]]
    assert nn.Subsampling1DLayer("max", 3, 3).output_mask(mask, given).tolist() == [[1.0, 1.0], [1.0, 0.0]]
    x = RNG.normal(size=(2, 6, 3))
    layer, params = nn.Convolution1D(3, 4), {"W": RNG.normal(size=(4, 3, 3)), "b": np.zeros(4)}
    padded = x.copy()
    padded[1, 3:] = np.nan
    x[1, 3:] = 0
    np.testing.assert_array_equal(output(layer, params, padded, mask=mask), output(layer, params, x))


def test_blocks_of_pixels_are_channels_and_back():
    x = RNG.normal(size=(2, 3, 4, 6))
    y = output(nn.SpaceToDepthLayer(2), {}, x)
    for c in range(3):
        for i in range(2):
            for j in range(2):
                np.testing.assert_array_equal(y[:, (i * 2 + j) * 3 + c], x[:, c, i::2, j::2])
    np.testing.assert_array_equal(output(nn.DepthToSpaceLayer(2), {}, y), x)
    with pytest.raises(ValueError, match="images of 5 x 4 cannot be divided into blocks of 2 x 2"):
        nn.SpaceToDepthLayer(2).output_type(nn.InputType.convolutional(5, 4, 1))
    with pytest.raises(ValueError, match=r"6 channels are no multiple of block_size\*\*2 = 4"):
        nn.DepthToSpaceLayer(2).output_type(nn.InputType.convolutional(5, 4, 6))


@pytest.mark.parametrize("n_groups", [1, 2, 6])
def test_group_normalization(n_groups):
    x, gamma, beta = RNG.normal(size=(3, 6, 4, 5)), RNG.normal(size=6), RNG.normal(size=6)
    groups = x.reshape(3, n_groups, -1)
    mean, var = groups.mean(axis=2, keepdims=True), groups.var(axis=2, keepdims=True)
    want = ((groups - mean) / np.sqrt(var + 1e-5)).reshape(x.shape) * gamma.reshape(-1, 1, 1) + beta.reshape(-1, 1, 1)
    got = output(nn.GroupNormalization(n_groups), {"gamma": gamma, "beta": beta}, x)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    with pytest.raises(ValueError, match="6 channels cannot be divided into 4 groups"):
        nn.GroupNormalization(4).output_type(nn.InputType.feed_forward(6))


@pytest.mark.parametrize("shape, axis", [((3, 6), 1), ((3, 5, 6), 2), ((3, 6, 2, 2), 1)])
def test_root_mean_square_normalization(shape, axis):
    x, gamma = RNG.normal(size=shape), RNG.normal(size=6)
    want = x / np.sqrt((x**2).mean(axis=axis, keepdims=True) + 1e-6)
    want = np.moveaxis(np.moveaxis(want, axis, -1) * gamma, -1, axis)
    np.testing.assert_allclose(output(nn.RMSNormalization(), {"gamma": gamma}, x), want, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_local_response_normalization(n):
    x = RNG.normal(size=(2, 6, 3, 3))
    layer = nn.LocalResponseNormalization(k=1.5, n=n, alpha=0.3, beta=0.6)
    want = np.empty_like(x)
    for c in range(6):
        first = max(0, c - (n - 1) // 2)
        total = (x[:, first : c - (n - 1) // 2 + n] ** 2).sum(axis=1)
        want[:, c] = x[:, c] / (1.5 + 0.3 * total) ** 0.6
    np.testing.assert_allclose(output(layer, {}, x), want, rtol=1e-10)


SHAPES = [
    (nn.Convolution1D(3, 2, 2, 1), nn.InputType.recurrent(3, 6), (2, 6, 3)),
    (nn.Convolution1D(2, 2, dilation=2, convolution_mode="causal"), nn.InputType.recurrent(3, 6), (2, 6, 3)),
    (nn.Subsampling1DLayer("avg", 2, 2), nn.InputType.recurrent(3, 6), (2, 6, 3)),
    (nn.SpaceToDepthLayer(2), nn.InputType.convolutional(4, 2, 2), (2, 2, 4, 2)),
    (nn.DepthToSpaceLayer(2), nn.InputType.convolutional(1, 2, 8), (2, 8, 1, 2)),
    (nn.GroupNormalization(2), nn.InputType.convolutional(2, 2, 4), (2, 4, 2, 2)),
    (nn.RMSNormalization(), nn.InputType.feed_forward(5), (2, 5)),
    (nn.LocalResponseNormalization(n=3, alpha=0.5), nn.InputType.convolutional(2, 2, 4), (2, 4, 2, 2)),
]


@pytest.mark.parametrize("layer, given, shape", SHAPES, ids=lambda each: getattr(each, "title", ""))
def test_gradients_are_those_of_differences(layer, given, shape):
    x = RNG.normal(size=shape)
    params = {each.name: RNG.normal(size=each.shape) for each in layer.parameters(given)}
    weights = RNG.normal(size=output(layer, params, x).shape)

    def total(params, x):
        return nd.sum(layer.forward(params, x) * nd.asarray(weights))

    arrays = {name: nd.asarray(each) for name, each in params.items()}
    found = nd.grad(total, (0, 1))(arrays, nd.asarray(x))
    for name, value in [*params.items(), ("x", x)]:
        gradient = np.asarray(found[1] if name == "x" else found[0][name]).reshape(-1)
        flat = value.reshape(-1)
        for i in range(0, flat.size, 3):
            before, ends = flat[i], []
            for step in (1e-6, -1e-6):
                flat[i] = before + step
                ends.append((output(layer, params, x) * weights).sum())
            flat[i] = before
            assert gradient[i] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-7)
