"""VGG16: thirteen convolutions of 3 x 3 and three dense layers."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .zoo_model import StackModel


@dataclass(frozen=True, kw_only=True)
class VGG16(StackModel):
    """Convolutions of 3 x 3 in five blocks with a pooling behind each, and three dense layers: 138,357,544 parameters.

    n_classes: outputs    input_type: images of 224 x 224 in three channels, or of another size of at least 32 x 32
    Source: Simonyan & Zisserman 2015, https://arxiv.org/abs/1409.1556, configuration D.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.VGG16().num_params()
    138357544
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(224, 224, 3)

    settings = {"updater": nn.Nesterovs(0.01, 0.9), "weight_init": "relu", "l2": 5e-4}

    def layers(self) -> list[nn.Layer]:
        layers: list[nn.Layer] = []
        for n_convolutions, n_out in ((2, 64), (2, 128), (3, 256), (3, 512), (3, 512)):
            layers += [nn.ConvolutionLayer(3, n_out, padding=1, activation="relu") for _ in range(n_convolutions)]
            layers.append(nn.SubsamplingLayer("max"))
        return [
            *layers,
            nn.DenseLayer(4096, "relu"),
            nn.DenseLayer(4096, "relu", dropout=0.5),
            nn.OutputLayer(self.n_classes, dropout=0.5),
        ]
