"""Darknet19, and TinyYOLO, which detects objects with a smaller network of its kind."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn
from nd4py.api.arguments import items

from .zoo_model import StackModel

LEAKY = nn.LeakyReLU(0.1)
# (width, height) in cells of 32 pixels, by which the published TinyYOLO was trained on the Pascal VOC images.
VOC_ANCHORS = ((1.08, 1.19), (3.42, 4.41), (6.63, 11.38), (9.42, 5.11), (16.62, 10.52))


def convolved(n_out: int, kernel: int) -> list[nn.Layer]:
    """A convolution without bias, batch normalization and a leaky relu."""
    convolution = nn.ConvolutionLayer(kernel, n_out, convolution_mode="same", activation="identity", has_bias=False)
    return [convolution, nn.BatchNormalization(), nn.ActivationLayer(LEAKY)]


@dataclass(frozen=True, kw_only=True)
class Darknet19(StackModel):
    """Nineteen convolutions of 3 x 3 and 1 x 1 in turn, with batch normalization: 20,842,376 parameters.

    n_classes: outputs    input_type: images of 224 x 224 in three channels, or of another size of at least 32 x 32
    Source: Redmon & Farhadi 2017, https://arxiv.org/abs/1612.08242, table 6.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.Darknet19().num_params()
    20842376
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(224, 224, 3)

    settings = {"updater": nn.Adam(1e-3), "weight_init": "relu", "l2": 5e-4}

    def layers(self) -> list[nn.Layer]:
        blocks = ((32,), (64,), (128, 64, 128), (256, 128, 256), (512, 256, 512, 256, 512))
        layers: list[nn.Layer] = []
        for n_outs in blocks:
            layers += [layer for i, n_out in enumerate(n_outs) for layer in convolved(n_out, 1 if i % 2 else 3)]
            layers.append(nn.SubsamplingLayer("max"))
        for i, n_out in enumerate((1024, 512, 1024, 512, 1024)):
            layers += convolved(n_out, 1 if i % 2 else 3)
        return [
            *layers,
            nn.ConvolutionLayer(1, self.n_classes, activation="identity"),
            nn.GlobalPoolingLayer("avg"),
            nn.LossLayer(activation="softmax"),
        ]


@dataclass(frozen=True, kw_only=True)
class TinyYOLO(StackModel):
    """Nine convolutions that give boxes and classes for each cell of 32 x 32 pixels: 15,861,773 parameters.

    n_classes: kinds of objects    input_type: images of 416 x 416 in three channels, or of other multiples of 32
    anchors: (width, height) of each box, in cells
    The output has len(anchors) * (5 + n_classes) channels; see `nn.Yolo2OutputLayer`.
    Source: Redmon & Farhadi 2017, https://arxiv.org/abs/1612.08242, the tiny model for Pascal VOC.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.TinyYOLO().num_params()
    15861773
    """

    n_classes: int = 20
    input_type: nn.InputType = nn.InputType.convolutional(416, 416, 3)
    anchors: tuple[tuple[float, float], ...] = VOC_ANCHORS

    def layers(self) -> list[nn.Layer]:
        layers: list[nn.Layer] = []
        for n_out in (16, 32, 64, 128, 256, 512):
            # The last pooling keeps the size.
            pool = nn.SubsamplingLayer("max", 2, 1 if n_out == 512 else 2, convolution_mode="same")
            layers += [*convolved(n_out, 3), pool]
        boxes = len(items("TinyYOLO: anchors", self.anchors)) * (5 + self.n_classes)
        return [
            *layers,
            *convolved(1024, 3),
            *convolved(1024, 3),
            nn.ConvolutionLayer(1, boxes, activation="identity"),
            nn.Yolo2OutputLayer(self.anchors),
        ]
