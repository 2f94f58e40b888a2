"""The graph of what a network computes for small batches, where Python takes a good part of the time."""

from collections.abc import Callable, Sequence
from typing import Any

from nd4py import api as nd

from .stack import Stage

LARGEST = 1 << 16  # numbers of a batch: above, Python is below a fiftieth of the time of the smallest networks
MOST_SHAPES = 64  # of batches that were met once
OWN_LAYERS = f"{__package__}.layers."


class InferenceGraph:
    """A network's output as a graph, from the third batch of a shape on.

    compute: the output for a batch, of nothing but the batch and the parameters
    Networks with layers of other people compute as ever: a graph would run their code once and never again.
    """

    def __init__(self, stages: Sequence[Stage], compute: Callable[[nd.NDArray], nd.NDArray]) -> None:
        self._graph = nd.capture(compute)
        self._n_met: dict[Any, int] = {}
        self._is_usable = all(type(stage.layer).__module__.startswith(OWN_LAYERS) for stage in stages)
        self._refused = -1  # the choice of loops that no graph could be made of

    def __call__(self, x: nd.NDArray) -> nd.NDArray | None:
        """The output, a plain array, or None where it has to be computed without a graph."""
        if not self._is_usable or not 0 < x.size <= LARGEST or x.node is not None:
            return None
        if self._refused == self._graph.loop_choices:
            return None
        n_met = self._n_met.get(x.shape, 0)
        if n_met < 2:
            if len(self._n_met) < MOST_SHAPES:
                self._n_met[x.shape] = n_met + 1
            return None
        if nd.workspace_manager.current_workspace() is None:
            return self._replayed(x)
        with nd.scope_out_of_workspaces():
            return self._replayed(x)

    def repeated(self, x: Any) -> nd.NDArray | None:
        """The output where `x` is an array like that of the last replay, else None."""
        if nd.workspace_manager.current_workspace() is not None:
            return None
        result: nd.NDArray | None = self._graph.repeated(x)
        return result

    def _replayed(self, x: nd.NDArray) -> nd.NDArray | None:
        try:
            result: nd.NDArray = self._graph(x)
        except (nd.CaptureError, NotImplementedError):  # a helper's convolution, or a device
            self._refused = self._graph.loop_choices
            return None
        return result
