"""LogitsLoss: a cross entropy of a network whose output are the values before softmax or sigmoid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import Loss
from nd4py.nn.losses.losses import checked_labels, labels_of_ones, loss_function


@dataclass(frozen=True)
class LogitsLoss(Loss):
    """A loss of the outputs as they would be behind an activation that the network does not have.

    loss: a name of `LOSSES`    activation: a name of `ACTIVATIONS`

    >>> from nd4py.keras.counterparts.logits_loss import LogitsLoss
    >>> nd.round(LogitsLoss("xent", "sigmoid")(nd.asarray([[1.0]]), nd.asarray([[0.0]]), "identity"), 4).tolist()
    [[0.6931]]
    """

    loss: str
    activation: str

    only_activation: ClassVar[str | None] = "identity"

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        return loss_function(self.loss)(labels, z, self.activation)

    def prepare_labels(
        self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
    ) -> nd.NDArray:
        return checked_labels(self.loss, labels, shape, dtype, who)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return labels_of_ones(self.loss, shape, dtype)
