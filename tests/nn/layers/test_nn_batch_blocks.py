"""Pixels of blocks as images of their own, and back: values, gradients, convolutions between, wrong settings."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn

X = np.random.default_rng(4).normal(size=(2, 3, 4, 6))
FORTH, BACK = nn.SpaceToBatchLayer((2, 3), (1, 1, 3, 0)), nn.BatchToSpaceLayer((2, 3), (1, 1, 3, 0))


def test_values_match_numpy():
    y = np.asarray(FORTH.forward({}, nd.asarray(X)))
    padded = np.pad(X, ((0, 0), (0, 0), (1, 1), (3, 0)))
    assert y.shape == (12, *FORTH.output_type(nn.InputType.convolutional(4, 6, 3)).shape)
    for i, j in np.ndindex(2, 3):
        np.testing.assert_array_equal(y[(i * 3 + j) * 2 :][:2], padded[:, :, i::2, j::3])
    np.testing.assert_array_equal(np.asarray(BACK.forward({}, nd.asarray(y))), X)
    assert BACK.output_type(nn.InputType.convolutional(3, 3, 3)).shape == X.shape[1:]


@pytest.mark.parametrize("layer, x", [(FORTH, X), (BACK, np.random.default_rng(5).normal(size=(6, 2, 3, 3)))])
def test_gradients_are_those_of_central_differences(layer, x):
    weights = nd.asarray(np.random.default_rng(1).normal(size=layer.forward({}, nd.asarray(x)).shape))
    check_gradient(lambda x: nd.sum(layer.forward({}, x) * weights), x)


def test_a_convolution_between_them_is_a_dilated_one():
    def network(*layers):
        settings = {"dtype": "float64", "seed": 7, "updater": nn.Sgd(0.1)}
        return nn.MultiLayerNetwork([*layers, nn.OutputLayer(2)], input_type=given, **settings)

    given, labels = nn.InputType.convolutional(8, 12, 3), np.eye(2)[[0, 1, 1]]
    x = np.random.default_rng(2).normal(size=(3, 3, 8, 12))
    blocks = network(nn.SpaceToBatchLayer((2, 3)), nn.ConvolutionLayer(3, 4), nn.BatchToSpaceLayer((2, 3)))
    dilated = network(nn.ConvolutionLayer(3, 4, dilation=(2, 3)))
    blocks.set_params(dilated.params())
    for _ in range(3):
        scores = [net.fit_batch(x, labels) for net in (blocks, dilated)]
        assert scores[0] == pytest.approx(scores[1], rel=1e-12)
    np.testing.assert_allclose(np.asarray(blocks.output(x)), np.asarray(dilated.output(x)), rtol=1e-10)


def test_a_loss_needs_the_images_together():
    layers = [nn.SpaceToBatchLayer(2), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(4, 4, 1))
    with pytest.raises(ValueError, match=r"layer 1 \(OutputLayer\) sees 12 examples of a batch of 3; .*BatchToSpace"):
        net.fit_batch(nd.ones((3, 1, 4, 4)), np.eye(2)[[0, 1, 1]])


@pytest.mark.parametrize("make, message", [
    (lambda: nn.SpaceToBatchLayer(0), "SpaceToBatchLayer: blocks must be a whole number of at least 1, given 0"),
    (lambda: nn.SpaceToBatchLayer((1, 2, 3)), r"blocks must be one number or \(height, width\)"),
    (lambda: nn.SpaceToBatchLayer(2, -1), "padding must be a whole number of at least 0, given -1"),
    (lambda: nn.SpaceToBatchLayer(2).output_type(cases.IMAGES), "7 x 6 cannot be divided into blocks of 2 x 2"),
    (lambda: nn.BatchToSpaceLayer(2).forward({}, nd.ones((6, 1, 2, 2))), "6 images are no multiple of the 4 pixels"),
    (lambda: nn.BatchToSpaceLayer(1, 4).output_type(cases.IMAGES), "leaves nothing of height 7, width 6"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
