"""Recurrent layers of checked operands, with their gradients: those of the weights are one product over all steps."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..._core.annotations import Attributes, Gradients
from ..._core.array.array import NDArray
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.nodes import is_array, node_of
from ..._exec.device.placement import filled_beside
from ..._exec.drivers.driver_table import recurrence_gradient
from ..._exec.drivers.recurrences import (
    GRU,
    LSTM,
    SIMPLE,
    KeptGru,
    KeptLstm,
    KeptSimple,
    LstmResult,
    RecurrentResult,
    activation_of,
    run_gru,
    run_lstm,
    run_simple,
)
from ..._exec.drivers.recurrent_steps import gradients_by_steps, gru_steps, lstm_steps, simple_steps
from ..operands import computable
from ..reductions.reductions import sum as total

__all__: list[str] = []

Optional = NDArray | None


def lstm_vjp(pieces: list[Optional], inputs: Any, outputs: Any, attributes: Attributes) -> Gradients:
    """Gradients of lstm for x, w, rw, b, peepholes, h and c."""
    if not isinstance(outputs, KeptLstm) or is_on_the_tape(inputs, pieces):
        return gradients_by_steps(lstm_steps, inputs, pieces)
    x, w, rw, b, peepholes, h, c, mask = inputs
    dy, dh, dc = arrived(pieces, outputs[:3])
    dz, dh, dc, _ = recurrence_gradient(
        LSTM, dy, dh, dc, rw, peepholes, c, mask, outputs.gates, outputs.cells, outputs.before, 0
    )
    dx, dw, db = input_gradients(x, w, b, dz)
    drw = flat(outputs.before).T @ flat(dz)
    dp = None if peepholes is None else peephole_gradient(dz, outputs.cells, c)
    return [dx, dw, drw, db, dp, None if h is None else dh, None if c is None else dc, None]


def is_on_the_tape(inputs: Any, pieces: Any) -> bool:
    """Whether gradients are to have gradients themselves: then they are computed step by step."""
    return any(is_array(x) and node_of(x) is not None for x in (*inputs, *pieces))


def peephole_gradient(dz: NDArray, cells: NDArray, c: Optional) -> NDArray:
    """(3, units): the gradients of the gates, times the cells that each saw."""
    batch, length, units = cells.shape
    gates = dz.reshape((batch, length, 4, units))
    result: NDArray = filled_beside(dz, (3, units), dz.dtype, 0)
    for k in range(2):
        seen = total(gates[:, 1:, k] * cells[:, :-1], axis=(0, 1))
        result[k] = seen if c is None else seen + total(gates[:, 0, k] * c, axis=0)
    result[2] = total(gates[:, :, 3] * cells, axis=(0, 1))
    return result


def gru_vjp(pieces: list[Optional], inputs: Any, outputs: Any, attributes: Attributes) -> Gradients:
    """Gradients of gru for x, w, rw, b, rb and h."""
    option, units = attributes["option"], outputs.h.shape[1]
    if not isinstance(outputs, KeptGru) or is_on_the_tape(inputs, pieces):
        return gradients_by_steps(partial(gru_steps, reset_after=option == 1), inputs, pieces)
    x, w, rw, b, rb, h, mask = inputs
    dy, dh = arrived(pieces, outputs[:2])
    dz, dh, _, dproducts = recurrence_gradient(
        GRU, dy, dh, None, rw, rb, None, mask, outputs.gates, outputs.products, outputs.before, option
    )
    dx, dw, db = input_gradients(x, w, b, dz)
    drw: NDArray = filled_beside(rw, rw.shape, rw.dtype, 0)
    drw[:, : 2 * units] = flat(outputs.before).T @ flat(dz)[:, : 2 * units]
    candidates = flat(dproducts) if option else flat(dz)[:, 2 * units :]
    drw[:, 2 * units :] = flat(outputs.before if option else outputs.products).T @ candidates
    drb = None if rb is None else total(candidates, axis=0)
    return [dx, dw, drw, db, drb, None if h is None else dh, None]


def simple_vjp(pieces: list[Optional], inputs: Any, outputs: Any, attributes: Attributes) -> Gradients:
    """Gradients of simple_rnn for x, w, rw, b and h."""
    option = attributes["option"]
    if not isinstance(outputs, KeptSimple) or is_on_the_tape(inputs, pieces):
        return gradients_by_steps(partial(simple_steps, activation=activation_of(option)), inputs, pieces)
    x, w, rw, b, h, mask = inputs
    dy, dh = arrived(pieces, outputs[:2])
    dz, dh, *_ = recurrence_gradient(
        SIMPLE, dy, dh, None, rw, None, None, mask, outputs.y, None, outputs.before, option
    )
    dx, dw, db = input_gradients(x, w, b, dz)
    return [dx, dw, flat(outputs.before).T @ flat(dz), db, None if h is None else dh, None]


def arrived(pieces: list[Optional], results: Any) -> list[NDArray]:
    """The gradients of results, 0 for those without influence."""
    return [
        filled_beside(y, y.shape, y.dtype, 0) if g is None else computable(g)
        for y, g in zip(results, pieces, strict=False)
    ]


def input_gradients(x: NDArray, w: NDArray, b: Optional, dz: NDArray) -> tuple[NDArray, NDArray, Optional]:
    """Gradients of x, w and b in x @ w + b."""
    dz = flat(dz)
    dx = (dz @ w.T).reshape(x.shape)
    return dx, flat(x).T @ dz, None if b is None else total(dz, axis=0)


def flat(x: NDArray) -> NDArray:
    """All steps of all sequences as rows."""
    return x.reshape((-1, x.shape[2]))


# ------------------------------------------------------------------------------------------ with gradients


@differentiable_results(lstm_vjp)
def tracked_lstm(
    x: Any, w: Any, rw: Any, b: Any, peepholes: Any, h: Any, c: Any, mask: Any, *, keeps: bool
) -> LstmResult:
    """The LSTM of checked operands."""
    result: LstmResult = run_lstm(keeps, x, w, rw, b, peepholes, h, c, mask)
    return result


@differentiable_results(gru_vjp)
def tracked_gru(
    x: Any, w: Any, rw: Any, b: Any, rb: Any, h: Any, mask: Any, *, option: int, keeps: bool
) -> RecurrentResult:
    """The gated recurrent units of checked operands."""
    result: RecurrentResult = run_gru(keeps, option, x, w, rw, b, rb, h, mask)
    return result


@differentiable_results(simple_vjp)
def tracked_simple(x: Any, w: Any, rw: Any, b: Any, h: Any, mask: Any, *, option: int, keeps: bool) -> RecurrentResult:
    """The simple recurrence of checked operands."""
    result: RecurrentResult = run_simple(keeps, option, x, w, rw, b, h, mask)
    return result
