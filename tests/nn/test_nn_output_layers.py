"""Output layers and losses of sequences: values, gradients, masks, weights and label smoothing."""

import cases
import numpy as np
import pytest
from nn_cases.losses import ctc, mixture_density

import nd4py as nd
from nd4py import nn
from nd4py.nn.activations import activated
from nd4py.nn.networks.configuration import TYPES

RNG = np.random.default_rng(5)
ROWS, STEPS = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 5, 3))
ONE_HOT, OF_STEPS = np.eye(3)[[0, 2, 1, 2]], np.eye(3)[RNG.integers(0, 3, (4, 5))]


def check_gradient(score, x):
    """The gradient of `score` beside central differences."""
    got = np.asarray(nd.grad(score)(nd.asarray(x)))
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        expected = (float(score(nd.asarray(x + step))) - float(score(nd.asarray(x - step)))) / 2e-6
        assert got[place] == pytest.approx(expected, rel=1e-5, abs=1e-7), place


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_a_loss_layer_scores_its_input():
    layer = nn.LossLayer("mcxent", "softmax")
    expected = -(ONE_HOT * np.log(softmax(ROWS))).sum(1)
    scores = layer.example_scores({}, nd.asarray(ROWS), nd.asarray(ONE_HOT))
    np.testing.assert_allclose(np.asarray(scores), expected)
    check_gradient(lambda x: layer.score({}, x, nd.asarray(ONE_HOT)), ROWS)
    np.testing.assert_allclose(np.asarray(layer.forward({}, nd.asarray(ROWS))), softmax(ROWS))


@pytest.mark.parametrize("given", [cases.SEQUENCES, cases.IMAGES, nn.InputType.convolutional_3d(2, 2, 2, 2)])
def test_loss_layers_refuse_what_is_no_input_of_theirs(given):
    for layer in (nn.LossLayer("mse"), nn.RnnLossLayer("mse"), nn.CnnLossLayer("mse")):
        if layer.wanted_input == given.kind:
            assert layer.output_type(given) == given
        else:
            with pytest.raises(ValueError, match=f"needs {layer.wanted_input} input, given {given.kind}"):
                layer.output_type(given)


def test_steps_that_a_mask_leaves_out_cost_nothing():
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], float)
    losses = -(OF_STEPS * np.log(softmax(STEPS))).sum(2) * mask
    layer = nn.RnnLossLayer("mcxent", "softmax")
    given = ({}, nd.asarray(STEPS), nd.asarray(OF_STEPS))
    np.testing.assert_allclose(np.asarray(layer.example_scores(*given, mask=nd.asarray(mask))), losses.sum(1))
    assert float(layer.score(*given, mask=nd.asarray(mask))) == pytest.approx(losses.sum())


def test_an_output_layer_of_sequences_is_one_of_rows_at_every_step():
    params = {"W": nd.asarray(RNG.normal(size=(3, 3))), "b": nd.asarray(RNG.normal(size=3))}
    layer, rows = nn.RnnOutputLayer(3), nn.OutputLayer(3)
    flat = (nd.asarray(STEPS.reshape(20, 3)), nd.asarray(OF_STEPS.reshape(20, 3)))
    expected = float(rows.score(params, *flat))
    assert float(layer.score(params, nd.asarray(STEPS), nd.asarray(OF_STEPS))) == pytest.approx(expected)


def test_places_of_an_image_are_scored_over_channels():
    x, labels = RNG.normal(size=(2, 3, 4, 5)), np.moveaxis(np.eye(3)[RNG.integers(0, 3, (2, 4, 5))], 3, 1)
    layer = nn.CnnLossLayer("mcxent", "softmax")
    expected = -(labels * np.log(softmax(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2))).sum()
    assert float(layer.score({}, nd.asarray(x), nd.asarray(labels))) == pytest.approx(expected)


