"""Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.

The files, as the build lists them:

- activation.py: ActivationLayer: an activation on its own.
- attention/: Attention between the steps of sequences, and embeddings of whole numbers.
- calls.py: Calls of layers by what holds them, and the checks that every layer's `forward` begins with.
- convolutional/: Layers over images and sequences: convolution and pooling.
- dense.py: Fully connected layers.
- dropout.py: Dropout.
- element_wise.py: ElementWiseMultiplicationLayer: a weight for each number of an example.
- frozen.py: FrozenLayer: a layer that training leaves as it is.
- lambda_layer.py: LambdaLayer: a function as a layer.
- layer.py: Layer: the base class of layers.
- output.py: OutputLayer: a dense layer with a loss.
- recurrent/: Layers over sequences that carry a state from step to step, and layers around them.
- scored.py: ScoredLayer: the base class of layers that end a network with a loss.
- wrapper_layer.py: WrapperLayer: the base class of layers around another layer.
"""

from .activation import ActivationLayer
from .attention import LAYERS as ATTENTION_LAYERS
from .attention import (
    EmbeddingLayer,
    EmbeddingSequenceLayer,
    LearnedSelfAttentionLayer,
    MultiHeadAttention,
    RecurrentAttentionLayer,
    SelfAttentionLayer,
    TransformerEncoderLayer,
)
from .convolutional.convolution import ConvolutionLayer
from .convolutional.subsampling import SubsamplingLayer
from .dense import DenseLayer
from .dropout import DropoutLayer
from .element_wise import ElementWiseMultiplicationLayer
from .frozen import FrozenLayer
from .lambda_layer import LambdaLayer
from .layer import Layer, WeightedLayer
from .output import OutputLayer
from .recurrent import (
    GRU,
    LSTM,
    Bidirectional,
    GravesLSTM,
    LastTimeStep,
    MaskLayer,
    MaskZeroLayer,
    RecurrentLayer,
    RepeatVector,
    SimpleRnn,
    TimeDistributed,
)
from .recurrent import LAYERS as RECURRENT_LAYERS
from .scored import ScoredLayer
from .wrapper_layer import WrapperLayer

LAYERS = {
    layer.__name__: layer
    for layer in (
        *(ActivationLayer, ConvolutionLayer, DenseLayer, DropoutLayer, ElementWiseMultiplicationLayer),
        *(FrozenLayer, OutputLayer, SubsamplingLayer, *RECURRENT_LAYERS, *ATTENTION_LAYERS),
    )
}

__all__ = [
    "EmbeddingLayer",
    "EmbeddingSequenceLayer",
    "LearnedSelfAttentionLayer",
    "MultiHeadAttention",
    "RecurrentAttentionLayer",
    "SelfAttentionLayer",
    "TransformerEncoderLayer",
    "Bidirectional",
    "GravesLSTM",
    "GRU",
    "LastTimeStep",
    "LSTM",
    "MaskLayer",
    "MaskZeroLayer",
    "RecurrentLayer",
    "RepeatVector",
    "SimpleRnn",
    "TimeDistributed",
    "WrapperLayer",
    "LAYERS",
    "ActivationLayer",
    "ConvolutionLayer",
    "DenseLayer",
    "DropoutLayer",
    "ElementWiseMultiplicationLayer",
    "FrozenLayer",
    "LambdaLayer",
    "Layer",
    "OutputLayer",
    "ScoredLayer",
    "SubsamplingLayer",
    "WeightedLayer",
]
