"""Gradient checks: they pass for right networks of every kind, and say what is wrong with others."""

from dataclasses import dataclass

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn

RNG = np.random.default_rng(3)
ONE_HOT = np.eye(3)[[0, 2, 1, 2]]
LENGTHS = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]], float)


def batch_of(input_type, labels=ONE_HOT, **masks):
    shape = tuple(n or 4 for n in input_type.shape)
    return data.DataSet(RNG.normal(size=(4, *shape)), labels, **masks)


def network(*layers, given=cases.ROWS, **settings):
    return nn.MultiLayerNetwork(layers, input_type=given, dtype="float64", seed=7, **settings)


@nd.custom_gradient
def scaled_wrongly(x, scale):
    """x * scale, with half of the gradient that `scale` has."""
    return x * scale, lambda g: (g * scale, 0.5 * nd.sum(g * x, axis=0))


@dataclass(frozen=True)
class WronglyScaledLayer(nn.Layer):
    """y = x * scale with a gradient that is wrong on purpose."""

    def parameters(self, given):
        return (nn.Parameter("scale", given.shape, initial=1.5),)

    def forward(self, params, x, *, train=False, rng=None):
        return scaled_wrongly(x, params["scale"])


IMAGES, SEQUENCES = nn.InputType.convolutional(6, 6, 2), nn.InputType.recurrent(3)
KINDS = {
    "batch normalization": ([nn.DenseLayer(5), nn.BatchNormalization(), nn.OutputLayer(3)], cases.ROWS, {}),
    "dropout": ([nn.DenseLayer(6, "tanh", dropout=0.5), nn.OutputLayer(3, dropout=0.5)], cases.ROWS, {}),
    "weight noise": (
        [nn.DenseLayer(6, "tanh", weight_noise=nn.DropConnect(0.7)), nn.OutputLayer(3)],
        cases.ROWS,
        {},
    ),
    "gaussian noise": ([nn.DenseLayer(6, "tanh", dropout=nn.GaussianNoise(0.3)), nn.OutputLayer(3)], cases.ROWS, {}),
    "random slopes": ([nn.DenseLayer(6, "rrelu"), nn.OutputLayer(3)], cases.ROWS, {}),
    "accumulated": (
        [nn.DenseLayer(5), nn.BatchNormalization(), nn.OutputLayer(3, dropout=0.5)],
        cases.ROWS,
        {"gradient_accumulation": 2, "l2": 0.1},
    ),
    "convolution": (
        [nn.ConvolutionLayer((3, 3), n_out=3, activation="tanh"), nn.BatchNormalization(), nn.OutputLayer(3)],
        IMAGES,
        {},
    ),
    "lstm": ([nn.LSTM(4), nn.LastTimeStep(nn.LSTM(3)), nn.OutputLayer(3)], SEQUENCES, {}),
    "attention": (
        [nn.TransformerEncoderLayer(n_heads=1, feed_forward_size=6), nn.GlobalPoolingLayer("avg"), nn.OutputLayer(3)],
        SEQUENCES,
        {},
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_right_networks_pass(kind):
    layers, given, settings = KINDS[kind]
    net = network(*layers, given=given, **settings)
    report = nn.gradient_check(net, batch_of(given), max_relative_error=1e-5)
    assert report, str(report)
    states = {slot.key for slot in net.slots if slot.parameter.is_state}
    assert [each.name for each in report.parameters] == [name for name in net.param_table() if name not in states]
    assert report.n_checked == sum(net.param_table()[each.name].size for each in report.parameters)


def test_masks_of_features_and_of_labels_are_part_of_the_score():
    labels = np.eye(3)[RNG.integers(0, 3, (4, 4))]
    net = network(nn.LSTM(4), nn.RnnOutputLayer(3), given=SEQUENCES)
    for masks in (
        {"features_mask": LENGTHS},
        {"labels_mask": LENGTHS},
        {"features_mask": LENGTHS, "labels_mask": LENGTHS},
    ):
        report = nn.gradient_check(net, batch_of(SEQUENCES, labels, **masks), max_relative_error=1e-5)
        assert report, str(report)
    x = RNG.normal(size=(4, 4, 3))
    assert nn.gradient_check(net, (x, labels, LENGTHS, None), n_samples=3)


def test_a_graph_of_several_inputs_and_outputs_passes():
    net = nn.ComputationGraph(
        {"rows": cases.ROWS, "steps": SEQUENCES},
        {
            "left": (nn.DenseLayer(4, "tanh"), "rows"),
            "right": (nn.LastTimeStep(nn.GRU(4)), "steps"),
            "both": (nn.ElementWiseVertex("product"), "left", "right"),
            "classes": (nn.OutputLayer(3), "both"),
            "value": (nn.OutputLayer(1, "identity", loss="mse"), "both"),
        },
        outputs=("classes", "value"),
        output_weights=(1.0, 0.3),
        dtype="float64",
    )  # fmt: skip
    features = [RNG.normal(size=(4, *cases.ROWS.shape)), RNG.normal(size=(4, 4, 3))]
    batch = data.MultiDataSet(features, [ONE_HOT, RNG.normal(size=(4, 1))], features_masks=[None, LENGTHS])
    report = nn.gradient_check(net, batch, max_relative_error=1e-5)
    assert report, str(report)
    assert {"left_W", "right_RW", "value_b"} <= {each.name for each in report.parameters}


def test_a_wrong_layer_fails_and_is_named():
    net = network(nn.DenseLayer(5, "tanh"), WronglyScaledLayer(), nn.OutputLayer(3))
    report = nn.gradient_check(net, batch_of(cases.ROWS))
    assert not report
    assert {each.name: each.n_failed for each in report.parameters if each.n_failed} == {"1_scale": 5}
    wrong = next(each for each in report.parameters if each.name == "1_scale")
    assert [failure.index for failure in wrong.failures] == [(i,) for i in range(5)]
    for failure in wrong.failures:
        assert failure.gradient == pytest.approx(failure.difference / 2, rel=1e-6)
        assert failure.relative_error == pytest.approx(1 / 3, rel=1e-5)
    assert wrong.largest_relative_error == pytest.approx(1 / 3, rel=1e-5)
    assert "FAILED: 5 of" in str(report)
    assert "[4]: gradient" in str(report)


def test_tiny_differences_are_forgiven_and_others_are_not():
    net = network(WronglyScaledLayer(), nn.OutputLayer(3, has_bias=False))
    batch = batch_of(cases.ROWS)
    size = max(abs(failure.difference) for failure in nn.gradient_check(net, batch).parameters[0].failures)
    assert nn.gradient_check(net, batch, min_absolute_error=size)
    assert not nn.gradient_check(net, batch, min_absolute_error=size / 4)
    assert nn.gradient_check(net, batch, max_relative_error=0.4)


def test_only_what_trains_is_checked():
    frozen = nn.FrozenLayer(nn.DenseLayer(5, "tanh"))
    report = nn.gradient_check(network(frozen, nn.OutputLayer(3)), batch_of(cases.ROWS))
    assert [each.name for each in report.parameters] == ["1_W", "1_b"]
    with pytest.raises(ValueError, match="unfreeze a layer"):
        nn.gradient_check(network(frozen, nn.FrozenLayer(nn.OutputLayer(3))), batch_of(cases.ROWS))


def test_a_sample_of_each_parameter_is_drawn_by_its_seed():
    net = network(WronglyScaledLayer(), nn.DenseLayer(20, "tanh"), nn.OutputLayer(3))

    def places(seed):
        report = nn.gradient_check(net, batch_of(cases.ROWS), n_samples=2, seed=seed, max_relative_error=1e-9)
        assert [each.n_checked for each in report.parameters] == [2] * 5
        return [failure.index for failure in report.parameters[0].failures]

    assert places(1) == places(1)
    assert len({tuple(places(seed)) for seed in range(8)}) > 1


def test_the_network_stays_as_it_is():
    net = network(nn.DenseLayer(5, "tanh"), nn.BatchNormalization(), nn.OutputLayer(3), updater=nn.Adam())
    scores = []
    net.add_listeners(type("Listener", (), {"on_gradient_calculation": lambda *given: scores.append(given)})())
    before = np.asarray(net.params()).copy()
    assert nn.gradient_check(net, batch_of(cases.ROWS))
    np.testing.assert_array_equal(np.asarray(net.params()), before)
    assert (net.iteration_count, scores) == (0, [])


def test_what_cannot_be_checked_is_refused():
    batch = batch_of(cases.ROWS)
    coarse = nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=cases.ROWS)
    with pytest.raises(ValueError, match='float32, which is too coarse.*dtype="float64"'):
        nn.gradient_check(coarse, batch)
    with pytest.raises(TypeError, match="network must be a Network"):
        nn.gradient_check(batch, coarse)
    drawn = np.random.default_rng(1)
    noisy = nn.LambdaLayer(lambda x: x * float(drawn.uniform(0.5, 1.5)))
    with pytest.raises(ValueError, match="a layer draws numbers"):
        nn.gradient_check(network(nn.DenseLayer(4), noisy, nn.OutputLayer(3)), batch)
    net = network(nn.OutputLayer(3))
    for wrong in ({"step": 0}, {"step": -1e-6}, {"max_relative_error": 0.0}, {"n_samples": 0}, {"seed": -1}):
        with pytest.raises(ValueError, match=f"gradient_check: {next(iter(wrong))}"):
            nn.gradient_check(net, batch, **wrong)


def test_a_gradient_that_is_no_number_fails():
    undefined = nn.LambdaLayer(lambda x: nd.sqrt(x * 0.0) * nd.sum(x))
    net = network(nn.DenseLayer(4, "identity"), undefined, nn.OutputLayer(3))
    report = nn.gradient_check(net, batch_of(cases.ROWS), n_samples=2)
    assert not report
    assert np.isnan(report.parameters[0].largest_relative_error)


def test_scores_of_training_draw_what_the_next_step_draws():
    net = network(nn.DenseLayer(6, dropout=0.5), nn.BatchNormalization(), nn.OutputLayer(3))
    batch = batch_of(cases.ROWS)
    expected = net.compute_gradient_and_score(batch.features, batch.labels)[1]
    assert net.score(batch, train=True) == pytest.approx(expected, rel=1e-14)
    assert net.score(batch) != pytest.approx(expected, rel=1e-3)
    assert net.fit_batch(batch.features, batch.labels) == pytest.approx(expected, rel=1e-14)


def test_a_report_shows_a_few_failures_of_each_parameter():
    failures = tuple(nn.GradientFailure((0, i), gradient=3.0, difference=1.0) for i in range(7))
    right, wrong = nn.ParameterCheck("0_b", 2, 1e-9, ()), nn.ParameterCheck("0_W", 9, 0.5, failures)
    report = nn.GradientCheckReport((right, wrong))
    assert (report.n_checked, report.n_failed, bool(report)) == (11, 7, False)
    lines = str(report).splitlines()
    assert lines[-2:] == ["    [0, 4]: gradient 3, central difference 1, relative error 0.5", "    and 2 more"]
    assert "passed: 0 of 2" in str(nn.GradientCheckReport((right,)))
    assert nn.GradientFailure((), 0.0, 0.0).relative_error == 0.0
