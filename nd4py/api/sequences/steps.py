"""Recurrent layers step by step, with any activation.

Sizes and operands are those of `nd4py.api.sequences.recurrence`.
"""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import recurrent_steps
from ..manipulation.manipulation import stack

__all__: list[str] = []


def lstm_steps(*operands: Any) -> tuple[NDArray, NDArray, NDArray]:
    """y, h and c of an LSTM: operands, then the activation and that of the gates."""
    found, h, c = recurrent_steps.lstm_steps(*operands)
    return stacked(found, operands[0], h), h, c


def gru_steps(*operands: Any) -> tuple[NDArray, NDArray]:
    """y and h of gated recurrent units: operands, whether the reset gate acts behind the product, activations."""
    found, h = recurrent_steps.gru_steps(*operands)
    return stacked(found, operands[0], h), h


def simple_steps(*operands: Any) -> tuple[NDArray, NDArray]:
    """y and h of simple recurrence: operands, then the activation."""
    found, h = recurrent_steps.simple_steps(*operands)
    return stacked(found, operands[0], h), h


def stacked(steps: list[NDArray], x: NDArray, h: NDArray) -> NDArray:
    """The outputs of all steps as one array."""
    if steps:
        return stack(steps, axis=1)
    empty: NDArray = filled_beside(x, (x.shape[0], 0, h.shape[1]), x.dtype, 0)
    return empty
