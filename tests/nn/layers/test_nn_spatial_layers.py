"""Upsampling, padding and cropping of sequences, images and volumes: values, gradients, masks, wrong settings."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet

RNG = np.random.default_rng(3)
SEQUENCES = RNG.normal(size=(2, 6, 3))
IMAGES = RNG.normal(size=(2, 3, 4, 5))
VOLUMES = RNG.normal(size=(2, 2, 3, 4, 5))
MASK = np.asarray([[1.0] * 6, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]])

# Layer, input, and what NumPy makes of it.
VALUES = [
    (nn.Upsampling1D(3), SEQUENCES, SEQUENCES.repeat(3, 1)),
    (nn.Upsampling2D((2, 3)), IMAGES, IMAGES.repeat(2, 2).repeat(3, 3)),
    (nn.Upsampling3D((2, 1, 3)), VOLUMES, VOLUMES.repeat(2, 2).repeat(3, 4)),
    (nn.ZeroPadding1DLayer((2, 1)), SEQUENCES, np.pad(SEQUENCES, ((0, 0), (2, 1), (0, 0)))),
    (nn.ZeroPaddingLayer((1, 0, 2, 3)), IMAGES, np.pad(IMAGES, ((0, 0), (0, 0), (1, 0), (2, 3)))),
    (
        nn.ZeroPadding3DLayer((1, 0, 0, 2, 3, 1)),
        VOLUMES,
        np.pad(VOLUMES, ((0, 0), (0, 0), (1, 0), (0, 2), (3, 1))),
    ),
    (nn.Cropping1D((2, 1)), SEQUENCES, SEQUENCES[:, 2:5]),
    (nn.Cropping2D((1, 0, 2, 1)), IMAGES, IMAGES[:, :, 1:, 2:4]),
    (nn.Cropping3D((1, 0, 0, 2, 3, 1)), VOLUMES, VOLUMES[:, :, 1:, :2, 3:4]),
]
CASES = [pytest.param(*each, id=each[0].title) for each in VALUES]


def types_of(x):
    kind = {3: "recurrent", 4: "convolutional", 5: "convolutional_3d"}[x.ndim]
    return nn.InputType(kind, x.shape[1:])


@pytest.mark.parametrize("layer, x, want", CASES)
def test_values_match_numpy(layer, x, want):
    np.testing.assert_array_equal(np.asarray(layer.forward({}, nd.asarray(x))), want)
    assert layer.output_type(types_of(x)).shape == want.shape[1:]


@pytest.mark.parametrize("layer, x, want", CASES)
def test_gradients_are_those_of_central_differences(layer, x, want):
    weights = nd.asarray(np.random.default_rng(1).normal(size=want.shape))
    check_gradient(lambda x: nd.sum(layer.forward({}, x) * weights), x)


def test_numbers_stand_for_all_axes():
    assert nn.Upsampling3D(2) == nn.Upsampling3D((2, 2, 2))
    assert nn.ZeroPadding1DLayer(2) == nn.ZeroPadding1DLayer((2, 2))
    assert nn.ZeroPadding3DLayer((1, 2, 3)) == nn.ZeroPadding3DLayer([1, 1, 2, 2, 3, 3])
    assert nn.Cropping3D(1).cropping == (1,) * 6
    assert nn.Cropping1D() == nn.Cropping1D((0, 0))


@pytest.mark.parametrize("layer", [nn.Upsampling1D(), nn.ZeroPadding1DLayer(), nn.Cropping1D(1)])
def test_sequences_of_any_length_stay_so(layer):
    assert layer.output_type(nn.InputType.recurrent(3)).dimensions == (None, 3)


def test_masks_of_repeated_and_cropped_steps():
    given = nn.InputType.recurrent(3, 6)
    found = nn.Upsampling1D(2).output_mask(nd.asarray(MASK), given)
    np.testing.assert_array_equal(np.asarray(found), MASK.repeat(2, 1))
    found = nn.Cropping1D((1, 2)).output_mask(nd.asarray(MASK), given)
    np.testing.assert_array_equal(np.asarray(found), MASK[:, 1:4])
    assert nn.Upsampling1D().output_mask(None, given) is None
    assert nn.Upsampling2D().output_mask(None, cases.IMAGES) is None


def test_each_sequence_is_padded_as_if_it_were_alone():
    layer, given = nn.ZeroPadding1DLayer((2, 1)), nn.InputType.recurrent(3, 6)
    mask = np.asarray(layer.output_mask(nd.asarray(MASK), given))
    assert mask.tolist() == [[1.0] * 9, [1.0] * 5 + [0.0] * 4]
    x = SEQUENCES.copy()
    x[1, 2:] = np.nan
    y = np.asarray(layer.forward({}, nd.asarray(x), mask=nd.asarray(MASK)))
    alone = np.asarray(layer.forward({}, nd.asarray(x[1:, :2])))
    np.testing.assert_array_equal(y[1:, :5], alone)
    assert not y[1, 5:].any()
    np.testing.assert_array_equal(y[0], np.asarray(layer.forward({}, nd.asarray(x[:1])))[0])


def test_masked_batches_train_as_sequences_alone_do():
    layers = [nn.ZeroPadding1DLayer((2, 1)), nn.Upsampling1D(2), nn.Cropping1D((1, 0)), nn.RnnOutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(3), dtype="float64", seed=4)
    labels = np.eye(2)[RNG.integers(0, 2, (2, 17))]
    padded = net.score(DataSet(SEQUENCES, labels, MASK))
    apart = net.score(DataSet(SEQUENCES[:1], labels[:1])) + net.score(DataSet(SEQUENCES[1:, :2], labels[1:, :9]))
    assert padded == pytest.approx(apart / 2, rel=1e-12)


@pytest.mark.parametrize("make, message", [
    (lambda: nn.Upsampling1D((2,)), r"Upsampling1D: size must be a whole number of at least 1, given \(2,\)"),
    (lambda: nn.Upsampling2D(0), "Upsampling2D: size must be a whole number of at least 1, given 0"),
    (lambda: nn.Upsampling3D((1, 2)), r"size must be one number or \(depth, height, width\), given \(1, 2\)"),
    (lambda: nn.ZeroPadding1DLayer((1, 2, 3)), r"padding must be one number or \(before, after\), given"),
    (lambda: nn.ZeroPaddingLayer((1, 2, 3)), r"padding must be one number, \(height, width\) or \(top, bottom"),
    (lambda: nn.ZeroPadding3DLayer((1, 2)), r"\(depth, height, width\) or \(front, back, top, bottom, left, right\)"),
    (lambda: nn.ZeroPaddingLayer(-1), "padding must be a whole number of at least 0, given -1"),
    (lambda: nn.Cropping1D(3).output_type(nn.InputType.recurrent(2, 6)), r"\(3, 3\) leaves nothing of length 6"),
    (lambda: nn.Cropping2D(4).output_type(cases.IMAGES), "leaves nothing of height 7, width 6; crop less"),
    (lambda: nn.Cropping3D(1).output_type(cases.VOLUMES), "leaves nothing of depth 2, height 3, width 4"),
    (lambda: nn.Cropping1D(3).forward({}, nd.asarray(SEQUENCES)), "leaves nothing of length 6"),
    (lambda: nn.Upsampling3D().output_type(cases.IMAGES), "convolutional_3d input is needed, given convolutional"),
    (lambda: nn.Cropping1D().output_mask(nd.ones(3), cases.STEPS), r"mask must be \(batch, length\), given shape"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
