"""ZooModel: the base classes of known architectures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from nd4py import nn
from nd4py.api.arguments import instance
from nd4py.api.unknown_settings import TellingArguments
from nd4py.nn.numbers import real, whole

from .graph_parts import Parts


@dataclass(frozen=True, kw_only=True)
class ZooModel(TellingArguments):
    """A known architecture, without trained weights.  Subclasses say which layers it has.

    Raises ValueError for a number that is no whole number of at least 1, TypeError for an input type that is none.

    >>> model = zoo.LeNet(n_classes=3)
    >>> isinstance(model, zoo.ZooModel), model.init(seed=1).output(nd.zeros((2, 1, 28, 28))).shape
    (True, (2, 3))
    """

    # Settings of training that the network has unless others are given.
    settings: ClassVar[Mapping[str, Any]] = {"updater": nn.Adam(1e-3), "weight_init": "relu"}

    def __post_init__(self) -> None:
        for field in fields(self):
            value, what = getattr(self, field.name), f"{type(self).__name__}: {field.name}"
            if field.type in (nn.InputType, "nn.InputType"):
                instance(what, value, nn.InputType)
            elif field.type in (int, "int") or (field.type in (int | None, "int | None") and value is not None):
                whole(value, what)
            elif field.type in (float, "float"):
                real(value, what, low=0.0, high=1.0)

    def configuration(self, **settings: Any) -> Any:
        """The description of the network; nothing is computed and no parameters are made.

        settings: fields of `TrainingConfiguration`, such as `updater`, `seed` or `dtype`
        Returns a `NetworkConfiguration` or a `GraphConfiguration`.
        Raises ValueError for an input type that is too small for the layers, or a setting that is wrong.
        """
        return self._described({**self.settings, **settings})

    def _described(self, settings: Mapping[str, Any]) -> Any:
        raise NotImplementedError(f"{type(self).__name__} is a base class; take one of the models of nd4py.zoo")

    def init(self, *, params: Any = None, **settings: Any) -> Any:
        """The network, with random parameters.

        params: a vector to copy the parameters from instead
        settings: as for `configuration`
        Returns a `MultiLayerNetwork` or a `ComputationGraph`.
        Raises ValueError as `configuration` does, and for a vector of another length.
        """
        configuration = self.configuration(**settings)
        return kind_of(configuration).from_configuration(configuration, params)

    def num_params(self) -> int:
        """How many numbers training changes: weights and biases, gamma and beta, but no running mean and variance.

        Returns an int.  Raises ValueError for an input type that is too small for the layers.
        """
        configuration = self.configuration()
        parameters = [each for stage in kind_of(configuration).stages_of(configuration) for each in stage.parameters]
        return sum(math.prod(each.shape) for each in parameters if not each.is_state)


def kind_of(configuration: Any) -> Any:
    """The class of networks that a configuration describes."""
    return nn.ComputationGraph if isinstance(configuration, nn.GraphConfiguration) else nn.MultiLayerNetwork


@dataclass(frozen=True, kw_only=True)
class StackModel(ZooModel):
    """A known architecture whose layers follow one another."""

    def layers(self) -> list[nn.Layer]:
        """The layers, from the input to the output.  Returns a list.  Raises ValueError for a size that is wrong."""
        raise NotImplementedError(f"{type(self).__name__} is a base class; take one of the models of nd4py.zoo")

    def input_of_network(self) -> nn.InputType:
        """What one example looks like.  Returns an `InputType`.  Raises nothing."""
        given: nn.InputType = vars(self)["input_type"]
        return given

    def _described(self, settings: Mapping[str, Any]) -> nn.NetworkConfiguration:
        return nn.NetworkConfiguration(layers=tuple(self.layers()), input_type=self.input_of_network(), **settings)


@dataclass(frozen=True, kw_only=True)
class GraphModel(ZooModel):
    """A known architecture in which some layers read more than the one before."""

    input_type: nn.InputType

    def _output_name(self, parts: Parts) -> str:
        """Add the layers and vertices to `parts`, which reads the input "image".

        Returns the name of the output.  Raises ValueError for a size that is wrong.
        """
        raise NotImplementedError(f"{type(self).__name__} is a base class; take one of the models of nd4py.zoo")

    def _described(self, settings: Mapping[str, Any]) -> nn.GraphConfiguration:
        parts = Parts()
        output = self._output_name(parts)
        return nn.GraphConfiguration(
            inputs={"image": self.input_type}, vertices=parts.vertices, outputs=(output,), **settings
        )
