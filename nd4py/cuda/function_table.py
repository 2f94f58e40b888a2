"""The functions of `nd4py._exec.by_backend` that devices have, by name; each takes what the host's takes."""

from collections.abc import Callable
from typing import Any

from . import array_functions, factorizing
from .drawing import DeviceStream
from .gradients import scan_gradient
from .normalizing import log_softmax, softmax, standardize
from .windows import (
    average_pooling,
    average_pooling_gradient,
    convolution,
    convolution_input_gradient,
    convolution_weight_gradient,
    maximum_pooling,
    maximum_pooling_gradient,
)

OF_NETWORKS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        average_pooling,
        average_pooling_gradient,
        convolution,
        convolution_input_gradient,
        convolution_weight_gradient,
        log_softmax,
        maximum_pooling,
        maximum_pooling_gradient,
        scan_gradient,
        softmax,
        standardize,
    )
}
FUNCTIONS = {**OF_NETWORKS, **array_functions.FUNCTIONS, **factorizing.FUNCTIONS, "random_stream": DeviceStream}
