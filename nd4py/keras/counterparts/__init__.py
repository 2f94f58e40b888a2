"""Layers, vertices, activations and updaters that Keras has and `nn` has not, of which loaded networks may be made.

The files, as the build lists them:

- array_functions.py: Functions that functional models apply to tensors, of arrays whose axes are in Keras's order.
- attention_vertices.py: Attention of queries to keys and values that may be of other sequences.
- axis_vertices.py: Vertices that change the order of axes, and join along any of them.
- convolutional_recurrence.py: Recurrence over images: the products of an LSTM are convolutions.
- cut_deconvolutions.py: Transposed convolutions whose edges are cut off, or have zeros put on, one by one.
- example_dropout.py: ExampleDropout: dropout of whole examples.
- function_vertices.py: Vertices that are functions of arrays, whose axes are in Keras's order, and sequences of
  examples as single ones.
- keras_activations.py: Activations that Keras has and the table of nd4py's has not.
- keras_updaters.py: Updaters as Keras has them, where those of `nn` start or go on in another way.
- leader_updaters.py: Updaters that look at the parameters: LAMB, whose steps are as long as the parameters, and follow-
  the-regularized-leader.
- logits_loss.py: LogitsLoss: a cross entropy of a network whose output are the values before softmax or sigmoid.
- mask_layers.py: Layers that make masks from what they see, and take them away.
- mel_spectrograms.py: How loud the bands of the mel scale are at each time of a recording.
- precision_layers.py: What mixed policies of Keras say of a layer: the dtype that it computes in, beside that of the
  network.
- product_vertices.py: Products of tensors along chosen axes.
- recurrence_vertices.py: Recurrence that starts from states that are given, and makes the states that it ends with.
- scaling_layers.py: Layers that scale features: by statistics of data that were seen before, and to length 1.
- upsampling_layers.py: Layers that make images larger: by lines between the pixels, or smooth curves.
- wrapped_layers.py: Layers around layers: over steps as images, with parameters left out, with outputs held, and from
  behind.
"""

from .attention_vertices import HeadsVertex, ScoredAttentionVertex
from .axis_vertices import ConcatenateVertex, PermuteVertex
from .convolutional_recurrence import ConvolutionalLSTM, ConvolutionalRecurrence
from .cut_deconvolutions import CutDeconvolution2D, CutDeconvolution3D
from .example_dropout import ExampleDropout
from .function_vertices import EinsumVertex, ExamplesToSteps, FunctionVertex, StepsToExamples
from .keras_activations import LimitedReLU, SixthSigmoid, SparsePlus, SparseSigmoid, SquarePlus
from .keras_updaters import (
    CenteredRmsProp,
    MomentumRmsProp,
    MomentumUpdater,
    ScaledAdaDelta,
    ScheduledNadam,
    StartedAdaGrad,
)
from .leader_updaters import FollowTheLeader, LayerwiseAdam
from .logits_loss import LogitsLoss
from .mask_layers import MaskingLayer, WithoutMask
from .precision_layers import CastVertex, FullPrecision
from .product_vertices import DotVertex
from .recurrence_vertices import RecurrenceVertex
from .scaling_layers import IdleLayer, StandardizingLayer, UnitLengthLayer
from .upsampling_layers import BilinearUpsampling2D, CurvedUpsampling2D
from .wrapped_layers import WRAPPERS

CLASSES: tuple[type, ...] = (
    *(ConcatenateVertex, DotVertex, HeadsVertex, PermuteVertex, RecurrenceVertex, ScoredAttentionVertex),
    *(EinsumVertex, ExamplesToSteps, FunctionVertex, StepsToExamples),
    *(LimitedReLU, LogitsLoss, SixthSigmoid, SparsePlus, SparseSigmoid, SquarePlus),
    *(
        BilinearUpsampling2D,
        ConvolutionalLSTM,
        ConvolutionalRecurrence,
        CurvedUpsampling2D,
        CutDeconvolution2D,
        CutDeconvolution3D,
        IdleLayer,
    ),
    *(CastVertex, FullPrecision),
    *(ExampleDropout, MaskingLayer, StandardizingLayer, UnitLengthLayer, WithoutMask),
    *(CenteredRmsProp, MomentumRmsProp, MomentumUpdater, ScaledAdaDelta, ScheduledNadam, StartedAdaGrad),
    *(FollowTheLeader, LayerwiseAdam),
    *WRAPPERS,
)

__all__ = ["CLASSES"]
