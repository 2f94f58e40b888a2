"""Weight initializers by name, and `Distribution`s with settings.

fan_in and fan_out are the numbers of inputs and outputs one weight connects; for convolutions they are
channels * kernel height * kernel width and filters * kernel height * kernel width.
Uniform draws lie in +-limit, whose variance is limit**2 / 3.
"""

import math
from typing import Any

from nd4py import api as nd

from ..names import look_up
from ..parameters import Parameter
from .distributions import Distribution, Normal, TruncatedNormal, Uniform

# The standard deviation of a standard normal variable cut at -2 and 2.
CUT_NORMAL_STD = 0.87962566103423978


def _normal(rng: Any, parameter: Parameter, dtype: Any, variance: float) -> nd.NDArray:
    return Normal(0.0, math.sqrt(variance))(rng, parameter, dtype)


def _uniform(rng: Any, parameter: Parameter, dtype: Any, limit: float) -> nd.NDArray:
    return Uniform(-limit, limit)(rng, parameter, dtype)


def _truncated(rng: Any, parameter: Parameter, dtype: Any, variance: float) -> nd.NDArray:
    return TruncatedNormal(0.0, math.sqrt(variance) / CUT_NORMAL_STD)(rng, parameter, dtype)


def _average(parameter: Parameter) -> float:
    return (parameter.fan_in + parameter.fan_out) / 2


def xavier(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 2 / (fan_in + fan_out)).  Glorot & Bengio 2010, https://proceedings.mlr.press/v9/glorot10a.html"""
    return _normal(rng, parameter, dtype, 1 / _average(parameter))


def xavier_uniform(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(6 / (fan_in + fan_out)).  Glorot & Bengio 2010, equation 16."""
    return _uniform(rng, parameter, dtype, math.sqrt(3 / _average(parameter)))


def xavier_fan_in(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 1 / fan_in)"""
    return _normal(rng, parameter, dtype, 1 / parameter.fan_in)


def xavier_legacy(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 1 / (first size + second size)) of the weight's own shape."""
    return _normal(rng, parameter, dtype, 1 / sum(parameter.shape[:2]))


def normal(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 1 / fan_in)"""
    return _normal(rng, parameter, dtype, 1 / parameter.fan_in)


def lecun_normal(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 1 / fan_in).  LeCun et al. 1998, "Efficient BackProp", equation 16."""
    return _normal(rng, parameter, dtype, 1 / parameter.fan_in)


def lecun_uniform(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(3 / fan_in).  Deeplearning4j takes 3 / sqrt(fan_in), a variance three times too large."""
    return _uniform(rng, parameter, dtype, math.sqrt(3 / parameter.fan_in))


def relu(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """N(0, 2 / fan_in).  He et al. 2015, https://arxiv.org/abs/1502.01852, equation 10."""
    return _normal(rng, parameter, dtype, 2 / parameter.fan_in)


def relu_uniform(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(6 / fan_in)."""
    return _uniform(rng, parameter, dtype, math.sqrt(6 / parameter.fan_in))


def sigmoid_uniform(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-4 * sqrt(6 / (fan_in + fan_out))."""
    return _uniform(rng, parameter, dtype, 4 * math.sqrt(3 / _average(parameter)))


def uniform(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-1 / sqrt(fan_in)."""
    return _uniform(rng, parameter, dtype, 1 / math.sqrt(parameter.fan_in))


def var_scaling_normal_fan_in(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Normal, cut at two standard deviations, of variance 1 / fan_in after the cut."""
    return _truncated(rng, parameter, dtype, 1 / parameter.fan_in)


def var_scaling_normal_fan_out(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Normal, cut at two standard deviations, of variance 1 / fan_out after the cut."""
    return _truncated(rng, parameter, dtype, 1 / parameter.fan_out)


def var_scaling_normal_fan_avg(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Normal, cut at two standard deviations, of variance 2 / (fan_in + fan_out) after the cut."""
    return _truncated(rng, parameter, dtype, 1 / _average(parameter))


def var_scaling_uniform_fan_in(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(3 / fan_in): variance 1 / fan_in."""
    return _uniform(rng, parameter, dtype, math.sqrt(3 / parameter.fan_in))


def var_scaling_uniform_fan_out(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(3 / fan_out): variance 1 / fan_out."""
    return _uniform(rng, parameter, dtype, math.sqrt(3 / parameter.fan_out))


def var_scaling_uniform_fan_avg(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """Uniform in +-sqrt(6 / (fan_in + fan_out)): variance 2 / (fan_in + fan_out)."""
    return _uniform(rng, parameter, dtype, math.sqrt(3 / _average(parameter)))


def zero(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """All zeros."""
    return nd.zeros(parameter.shape, dtype=dtype)


def ones(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """All ones."""
    return nd.ones(parameter.shape, dtype=dtype)


def identity(rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
    """The identity matrix.  Raises ValueError when the weight is not a square matrix."""
    if len(parameter.shape) != 2 or parameter.shape[0] != parameter.shape[1]:
        raise ValueError(f"weight_init 'identity' needs a square matrix, given a weight of shape {parameter.shape}")
    return nd.eye(parameter.shape[0], dtype=dtype)


INITIALIZERS = {
    function.__name__: function
    for function in (
        xavier,
        xavier_uniform,
        xavier_fan_in,
        xavier_legacy,
        normal,
        lecun_normal,
        lecun_uniform,
        relu,
        relu_uniform,
        sigmoid_uniform,
        uniform,
        var_scaling_normal_fan_in,
        var_scaling_normal_fan_out,
        var_scaling_normal_fan_avg,
        var_scaling_uniform_fan_in,
        var_scaling_uniform_fan_out,
        var_scaling_uniform_fan_avg,
        zero,
        ones,
        identity,
    )
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
