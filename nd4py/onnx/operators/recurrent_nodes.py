"""Recurrent layers: RNN, GRU and LSTM in both directions."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .indexing_nodes import reverse_sequence
from .operator_rows import Limits, Rows

PLAIN = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
GATES = (0, 2, 3, 1)  # of an LSTM: ONNX has input, output, forget, cell; nd4py input, forget, cell, output


def both_ways(
    one_way: Any, x: Any, w: Any, *arrays: Any, lengths: Any, direction: str, layout: int, n_states: int
) -> Any:
    """(y, states ...) of one direction or two.

    one_way(x, mask, w, *arrays) computes (y, states ...) of sequences (batch, length, n_in) in one direction; `arrays`
    have an axis of directions first, states among them behind the batch where `layout` is 1.
    """
    x = x if layout else nd.permute_dims(x, (1, 0, 2))
    mask = None
    if lengths is not None:
        lengths = lengths.astype(nd.int64)
        mask = (nd.arange(x.shape[1]) < lengths[:, None]).astype(x.dtype)
    results = []
    for i in range(w.shape[0]):
        is_backward = direction == "reverse" or i == 1
        steps = backwards(x, lengths) if is_backward else x
        y, *states = one_way(steps, mask, *(None if a is None else a[i] for a in (w, *arrays)))
        results.append((backwards(y, lengths) if is_backward else y, *states))
    y = nd.stack([result[0] for result in results], axis=2)  # batch, length, directions, units
    states = [nd.stack([result[1 + k] for result in results]) for k in range(n_states)]
    if layout:
        return (y, *(nd.permute_dims(state, (1, 0, 2)) for state in states))
    return (nd.permute_dims(y, (1, 2, 0, 3)), *states)


def backwards(x: Any, lengths: Any) -> Any:
    """Sequences (batch, length, n) from their ends."""
    return nd.flip(x, axis=1) if lengths is None else reverse_sequence(x, lengths, batch_axis=0, time_axis=1)


def by_direction(state: Any, layout: int) -> Any:
    return nd.permute_dims(state, (1, 0, 2)) if layout and state is not None else state


def ordered(rows: Any, order: tuple[int, ...]) -> Any:
    """Runs of rows, one for each gate, in another order, and the gates along the last axis."""
    n = rows.shape[0] // len(order)
    joined = nd.concat([rows[i * n : (i + 1) * n] for i in order])
    return joined.T if joined.ndim == 2 else joined


def simple(
    x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None, *, activations: Any = None,
    direction: str = "forward", layout: int = 0, **unused: Any,
) -> Any:  # fmt: skip
    names = [name.lower() for name in activations or ["tanh", "tanh"]]

    def one_way(steps: Any, mask: Any, w: Any, r: Any, b: Any, h: Any, name: Any) -> Any:
        bias = None if b is None else b[: r.shape[0]] + b[r.shape[0] :]
        return tuple(nd.simple_rnn(steps, w.T, r.T, bias, h=h, mask=mask, activation=name))

    arrays = (w, r, b, by_direction(h, layout), names)
    return both_ways(one_way, x, *arrays, lengths=lengths, direction=direction, layout=layout, n_states=1)


def gru(
    x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None, *, direction: str = "forward",
    layout: int = 0, linear_before_reset: int = 0, **unused: Any,
) -> Any:  # fmt: skip
    """The gates lie in the order update, reset, candidate; nd4py's in the order reset, update, candidate."""
    order = (1, 0, 2)

    def one_way(steps: Any, mask: Any, w: Any, r: Any, b: Any, h: Any) -> Any:
        units, bias, inner = r.shape[1], None, None
        if b is not None:
            bias, inner = b[: 3 * units], b[3 * units :]
            if linear_before_reset:
                bias = nd.concat([bias[: 2 * units] + inner[: 2 * units], bias[2 * units :]])
                inner = inner[2 * units :]
            else:
                bias, inner = bias + inner, None
            bias = ordered(bias, order)
        found = nd.gru(
            steps, ordered(w, order), ordered(r, order), bias, inner, h=h, mask=mask,
            reset_after=bool(linear_before_reset),
        )  # fmt: skip
        return tuple(found)

    arrays = (w, r, b, by_direction(h, layout))
    return both_ways(one_way, x, *arrays, lengths=lengths, direction=direction, layout=layout, n_states=1)


def lstm(
    x: Any, w: Any, r: Any, b: Any = None, lengths: Any = None, h: Any = None, c: Any = None, p: Any = None, *,
    direction: str = "forward", layout: int = 0, **unused: Any,
) -> Any:  # fmt: skip
    def one_way(steps: Any, mask: Any, w: Any, r: Any, b: Any, h: Any, c: Any, p: Any) -> Any:
        units = r.shape[1]
        bias = None if b is None else ordered(b[: 4 * units] + b[4 * units :], GATES)
        peepholes = None if p is None else nd.stack([p[i * units : (i + 1) * units] for i in (0, 2, 1)])
        found = nd.lstm(steps, ordered(w, GATES), ordered(r, GATES), bias, peepholes=peepholes, h=h, c=c, mask=mask)
        return tuple(found)

    arrays = (w, r, b, by_direction(h, layout), by_direction(c, layout), p)
    return both_ways(one_way, x, *arrays, lengths=lengths, direction=direction, layout=layout, n_states=2)


def other_equations(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a recurrent node is refused: other activations, limits of what enters them, joined gates."""
    names = [name.decode() for name in attributes.get("activations", ())]
    plain = PLAIN[node.op_type]
    n_gates = len(plain)
    groups = [names[i : i + n_gates] for i in range(0, len(names), n_gates)]
    allowed = [["tanh"], ["relu"]] if node.op_type == "RNN" else [[name.lower() for name in plain]]
    if any([name.lower() for name in group] not in allowed for group in groups):
        return f"with the activations {', '.join(names)}"
    if attributes.get("clip"):
        return "with clip"
    return "with input_forget" if attributes.get("input_forget") else None


OPERATORS: Rows = {
    "GRU": [(7, 22, gru)],
    "LSTM": [(7, 22, lstm)],
    "RNN": [(7, 22, simple)],
}
LIMITS: Limits = {"GRU": other_equations, "LSTM": other_equations, "RNN": other_equations}
