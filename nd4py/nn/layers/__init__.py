"""Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.

The files, as the build lists them:

- activation.py: An activation on its own.
- convolution.py: Convolution over images.
- dense.py: Fully connected layers.
- dropout.py: Dropout.
- layer.py: What every layer is: a frozen description, parameters and input in, output out.
- output.py: The layer a network ends with: a dense layer that knows how wrong it is.
- subsampling.py: Pooling over images.
- window.py: Arithmetic of windows that slide over images: convolution and pooling.
"""

from .activation import ActivationLayer
from .convolution import ConvolutionLayer
from .dense import DenseLayer
from .dropout import DropoutLayer
from .layer import Layer, WeightedLayer
from .output import OutputLayer
from .subsampling import SubsamplingLayer

LAYERS = {
    layer.__name__: layer
    for layer in (ActivationLayer, ConvolutionLayer, DenseLayer, DropoutLayer, OutputLayer, SubsamplingLayer)
}

__all__ = [
    "LAYERS",
    "ActivationLayer",
    "ConvolutionLayer",
    "DenseLayer",
    "DropoutLayer",
    "Layer",
    "OutputLayer",
    "SubsamplingLayer",
    "WeightedLayer",
]
