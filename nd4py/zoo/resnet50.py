"""ResNet50: fifty layers with residual connections."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .graph_parts import Parts
from .zoo_model import GraphModel


@dataclass(frozen=True, kw_only=True)
class ResNet50(GraphModel):
    """Sixteen residual blocks of three convolutions, with batch normalization: 25,557,032 parameters.

    n_classes: outputs    input_type: images of 224 x 224 in three channels, or of another size of at least 32 x 32
    Blocks that halve the image do so in their 3 x 3 convolution, as the models that are trained today do; in the paper
    it is the 1 x 1 before.
    Source: He, Zhang, Ren & Sun 2016, https://arxiv.org/abs/1512.03385.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.ResNet50().num_params()
    25557032
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(224, 224, 3)

    settings = {"updater": nn.Adam(1e-3), "weight_init": "relu", "l2": 1e-4}

    def _output_name(self, parts: Parts) -> str:
        x = parts.convolved("conv1", "image", 64, 7, 2, convolution_mode="truncate", padding=3)
        x = parts.add("pool1", nn.SubsamplingLayer("max", 3, 2, padding=1), x)
        for stage, (n_blocks, n_middle) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512)), start=2):
            for block in range(n_blocks):
                stride = 2 if stage > 2 and block == 0 else 1
                x = residual(parts, f"block{stage}_{block + 1}", x, n_middle, stride, is_projected=block == 0)
        x = parts.add("pool5", nn.GlobalPoolingLayer("avg"), x)
        return parts.add("classes", nn.OutputLayer(self.n_classes), x)


def residual(parts: Parts, name: str, read: str, n_middle: int, stride: int, *, is_projected: bool) -> str:
    """1 x 1, 3 x 3 and 1 x 1 convolutions, added to what they read."""
    x = parts.convolved(f"{name}_a", read, n_middle, 1)
    # Padded alike on all sides, also where the stride is 2.
    x = parts.convolved(f"{name}_b", x, n_middle, 3, stride, convolution_mode="truncate", padding=1)
    x = parts.convolved(f"{name}_c", x, 4 * n_middle, 1, is_activated=False)
    if is_projected:
        read = parts.convolved(f"{name}_shortcut", read, 4 * n_middle, 1, stride, is_activated=False)
    return parts.active(name, parts.added(f"{name}_add", x, read))