def test_weights_and_smoothing_of_losses():
    x = nd.asarray(ROWS)
    losses = -(ONE_HOT * np.log(softmax(ROWS)))
    layer = nn.LossLayer("mcxent", "softmax", loss_weights=(1.0, 2.0, 0.5))
    assert float(layer.score({}, x, nd.asarray(ONE_HOT))) == pytest.approx((losses * [1.0, 2.0, 0.5]).sum())
    smooth = -((ONE_HOT * 0.9 + 0.1 / 3) * np.log(softmax(ROWS)))
    for loss, labels in (("mcxent", ONE_HOT), ("sparse_mcxent", ONE_HOT.argmax(1))):
        layer = nn.LossLayer(loss, "softmax", label_smoothing=0.1)
        assert float(layer.score({}, x, nd.asarray(labels))) == pytest.approx(smooth.sum())
    bits, y = ONE_HOT * 0.9 + 0.05, 1 / (1 + np.exp(-ROWS))
    layer = nn.LossLayer("xent", "sigmoid", label_smoothing=0.1)
    expected = -(bits * np.log(y) + (1 - bits) * np.log(1 - y)).sum()
    assert float(layer.score({}, x, nd.asarray(ONE_HOT))) == pytest.approx(expected)
    with pytest.raises(ValueError, match="label_smoothing is for xent, mcxent and sparse_mcxent, given the loss 'mse'"):
        nn.LossLayer("mse", label_smoothing=0.1)
    with pytest.raises(ValueError, match="no losses of single outputs"):
        nn.LossLayer("cosine_proximity", loss_weights=(1.0, 1.0, 1.0)).score({}, x, nd.asarray(ONE_HOT))


def test_mixture_density_matches_its_formula():
    z, labels = RNG.normal(size=(4, 8)), RNG.normal(size=(4, 2))
    layer = nn.LossLayer(nn.MixtureDensityLoss(2), "identity")
    given = layer.prepare_labels(nd.asarray(labels), (4, 8), nd.float64)
    np.testing.assert_allclose(np.asarray(layer.example_scores({}, nd.asarray(z), given)), mixture_density(labels, z))
    check_gradient(lambda x: layer.score({}, x, given), z)
    assert layer.example_labels((4, 8), nd.float64).shape == (4, 2)
    with pytest.raises(ValueError, match="needs activation='identity', given 'softmax'"):
        nn.OutputLayer(8, loss=nn.MixtureDensityLoss(2))
    with pytest.raises(ValueError, match=r"n_out = 2 \* \(labels \+ 2\)"):
        layer.prepare_labels(nd.asarray(labels), (4, 7), nd.float64)


def test_ctc_counts_every_path():
    labels = np.array([[1, 2], [1, 1], [2, -1], [-1, -1]])
    layer = nn.RnnLossLayer("ctc", "softmax")
    given = layer.prepare_labels(nd.asarray(labels), (4, None, 3), nd.float64)
    scores = layer.example_scores({}, nd.asarray(STEPS), given)
    np.testing.assert_allclose(np.asarray(scores), ctc(labels, softmax(STEPS)))
    check_gradient(lambda x: layer.score({}, x, given), STEPS)
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 0]], float)
    expected = [ctc(labels[i : i + 1], softmax(STEPS[i : i + 1, mask[i] > 0]))[0] for i in range(4)]
    scores = layer.example_scores({}, nd.asarray(STEPS), given, mask=nd.asarray(mask))
    np.testing.assert_allclose(np.asarray(scores), expected)


def test_ctc_of_labels_that_are_too_long():
    labels, x = nd.asarray([[1, 1]]), nd.asarray(STEPS[:1, :2])
    assert float(nn.RnnLossLayer("ctc", "softmax").score({}, x, labels)) == np.inf
    assert float(nn.RnnLossLayer(nn.CTCLoss(zero_infinity=True), "softmax").score({}, x, labels)) == 0.0
    with pytest.raises(ValueError, match="below 3, the number of classes, and not 0, the blank"):
        nn.RnnLossLayer("ctc", "softmax").prepare_labels(nd.asarray([[3]]), (1, 2, 3), nd.float64)


