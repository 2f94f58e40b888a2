"""A graph while it is rewritten: its steps, and who makes and reads each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..compiled_graph import CompiledGraph, Step, assembled, names_read


class GraphEdits:
    """The steps and constants of a graph, for rules that put others in their place.

    graph: stays as it is    sizes: the shapes that are known before a run, by the names of values
    """

    def __init__(self, graph: CompiledGraph, sizes: dict[str, tuple[Any, ...]]) -> None:
        self._graph = graph
        self.sizes = sizes
        self.constants = dict(graph.constants)
        self.done: Counter[str] = Counter()
        self._replaceable = set(graph.inputs)
        self._steps: dict[int, Step] = {}  # by their places in the order
        self._places: dict[Step, int] = {}
        self._makers: dict[str, Step] = {}
        self._readers: dict[str, list[Step]] = {}
        for place, step in enumerate(graph.steps):
            self._set(place, step)

    def _set(self, place: int, step: Step) -> None:
        self._steps[place] = step
        self._places[step] = place
        self._makers.update((name, step) for name in step.outputs if name)
        for name in names_read(step):
            self._readers.setdefault(name, []).append(step)

    def _remove(self, step: Step) -> int:
        """Take a step out; its place in the order."""
        for name in names_read(step):
            self._readers[name].remove(step)
        for name in step.outputs:
            self._makers.pop(name, None)
        place = self._places.pop(step)
        del self._steps[place]
        return place

    def _replace(self, step: Step, other: Step) -> None:
        self._set(self._remove(step), other)

    @property
    def steps(self) -> list[Step]:
        """In the order in which they run."""
        return [self._steps[place] for place in sorted(self._steps)]

    def has(self, step: Step) -> bool:
        return step in self._places

    def constant(self, name: str) -> Any:
        """The array that a value always is, or None."""
        return None if name in self._replaceable else self.constants.get(name)

    def number(self, name: str) -> float | None:
        """The only element of a constant, or None for other values."""
        array = self.constant(name)
        return float(array.reshape(()).item()) if array is not None and array.size == 1 else None

    def maker(self, name: str, *operators: str) -> Step | None:
        """The step that makes a value, where its operator is one of these."""
        step = self._makers.get(name)
        return step if step is not None and step.operator in operators else None

    def readers(self, name: str) -> Sequence[Step]:
        return self._readers.get(name, ())

    def is_output(self, name: str) -> bool:
        return name in self._graph.outputs

    def only_reader(self, step: Step, *operators: str) -> Step | None:
        """The step that alone reads the only output of `step`, where its operator is one of these."""
        if len(step.outputs) != 1 or self.is_output(step.outputs[0]):
            return None
        readers = self.readers(step.outputs[0])
        return readers[0] if len(readers) == 1 and not readers[0].graphs and readers[0].operator in operators else None

    def is_inside(self, steps: Sequence[Step], last: Step) -> bool:
        """Whether what `steps` make is read by them alone, but for what `last` makes."""
        made = [name for step in steps if step is not last for name in step.outputs if name]
        return not any(self.is_output(name) or any(r not in steps for r in self.readers(name)) for name in made)

    def put(self, old: Sequence[Step], last: Step, new: Step) -> None:
        """`new` in the place of `last`, and nothing in that of the others."""
        for step in old:
            if step is not last:
                self._remove(step)
        self._replace(last, new)

    def add_constant(self, near: str, array: Any) -> str:
        """A new constant, named after another value; its name."""
        name = f"{near}/rewritten"
        while name in self.constants or name in self._makers or name in self._replaceable:
            name += "+"
        self.constants[name] = array
        return name

    def fold(self, step: Step, values: dict[str, Any]) -> None:
        """Constants in the place of a step."""
        self._remove(step)
        self.constants |= values

    def pass_on(self, step: Step, name: str) -> bool:
        """Take a step out whose output is the value `name`.  Returns False where the name of the output has to stay."""
        (output, *_) = step.outputs
        readers = set(self.readers(output))
        if self.is_output(output) or any(output in graph.outer for each in readers for graph in each.graphs.values()):
            return False
        for each in readers:
            self._replace(each, replace(each, inputs=tuple(name if old == output else old for old in each.inputs)))
        self._remove(step)
        return True

    def remove_unread(self) -> int:
        """Take steps out whose outputs nobody reads, and constants.  Returns how many steps."""
        n_before = len(self._steps)
        for step in reversed(self.steps):
            if not any(self.is_output(name) or self.readers(name) for name in step.outputs if name):
                self._remove(step)
        self.constants = {
            name: array
            for name, array in self.constants.items()
            if name in self._replaceable or self.is_output(name) or self.readers(name)
        }
        return n_before - len(self._steps)

    def result(self) -> CompiledGraph:
        graph = self._graph
        steps = tuple(replace(step, last_uses=[]) for step in self.steps)
        return assembled(graph.inputs, graph.outputs, self.constants, steps, graph.output_types)
