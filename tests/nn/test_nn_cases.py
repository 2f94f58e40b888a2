"""Every entry of a registry has a case, and every case an entry."""

import cases
import pytest
from nn_cases.losses import LOSS_OBJECTS, OTHER_LOSSES

from nd4py import nn
from nd4py.nn.initialization.initializers import INITIALIZERS
from nd4py.nn.losses.losses import LOSS_TYPES
from nd4py.nn.networks.configuration import TYPES
from nd4py.nn.registries import LAYERS, SCHEDULES, UPDATERS, VERTICES

OBJECTS = (*OTHER_LOSSES, *(loss for loss, _ in LOSS_OBJECTS))


def class_names(instances):
    return {type(instance).__name__ for instance in instances}


def names_of_losses():
    """The names of losses that have a case, and of losses with settings that have one."""
    return {*cases.LOSSES, *(name for name, found in nn.LOSSES.items() if found in set(map(type, OBJECTS)))}


@pytest.mark.parametrize(
    "registry, tried",
    [
        pytest.param(nn.ACTIVATIONS, cases.ACTIVATIONS, id="activations"),
        pytest.param(nn.LOSSES, names_of_losses(), id="losses"),
        pytest.param(LOSS_TYPES, class_names(OBJECTS), id="losses with settings"),
        pytest.param(INITIALIZERS, cases.INITIALIZERS, id="initializers"),
        pytest.param(UPDATERS, class_names(updater for updater, _ in cases.UPDATERS), id="updaters"),
        pytest.param(SCHEDULES, class_names(schedule for schedule, _ in cases.SCHEDULES), id="schedules"),
        pytest.param(LAYERS, class_names(case.layer for case in cases.LAYERS), id="layers"),
        pytest.param(VERTICES, class_names(case.vertex for case in cases.VERTICES), id="vertices"),
    ],
)
def test_registry_and_cases_agree(registry, tried):
    assert set(registry) == set(tried)


@pytest.mark.parametrize("name", sorted({*LAYERS, *VERTICES, *UPDATERS, *SCHEDULES, "InputType", "MultiLayerNetwork"}))
def test_public_name_is_exported(name):
    assert name in nn.__all__
    assert name not in TYPES or getattr(nn, name) is TYPES[name]


def test_names_that_a_package_offers_are_classes_and_tables():
    assert set(nn.layers.__all__) | set(nn.vertices.__all__) | set(nn.losses.__all__) | set(nn.updaters.__all__) < set(
        nn.__all__
    )
    assert all(isinstance(getattr(nn, name), type | dict) for name in set(nn.__all__) - {"gradient_check"})


@pytest.mark.parametrize("name, loss", [("ctc", nn.CTCLoss), ("f_measure", nn.FMeasureLoss), ("focal", nn.FocalLoss)])
def test_losses_with_defaults_have_names_too(name, loss):
    assert nn.LOSSES[name] is loss
    assert nn.MixtureDensityLoss not in nn.LOSSES.values()
