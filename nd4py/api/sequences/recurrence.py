"""Recurrent layers as functions: long short-term memory, gated recurrent units, simple recurrence."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import DType
from ..._exec.autodiff.nodes import is_array, node_of
from ..._exec.drivers.recurrences import ACTIVATIONS, LstmResult, RecurrentResult
from ..creation.data_types import float32, result_type
from ..elementwise.elementwise import where
from ..manipulation.manipulation import expand_dims
from ..operands import check_floating, computable
from .tracked_recurrence import tracked_gru, tracked_lstm, tracked_simple

__all__ = ["gru", "lstm", "simple_rnn"]


def lstm(
    x: NDArray, w: NDArray, rw: NDArray, b: NDArray | None = None, *, peepholes: NDArray | None = None,
    h: NDArray | None = None, c: NDArray | None = None, mask: NDArray | None = None,
) -> LstmResult:  # fmt: skip
    """Long short-term memory over sequences.

    i = s(z_i), f = s(z_f), g = tanh(z_g), o = s(z_o) with z = x_t @ w + h @ rw + b and s the logistic function;
    then c = f * c + i * g, and y_t = h = o * tanh(c).
    Hochreiter & Schmidhuber 1997, doi 10.1162/neco.1997.9.8.1735; with forget gates, Gers et al. 2000, doi
    10.1162/089976600300015015; peepholes as in Graves 2013, https://arxiv.org/abs/1308.0850, equations 7 to 11.

    x: (batch, length, n_in)    w: (n_in, 4 * units)    rw: (units, 4 * units)    b: (4 * units,); the gates lie in the
    order i, f, g, o
    peepholes: (3, units), what i and f see of the cell before the step and o of the cell behind it
    h, c: (batch, units), the states before the first step; 0 where they are None
    mask: (batch, length); where it is 0 the states stay as they are, and y is 0
    Returns (y, h, c): y (batch, length, units), and the states after the last step.
    Raises ValueError for shapes that do not fit, TypeError for dtypes that are not floating.

    >>> x, w, rw = nd.ones((1, 3, 2)), nd.full((2, 4), 0.5), nd.full((1, 4), 0.5)
    >>> y, h, c = nd.lstm(x, w, rw)
    >>> nd.round(y[0, :, 0], 4)
    array([0.3696, 0.602 , 0.7131], dtype=float64)
    """
    x, w, rw, b, h, c, mask, dtype = checked("lstm", 4, x, w, rw, b, h, c, mask)
    peepholes = fitting("lstm: peepholes", peepholes, (3, rw.shape[0]), x.dtype)
    operands = (x, w, rw, b, peepholes, h, c, mask)
    y, h, c = tracked_lstm(*operands, keeps=is_tracked(operands))[:3]
    return LstmResult(y.astype(dtype, copy=False), h.astype(dtype, copy=False), c.astype(dtype, copy=False))


def gru(
    x: NDArray, w: NDArray, rw: NDArray, b: NDArray | None = None, rb: NDArray | None = None, *,
    h: NDArray | None = None, mask: NDArray | None = None, reset_after: bool = True,
) -> RecurrentResult:  # fmt: skip
    """Gated recurrent units over sequences.

    r = s(x_t @ w_r + h @ rw_r + b_r), u = s(x_t @ w_u + h @ rw_u + b_u), and y_t = h = u * h + (1 - u) * n with the
    candidate n = tanh(x_t @ w_n + b_n + r * (h @ rw_n + rb)), as PyTorch and Keras have it, or with `reset_after` false
    n = tanh(x_t @ w_n + b_n + (r * h) @ rw_n), as Cho et al. 2014, https://arxiv.org/abs/1406.1078, published it.

    x: (batch, length, n_in)    w: (n_in, 3 * units)    rw: (units, 3 * units)    b: (3 * units,); the gates lie in the
    order r, u, n
    rb: (units,), inside of the reset gate; only with `reset_after`
    h: (batch, units), the state before the first step; 0 where it is None
    mask: (batch, length); where it is 0 the state stays as it is, and y is 0
    Returns (y, h): y (batch, length, units), and the state after the last step.
    Raises ValueError for shapes that do not fit, TypeError for dtypes that are not floating.

    >>> x, w, rw = nd.ones((1, 3, 2)), nd.full((2, 3), 0.5), nd.full((1, 3), 0.5)
    >>> nd.round(nd.gru(x, w, rw).y[0, :, 0], 4)
    array([0.2048, 0.3512, 0.46  ], dtype=float64)
    """
    if rb is not None and not reset_after:
        raise ValueError("gru: rb stands inside of the reset gate, which needs reset_after=True; add it to b instead")
    x, w, rw, b, h, _, mask, dtype = checked("gru", 3, x, w, rw, b, h, None, mask)
    rb = fitting("gru: rb", rb, rw.shape[:1], x.dtype)
    operands = (x, w, rw, b, rb, h, mask)
    y, h = tracked_gru(*operands, option=int(bool(reset_after)), keeps=is_tracked(operands))[:2]
    return RecurrentResult(y.astype(dtype, copy=False), h.astype(dtype, copy=False))


def simple_rnn(
    x: NDArray, w: NDArray, rw: NDArray, b: NDArray | None = None, *, h: NDArray | None = None,
    mask: NDArray | None = None, activation: str = "tanh",
) -> RecurrentResult:  # fmt: skip
    """Simple recurrence over sequences: y_t = h = activation(x_t @ w + h @ rw + b).

    Elman 1990, doi 10.1207/s15516709cog1402_1

    x: (batch, length, n_in)    w: (n_in, units)    rw: (units, units)    b: (units,)
    h: (batch, units), the state before the first step; 0 where it is None
    mask: (batch, length); where it is 0 the state stays as it is, and y is 0
    activation: tanh or relu, by name
    Returns (y, h): y (batch, length, units), and the state after the last step.
    Raises ValueError for shapes that do not fit or another activation, TypeError for dtypes that are not floating.

    >>> nd.simple_rnn(nd.ones((1, 3, 2)), nd.full((2, 1), 0.5), nd.full((1, 1), 0.5)).y[0, :, 0]
    array([0.76159416, 0.88112963, 0.89381137], dtype=float64)
    """
    names = list(ACTIVATIONS)
    if activation not in names:
        raise ValueError(f"simple_rnn: activation must be tanh or relu, given {activation!r}")
    x, w, rw, b, h, _, mask, dtype = checked("simple_rnn", 1, x, w, rw, b, h, None, mask)
    operands = (x, w, rw, b, h, mask)
    y, h = tracked_simple(*operands, option=names.index(activation), keeps=is_tracked(operands))[:2]
    return RecurrentResult(y.astype(dtype, copy=False), h.astype(dtype, copy=False))


def is_tracked(operands: Any) -> bool:
    """Whether gradients are wanted of an operand."""
    return any(is_array(x) and node_of(x) is not None for x in operands)


def checked(
    who: str, n_gates: int, x: Any, w: Any, rw: Any, b: Any, h: Any, c: Any, mask: Any
) -> tuple[Any, Any, Any, Any, Any, Any, Any, DType]:
    """The operands, in one dtype that has loops, and the dtype of the results.

    Raises ValueError for shapes that do not fit, TypeError for dtypes that are not floating.
    """
    check_floating(who, x, w, rw, *[each for each in (b, h, c) if each is not None])
    if x.ndim != 3 or w.ndim != 2 or w.shape[0] != x.shape[2] or w.shape[1] % n_gates or not w.shape[1]:
        raise ValueError(
            f"{who}: x must be (batch, length, n_in) and w (n_in, {f'{n_gates} * ' * (n_gates > 1)}units), given "
            f"{x.shape} and {w.shape}"
        )
    wanted, units, batch = result_type(x, w, rw), w.shape[1] // n_gates, x.shape[0]
    dtype = float32 if wanted.itemsize < float32.itemsize else wanted
    mask = fitting(f"{who}: mask", mask, x.shape[:2], dtype)
    if mask is not None:  # or a NaN in padding would reach the gradients of weights, times 0
        x = where(expand_dims(mask, -1) != 0, x, 0.0)
    return (
        computable(x.astype(dtype, copy=False)),
        computable(w.astype(dtype, copy=False)),
        fitting(f"{who}: rw", rw, (units, w.shape[1]), dtype),
        fitting(f"{who}: b", b, (w.shape[1],), dtype),
        fitting(f"{who}: h", h, (batch, units), dtype),
        fitting(f"{who}: c", c, (batch, units), dtype),
        mask,
        wanted,
    )


def fitting(what: str, x: Any, shape: tuple[int, ...], dtype: DType) -> Any:
    """`x`, or None, of a shape that it must have, in a dtype.  Raises ValueError, TypeError for other than arrays."""
    if x is None:
        return None
    if not is_array(x):
        raise TypeError(f"{what} must be an array, given {type_name(x)}; convert first with asarray")
    if x.shape != shape:
        raise ValueError(f"{what} must have shape {shape}, given {x.shape}")
    return computable(x.astype(dtype, copy=False))
