"""TransformerEncoder: texts as sequences of word numbers, and a class for each."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import nn

from .zoo_model import StackModel


@dataclass(frozen=True, kw_only=True)
class TransformerEncoder(StackModel):
    """Words and their places as rows of tables, layers of self-attention, and the mean of the steps for one class.

    vocabulary_size: how many words there are; inputs are their numbers, (batch, length)    n_classes: outputs
    n_units: numbers of a word    n_layers, n_heads: layers, and heads of each    feed_forward_size: 4 * n_units if None
    max_length: the longest sequence    dropout_rate: the share that is dropped in each layer, while it trains
    With n_units=768, n_layers=12 and n_heads=12 the layers are those of BERT's base model, 85,054,464 parameters.
    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762; Devlin et al. 2019, https://arxiv.org/abs/1810.04805.
    Raises ValueError for a number that is no whole number of at least 1, or a rate outside [0, 1).

    >>> zoo.TransformerEncoder(vocabulary_size=100, n_classes=2, n_units=32, n_layers=2, max_length=50).num_params()
    30338
    """

    vocabulary_size: int
    n_classes: int
    n_units: int = 256
    n_layers: int = 4
    n_heads: int = 4
    feed_forward_size: int | None = None
    max_length: int = 512
    dropout_rate: float = 0.1

    settings = {"updater": nn.AdamW(1e-4), "weight_init": "xavier"}

    def input_of_network(self) -> nn.InputType:
        return nn.InputType.recurrent(1)

    def layers(self) -> list[nn.Layer]:
        def encoder() -> nn.Layer:
            return nn.TransformerEncoderLayer(
                self.n_heads, self.feed_forward_size, "gelu", dropout_rate=self.dropout_rate
            )

        return [
            nn.EmbeddingSequenceLayer(self.vocabulary_size, self.n_units),
            nn.PositionEmbeddingLayer(self.max_length),
            nn.LayerNormalization(),
            *(encoder() for _ in range(self.n_layers)),
            nn.GlobalPoolingLayer("avg"),
            nn.OutputLayer(self.n_classes),
        ]
