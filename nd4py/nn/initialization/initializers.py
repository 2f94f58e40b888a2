"""Weight initializers by name, and `Distribution`s with settings.

A name is a function of (rng, parameter, dtype), most of them a `VarianceScaling`.
"xavier" and "glorot", names of one author: Glorot & Bengio 2010, https://proceedings.mlr.press/v9/glorot10a.html
"relu", and "he" after the first author: He et al. 2015, https://arxiv.org/abs/1502.01852, equation 10
"lecun": LeCun et al. 1998, "Efficient BackProp", equation 16.  Deeplearning4j's LECUN_UNIFORM and VAR_SCALING_UNIFORM
lie in +-3 / sqrt(fan), a variance three times too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from nd4py import api as nd

from ..names import look_up
from ..parameters import Parameter
from .distributions import Constant, Distribution, Normal, Orthogonal, TruncatedNormal, VarianceScaling


def xavier_legacy(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 1 / (first size + second size)) of the weight's own shape."""
    return Normal(0.0, math.sqrt(1 / sum(parameter.shape[:2])))(rng, parameter, dtype)


def identity(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """The identity matrix.  Raises ValueError when the weight is not a square matrix."""
    if len(parameter.shape) != 2 or parameter.shape[0] != parameter.shape[1]:
        raise ValueError(f"weight_init 'identity' needs a square matrix, given a weight of shape {parameter.shape}")
    return nd.eye(parameter.shape[0], dtype=dtype)


INITIALIZERS: dict[str, Callable[[Any, Parameter, Any], nd.NDArray]] = {
    "glorot_normal": VarianceScaling(1.0, "fan_avg", "normal"),
    "glorot_uniform": VarianceScaling(1.0, "fan_avg", "uniform"),
    "he_normal": VarianceScaling(2.0, "fan_in", "normal"),
    "he_uniform": VarianceScaling(2.0, "fan_in", "uniform"),
    "identity": identity,
    "lecun_normal": VarianceScaling(1.0, "fan_in", "normal"),
    "lecun_uniform": VarianceScaling(1.0, "fan_in", "uniform"),
    "normal": VarianceScaling(1.0, "fan_in", "normal"),
    "ones": Constant(1.0),
    "orthogonal": Orthogonal(),
    "relu": VarianceScaling(2.0, "fan_in", "normal"),
    "relu_uniform": VarianceScaling(2.0, "fan_in", "uniform"),
    "sigmoid_uniform": VarianceScaling(16.0, "fan_avg", "uniform"),
    "truncated_normal": TruncatedNormal(0.0, 0.05),  # Keras's default
    "uniform": VarianceScaling(1 / 3, "fan_in", "uniform"),
    "var_scaling_normal_fan_avg": VarianceScaling(1.0, "fan_avg", "truncated_normal"),
    "var_scaling_normal_fan_in": VarianceScaling(1.0, "fan_in", "truncated_normal"),
    "var_scaling_normal_fan_out": VarianceScaling(1.0, "fan_out", "truncated_normal"),
    "var_scaling_uniform_fan_avg": VarianceScaling(1.0, "fan_avg", "uniform"),
    "var_scaling_uniform_fan_in": VarianceScaling(1.0, "fan_in", "uniform"),
    "var_scaling_uniform_fan_out": VarianceScaling(1.0, "fan_out", "uniform"),
    "xavier": VarianceScaling(1.0, "fan_avg", "normal"),
    "xavier_fan_in": VarianceScaling(1.0, "fan_in", "normal"),
    "xavier_legacy": xavier_legacy,
    "xavier_uniform": VarianceScaling(1.0, "fan_avg", "uniform"),
    "zero": Constant(0.0),
}


def initializer(weight_init: Any) -> Any:
    """The function of (rng, parameter, dtype) that `weight_init`, a name or a `Distribution`, stands for."""
    return weight_init if isinstance(weight_init, Distribution) else look_up(INITIALIZERS, weight_init, "weight_init")


def initial_value(parameter: Parameter, rng: Any, dtype: Any, weight_init: Any, bias_init: float) -> nd.NDArray:
    """The array that a parameter starts with: its own `initial`, or what the layer or the network says."""
    first = parameter.initial
    if first is None:
        first = bias_init if parameter.is_bias or parameter.is_state else initializer(weight_init)
    if callable(first):
        drawn: nd.NDArray = first(rng, parameter, dtype)
        return drawn
    return nd.full(parameter.shape, first, dtype=dtype, device="cpu")
