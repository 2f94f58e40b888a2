"""Table of device functions, by the names of `nd4py._exec.dispatch.by_backend`.  Each takes what the host's takes."""

from collections.abc import Callable
from typing import Any

from . import array_functions
from .conv.windows import (
    average_pooling,
    average_pooling_gradient,
    convolution,
    convolution_input_gradient,
    convolution_weight_gradient,
    maximum_pooling,
    maximum_pooling_gradient,
)
from .linalg import factorizing
from .random.device_random import DeviceStream
from .reduce.normalizing import log_softmax, softmax, standardize
from .scan.scan_gradients import scan_gradient

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
