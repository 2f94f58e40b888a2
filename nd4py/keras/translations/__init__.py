"""Layers of Keras by their class names: what makes the same of nd4py's layers, and which weights it needs.

The files, as the build lists them:

- activation_translations.py: Activations and dropout as layers, and masks.
- attention_translations.py: Attention: in heads, by products, and by sums.
- convolution_translations.py: Convolutions: plain, depthwise, separable and transposed, over sequences, images and
  volumes.
- dense_translations.py: Dense layers, embeddings and layers of one's own.
- function_translations.py: Functions of `keras.ops` that are applied in functional models: of one tensor, and of
  tensors and numbers.
- merge_translations.py: Layers that join several tensors.
- normalization_translations.py: Normalizations: of batches, layers and groups, to unit length, and by statistics that
  are known.
- operation_translations.py: Functions that are applied in functional models: arithmetic, and the masks that Keras
  computes.
- pooling_translations.py: Pooling over windows and over whole examples, upsampling, zero padding and cropping.
- preprocessing_translations.py: Layers that prepare data: sizes of images, classes as rows, intervals of numbers, and
  chance while training.
- recurrence_translations.py: Recurrent layers: LSTM, GRU, SimpleRNN, Bidirectional and TimeDistributed.
- shape_translations.py: Layers that change the shape of examples: Flatten, Reshape, Permute.
- translated_settings.py: Settings that many layers of Keras have, as nd4py has them: activations, penalties,
  constraints, data formats.
- wrapper_translations.py: Layers around layers whose weights they change while a model trains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..graph_builder import Call, Tensor
from .activation_translations import ROWS as ACTIVATION_ROWS
from .attention_translations import ROWS as ATTENTION_ROWS
from .convolution_translations import ROWS as CONVOLUTION_ROWS
from .dense_translations import ROWS as DENSE_ROWS
from .dense_translations import custom_layer
from .function_translations import ROWS as FUNCTION_ROWS
from .merge_translations import ROWS as MERGE_ROWS
from .normalization_translations import ROWS as NORMALIZATION_ROWS
from .operation_translations import MASK_ROWS
from .operation_translations import ROWS as OPERATION_ROWS
from .pooling_translations import ROWS as POOLING_ROWS
from .preprocessing_translations import ROWS as PREPROCESSING_ROWS
from .recurrence_translations import ROWS as RECURRENCE_ROWS
from .shape_translations import ROWS as SHAPE_ROWS
from .wrapper_translations import ROWS as WRAPPER_ROWS

Translation = Callable[[Call], Tensor | Sequence[Tensor]]

TRANSLATIONS: Mapping[str, Translation] = {
    **ACTIVATION_ROWS,
    **ATTENTION_ROWS,
    **CONVOLUTION_ROWS,
    **DENSE_ROWS,
    **MERGE_ROWS,
    **NORMALIZATION_ROWS,
    **POOLING_ROWS,
    **FUNCTION_ROWS,
    **OPERATION_ROWS,
    **PREPROCESSING_ROWS,
    **RECURRENCE_ROWS,
    **SHAPE_ROWS,
    **WRAPPER_ROWS,
}
# Functions whose dtype is that of their result.
CASTS = ("Cast", "ops.Cast")
# Layers that compute in float32 whatever the policy of a layer is.
NORMALIZATIONS = ("BatchNormalization", "GroupNormalization", "LayerNormalization", "SyncBatchNormalization")
# Functions that make masks.
MASK_OPERATIONS = ("Concatenate", *MASK_ROWS, *(f"ops.{kind}" for kind in ("Concatenate", *MASK_ROWS)))
# Layers of Keras that hand masks on, or use them; all others see none, and neither do those behind them.
MASKED = (
    *ACTIVATION_ROWS,
    *DENSE_ROWS,
    *ATTENTION_ROWS,
    *MERGE_ROWS,
    *RECURRENCE_ROWS,
    *("BatchNormalization", "GroupNormalization", "LayerNormalization", "Normalization", "Rescaling"),
    *("SyncBatchNormalization", "UnitNormalization", "GlobalAveragePooling1D", "GlobalAvgPool1D"),
)


def keeps_masks(kind: str, call: Call) -> bool:
    """Whether a layer of that class is given the masks of its inputs."""
    return kind in MASKED or kind in call.custom_layers


__all__ = ["CASTS", "MASK_OPERATIONS", "NORMALIZATIONS", "TRANSLATIONS", "Translation", "custom_layer", "keeps_masks"]
