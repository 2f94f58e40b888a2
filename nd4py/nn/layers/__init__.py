"""Layers: frozen descriptions that turn parameters and an input into an output, one subject per file."""

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
