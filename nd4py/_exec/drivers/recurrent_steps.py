"""Recurrent layers step by step, of other operations: for devices, for batches, and with any activation.

Sizes are those of `nd4py.api.sequences.recurrence`.  Each function gives the outputs of the steps in a list, and the
states after the last step.  What is masked leaves a state as it is, and gives 0.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from ..autodiff.nodes import is_array, node_of
from ..autodiff.tape import backward, leaf
from ..concat import join
from ..device.device_operations import filled_beside
from ..dispatch.row_functions import row_function

Activation = Callable[[Any], Any]
Optional = NDArray | None


sigmoid, tanh, relu = row_function("sigmoid"), row_function("tanh"), row_function("relu")
where = row_function("where")


def lstm_steps(
    x: Any, w: Any, rw: Any, b: Any, peepholes: Any, h: Any, c: Any, mask: Any,
    activation: Activation = tanh, gate_activation: Activation = sigmoid,
) -> tuple[list[Any], Any, Any]:  # fmt: skip
    """The outputs, h and c of long short-term memory."""
    units = rw.shape[0]
    z, h, c = from_input(x, w, b), started(h, x, units), started(c, x, units)
    p_i, p_f, p_o = (None, None, None) if peepholes is None else (peepholes[0], peepholes[1], peepholes[2])
    found = []
    for step in range(x.shape[1]):
        gates = z[:, step] + h @ rw
        i, f, g, o = (gates[:, k * units : (k + 1) * units] for k in range(4))
        i, f = gate_activation(peeped(i, p_i, c)), gate_activation(peeped(f, p_f, c))
        new = f * c + i * activation(g)
        there = present(mask, step)
        y = gate_activation(peeped(o, p_o, new)) * activation(new)
        h, c = kept(there, y, h), kept(there, new, c)
        found.append(kept(there, y, 0.0))
    return found, h, c


def gru_steps(
    x: Any, w: Any, rw: Any, b: Any, rb: Any, h: Any, mask: Any, reset_after: bool,
    activation: Activation = tanh, gate_activation: Activation = sigmoid,
) -> tuple[list[Any], Any]:  # fmt: skip
    """The outputs and h of gated recurrent units."""
    units = rw.shape[0]
    z, h, ends = from_input(x, w, b), started(h, x, units), 2 * units
    found = []
    for step in range(x.shape[1]):
        gates = gate_activation(z[:, step, :ends] + h @ rw[:, :ends])
        r, u = gates[:, :units], gates[:, units:]
        if reset_after:
            inner = h @ rw[:, ends:]
            inner = r * (inner if rb is None else inner + rb)
        else:
            inner = (r * h) @ rw[:, ends:]
        n = activation(z[:, step, ends:] + inner)
        there, y = present(mask, step), n + u * (h - n)
        h = kept(there, y, h)
        found.append(kept(there, y, 0.0))
    return found, h


def simple_steps(
    x: Any, w: Any, rw: Any, b: Any, h: Any, mask: Any, activation: Activation = tanh
) -> tuple[list[Any], Any]:
    """The outputs and h of simple recurrence."""
    z, h = from_input(x, w, b), started(h, x, rw.shape[0])
    found = []
    for step in range(x.shape[1]):
        there, y = present(mask, step), activation(z[:, step] + h @ rw)
        h = kept(there, y, h)
        found.append(kept(there, y, 0.0))
    return found, h


def from_input(x: Any, w: Any, b: Any) -> Any:
    """What the input gives to the gates of all steps: (batch, length, gates * units)."""
    z = x @ w
    return z if b is None else z + b


def started(state: Any, x: Any, units: int) -> Any:
    """The state before the first step."""
    return filled_beside(x, (x.shape[0], units), x.dtype, 0) if state is None else state


def peeped(gate: Any, weights: Any, cell: Any) -> Any:
    """A gate with what it sees of the cell."""
    return gate if weights is None else gate + weights * cell


def present(mask: Any, step: int) -> Any:
    """(batch, 1): whether a step is there; None where all are."""
    return None if mask is None else mask[:, step : step + 1] != 0


def kept(there: Any, new: Any, old: Any) -> Any:
    """What is new of sequences that go on, the old of the others."""
    return new if there is None else where(there, new, old)


def joined(steps: list[Any], x: Any, units: int) -> Any:
    """The outputs of all steps as one array (batch, length, units), without their nodes."""
    if not steps:
        return filled_beside(x, (x.shape[0], 0, units), x.dtype, 0)
    return join(steps, 1, True)


def gradients_by_steps(steps: Callable[..., Any], inputs: Any, pieces: Any) -> list[Optional]:
    """Gradients for the arrays among `inputs`, of which `steps` makes outputs and states; `pieces` are the gradients of
    all outputs in one array, and of the states, None where one has no influence."""
    leaves = [leaf(x) if is_array(x) else (x, None) for x in inputs]
    outputs, *states = steps(*[x for x, _ in leaves])
    dy, *others = pieces
    pairs = [] if dy is None else [(y, dy[:, step]) for step, y in enumerate(outputs)]
    return gradients_of(pairs + list(zip(states, others, strict=False)), leaves)


def gradients_of(pairs: Any, leaves: Any) -> list[Optional]:
    """Gradients for leaves of a tape, None for what is no array, from pairs of a result and its gradient."""
    sums = [(y * g).sum() for y, g in pairs if g is not None and node_of(y) is not None]
    if not sums:
        return [None] * len(leaves)
    value = functools.reduce(lambda total, each: total + each, sums)
    found = iter(backward(value, [node for _, node in leaves if node is not None])[0])
    return [None if node is None else next(found) for _, node in leaves]
