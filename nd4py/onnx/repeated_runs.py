"""Runs of a graph with inputs of shapes that were met before: their launches are repeated, without Python.

Design: exporters write shapes as nodes, Shape and what follows from it, whose values steps look at; `nd.capture` cannot
record such a look.  For inputs of the same shapes these values are the same, so they are computed once and kept, and
the steps that are left are captured.  A graph whose steps look at values of its inputs runs step by step as ever.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import inf
from threading import Lock
from typing import Any

from nd4py import api as nd

from .compiled_graph import CompiledGraph, Step, names_read

UNTIL_GRAPH = 3  # runs with inputs of the same shapes: the third one is captured
MOST_SHAPES = 16  # kinds of inputs that are remembered; those of the longest ago are forgotten
OF_SHAPES = ("Shape", "Size")


class RepeatedRuns:
    """A graph that runs many times.  graph: whose steps do the work"""

    def __init__(self, graph: CompiledGraph) -> None:
        self._graph = graph
        self._n_met: OrderedDict[Any, float] = OrderedDict()  # runs of each kind of inputs; -inf for no graph of it
        self._repeated: OrderedDict[Any, Callable[..., list[Any]]] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return RepeatedRuns, (self._graph,)

    def run(self, given: dict[str, Any]) -> list[Any]:
        """The outputs of the graph.  given: its inputs by name; those with a value in the file may be left out"""
        kind = kind_of(given)
        if kind is not None:
            try:
                if (repeat := self._repetition(kind, given)) is not None:
                    return repeat(*given.values())
            except (nd.CaptureError, NotImplementedError, MemoryError):  # what a graph cannot repeat, or a device
                with self._lock:
                    self._repeated.pop(kind, None)
                    self._n_met[kind] = -inf
        values = self._graph.constants | given
        return self._graph.run({}, *(values[name] for name in self._graph.inputs))

    def _repetition(self, kind: Any, given: dict[str, Any]) -> Callable[..., list[Any]] | None:
        """What repeats the launches for inputs of this kind, if it was met often enough, which counts this time too."""
        with self._lock:
            if (found := self._repeated.get(kind)) is not None:
                self._repeated.move_to_end(kind)
                return found
            n_met = self._n_met[kind] = self._n_met.pop(kind, 0) + 1
            if (
                n_met < UNTIL_GRAPH or nd.workspace_manager.current_workspace() is not None
            ):  # it would have what is kept
                forget_oldest(self._n_met)
                return None
            made = self._repeated[kind] = repetition(self._graph, given)
            forget_oldest(self._repeated)
            return made


def forget_oldest(entries: OrderedDict[Any, Any]) -> None:
    while len(entries) > MOST_SHAPES:
        entries.popitem(last=False)


def kind_of(given: dict[str, Any]) -> Any:
    """What tells inputs apart, or None where they have to be computed step by step: sequences, gradients."""
    if any(not isinstance(x, nd.NDArray) or x.node is not None for x in given.values()):
        return None
    return tuple([(name, str(x.dtype), x.shape) for name, x in given.items()])


def repetition(graph: CompiledGraph, given: dict[str, Any]) -> Callable[..., list[Any]]:
    """A function of inputs of the same shapes as `given` that repeats the launches of the graph."""
    values, steps = values_by_shapes(graph, given)
    computed = [name for name in graph.outputs if name not in values]

    def compute(*inputs: Any) -> tuple[Any, ...]:
        found = {**values, **dict(zip(given, inputs, strict=True))}
        for step in steps:
            step.run(found)
        return tuple([found[name] for name in computed])

    launches = nd.capture(compute)

    def repeat(*inputs: Any) -> list[Any]:
        results = dict(zip(computed, launches(*inputs), strict=True)) if computed else {}
        return [results[name] if name in results else nd.copy(values[name]) for name in graph.outputs]

    return repeat


def values_by_shapes(graph: CompiledGraph, given: dict[str, Any]) -> tuple[dict[str, Any], list[Step]]:
    """The values that inputs of these shapes always lead to, by name, and the steps that are left."""
    known = {name: value for name, value in graph.constants.items() if name not in given}
    values = graph.constants | given
    left = []
    for step in graph.steps:
        is_known = step.operator in OF_SHAPES or names_read(step) <= known.keys()
        step.run(values)
        if is_known:
            known |= {name: values[name] for name in step.outputs if name in values}
        else:
            left.append(step)
    needed = set(graph.outputs).union(*(names_read(step) for step in left))
    return {name: value for name, value in known.items() if name in needed}, left
