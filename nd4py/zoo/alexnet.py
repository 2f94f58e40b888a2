"""AlexNet: the network that won the ImageNet challenge of 2012."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .zoo_model import StackModel


@dataclass(frozen=True, kw_only=True)
class AlexNet(StackModel):
    """Five convolutions, three of them in two groups, and three dense layers: 60,965,224 parameters.

    n_classes: outputs    input_type: images of 227 x 227 in three channels, or of another size of at least 67 x 67
    Source: Krizhevsky, Sutskever & Hinton 2012, "ImageNet classification with deep convolutional neural networks".
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.AlexNet().num_params()
    60965224
    """

    n_classes: int = 1000
    input_type: nn.InputType = nn.InputType.convolutional(227, 227, 3)

    settings = {"updater": nn.Nesterovs(0.01, 0.9), "weight_init": "relu", "l2": 5e-4}

    def layers(self) -> list[nn.Layer]:
        def pool() -> nn.Layer:
            return nn.SubsamplingLayer("max", 3, 2)

        return [
            nn.ConvolutionLayer(11, 96, 4, activation="relu"),
            nn.LocalResponseNormalization(),
            pool(),
            nn.ConvolutionLayer(5, 256, padding=2, activation="relu", groups=2),
            nn.LocalResponseNormalization(),
            pool(),
            nn.ConvolutionLayer(3, 384, padding=1, activation="relu"),
            nn.ConvolutionLayer(3, 384, padding=1, activation="relu", groups=2),
            nn.ConvolutionLayer(3, 256, padding=1, activation="relu", groups=2),
            pool(),
            nn.DenseLayer(4096, "relu"),
            nn.DenseLayer(4096, "relu", dropout=0.5),
            nn.OutputLayer(self.n_classes, dropout=0.5),
        ]
