"""UNet: a class for every pixel of an image."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .graph_parts import Parts
from .zoo_model import GraphModel


@dataclass(frozen=True, kw_only=True)
class UNet(GraphModel):
    """Convolutions down to a sixteenth of the size, and up again beside them: 31,030,593 parameters.

    n_classes: channels of the output; 1 gives a sigmoid with binary cross entropy, more give a softmax over them
    input_type: images in one channel, or more, whose height and width are multiples of 16
    Convolutions keep the size, so that the output has that of the image; in the paper each takes its border away.
    Source: Ronneberger, Fischer & Brox 2015, https://arxiv.org/abs/1505.04597.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images of other heights and widths.

    >>> model = zoo.UNet(input_type=nn.InputType.convolutional(64, 64, 1))
    >>> model.num_params()
    31030593
    """

    n_classes: int = 1
    input_type: nn.InputType = nn.InputType.convolutional(512, 512, 1)

    def _output_name(self, parts: Parts) -> str:
        check_sizes(self.input_type)
        x, on_the_way = "image", []
        for n_out in (64, 128, 256, 512):
            x = doubled(parts, f"down{n_out}", x, n_out)
            on_the_way.append((n_out, x))
            x = parts.pooled(f"pool{n_out}", x, "max", 2, 2)
        x = doubled(parts, "bottom", x, 1024)
        x = parts.add("dropout", nn.DropoutLayer(0.5), x)
        for n_out, across in reversed(on_the_way):
            x = parts.plain(f"widened{n_out}", parts.add(f"upsampled{n_out}", nn.Upsampling2D(2), x), n_out, 2)
            x = doubled(parts, f"up{n_out}", parts.merged(f"both{n_out}", across, x), n_out)
        x = parts.plain("scores", x, self.n_classes, 1, activation="identity")
        loss = ("xent", "sigmoid") if self.n_classes == 1 else ("mcxent", "softmax")
        return parts.add("classes", nn.CnnLossLayer(loss=loss[0], activation=loss[1]), x)


def check_sizes(given: nn.InputType) -> None:
    """Raises ValueError for images that four halvings do not leave whole."""
    if len(given.dimensions) != 3:
        return  # no images, which the first layer says
    height, width = (n or 0 for n in given.dimensions[1:])
    if height % 16 or width % 16:
        wanted = f"{height + -height % 16} x {width + -width % 16}"
        raise ValueError(
            f"UNet: heights and widths of images must be multiples of 16, given {height} x {width}; pad the images to "
            f"{wanted}, and cut what comes out"
        )


def doubled(parts: Parts, name: str, read: str, n_out: int) -> str:
    """Two convolutions of 3 x 3 with relu."""
    return parts.plain(f"{name}_b", parts.plain(f"{name}_a", read, n_out, 3), n_out, 3)
