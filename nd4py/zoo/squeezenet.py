"""SqueezeNet: the accuracy of AlexNet with a fiftieth of its parameters."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .graph_parts import Parts
from .zoo_model import GraphModel


@dataclass(frozen=True, kw_only=True)
class SqueezeNet(GraphModel):
    """Eight fire modules, which squeeze channels by a 1 x 1 convolution before those of 3 x 3: 1,235,496 parameters.

    n_classes: outputs    input_type: images of 224 x 224 in three channels, or of another size of at least 31 x 31
    Source: Iandola et al. 2016, https://arxiv.org/abs/1602.07360, in the authors' version 1.1.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.SqueezeNet().num_params()
    1235496
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(224, 224, 3)

    def _output_name(self, parts: Parts) -> str:
        x = parts.plain("conv1", "image", 64, 3, 2, convolution_mode="truncate")
        number = 2
        for sizes in ((16, 16), (32, 32), (48, 48, 64, 64)):
            x = parts.pooled(f"pool{number - 1}", x, "max", 3, 2)
            for n_squeezed in sizes:
                x = fire(parts, f"fire{number}", x, n_squeezed)
                number += 1
        x = parts.add("dropout", nn.DropoutLayer(0.5), x)
        x = parts.plain("conv10", x, self.n_classes, 1)
        x = parts.add("pool10", nn.GlobalPoolingLayer("avg"), x)
        return parts.add("classes", nn.LossLayer(activation="softmax"), x)


def fire(parts: Parts, name: str, read: str, n_squeezed: int) -> str:
    """`n_squeezed` channels, and of these four times as many by 1 x 1 and by 3 x 3 convolutions."""
    squeezed = parts.plain(f"{name}_squeeze", read, n_squeezed, 1)
    expanded = [parts.plain(f"{name}_expand{kernel}", squeezed, 4 * n_squeezed, kernel) for kernel in (1, 3)]
    return parts.merged(name, *expanded)
