"""The graphs of what a network computes for small batches, where Python takes much of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakMethod

from nd4py import api as nd
from nd4py.api.arguments import is_traced

from ..inputs import InputType
from .stages import Stage, is_own

LARGEST_OUTPUT = 1 << 16  # numbers of a batch: above, Python is below a fiftieth of the time of the smallest networks
LARGEST_STEP = 1 << 20  # numbers that all layers make of a batch: above, Python is below a tenth, and memory matters
UNTIL_GRAPH = 3  # batches of a shape: the third one is captured
MOST_SHAPES = 64  # of batches that were met once


def most_in_output(input_types: Mapping[str, InputType]) -> int:
    """Examples of the largest batch whose output is computed by a graph."""
    return LARGEST_OUTPUT // sum(each.size for each in input_types.values())


def most_in_step(stages: Sequence[Stage]) -> int:
    """Examples of the largest batch that a graph trains on."""
    return LARGEST_STEP // sum(stage.output.size for stage in stages)


class NetworkGraph:
    """What a network computes for batches, as a graph, from the third batch of a shape on.

    compute: a method of nothing but the arrays of a batch and the parameters    most_examples: of a batch
    Networks with layers of other people compute as ever: a graph would run their code once and never again.
    """

    def __init__(self, stages: Sequence[Stage], compute: Callable[..., Any], most_examples: int) -> None:
        method = WeakMethod(compute)  # or the memory of the network would wait for the garbage collector

        def computed(*batch: nd.NDArray) -> Any:
            own = method()
            assert own is not None  # it is the network that calls
            return own(*batch)

        self._graph = nd.capture(computed)
        self._most_examples = most_examples
        self._n_met: dict[Any, int] = {}
        self._is_usable = all(is_own(stage.layer) for stage in stages)
        self._refused = -1  # the choice of loops that no graph could be made of

    def __call__(self, *batch: nd.NDArray) -> Any:
        """What `compute` returns, in the open workspace, or None where it has to be computed without a graph."""
        x = batch[0]
        if not self._is_usable or not 0 < x.shape[0] <= self._most_examples or x.node is not None:
            return None
        if is_traced(x):  # arrays of nd.vmap, and of functions that are exported
            return None
        if self._refused == self._graph.loop_choices:
            return None
        shapes = tuple([array.shape for array in batch])
        n_met = self._n_met.get(shapes, 0)
        if n_met < UNTIL_GRAPH - 1:
            if len(self._n_met) < MOST_SHAPES:
                self._n_met[shapes] = n_met + 1
            return None
        try:
            return self._graph(*batch)
        except (nd.CaptureError, NotImplementedError, MemoryError):  # random numbers, a helper's convolution, a device
            self._refused = self._graph.loop_choices
            return None

    def repeated(self, x: Any) -> Any:
        """The same where `x` is an array like that of the last replay and no workspace is open, else None."""
        return None if nd.workspace_manager.current_workspace() is not None else self._graph.repeated(x)

    @property
    def workplace_bytes(self) -> int:
        """The memory that a replay works in, for batches like the last one."""
        return self._graph.workplace_bytes
