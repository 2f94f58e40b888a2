"""Recurrent layers: all steps in one loop on the host, step by step elsewhere.

Design: what all steps take from the input is one matrix product before the first step; the rest is one loop without the
GIL.  Devices have no such loop, nor has `nd.vmap`: there the steps are made of other operations, and so are their
gradients.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.array.array import NDArray
from ..dispatch.by_backend import by_backend
from .driver_table import recurrence
from .recurrent_steps import gru_steps, joined, lstm_steps, relu, simple_steps, tanh

Optional = NDArray | None
LSTM, GRU, SIMPLE = range(3)  # as the loops are numbered
ACTIVATIONS = {"tanh": tanh, "relu": relu}  # of simple recurrence, in the order in which the loops number them


class LstmResult(NamedTuple):
    """y (batch, length, units), and the states after the last step (batch, units)."""

    y: NDArray
    h: NDArray
    c: NDArray


class RecurrentResult(NamedTuple):
    """y (batch, length, units), and the state after the last step (batch, units)."""

    y: NDArray
    h: NDArray


class KeptLstm(NamedTuple):
    """A result with what its gradient needs."""

    y: NDArray
    h: NDArray
    c: NDArray
    gates: NDArray
    cells: NDArray
    before: NDArray


class KeptGru(NamedTuple):
    """A result with what its gradient needs."""

    y: NDArray
    h: NDArray
    gates: NDArray
    products: NDArray
    before: NDArray


class KeptSimple(NamedTuple):
    """A result with what its gradient needs."""

    y: NDArray
    h: NDArray
    before: NDArray


def fused_lstm(keeps: bool, x: Any, w: Any, rw: Any, b: Any, peepholes: Any, h: Any, c: Any, mask: Any) -> Any:
    """The steps of an LSTM in one loop."""
    if not x.shape[1]:
        return stepwise_lstm(keeps, x, w, rw, b, peepholes, h, c, mask)
    found = recurrence(LSTM, input_product(x, w), rw, peepholes, h, c, mask, b, 0, keeps)
    return KeptLstm(*found) if keeps else LstmResult(*found[:3])


def stepwise_lstm(keeps: bool, *operands: Any) -> Any:
    """The same of other functions."""
    found, h, c = lstm_steps(*operands)
    return LstmResult(joined(found, operands[0], h.shape[1]), h, c)


def fused_gru(keeps: bool, option: int, x: Any, w: Any, rw: Any, b: Any, rb: Any, h: Any, mask: Any) -> Any:
    """The steps of gated recurrent units in one loop."""
    if not x.shape[1]:
        return stepwise_gru(keeps, option, x, w, rw, b, rb, h, mask)
    y, last, _, *kept = recurrence(GRU, input_product(x, w), rw, rb, h, None, mask, b, option, keeps)
    return KeptGru(y, last, *kept) if keeps else RecurrentResult(y, last)


def stepwise_gru(keeps: bool, option: int, x: Any, w: Any, rw: Any, b: Any, rb: Any, h: Any, mask: Any) -> Any:
    """The same of other functions."""
    found, h = gru_steps(x, w, rw, b, rb, h, mask, option == 1)
    return RecurrentResult(joined(found, x, h.shape[1]), h)


def fused_simple(keeps: bool, option: int, x: Any, w: Any, rw: Any, b: Any, h: Any, mask: Any) -> Any:
    """The steps of a simple recurrent layer in one loop."""
    if not x.shape[1]:
        return stepwise_simple(keeps, option, x, w, rw, b, h, mask)
    y, last, *_, before = recurrence(SIMPLE, input_product(x, w), rw, None, h, None, mask, b, option, keeps)
    return KeptSimple(y, last, before) if keeps else RecurrentResult(y, last)


def stepwise_simple(keeps: bool, option: int, x: Any, w: Any, rw: Any, b: Any, h: Any, mask: Any) -> Any:
    """The same of other functions."""
    found, h = simple_steps(x, w, rw, b, h, mask, activation_of(option))
    return RecurrentResult(joined(found, x, h.shape[1]), h)


run_lstm = by_backend("lstm", fused_lstm, stepwise_lstm)
run_gru = by_backend("gru", fused_gru, stepwise_gru)
run_simple = by_backend("simple_rnn", fused_simple, stepwise_simple)


def input_product(x: NDArray, w: NDArray) -> NDArray:
    """x @ w for all steps."""
    z = x.reshape((-1, x.shape[2])) @ w
    return z.reshape((*x.shape[:2], w.shape[1]))


def activation_of(option: int) -> Any:
    """The activation of simple recurrence that has a number."""
    return list(ACTIVATIONS.values())[option]
