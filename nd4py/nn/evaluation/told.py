"""Evaluations of the outputs of a network: which is told of which output, and the loop that tells them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nd4py.api.arguments import having

from ..names import look_up
from .multiclass import Evaluation
from .rows import Rows as Rows


def evaluated(names: Sequence[str], evaluations: Sequence[Any], compared: Iterable[tuple[str, Rows]]) -> Any:
    """The evaluation, or a tuple of several, after all rows of all outputs; without any an `Evaluation`.

    names: of the outputs    evaluations: objects with `eval`, or dicts of them by the names of outputs
    compared: rows of labels and outputs by the name of the output
    Raises TypeError for anything but evaluations, ValueError for an output that there is not.
    """
    told = tuple(evaluations) or (Evaluation(),)
    by_output = [_by_output(each, names) for each in told]
    for name, rows in compared:
        given = rows if rows.mask is not None else rows[:2]
        for evaluation in (each[name] for each in by_output if name in each):
            evaluation.eval(*given)
    return told[0] if len(told) == 1 else told


def _by_output(evaluation: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """What is told of each output, by the output's name."""
    if not isinstance(evaluation, Mapping):
        return dict.fromkeys(names, having("evaluate: evaluation", evaluation, "an evaluation", "eval"))
    for name, each in evaluation.items():
        look_up(dict.fromkeys(names), name, "output")
        having(f"evaluate: evaluation of {name}", each, "an evaluation", "eval")
    return evaluation
