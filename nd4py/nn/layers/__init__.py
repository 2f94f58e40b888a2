"""Layers: frozen descriptions that turn parameters and an input into an output, one subject per file.

A layer is public, and known to configurations, by one line here, `from .file import Name as Name`.

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
- input_sizes.py: n_in: the size of a layer's input where it is given, compared with the input type, or in the place of
  one.
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

import typing as _typing

from ..names import public_names as _public_names
from .activation import ActivationLayer as ActivationLayer
from .attention.embedding import EmbeddingLayer as EmbeddingLayer
from .attention.embedding import EmbeddingSequenceLayer as EmbeddingSequenceLayer
from .attention.multi_head_attention import MultiHeadAttention as MultiHeadAttention
from .attention.positions import PositionEmbeddingLayer as PositionEmbeddingLayer
from .attention.positions import PositionEncodingLayer as PositionEncodingLayer
from .attention.recurrent_attention import RecurrentAttentionLayer as RecurrentAttentionLayer
from .attention.self_attention import LearnedSelfAttentionLayer as LearnedSelfAttentionLayer
from .attention.self_attention import SelfAttentionLayer as SelfAttentionLayer
from .attention.transformer_encoder import TransformerEncoderLayer as TransformerEncoderLayer
from .capsules import CapsuleLayer as CapsuleLayer
from .capsules import CapsuleStrengthLayer as CapsuleStrengthLayer
from .capsules import PrimaryCapsules as PrimaryCapsules
from .convolutional.batch_blocks import BatchToSpaceLayer as BatchToSpaceLayer
from .convolutional.batch_blocks import SpaceToBatchLayer as SpaceToBatchLayer
from .convolutional.convolution import Convolution3D as Convolution3D
from .convolutional.convolution import ConvolutionLayer as ConvolutionLayer
from .convolutional.deconvolution import Deconvolution2D as Deconvolution2D
from .convolutional.deconvolution import Deconvolution3D as Deconvolution3D
from .convolutional.depthwise import DepthwiseConvolution2D as DepthwiseConvolution2D
from .convolutional.depthwise import SeparableConvolution2D as SeparableConvolution2D
from .convolutional.global_pooling import GlobalPoolingLayer as GlobalPoolingLayer
from .convolutional.locally_connected import LocallyConnected1D as LocallyConnected1D
from .convolutional.locally_connected import LocallyConnected2D as LocallyConnected2D
from .convolutional.pixel_blocks import DepthToSpaceLayer as DepthToSpaceLayer
from .convolutional.pixel_blocks import SpaceToDepthLayer as SpaceToDepthLayer
from .convolutional.step_windows import Convolution1D as Convolution1D
from .convolutional.step_windows import Subsampling1DLayer as Subsampling1DLayer
from .convolutional.subsampling import Subsampling3DLayer as Subsampling3DLayer
from .convolutional.subsampling import SubsamplingLayer as SubsamplingLayer
from .convolutional.upsampling import Upsampling1D as Upsampling1D
from .convolutional.upsampling import Upsampling2D as Upsampling2D
from .convolutional.upsampling import Upsampling3D as Upsampling3D
from .convolutional.zero_padding import Cropping1D as Cropping1D
from .convolutional.zero_padding import Cropping2D as Cropping2D
from .convolutional.zero_padding import Cropping3D as Cropping3D
from .convolutional.zero_padding import ZeroPadding1DLayer as ZeroPadding1DLayer
from .convolutional.zero_padding import ZeroPadding3DLayer as ZeroPadding3DLayer
from .convolutional.zero_padding import ZeroPaddingLayer as ZeroPaddingLayer
from .dense import DenseLayer as DenseLayer
from .dropout import DropoutLayer as DropoutLayer
from .element_wise import ElementWiseMultiplicationLayer as ElementWiseMultiplicationLayer
from .frozen import FrozenLayer as FrozenLayer
from .lambda_layer import LambdaLayer as LambdaLayer
from .layer import Layer as Layer
from .layer import WeightedLayer as WeightedLayer
from .normalization.batch_normalization import BatchNormalization as BatchNormalization
from .normalization.group_normalization import GroupNormalization as GroupNormalization
from .normalization.layer_normalization import LayerNormalization as LayerNormalization
from .normalization.local_response import LocalResponseNormalization as LocalResponseNormalization
from .normalization.root_mean_square import RMSNormalization as RMSNormalization
from .outputs.center_loss import CenterLossOutputLayer as CenterLossOutputLayer
from .outputs.detection import DetectedObject as DetectedObject
from .outputs.loss_layers import CnnLossLayer as CnnLossLayer
from .outputs.loss_layers import LossLayer as LossLayer
from .outputs.loss_layers import RnnLossLayer as RnnLossLayer
from .outputs.loss_scored import LossScoredLayer as LossScoredLayer
from .outputs.one_class import OCNNOutputLayer as OCNNOutputLayer
from .outputs.output import OutputLayer as OutputLayer
from .outputs.output import RnnOutputLayer as RnnOutputLayer
from .outputs.yolo import Yolo2OutputLayer as Yolo2OutputLayer
from .prelu import PReLULayer as PReLULayer
from .pretrained.autoencoder import AutoEncoder as AutoEncoder
from .pretrained.pretrained_layer import PretrainedLayer as PretrainedLayer
from .pretrained.variational_autoencoder import VariationalAutoencoder as VariationalAutoencoder
from .recurrent.bidirectional import Bidirectional as Bidirectional
from .recurrent.gru import GRU as GRU
from .recurrent.last_time_step import LastTimeStep as LastTimeStep
from .recurrent.lstm import LSTM as LSTM
from .recurrent.lstm import GravesLSTM as GravesLSTM
from .recurrent.masking import MaskLayer as MaskLayer
from .recurrent.masking import MaskZeroLayer as MaskZeroLayer
from .recurrent.recurrent_layer import RecurrentLayer as RecurrentLayer
from .recurrent.repeat_vector import RepeatVector as RepeatVector
from .recurrent.simple_rnn import SimpleRnn as SimpleRnn
from .recurrent.time_distributed import TimeDistributed as TimeDistributed
from .scored import ScoredLayer as ScoredLayer
from .wrapper_layer import WrapperLayer as WrapperLayer

if not _typing.TYPE_CHECKING:  # type checkers take what is imported `as` itself
    __all__ = _public_names(globals())