def test_centers_draw_inputs_and_follow_them():
    layer = nn.CenterLossOutputLayer(3, center_rate=0.5, center_weight=0.4)
    centers = RNG.normal(size=(3, 3))
    params = {"W": nd.asarray(RNG.normal(size=(3, 3))), "b": nd.zeros(3), "cL": nd.asarray(centers)}
    labels = nd.asarray(ONE_HOT)
    plain = float(nn.OutputLayer(3).score(params, nd.asarray(ROWS), labels))
    offsets = ROWS - ONE_HOT @ centers
    score, after = layer.score(params, nd.asarray(ROWS), labels, train=True)
    assert float(score) == pytest.approx(plain + 0.2 * (offsets**2).sum())
    counts = ONE_HOT.sum(0)[:, None]
    np.testing.assert_allclose(np.asarray(after["cL"]), centers + 0.5 * (ONE_HOT.T @ offsets) / (1 + counts))
    check_gradient(lambda x: layer.score(params, x, labels), ROWS)


def test_detection_on_a_grid():
    layer = nn.Yolo2OutputLayer(anchors=((1.0, 1.0), (1.6, 0.8)))
    labels = np.zeros((1, 6, 2, 3))
    labels[0, :, 1, 2] = [1.4, 1.1, 3.0, 1.9, 0, 1]  # center (2.2, 1.5), size (1.6, 0.8)
    x = RNG.normal(size=(1, 14, 2, 3)) * 0.01
    boxes = np.asarray(layer.forward({}, nd.asarray(x))).reshape(2, 7, 2, 3)
    best, here = boxes[1, :, 1, 2], np.zeros((2, 2, 3), bool)
    here[1, 1, 2] = True
    low = np.maximum(best[:2] + [2, 1] - best[2:4] / 2, [1.4, 1.1])
    high = np.minimum(best[:2] + [2, 1] + best[2:4] / 2, [3.0, 1.9])
    common = np.prod(high - low)
    overlap = common / (best[2] * best[3] + 1.6 * 0.8 - common)
    expected = 5 * (((best[:2] - [0.2, 0.5]) ** 2).sum() + ((best[2:4] ** 0.5 - np.sqrt([1.6, 0.8])) ** 2).sum())
    expected += (best[4] - overlap) ** 2 + ((best[5:] - [0, 1]) ** 2).sum() + 0.5 * (boxes[:, 4][~here] ** 2).sum()
    given = layer.prepare_labels(nd.asarray(labels), (1, 14, 2, 3), nd.float64)
    assert float(layer.score({}, nd.asarray(x), given)) == pytest.approx(expected)
    x[0, 4, 0, 1] = x[0, 11, 0, 1] = 9.0
    found = layer.detected_objects(layer.forward({}, nd.asarray(x)), 0.9)
    assert {(int(each.center_x), int(each.center_y)) for each in found[0]} == {(1, 0)}
    assert isinstance(found[0][0], nn.DetectedObject)


def test_random_slopes_are_drawn_in_training_alone():
    x = nd.asarray(-np.ones(10_000))
    assert float(activated("rrelu", x)[0]) == pytest.approx(-11 / 48)
    drawn = -np.asarray(nn.DenseLayer(1, nn.RReLU(0.1, 0.3)).forward(
        {"W": nd.ones((1, 1)), "b": nd.zeros(1)}, x.reshape(-1, 1), train=True, rng=nd.random.Generator(1)
    ))  # fmt: skip
    assert drawn.min() >= 0.1
    assert drawn.max() <= 0.3
    assert drawn.mean() == pytest.approx(0.2, abs=0.002)


def test_settings_with_a_type_of_their_own_are_in_the_configuration():
    bases = (nn.Activation, nn.Loss, nn.InputNoise, nn.Constraint, nn.ParameterNoise)
    for name in nn.__all__:
        found = getattr(nn, name)
        if isinstance(found, type) and issubclass(found, bases) and found not in bases:
            assert TYPES[name] is found
    assert issubclass(nn.LossLayer, nn.LossScoredLayer)
    assert issubclass(nn.LossScoredLayer, nn.ScoredLayer)
