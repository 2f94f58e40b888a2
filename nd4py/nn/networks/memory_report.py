"""The memory a network needs, estimated before it is trained.

Two steps of training on few examples are recorded: every request for memory and every release, in order.  Each size is
a constant plus a multiple of the number of examples, so the sizes for a larger batch follow, and planning them in an
arena gives the memory that is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..inputs import InputType
from ..numbers import whole
from .network_graphs import UNTIL_GRAPH, most_in_output, most_in_step

FEW, MORE = 8, 16  # examples in the recorded steps


@dataclass(frozen=True)
class NetworkMemoryReport:
    """Bytes of memory a network needs for batches of `batch_size` examples.

    input_type: of one example, one for each input of the network
    parameters, updater_state: kept all the time    activations: of each layer, (name, bytes)
    training_arrays, inference_arrays: the most that is alive at the same time in a step; in training also parameters
        and updater state after the step, which replace those before it at once
    scratch: memory that kernels use while they run
    training_graph, inference_graph: memory that steps and outputs of small batches are repeated in, 0 for larger ones

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> net.memory_info(batch_size=128).parameters
    40
    """

    batch_size: int
    input_type: tuple[InputType, ...]
    parameters: int
    updater_state: int
    activations: tuple[tuple[str, int], ...]
    training_arrays: int
    inference_arrays: int
    scratch: int
    training_graph: int
    inference_graph: int

    @property
    def fixed(self) -> int:
        """Bytes that do not depend on the batch."""
        return self.parameters + self.updater_state

    @property
    def training(self) -> int:
        """Bytes while training, without the batch itself."""
        return self.fixed + self.training_arrays + self.scratch + self.training_graph

    @property
    def inference(self) -> int:
        """Bytes while computing outputs, without the batch itself."""
        return self.parameters + self.inference_arrays + self.scratch + self.inference_graph

    def __str__(self) -> str:
        rows = [
            ("parameters", self.parameters),
            ("updater state", self.updater_state),
            *((f"activations of {name}", n_bytes) for name, n_bytes in self.activations),
            ("arrays of a training step, at most", self.training_arrays),
            ("arrays of an output, at most", self.inference_arrays),
            ("scratch memory of kernels", self.scratch),
            ("graph of training steps", self.training_graph),
            ("graph of outputs", self.inference_graph),
            ("training", self.training),
            ("inference", self.inference),
        ]
        width, shown = max(len(name) for name, _ in rows), " and ".join(map(str, self.input_type))
        lines = [f"{name:{width}}  {n_bytes:>14,} bytes  {nd.memory.human(n_bytes):>10}" for name, n_bytes in rows]
        return "\n".join([f"memory for batches of {self.batch_size}, input {shown}", *lines])


def memory_report(network: Any, batch_size: int, input_type: Any) -> NetworkMemoryReport:
    """The report of a network on batches of `batch_size`, on the host; the network itself is left as it is."""
    batch_size = whole(batch_size, "memory_info: batch_size")
    configuration = network.retyped(input_type)
    twin, other = (type(network).from_configuration(configuration).to_device("cpu") for _ in range(2))
    itemsize = twin.params().itemsize
    few, more = _recorded(twin, FEW), _recorded(other, MORE)
    training_graph, inference_graph = _graph_bytes(twin, batch_size)
    state = twin.updater_state()
    return NetworkMemoryReport(
        batch_size=batch_size,
        input_type=tuple(twin.input_types.values()),
        parameters=twin.params().nbytes,
        updater_state=0 if state is None else state.nbytes,
        activations=tuple(
            (f"layer {stage.index} ({stage.layer.title})", batch_size * stage.output.size * itemsize)
            for stage in twin.stages
        ),
        training_arrays=_scaled(few.training, more.training, batch_size),
        inference_arrays=_scaled(few.inference, more.inference, batch_size),
        scratch=_scratch(few.scratch, more.scratch, batch_size),
        training_graph=training_graph,
        inference_graph=inference_graph,
    )


@dataclass(frozen=True)
class _Recording:
    """Ranges taken (start, bytes) and given back (start, 0) by the arrays of one step, and the kernels' memory."""

    training: Sequence[tuple[int, int]]
    inference: Sequence[tuple[int, int]]
    scratch: int


def _recorded(network: Any, n_examples: int) -> _Recording:
    features = _ones(network, n_examples)
    labels = network.example_labels(n_examples)
    nd.memory.trim()
    before = nd.memory.stats().taken_bytes
    with network.recorded_places() as (training, inference):
        network.fit_batch(features, labels)
        network.output(*features)
    scratch = nd.memory.stats().taken_bytes - before - network.arena_bytes()
    lent = max((-n_bytes for _, n_bytes in (*training, *inference)), default=0)
    return _Recording(_of_arrays(training), _of_arrays(inference), max(scratch, 0) + max(lent, 0))


def _scratch(few: int, more: int, n_examples: int) -> int:
    """What kernels work in for a batch, from what they did for FEW and MORE examples.

    They work in blocks, so that it soon stops growing with the batch: with about twice MORE examples.
    """
    growth = max(more - few, 0) / (MORE - FEW)
    return max(few, more) + round(growth * min(max(n_examples - MORE, 0), MORE - FEW))


def _graph_bytes(network: Any, n_examples: int) -> tuple[int, int]:
    """What the graphs of training and of outputs work in: batches that have a graph are small enough to be tried."""
    if n_examples <= most_in_step(network.stages):
        for _ in range(UNTIL_GRAPH):
            network.fit_batch(_ones(network, n_examples), network.example_labels(n_examples))
    of_steps = network.graph_bytes()
    if n_examples <= most_in_output(network.input_types):
        for _ in range(UNTIL_GRAPH):
            network.output(*_ones(network, n_examples))
    return of_steps, network.graph_bytes() - of_steps


def _ones(network: Any, n_examples: int) -> list[nd.NDArray]:
    """Features of ones.  Raises ValueError for sequences of any length, whose memory cannot be said."""
    arrays = []
    for input_type in network.input_types.values():
        if None in input_type.shape:
            raise ValueError(
                f"memory_info: sequences of any length, {input_type}, need any amount of memory; give "
                "input_type=InputType.recurrent(size, length)"
            )
        arrays.append(nd.ones((n_examples, *input_type.shape), dtype=network.params().dtype, device="cpu"))
    return arrays


def _of_arrays(records: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(start, n_bytes) for start, n_bytes in records if n_bytes >= 0]


def _scaled(few: Sequence[tuple[int, int]], more: Sequence[tuple[int, int]], n_examples: int) -> int:
    """The arena needed by a step of `n_examples`, from recordings of FEW and MORE."""
    if [size > 0 for _, size in few] != [size > 0 for _, size in more]:
        raise NotImplementedError(
            "memory_info: the layers take memory in another order for other batch sizes; measure a step of training "
            "with nd4py.memory.stats instead"
        )
    events = []
    for (start, few_bytes), (_, more_bytes) in zip(few, more, strict=True):
        per_example = (more_bytes - few_bytes) / (MORE - FEW)
        events.append((start, round(few_bytes + per_example * (n_examples - FEW))))
    return nd.memory.lay_out(events)[1]
