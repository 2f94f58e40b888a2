"""LeNet: two convolutions and two dense layers, for handwritten digits."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .zoo_model import StackModel


@dataclass(frozen=True, kw_only=True)
class LeNet(StackModel):
    """The convolutional network of the handwritten-digits tutorials: 431,080 parameters.

    n_classes: outputs    input_type: images of 28 x 28 in one channel; or rows of as many numbers,
    `InputType.convolutional_flat(28, 28, 1)`, or images of another size
    Source: LeCun, Bottou, Bengio & Haffner 1998, https://doi.org/10.1109/5.726791, with 20 and 50 channels and 500
    units.
    Raises ValueError for a number that is no whole number of at least 1, TypeError for another input type;
    `configuration` and `init` raise ValueError for images that are too small.

    >>> zoo.LeNet().num_params()
    431080
    """

    n_classes: int = 10
    input_type: nn.InputType = nn.InputType.convolutional(28, 28, 1)

    settings = {"updater": nn.Nesterovs(0.01, 0.9), "weight_init": "xavier", "l2": 5e-4}

    def layers(self) -> list[nn.Layer]:
        return [
            nn.ConvolutionLayer(5, n_out=20, activation="identity"),
            nn.SubsamplingLayer("max"),
            nn.ConvolutionLayer(5, n_out=50, activation="identity"),
            nn.SubsamplingLayer("max"),
            nn.DenseLayer(500, "relu"),
            nn.OutputLayer(self.n_classes),
        ]
