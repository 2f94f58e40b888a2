"""Configurations go through JSON unchanged, and damaged text is refused."""

import json

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn import NetworkConfiguration

EVERYTHING = NetworkConfiguration(
    layers=(
        *(case.layer for case in cases.LAYERS),
        nn.DenseLayer(3, weight_init=nn.Uniform(-0.1, 0.1), name="odd"),
        nn.DenseLayer(3, weight_init=nn.VarianceScaling(2.0, "fan_out", "uniform"), name="scaled"),
    ),
    input_type=cases.IMAGES,
    updater=nn.Nesterovs(nn.MapSchedule({0: 0.1, 100: 0.01}, per="epoch"), 0.8),
    weight_init=nn.Orthogonal(2.0),
    gradient_normalization="clip_l2_per_layer",
    l2=5e-4,
    seed=2**40,
    dtype="float64",
)


def test_json_round_trip():
    assert NetworkConfiguration.from_json(EVERYTHING.to_json()) == EVERYTHING


@pytest.mark.parametrize("updater", [pytest.param(row[0], id=type(row[0]).__name__) for row in cases.UPDATERS])
def test_updater_round_trip(updater):
    configuration = NetworkConfiguration(layers=(nn.OutputLayer(3),), input_type=cases.ROWS, updater=updater)
    assert NetworkConfiguration.from_json(configuration.to_json()).updater == updater


@pytest.mark.parametrize("schedule", [pytest.param(row[0], id=type(row[0]).__name__) for row in cases.SCHEDULES])
def test_schedule_round_trip(schedule):
    configuration = NetworkConfiguration(
        layers=(nn.OutputLayer(3),), input_type=cases.ROWS, updater=nn.Sgd(learning_rate=schedule)
    )
    assert NetworkConfiguration.from_json(configuration.to_json()).updater.learning_rate == schedule


def edited(**changes):
    settings = json.loads(EVERYTHING.to_json())
    for path, value in changes.items():
        *parents, last = [int(part) if part.isdigit() else part for part in path.split("__")]
        target = settings
        for part in parents:
            target = target[part]
        target[last] = value
    return json.dumps(settings)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "Expecting value"),
        ("[]", "an object is needed at the top, given list"),
        ("{}", "missing 1 required keyword-only argument: 'layers'"),
        ("[" * 100_000, "recursion"),
        (edited(l2=float("nan")), "NaN is not a number"),
        (edited(l2="much"), "l2 must be a finite number, given 'much'"),
        (edited(colour="red"), "NetworkConfiguration has no field colour"),
        (edited(layers__0__type="Dense"), "unknown type 'Dense'. Did you mean"),
        (edited(layers__0__type=None), "unknown type None"),
        (edited(layers__0__n_out=-3), "n_out, the number of outputs, must be a whole number of at least 1, given -3"),
        (edited(layers__0__depth=3), "DenseLayer has no field depth"),
        (edited(layers__0=7), r"layers\[0\] must be a Layer, .*given 7"),
        (edited(layers=None), "must be a sequence"),
        (edited(updater__momentum=2), "momentum must be at least 0 and less than 1, given 2"),
        (
            edited(updater={"type": "InputType", "kind": "feed_forward", "dimensions": [3]}),
            "updater must be an Updater",
        ),
        (edited(input_type__dimensions=[3, -1, 4]), "at least 1, given -1"),
        (edited(input_type__kind="round"), "unknown kind 'round'"),
    ],
)
def test_damaged_text_is_refused(text, message):
    with pytest.raises(ValueError, match=f"network configuration: .*{message}"):
        NetworkConfiguration.from_json(text)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
@pytest.mark.parametrize("share", [np.float16, np.float32, np.float64, nd.asarray])
def test_numbers_of_numpy_are_settings_like_python_s(kind, share):
    rate = nn.StepSchedule(share(0.5), share(0.5), kind(3))
    layers = [
        nn.ConvolutionLayer((kind(3), kind(2)), kind(2), l2=share(0.5)),
        nn.DenseLayer(kind(100), dropout=share(0.5)),
        nn.OutputLayer(kind(2)),
    ]
    for updater in (nn.Adam(share(0.5), b1=share(0.5)), nn.Sgd(rate)):
        net = nn.MultiLayerNetwork(
            layers, input_type=nn.InputType.convolutional(kind(8), 8, 1), updater=updater, l1=share(0.5), seed=kind(1)
        )
        assert np.isfinite(net.fit_batch(np.ones((2, 1, 8, 8)), np.eye(2)))
        assert all(type(size) is int for slot in net.slots for size in slot.parameter.shape)
        text = net.configuration.to_json()
        assert nn.NetworkConfiguration.from_json(text).to_json() == text
    graph = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(kind(4))}, {"out": (nn.OutputLayer(kind(3)), "x")}, outputs="out"
    )
    assert nn.GraphConfiguration.from_json(graph.configuration.to_json()).vertices["out"].vertex.n_out == 3


def test_what_is_no_rate_is_told_of_schedules():
    with pytest.raises(ValueError, match="must be a number, or a schedule with value"):
        nn.Sgd(lambda iteration: 0.1)
    for rate in ("0.1", np.nan, 1j, nd.asarray(1j), np.bool_(True), np.ones(1)):
        with pytest.raises(ValueError, match="learning_rate must be a finite number"):
            nn.Sgd(rate)


def test_sizes_may_be_an_array():
    assert nn.ConvolutionLayer(np.asarray([3, 2]), 2).kernel_size == (3, 2)
    assert nn.ConvolutionLayer(nd.asarray([3, 2]), 2).kernel_size == (3, 2)
    with pytest.raises(ValueError, match=r"must be one number or \(height, width\), given \(3, 2, 1\)"):
        nn.ConvolutionLayer(np.asarray([3, 2, 1]), 2)
    for size in (np.ones(1, int), np.ones((2, 2), int), nd.ones(1, dtype="int64"), nd.asarray(2.0)):
        with pytest.raises(ValueError, match="n_out, the number of outputs, must be a whole number"):
            nn.DenseLayer(size)


def test_a_network_is_written_and_made_anew_as_text():
    for net in (
        nn.MultiLayerNetwork([nn.DenseLayer(3), nn.OutputLayer(2)], input_type=cases.ROWS, seed=7, l2=0.1),
        nn.ComputationGraph(["x"], {"y": (nn.OutputLayer(2, n_in=3), "x")}, outputs="y", seed=7),
    ):
        assert net.to_json() == net.configuration.to_json()
        again = type(net).from_json(net.to_json())
        assert again.configuration == net.configuration
        assert again.params().tobytes() == net.params().tobytes()
    with pytest.raises(ValueError, match="this is of a ComputationGraph"):
        nn.MultiLayerNetwork.from_json(net.to_json())
