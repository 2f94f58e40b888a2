"""ComputationGraph: layers and vertices that read each other, with any number of inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from nd4py import api as nd
from nd4py.api.arguments import instance, items
from nd4py.api.unknown_settings import telling_arguments

from ..evaluation.rows import Rows, comparable
from ..inputs import InputType
from ..layers import Layer
from ..updaters import Sgd, Updater
from ..vertices import Vertex
from .batches import Batch
from .checked_batches import in_order_of
from .configuration import GraphConfiguration
from .pretraining import PretrainableNetwork
from .stages import Node, Stage, build_stages
from .time_steps import SequenceNetwork, step_of_output


class ComputationGraph(SequenceNetwork, PretrainableNetwork):
    """Layers and vertices that read each other, trained by gradient descent on the sum of the losses of its outputs.

    inputs: the type of each input by its name, None where n_in of the first layer that reads it says how long a row or
        a step is; names alone where that is so of all
    vertices: for each name a tuple: the layer or vertex, then the names of the inputs and vertices that it reads; in
        any order
    outputs: the name, or names, of the vertices that `output` returns; those that are trained have a loss
    output_weights: what the loss of each output is multiplied by; None for 1
    updater: `Sgd()` when None
    params: a vector to copy the initial parameters from
    settings: other fields of `TrainingConfiguration`, as for `MultiLayerNetwork`
    Raises ValueError naming the vertex or setting that is wrong; for a cycle, its path.

    >>> net = nn.ComputationGraph(
    ...     {"x": nn.InputType.feed_forward(3)},
    ...     {
    ...         "wide": (nn.DenseLayer(4, activation="relu"), "x"),
    ...         "both": (nn.MergeVertex(), "wide", "x"),
    ...         "out": (nn.OutputLayer(2), "both"),
    ...     },
    ...     outputs="out",
    ... )
    >>> net.output(nd.ones((5, 3))).shape, net.num_params()
    ((5, 2), 32)
    """

    configuration_class = GraphConfiguration

    @telling_arguments
    def __init__(
        self,
        inputs: Mapping[str, InputType | None] | str | Sequence[str],
        vertices: Mapping[str, Any],
        *,
        outputs: str | Sequence[str],
        output_weights: Sequence[float] | None = None,
        updater: Updater | None = None,
        params: Any = None,
        **settings: Any,
    ) -> None:
        configuration = GraphConfiguration(
            inputs=inputs if isinstance(inputs, Mapping) else dict.fromkeys(names_of("inputs", inputs)),
            vertices={name: node_of(name, each) for name, each in instance("vertices", vertices, Mapping).items()},
            outputs=names_of("outputs", outputs),
            output_weights=None if output_weights is None else items("output_weights", output_weights),
            updater=Sgd() if updater is None else updater,
            **settings,
        )
        super().__init__(configuration, params)

    @staticmethod
    def stages_of(configuration: GraphConfiguration) -> tuple[Stage, ...]:
        given = instance("configuration", configuration, GraphConfiguration)
        stages = build_stages(given.inputs, given.vertices, given.taken_over)
        check_outputs(given.outputs, given.inputs, stages)
        return stages

    @classmethod
    def from_configuration(cls, configuration: GraphConfiguration, params: Any = None) -> Self:
        return cls(**instance("configuration", configuration, GraphConfiguration).settings(), params=params)

    @property
    def input_types(self) -> Mapping[str, InputType]:
        given: Mapping[str, InputType] = self.configuration.inputs
        return given

    def _output_stages(self) -> list[Stage]:
        by_name = {stage.name: stage for stage in self._stages}
        return [by_name[name] for name in self.configuration.outputs]

    def _scored_outputs(self) -> list[tuple[Stage, float]]:
        stages = self._output_stages()
        weights = self.configuration.output_weights or (1.0,) * len(stages)
        return list(zip(stages, weights, strict=True))

    def retyped(self, input_type: Any) -> GraphConfiguration:
        """The configuration for inputs of other types, with workspaces.

        input_type: None for the network's own, a type for its only input, or types by the names of inputs
        Raises ValueError where the layers do not fit.
        """
        types = dict(self.input_types)
        if isinstance(input_type, InputType):
            types = dict(zip(types, in_order_of(list(types), [input_type], "input_type"), strict=True))
        elif input_type is not None:
            types |= instance("input_type", input_type, Mapping)
        return replace(self.configuration, workspace_mode="enabled", inputs=types)

    def get_vertex(self, name: str) -> Layer | Vertex:
        """The layer or vertex of this name, with the network's settings where its own fields were None.

        Raises ValueError where there is none.
        """
        return self._layer_stage(name).layer

    def _layer_stage(self, layer: int | str) -> Stage:
        for stage in self._stages:
            if stage.name == layer:
                return stage
        raise ValueError(f"there is no vertex {layer!r}; vertices: {', '.join(stage.name for stage in self._stages)}")

    get_layer = get_vertex

    def output(self, *inputs: Any, train: bool = False, mask: Any = None) -> Any:
        """The outputs for batches of the inputs, in the order of the inputs; or for a single dict of them by name.

        train: apply dropout
        mask: for sequences, 1 at steps that are there and 0 at padding, (batch, length): an array, or one (or None) for
            each input
        Returns an array, or a tuple of arrays where there are several outputs.
        Inside `nd4py.grad` gradients flow through it to the inputs; the parameters are constants there.
        Raises ValueError for shapes that do not fit, TypeError for an argument that cannot become an array.
        """
        with self._lock:
            self._finish()
            given, masks = self._checked_inputs(as_given(inputs), mask)
            if not train and mask is None and (result := self._quick_output(given)) is not None:
                return result
            differentiated = next((x for x in given if x.node is not None), None)
            with self._scope(self._inference, differentiated):
                found = self._outputs_of(self._run(given, masks, train=train, wanted=self._output_numbers()).values)
                return found[0].detach() if len(found) == 1 else tuple(each.detach() for each in found)

    def feed_forward(self, *inputs: Any, train: bool = False, mask: Any = None) -> dict[str, nd.NDArray]:
        """The inputs and the output of every layer and vertex, by name; arguments as for `output`.

        Raises ValueError for shapes that do not fit, TypeError for an argument that cannot become an array.
        """
        with self._lock:
            self._finish()
            given, masks = self._checked_inputs(as_given(inputs), mask)
            names = [*self.input_types, *(stage.name for stage in self._stages)]
            return dict(zip(names, self._run(given, masks, train=train).values, strict=True))

    def rnn_time_step(self, *inputs: Any, mask: Any = None, stream: Any = None) -> Any:
        """The outputs for the next step, or steps, of sequences; recurrent layers go on from the call before.

        inputs: (batch, size) for one step, or (batch, length, size)
        stream: any key: sequences that come beside each other have states of their own
        Returns as `output`, without the axis of steps where one step was given.
        Raises ValueError for shapes that do not fit, another number of sequences than before,
            and layers that look at steps that come later.
        """
        with self._lock:
            self._finish()
            given = in_order_of(list(self.input_types), as_given(inputs), "rnn_time_step: inputs")
            passed, is_step = self._next_steps(given, mask, stream)
            found = tuple(step_of_output(each, is_step) for each in self._outputs_of(passed.values))
            return found[0] if len(found) == 1 else found

    def example_labels(self, n_examples: int) -> tuple[nd.NDArray, ...]:
        """Labels that the losses take, all ones, one array for each output.

        Raises ValueError for a negative number, TypeError for a number that is not whole.
        """
        return tuple(self._labels_of_ones(stage, n_examples) for stage in self._output_stages())

    def _output_numbers(self) -> list[int]:
        """Where the outputs stand among the values of a pass."""
        return [len(self.input_types) + stage.index for stage in self._output_stages()]

    def _outputs_of(self, values: Sequence[nd.NDArray]) -> tuple[nd.NDArray, ...]:
        return tuple(values[number] for number in self._output_numbers())

    def _computed_output(self, *inputs: nd.NDArray) -> Any:
        found = self._outputs_of(self._run(inputs, wanted=self._output_numbers()).values)
        return found[0] if len(found) == 1 else found

    def _output_of(self, parts: Batch) -> Any:
        features = in_order_of(list(self.input_types), parts.features, "features")
        return self.output(*features, mask=parts.features_masks)

    def _compared(self, parts: Batch) -> Iterator[tuple[str, Rows]]:
        outputs = self._output_of(parts)
        names = list(self.configuration.outputs)
        every = outputs if isinstance(outputs, tuple) else (outputs,)
        labels = in_order_of(names, parts.labels, "labels")
        masks = [None] * len(names)
        features_mask = parts.features_masks if len(self.input_types) == 1 else None
        if parts.labels_masks is not None:
            masks, features_mask = list(in_order_of(names, parts.labels_masks, "labels_mask")), None
        for name, own, predicted, mask in zip(names, labels, every, masks, strict=True):
            yield name, comparable(own, predicted, mask, features_mask)


def names_of(what: str, given: Any) -> tuple[Any, ...]:
    """One name, or several.  Raises TypeError for anything else."""
    names = (given,) if isinstance(given, str) else items(what, given)
    return tuple(instance(f"{what}: each name", name, str) for name in names)


def as_given(inputs: Sequence[Any]) -> Any:
    """The arrays of the inputs in their order; a single one, or a dict of them by name, as it is."""
    return inputs[0] if len(inputs) == 1 else inputs


def node_of(name: str, given: Any) -> Node:
    """A vertex of a graph from a tuple of it and the names it reads.  Raises TypeError for anything else."""
    if isinstance(given, Node):
        return given
    parts = tuple(given) if isinstance(given, tuple | list) else ()
    if (
        len(parts) < 2
        or not isinstance(parts[0], Layer | Vertex)
        or not all(isinstance(each, str) for each in parts[1:])
    ):
        raise TypeError(
            f"vertices[{name!r}] must be a tuple of a layer or vertex and the names that it reads, given {given!r}"
        )
    return Node(parts[0], tuple(parts[1:]))


def check_outputs(outputs: Sequence[str], inputs: Mapping[str, InputType], stages: Sequence[Stage]) -> None:
    """Raises ValueError for outputs that there are not, and for vertices that no output needs."""
    names = [stage.name for stage in stages]
    if not outputs:
        raise ValueError("outputs: at least one is needed, given none")
    if unknown := [name for name in outputs if name not in names]:
        raise ValueError(f"outputs: {unknown[0]!r} is no vertex; vertices: {', '.join(names)}")
    if len(set(outputs)) != len(outputs):
        raise ValueError(f"outputs: each at most once, given {list(outputs)}")
    read = {source for stage in stages for source in stage.sources}
    for number, name in enumerate([*inputs, *names]):
        if number not in read and name not in outputs:
            kind = "input" if number < len(inputs) else "vertex"
            raise ValueError(f"the {kind} {name!r} is neither read nor an output; leave it out, or read it somewhere")
