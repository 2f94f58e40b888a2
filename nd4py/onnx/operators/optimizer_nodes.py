"""Steps of optimizers, which files of trained models may hold: `ai.onnx.preview.training`.

Inputs are the rate, the count of steps, then all parameters, all gradients, and all of each state; outputs are the
parameters and the states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nd4py import api as nd

from .host_values import one_number
from .operator_rows import Rows


def each_parameter(step: Callable[..., Sequence[Any]], n_states: int, values: Sequence[Any]) -> tuple[Any, ...]:
    """`step` of every parameter with its gradient and states; the outputs in the order of the operator."""
    n = len(values) // (2 + n_states)
    rows = [step(*values[i::n]) for i in range(n)]
    return tuple([row[i] for i in range(1 + n_states) for row in rows])


def adagrad(
    rate: Any, count: Any, *values: Any, decay_factor: float = 0.0, epsilon: float = 1e-6, norm_coefficient: float = 0.0
) -> tuple[Any, ...]:
    """Duchi, Hazan & Singer 2011, http://jmlr.org/papers/v12/duchi11a.html"""
    size = one_number(rate) / (1 + one_number(count) * decay_factor)

    def step(x: Any, gradient: Any, squares: Any) -> Sequence[Any]:
        gradient = gradient + x * norm_coefficient
        squares = squares + gradient * gradient
        return x - gradient / (nd.sqrt(squares) + epsilon) * size, squares

    return each_parameter(step, 1, values)


def adam(
    rate: Any, count: Any, *values: Any, alpha: float = 0.9, beta: float = 0.999, epsilon: float = 1e-6,
    norm_coefficient: float = 0.0, norm_coefficient_post: float = 0.0,
) -> tuple[Any, ...]:  # fmt: skip
    """Kingma & Ba 2015, https://arxiv.org/abs/1412.6980, algorithm 1"""
    size, t = one_number(rate), one_number(count)
    if t > 0:
        size = size * (1 - beta**t) ** 0.5 / (1 - alpha**t)

    def step(x: Any, gradient: Any, mean: Any, squares: Any) -> Sequence[Any]:
        gradient = gradient + x * norm_coefficient
        mean = mean * alpha + gradient * (1 - alpha)
        squares = squares * beta + gradient * gradient * (1 - beta)
        x = x - mean / (nd.sqrt(squares) + epsilon) * size
        return x * (1 - norm_coefficient_post), mean, squares

    return each_parameter(step, 2, values)


def momentum(
    rate: Any, count: Any, *values: Any, alpha: float, beta: float, mode: str, norm_coefficient: float
) -> tuple[Any, ...]:
    """With Nesterov's step where `mode` says so.

    Sutskever et al. 2013, http://proceedings.mlr.press/v28/sutskever13.pdf
    """
    size, share = one_number(rate), beta if one_number(count) > 0 else 1.0

    def step(x: Any, gradient: Any, speed: Any) -> Sequence[Any]:
        gradient = gradient + x * norm_coefficient
        speed = speed * alpha + gradient * share
        return x - (gradient + speed * alpha if mode == "nesterov" else speed) * size, speed

    return each_parameter(step, 1, values)


OPERATORS: Rows = {
    "ai.onnx.preview.training:Adagrad": [(1, 1, adagrad)],
    "ai.onnx.preview.training:Adam": [(1, 1, adam)],
    "ai.onnx.preview.training:Momentum": [(1, 1, momentum)],
}
