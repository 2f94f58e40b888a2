"""Graphs inside of nodes: branches, loops, and scans.

A graph is given as a function of arrays that returns the list of its outputs; `empty_outputs` of it are what its
outputs would be along an axis of no steps.
"""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .host_values import one_number, own_axis
from .operator_rows import Limits, Rows


def branch(condition: Any, *, then_branch: Any, else_branch: Any) -> Any:
    return tuple(then_branch() if one_number(condition) else else_branch())


def loop(n_steps: Any, condition: Any, *carried: Any, body: Any) -> Any:
    """Run `body` while its condition holds, at most `n_steps` times; what it gives for each step is stacked."""
    most = None if n_steps is None else one_number(n_steps)
    goes_on = condition is None or one_number(condition)
    values, rows, step = list(carried), [], 0
    while goes_on and (most is None or step < most):
        found = body(nd.asarray(step, dtype=nd.int64), nd.asarray(True), *values)
        goes_on, values = one_number(found[0]), found[1 : 1 + len(values)]
        rows.append(found[1 + len(values) :])
        step += 1
    stacked = [nd.stack(column) for column in zip(*rows, strict=True)] if rows else body.empty_outputs(1 + len(values))
    return (*values, *stacked)


def scan(
    *inputs: Any, body: Any, num_scan_inputs: int, scan_input_axes: Any = None, scan_output_axes: Any = None,
    scan_input_directions: Any = None, scan_output_directions: Any = None,
) -> Any:  # fmt: skip
    """Run `body` for each slice of the last `num_scan_inputs` inputs, with the others as states."""
    n_states = len(inputs) - num_scan_inputs
    states, scanned = list(inputs[:n_states]), inputs[n_states:]
    axes = [own_axis(axis, x.ndim) for axis, x in zip(scan_input_axes or [0] * len(scanned), scanned, strict=True)]
    sequences = [nd.moveaxis(x, axis, 0) for x, axis in zip(scanned, axes, strict=True)]
    backwards = scan_input_directions or [0] * len(scanned)
    sequences = [nd.flip(x, axis=0) if flag else x for x, flag in zip(sequences, backwards, strict=True)]
    n_steps, rows = sequences[0].shape[0], []
    for step in range(n_steps):
        found = body(*states, *(x[step] for x in sequences))
        states = found[:n_states]
        rows.append(found[n_states:])
    if not rows:
        return (*states, *body.empty_outputs(n_states))
    outputs = []
    for i, column in enumerate(zip(*rows, strict=True)):
        parts = column[::-1] if scan_output_directions and scan_output_directions[i] else column
        outputs.append(nd.stack(parts, axis=scan_output_axes[i] if scan_output_axes else 0))
    return (*states, *outputs)


def scan_batches(lengths: None, *inputs: Any, directions: Any = None, **how: Any) -> Any:
    """The rule of version 8: a first axis of the batch, and the axis of the steps behind it."""
    examples = [
        scan(*(x[i] for x in inputs), scan_input_directions=directions, **how) for i in range(inputs[0].shape[0])
    ]
    return tuple(nd.stack(column) for column in zip(*examples, strict=True))


def has_lengths(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a scan of version 8 is refused."""
    return "with sequences of different lengths" if schema.since_version == 8 and node.input[0] else None


OPERATORS: Rows = {
    "If": [(1, 25, branch)],
    "Loop": [(11, 25, loop)],
    "Scan": [(8, 8, scan_batches), (9, 25, scan)],
}
LIMITS: Limits = {"Scan": has_lengths}
