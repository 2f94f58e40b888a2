"""Loss: the base class of losses that have settings, and what all losses are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ..activations import activation, features_axis
from ..names import Settings

Function = Callable[[nd.NDArray, nd.NDArray, Any], nd.NDArray]


@dataclass(frozen=True)
class Loss(Settings, ABC):
    """The base class of losses with settings: `loss=nn.HuberLoss(delta=2.0)` in place of a name.

    A loss is called with labels, the values before the activation, and the activation, a name or an `Activation`; it
    returns the losses of a batch, with the axes of the labels.  Raises nothing.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class PinballLoss(nn.Loss):
    ...     quantile: float = 0.5
    ...     def __call__(self, labels, z, name, mask=None):
    ...         missing = labels - nn.ACTIVATIONS[name](z)
    ...         return nd.maximum(self.quantile * missing, (self.quantile - 1) * missing)
    >>> PinballLoss(0.9)(nd.asarray([[1.0, 2.0]]), nd.asarray([[2.0, 0.0]]), "identity")
    array([[0.1, 1.8]], dtype=float64)
    """

    only_activation: ClassVar[str | None] = None  # the one that it can be computed from
    takes_mask: ClassVar[bool] = False  # whether the call leaves out what the mask says, and is given it

    @abstractmethod
    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        """The losses of a batch.

        labels: as `prepare_labels` returns them; z: the values before the activation; name: of the activation
        mask: what counts, 1, and what does not, 0; given to losses whose `takes_mask` is true alone
        Returns an array with the axes of `z`; that of the outputs, and of the steps, may have one element.
        Raises ValueError for shapes that do not fit.
        """

    def prepare_labels(
        self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
    ) -> nd.NDArray:
        """Labels as the call takes them, for outputs of `shape`, where None is any length: here, of that shape.

        Returns an array.  Raises ValueError naming `who` for labels of another shape.
        """
        shape = sizes_of(shape)
        labels = with_outputs(labels, shape)
        check_shape(labels, (shape,), shape, self, who)
        return nd.astype(labels, dtype, copy=False)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        """Labels as the call takes them, all ones, for outputs of `shape`.

        Returns an array.  Raises ValueError for outputs that the loss does not take.
        """
        return nd.ones(shape, dtype=dtype, device="cpu")


def sizes_of(shape: Any) -> tuple[Any, ...]:
    """The shape of outputs.  Raises TypeError for anything but a sequence, ValueError for one without outputs."""
    given = items("shape", shape)
    if len(given) < 2:
        raise ValueError(f"shape: that of a batch of outputs is needed, (batch, ..., n_out), given {given}")
    return given


def outputs_axis(shape: tuple[int | None, ...]) -> int:
    """The axis of outputs: the last of rows and sequences, 1 of images."""
    return 1 if len(shape) > 3 else len(shape) - 1


def check_shape(
    labels: nd.NDArray, allowed: tuple[tuple[int | None, ...], ...], shape: tuple[int | None, ...], loss: Any, who: str
) -> None:
    """Raises ValueError unless the labels have one of the shapes `allowed`, None standing for any length."""
    if not any(_fits(array("labels", labels).shape, wanted) for wanted in allowed):
        texts = " or ".join(str(each).replace("None", "any length") for each in allowed)
        raise ValueError(
            f"{who} with {shape[outputs_axis(shape)]} outputs and loss {loss!r} expects labels of shape {texts} for "
            f"{shape[0]} examples, given {labels.shape}{_advice(labels.shape, shape)}"
        )


def with_outputs(labels: nd.NDArray, shape: tuple[int | None, ...]) -> nd.NDArray:
    """The labels of a single output with its axis, where that is left out: (batch,) as (batch, 1)."""
    axis = outputs_axis(shape)
    is_left_out = shape[axis] == 1 and array("labels", labels).ndim == len(shape) - 1
    return nd.expand_dims(labels, axis) if is_left_out else labels


def _advice(given: tuple[int, ...], outputs: tuple[int | None, ...]) -> str:
    """What makes labels of those that others take: numbers of classes, or one label for a whole sequence."""
    n_outputs, is_column = outputs[-1], len(given) == len(outputs) and given[-1] == 1
    if len(outputs) == 3 and outputs[1] != 1 and given[1:] in ((1,), (n_outputs,), (1, n_outputs)):
        return (
            "; one label for each sequence is for an OutputLayer behind a GlobalPoolingLayer, or behind a LastTimeStep "
            "around the recurrent layer"
        )
    if n_outputs == 1 or len(outputs) > 3 or not (is_column or len(given) == len(outputs) - 1):
        return ""
    numbers = "labels[..., 0]" if is_column else "labels"
    return (
        f"; where they are numbers of classes, nd.one_hot({numbers}, {n_outputs}) makes such labels of them, and "
        "loss='sparse_mcxent' takes them as they are"
    )


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(shape) == len(wanted) and all(n is None or n == given for n, given in zip(wanted, shape, strict=True))


def summed(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """The losses of a row of the table, for losses that are sums over outputs."""
    return row(activation(name)(z), labels)


def averaged(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
    """The losses of a row of the table, for losses that are means over outputs."""
    return summed(row, labels, z, name) / labels.shape[features_axis(labels)]


def masked(losses: nd.NDArray, mask: nd.NDArray) -> nd.NDArray:
    """The losses with 0 for what the mask leaves out; a mask without the axis of the outputs counts for all of them."""
    if mask.ndim < losses.ndim:
        mask = nd.expand_dims(mask, axis=tuple(range(mask.ndim, losses.ndim)))
    return losses * mask
