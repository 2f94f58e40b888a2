"""Xception: residual blocks of separable convolutions."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .graph_parts import Parts
from .zoo_model import GraphModel


@dataclass(frozen=True, kw_only=True)
class Xception(GraphModel):
    """Thirty-six convolutions, all but two separable, in fourteen residual blocks: 22,855,952 parameters.

    n_classes: outputs    input_type: images of 299 x 299 in three channels, or of another size of at least 71 x 71
    Source: Chollet 2017, https://arxiv.org/abs/1610.02357, figure 5.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.Xception().num_params()
    22855952
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(299, 299, 3)

    def _output_name(self, parts: Parts) -> str:
        x = parts.convolved("conv1", "image", 32, 3, 2, convolution_mode="truncate")
        x = parts.convolved("conv2", x, 64, 3, convolution_mode="truncate")
        for n_out in (128, 256, 728):
            x = halved(parts, f"entry{n_out}", x, (n_out, n_out), is_first=n_out == 128)
        for number in range(1, 9):
            x = parts.added(f"middle{number}", x, separable(parts, f"middle{number}", x, (728, 728, 728)))
        x = halved(parts, "exit", x, (728, 1024), is_first=False)
        for n_out in (1536, 2048):
            x = parts.active(f"exit{n_out}", parts.separated(f"exit{n_out}", x, n_out))
        x = parts.add("pool", nn.GlobalPoolingLayer("avg"), x)
        return parts.add("classes", nn.OutputLayer(self.n_classes), x)


def separable(parts: Parts, name: str, x: str, n_outs: tuple[int, ...], *, is_first: bool = False) -> str:
    """relu and a separable convolution for each of `n_outs`; the first block has its relu already."""
    for number, n_out in enumerate(n_outs, start=1):
        if not (is_first and number == 1):
            x = parts.active(f"{name}_{number}", x)
        x = parts.separated(f"{name}_{number}", x, n_out)
    return x


def halved(parts: Parts, name: str, read: str, n_outs: tuple[int, ...], *, is_first: bool) -> str:
    """Separable convolutions and a pooling that halves the image, added to a 1 x 1 convolution of what they read."""
    x = separable(parts, name, read, n_outs, is_first=is_first)
    x = parts.pooled(f"{name}_pool", x, "max", 3, 2, "same")
    return parts.added(name, x, parts.convolved(f"{name}_shortcut", read, n_outs[-1], 1, 2, is_activated=False))
