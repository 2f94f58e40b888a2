"""Configurations go through JSON unchanged, and damaged text is refused."""

import json

import cases
import pytest

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
        ("{}", "missing 2 required keyword-only arguments: 'layers' and 'input_type'"),
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
