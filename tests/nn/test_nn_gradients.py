"""Gradients of whole networks against central differences, in float64."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

STEP = 1e-6


def network(*layers, given=cases.IMAGES, **settings):
    return nn.MultiLayerNetwork(layers, input_type=given, dtype="float64", seed=11, **settings)


def check_gradient(net, features, labels):
    """Some elements of every parameter; these networks have the same score in training and outside."""
    score = net.compute_gradient_and_score(features, labels)[1]
    assert score == pytest.approx(net.score((features, labels)), rel=1e-12)
    report = nn.gradient_check(net, (features, labels), max_relative_error=5e-6, n_samples=15)
    assert report, str(report)


def images_and_labels(n_out, kind="one-hot", given=cases.IMAGES):
    rng = np.random.default_rng(5)
    return rng.normal(size=(4, *given.shape)), cases.sample_labels(kind, 4, n_out, rng)


STACKS = {
    "dense": [nn.DenseLayer(5, "tanh"), nn.OutputLayer(3)],
    "no bias": [nn.DenseLayer(5, "softplus", has_bias=False), nn.OutputLayer(3, has_bias=False)],
    "activations": [nn.DenseLayer(5), nn.ActivationLayer("swish"), nn.OutputLayer(3)],
    "convolution": [nn.ConvolutionLayer(3, 3, activation="tanh"), nn.OutputLayer(3)],
    "padded": [nn.ConvolutionLayer(3, 3, stride=2, padding=1, activation="tanh"), nn.OutputLayer(3)],
    "dilated": [nn.ConvolutionLayer(2, 3, dilation=2, activation="tanh"), nn.OutputLayer(3)],
    "same": [nn.ConvolutionLayer((2, 4), 3, convolution_mode="same", activation="tanh"), nn.OutputLayer(3)],
    "channel softmax": [nn.ConvolutionLayer(3, 3, activation="softmax"), nn.OutputLayer(3)],
    "max pooling": [nn.ConvolutionLayer(3, 3), nn.SubsamplingLayer("max"), nn.OutputLayer(3)],
    "overlapping max": [nn.ConvolutionLayer(3, 3), nn.SubsamplingLayer("max", 3, 1, padding=1), nn.OutputLayer(3)],
    "mean pooling": [nn.ConvolutionLayer(3, 3), nn.SubsamplingLayer("avg"), nn.OutputLayer(3)],
    "same mean": [
        nn.ConvolutionLayer(3, 3),
        nn.SubsamplingLayer("avg", 2, 2, convolution_mode="same"),
        nn.OutputLayer(3),
    ],
    "transposed": [
        nn.ConvolutionLayer(3, 4, 2, groups=2),
        nn.Deconvolution2D(3, 2, 2, activation="tanh", convolution_mode="same"),
        nn.SubsamplingLayer("pnorm"),
        nn.OutputLayer(3),
    ],
    "lenet": [
        nn.ConvolutionLayer(2, 3),
        nn.SubsamplingLayer("max", stride=1),
        nn.ConvolutionLayer(2, 4),
        nn.SubsamplingLayer("max"),
        nn.DenseLayer(6, "sigmoid"),
        nn.OutputLayer(3),
    ],
}


@pytest.mark.parametrize("layers", [pytest.param(layers, id=name) for name, layers in STACKS.items()])
def test_gradient_of_stack(layers):
    check_gradient(network(*layers), *images_and_labels(3))


def test_gradient_of_volumes():
    layers = [
        nn.Convolution3D(2, 3, padding=1, activation="tanh"),
        nn.Subsampling3DLayer("sum"),
        nn.Deconvolution3D(2, 2, (2, 1, 1), activation="tanh"),
        nn.Subsampling3DLayer("max", 2, 1),
        nn.OutputLayer(3),
    ]
    check_gradient(network(*layers, given=cases.VOLUMES), *images_and_labels(3, given=cases.VOLUMES))


@pytest.mark.parametrize("settings", [{"l1": 0.02}, {"l2": 0.3}, {"l1": 0.01, "l2": 0.1}], ids=str)
def test_gradient_with_penalties(settings):
    check_gradient(network(*STACKS["convolution"], **settings), *images_and_labels(3))


LOSS_CASES = [
    pytest.param(name, case, id=f"{name}-{case.activation}")
    for name, case in [*cases.LOSSES.items(), *cases.MORE_LOSSES]
]


@pytest.mark.parametrize("name, case", LOSS_CASES)
def test_gradient_of_loss(name, case):
    net = network(nn.DenseLayer(5, "tanh"), nn.OutputLayer(3, case.activation, loss=name), given=cases.ROWS)
    check_gradient(net, *images_and_labels(3, case.labels, cases.ROWS))


@pytest.mark.parametrize("name", sorted(cases.ACTIVATIONS.keys() - {"rrelu"}))  # which is random
def test_gradient_through_activation(name):
    check_gradient(
        network(nn.DenseLayer(5, name), nn.OutputLayer(3), given=cases.ROWS), *images_and_labels(3, given=cases.ROWS)
    )


def input_gradient(forward, x, weights):
    """The gradient of a weighted sum of outputs for the features, and central differences."""
    got = nd.grad(lambda x: nd.sum(forward(x) * nd.asarray(weights)))(nd.asarray(x))
    positions = [tuple(position) for position in np.random.default_rng(1).integers(0, x.shape, (40, x.ndim))]
    for position in positions:
        sums = []
        for step in (STEP, -STEP):
            shifted = x.copy()
            shifted[position] += step
            sums.append(np.sum(np.asarray(forward(nd.asarray(shifted))) * weights))
        expected = (sums[0] - sums[1]) / (2 * STEP)
        assert np.asarray(got)[position] == pytest.approx(expected, rel=1e-5, abs=1e-7), position


@pytest.mark.parametrize("workspace_mode", ["enabled", "none"])
@pytest.mark.parametrize("stack", STACKS)
def test_gradients_flow_through_a_network_to_its_input(stack, workspace_mode):
    net = network(*STACKS[stack], workspace_mode=workspace_mode)
    x, _ = images_and_labels(3)
    weights = np.random.default_rng(2).normal(size=np.asarray(net.output(x)).shape)
    input_gradient(net.output, x, weights)
    input_gradient(lambda x: net.feed_forward(x)[-1], x, weights)


def test_a_network_trains_on_after_a_gradient_for_its_input():
    net = network(*STACKS["dense"])
    x, labels = images_and_labels(3)
    before = net.output(x)
    value, g = nd.value_and_grad(lambda x: nd.sum(net.output(x)[:, 0]))(nd.asarray(x))
    assert float(value) == pytest.approx(float(nd.sum(before[:, 0])))
    assert np.abs(np.asarray(g)).max() > 0
    assert g.workspace is None
    assert value.workspace is None
    scores = [net.fit_batch(x, labels) for _ in range(3)]
    assert scores[-1] < scores[0]


def test_a_score_refuses_features_being_differentiated():
    net = network(*STACKS["dense"])
    x, labels = images_and_labels(3)
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda x: net.score((x, labels)))(nd.asarray(x))
    assert nd.grad(lambda x: nd.sum(x) + net.evaluate([(x, labels)]).n_examples)(nd.asarray(x)).shape == x.shape
