"""Activations and other functions of one real number."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .operator_rows import Rows


def celu(x: Any, *, alpha: float = 1.0) -> Any:
    return nd.maximum(x, 0) + nd.minimum(nd.expm1(nd.minimum(x, 0) / alpha) * alpha, 0)


def elu(x: Any, *, alpha: float = 1.0) -> Any:
    return nd.where(x < 0, nd.expm1(nd.minimum(x, 0)) * alpha, x)


def gelu(x: Any, *, approximate: str = "none") -> Any:
    return nd.gelu_tanh(x) if approximate == "tanh" else nd.gelu(x)


def hard_sigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return nd.clip(x * alpha + beta, 0, 1)


def hard_swish(x: Any) -> Any:
    return x * hard_sigmoid(x, alpha=1 / 6, beta=0.5)


def leaky_relu(x: Any, *, alpha: float = 0.01) -> Any:
    return nd.where(x < 0, x * alpha, x)


def parametric_relu(x: Any, slope: Any) -> Any:
    return nd.where(x < 0, x * slope, x)


def relu(x: Any) -> Any:
    return nd.maximum(x, 0)


def selu(x: Any, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875) -> Any:
    return elu(x, alpha=alpha) * gamma


def softplus(x: Any) -> Any:
    return nd.logaddexp(x, nd.zeros((), dtype=x.dtype))


def shrink(x: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    nearer = nd.where(x < -lambd, x + bias, nd.where(x > lambd, x - bias, 0))
    return nearer.astype(x.dtype)


def swish(x: Any, *, alpha: float = 1.0) -> Any:
    return x * nd.sigmoid(x * alpha if alpha != 1 else x)


def thresholded_relu(x: Any, *, alpha: float = 1.0) -> Any:
    return nd.where(x > alpha, x, nd.zeros((), dtype=x.dtype))


OPERATORS: Rows = {
    "Acos": [(7, 22, nd.acos)],
    "Acosh": [(9, 22, nd.acosh)],
    "Asin": [(7, 22, nd.asin)],
    "Asinh": [(9, 22, nd.asinh)],
    "Atan": [(7, 22, nd.atan)],
    "Atanh": [(9, 22, nd.atanh)],
    "Celu": [(12, 28, celu)],
    "Cos": [(7, 22, nd.cos)],
    "Cosh": [(9, 22, nd.cosh)],
    "Elu": [(6, 22, elu)],
    "Erf": [(9, 13, nd.erf)],
    "Gelu": [(20, 20, gelu)],
    "HardSigmoid": [(6, 22, hard_sigmoid)],
    "HardSwish": [(14, 22, hard_swish)],
    "LeakyRelu": [(6, 16, leaky_relu)],
    "PRelu": [(7, 16, parametric_relu)],
    "Relu": [(6, 14, relu)],
    "Selu": [(6, 22, selu)],
    "Shrink": [(9, 9, shrink)],
    "Sigmoid": [(6, 13, nd.sigmoid)],
    "Sin": [(7, 22, nd.sin)],
    "Sinh": [(9, 22, nd.sinh)],
    "Softplus": [(1, 22, softplus)],
    "Softsign": [(1, 22, nd.softsign)],
    "Swish": [(24, 24, swish)],
    "Tan": [(7, 22, nd.tan)],
    "Tanh": [(6, 13, nd.tanh)],
    "ThresholdedRelu": [(10, 22, thresholded_relu)],
}
