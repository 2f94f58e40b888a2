"""TextGenerationLSTM: the next character of a text."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .zoo_model import StackModel


@dataclass(frozen=True, kw_only=True)
class TextGenerationLSTM(StackModel):
    """LSTMs that read a text character by character and give the probabilities of the next one.

    n_characters: how many characters there are; inputs and labels are one-hot, (batch, length, n_characters)
    n_units: of each LSTM    n_layers: how many LSTMs there are
    length: of the sequences; None where it differs from batch to batch
    It is trained by 50 steps at a time, with gradients cut off at 1; `rnn_time_step` writes text on.
    Source: Graves 2013, https://arxiv.org/abs/1308.0850, in the form of Karpathy 2015, "The unreasonable effectiveness
    of recurrent neural networks".
    Raises ValueError for a number that is no whole number of at least 1.

    >>> zoo.TextGenerationLSTM(n_characters=77).num_params()
    887117
    """

    n_characters: int
    n_units: int = 256
    n_layers: int = 2
    length: int | None = None

    settings = {
        "updater": nn.RmsProp(0.01), "weight_init": "xavier", "tbptt_length": 50, "l2": 1e-3,
        "gradient_normalization": "clip_element_wise_absolute_value", "gradient_threshold": 1.0,
    }  # fmt: skip

    def input_of_network(self) -> nn.InputType:
        return nn.InputType.recurrent(self.n_characters, self.length)

    def layers(self) -> list[nn.Layer]:
        return [*(nn.LSTM(self.n_units) for _ in range(self.n_layers)), nn.RnnOutputLayer(self.n_characters)]
