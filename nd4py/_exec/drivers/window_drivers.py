"""Convolution and pooling, on the host and on devices."""

from ..._core.lazy_modules import LazyFunction
from ..dispatch.by_backend import by_backend

convolution = by_backend("convolution", LazyFunction("nd4py.cpu.conv.conv", "conv2d"))
convolution_input_gradient = by_backend(
    "convolution_input_gradient", LazyFunction("nd4py.cpu.conv.conv", "input_gradient")
)
convolution_weight_gradient = by_backend(
    "convolution_weight_gradient", LazyFunction("nd4py.cpu.conv.conv", "weight_gradient")
)
maximum_pooling = by_backend("maximum_pooling", LazyFunction("nd4py.cpu.pooling.pool2d", "max_pool2d"))
maximum_pooling_gradient = by_backend(
    "maximum_pooling_gradient", LazyFunction("nd4py.cpu.pooling.pool2d", "max_pool2d_gradient")
)
average_pooling = by_backend("average_pooling", LazyFunction("nd4py.cpu.pooling.pool2d", "average_pool2d"))
average_pooling_gradient = by_backend(
    "average_pooling_gradient", LazyFunction("nd4py.cpu.pooling.pool2d", "average_pool2d_gradient")
)
