"""Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.

The files, as the build lists them:

- activation.py: ActivationLayer: an activation on its own.
- attention/: Attention between the steps of sequences, and embeddings of whole numbers.
- calls.py: Calls of layers by what holds them, and the checks and masks that a `forward` begins with.
- capsules.py: Capsules: groups of numbers whose length says whether a thing is there, and routing between them.
- convolutional/: Layers over images and sequences: convolution and pooling.
- dense.py: Fully connected layers.
- dropout.py: Dropout.
- element_wise.py: ElementWiseMultiplicationLayer: a weight for each number of an example.
- frozen.py: FrozenLayer: a layer that training leaves as it is.
- lambda_layer.py: LambdaLayer: a function as a layer.
- layer.py: Layer: the base class of layers.
- normalization/: Layers that normalize what flows through a network.
- outputs/: Output layers: what ends a network with a loss.
- prelu.py: PReLULayer: a rectifier with learnt slopes below zero.
- pretrained/: Layers that can be trained alone, on how well they make their input again.
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
    PositionEmbeddingLayer,
    PositionEncodingLayer,
    RecurrentAttentionLayer,
    SelfAttentionLayer,
    TransformerEncoderLayer,
)
from .capsules import CapsuleLayer, CapsuleStrengthLayer, PrimaryCapsules
from .convolutional.batch_blocks import BatchToSpaceLayer, SpaceToBatchLayer
from .convolutional.convolution import Convolution3D, ConvolutionLayer
from .convolutional.deconvolution import Deconvolution2D, Deconvolution3D
from .convolutional.depthwise import DepthwiseConvolution2D, SeparableConvolution2D
from .convolutional.global_pooling import GlobalPoolingLayer
from .convolutional.locally_connected import LocallyConnected1D, LocallyConnected2D
from .convolutional.pixel_blocks import DepthToSpaceLayer, SpaceToDepthLayer
from .convolutional.step_windows import Convolution1D, Subsampling1DLayer
from .convolutional.subsampling import Subsampling3DLayer, SubsamplingLayer
from .convolutional.upsampling import Upsampling1D, Upsampling2D, Upsampling3D
from .convolutional.zero_padding import (
    Cropping1D,
    Cropping2D,
    Cropping3D,
    ZeroPadding1DLayer,
    ZeroPadding3DLayer,
    ZeroPaddingLayer,
)
from .dense import DenseLayer
from .dropout import DropoutLayer
from .element_wise import ElementWiseMultiplicationLayer
from .frozen import FrozenLayer
from .lambda_layer import LambdaLayer
from .layer import Layer, WeightedLayer
from .normalization.batch_normalization import BatchNormalization
from .normalization.group_normalization import GroupNormalization
from .normalization.layer_normalization import LayerNormalization
from .normalization.local_response import LocalResponseNormalization
from .normalization.root_mean_square import RMSNormalization
from .outputs.center_loss import CenterLossOutputLayer
from .outputs.detection import DetectedObject
from .outputs.loss_layers import CnnLossLayer, LossLayer, RnnLossLayer
from .outputs.loss_scored import LossScoredLayer
from .outputs.one_class import OCNNOutputLayer
from .outputs.output import OutputLayer, RnnOutputLayer
from .outputs.yolo import Yolo2OutputLayer
from .prelu import PReLULayer
from .pretrained.autoencoder import AutoEncoder
from .pretrained.pretrained_layer import PretrainedLayer
from .pretrained.variational_autoencoder import VariationalAutoencoder
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
        *(ActivationLayer, CenterLossOutputLayer, CnnLossLayer, ConvolutionLayer, DenseLayer, DropoutLayer),
        *(ElementWiseMultiplicationLayer, FrozenLayer, LossLayer, OutputLayer, RnnLossLayer, RnnOutputLayer),
        *(SubsamplingLayer, Yolo2OutputLayer, *RECURRENT_LAYERS, *ATTENTION_LAYERS),
        *(BatchNormalization, Cropping2D, DepthwiseConvolution2D, GlobalPoolingLayer, LayerNormalization),
        *(SeparableConvolution2D, Upsampling2D, ZeroPaddingLayer, Convolution1D, DepthToSpaceLayer, GroupNormalization),
        *(LocalResponseNormalization, RMSNormalization, SpaceToDepthLayer, Subsampling1DLayer),
        *(Cropping1D, Cropping3D, Upsampling1D, Upsampling3D, ZeroPadding1DLayer, ZeroPadding3DLayer),
        *(LocallyConnected1D, LocallyConnected2D, PReLULayer),
        *(BatchToSpaceLayer, SpaceToBatchLayer),
        *(CapsuleLayer, CapsuleStrengthLayer, PrimaryCapsules),
        *(Convolution3D, Deconvolution2D, Deconvolution3D, Subsampling3DLayer),
        *(AutoEncoder, VariationalAutoencoder),
        *(OCNNOutputLayer,),
    )
}

__all__ = [
    "GRU",
    "LAYERS",
    "LSTM",
    "ActivationLayer",
    "AutoEncoder",
    "BatchNormalization",
    "BatchToSpaceLayer",
    "Bidirectional",
    "CapsuleLayer",
    "CapsuleStrengthLayer",
    "CenterLossOutputLayer",
    "CnnLossLayer",
    "Convolution1D",
    "Convolution3D",
    "ConvolutionLayer",
    "Cropping1D",
    "Cropping2D",
    "Cropping3D",
    "Deconvolution2D",
    "Deconvolution3D",
    "DenseLayer",
    "DepthToSpaceLayer",
    "DepthwiseConvolution2D",
    "DetectedObject",
    "DropoutLayer",
    "ElementWiseMultiplicationLayer",
    "EmbeddingLayer",
    "EmbeddingSequenceLayer",
    "FrozenLayer",
    "GlobalPoolingLayer",
    "GravesLSTM",
    "GroupNormalization",
    "LambdaLayer",
    "LastTimeStep",
    "Layer",
    "LayerNormalization",
    "LearnedSelfAttentionLayer",
    "LocalResponseNormalization",
    "LocallyConnected1D",
    "LocallyConnected2D",
    "LossLayer",
    "LossScoredLayer",
    "MaskLayer",
    "MaskZeroLayer",
    "MultiHeadAttention",
    "OCNNOutputLayer",
    "OutputLayer",
    "PReLULayer",
    "PositionEmbeddingLayer",
    "PositionEncodingLayer",
    "PretrainedLayer",
    "PrimaryCapsules",
    "RMSNormalization",
    "RecurrentAttentionLayer",
    "RecurrentLayer",
    "RepeatVector",
    "RnnLossLayer",
    "RnnOutputLayer",
    "ScoredLayer",
    "SelfAttentionLayer",
    "SeparableConvolution2D",
    "SimpleRnn",
    "SpaceToBatchLayer",
    "SpaceToDepthLayer",
    "Subsampling1DLayer",
    "Subsampling3DLayer",
    "SubsamplingLayer",
    "TimeDistributed",
    "TransformerEncoderLayer",
    "Upsampling1D",
    "Upsampling2D",
    "Upsampling3D",
    "VariationalAutoencoder",
    "WeightedLayer",
    "WrapperLayer",
    "Yolo2OutputLayer",
    "ZeroPadding1DLayer",
    "ZeroPadding3DLayer",
    "ZeroPaddingLayer",
]
