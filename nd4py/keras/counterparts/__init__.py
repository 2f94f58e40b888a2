"""Layers, vertices and activations that Keras has and `nn` has not: what a network that was loaded may be made of.

The files, as the build lists them:

- attention_vertices.py: Attention of queries to keys and values that may be of other sequences.
- axis_vertices.py: Vertices that change the order of axes, and join along any of them.
- example_dropout.py: ExampleDropout: dropout of whole examples.
- keras_activations.py: Activations that Keras has and the table of nd4py's has not.
- logits_loss.py: LogitsLoss: a cross entropy of a network whose output are the values before softmax or sigmoid.
- mask_layers.py: Layers that make masks from what they see, and take them away.
- product_vertices.py: Products of tensors along chosen axes.
- recurrence_vertices.py: Recurrence that starts from states that are given, and makes the states that it ends with.
- scaling_layers.py: Layers that scale features: by statistics of data that were seen before, and to length 1.
- wrapped_layers.py: Layers around layers: over steps as images, with parameters left out, with outputs held, and from
  behind.
"""

from .attention_vertices import HeadsVertex, ScoredAttentionVertex
from .axis_vertices import ConcatenateVertex, PermuteVertex
from .example_dropout import ExampleDropout
from .keras_activations import LimitedReLU, SixthSigmoid, SquarePlus
from .logits_loss import LogitsLoss
from .mask_layers import MaskingLayer, WithoutMask
from .product_vertices import DotVertex
from .recurrence_vertices import RecurrenceVertex
from .scaling_layers import StandardizingLayer, UnitLengthLayer
from .wrapped_layers import WRAPPERS

CLASSES: tuple[type, ...] = (
    *(ConcatenateVertex, DotVertex, HeadsVertex, PermuteVertex, RecurrenceVertex, ScoredAttentionVertex),
    *(LimitedReLU, LogitsLoss, SixthSigmoid, SquarePlus),
    *(ExampleDropout, MaskingLayer, StandardizingLayer, UnitLengthLayer, WithoutMask),
    *WRAPPERS,
)

__all__ = ["CLASSES"]
