"""Every entry of a registry has a case, and every case an entry."""

import cases
import pytest
from nn_cases.losses import OTHER_LOSSES

from nd4py import nn
from nd4py.nn.initialization.initializers import INITIALIZERS
from nd4py.nn.layers import LAYERS
from nd4py.nn.networks.configuration import TYPES
from nd4py.nn.updaters.schedules import SCHEDULES
from nd4py.nn.updaters.updaters import UPDATERS


def class_names(instances):
    return {type(instance).__name__ for instance in instances}


@pytest.mark.parametrize(
    "registry, tried",
    [
        pytest.param(nn.ACTIVATIONS, cases.ACTIVATIONS, id="activations"),
        pytest.param(nn.LOSSES, {*cases.LOSSES, *OTHER_LOSSES}, id="losses"),
        pytest.param(INITIALIZERS, cases.INITIALIZERS, id="initializers"),
        pytest.param(UPDATERS, class_names(updater for updater, _ in cases.UPDATERS), id="updaters"),
        pytest.param(SCHEDULES, class_names(schedule for schedule, _ in cases.SCHEDULES), id="schedules"),
        pytest.param(LAYERS, class_names(case.layer for case in cases.LAYERS), id="layers"),
    ],
)
def test_registry_and_cases_agree(registry, tried):
    assert set(registry) == set(tried)


@pytest.mark.parametrize("name", sorted({*LAYERS, *UPDATERS, *SCHEDULES, "InputType", "MultiLayerNetwork"}))
def test_public_name_is_exported(name):
    assert name in nn.__all__
    assert name not in TYPES or getattr(nn, name) is TYPES[name]
