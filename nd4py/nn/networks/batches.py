"""Batches as `fit` and `evaluate` accept them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from nd4py import api as nd

from ..numbers import whole

Arrays = tuple[nd.NDArray, ...]
Masks = tuple[nd.NDArray | None, ...]


class Batch(NamedTuple):
    """Arrays of the inputs and outputs of a network, in their order, and the masks of each.

    features_masks, labels_masks: None where none of them has one
    weights: what the loss of each example is multiplied by, (n,); None for 1
    """

    features: Any
    labels: Any
    features_masks: Any = None
    labels_masks: Any = None
    weights: Any = None

    @property
    def n_examples(self) -> int:
        return int(self.features[0].shape[0])

    @property
    def is_masked(self) -> bool:
        """Whether there is more to a step than features and labels."""
        return any(each is not None for each in (self.features_masks, self.labels_masks, self.weights))

    def part(self, which: slice, axis: int = 0) -> Batch:
        """The examples `which`; with axis=1 the steps `which` of all sequences, arrays of three dimensions."""

        def cut(x: Any, n_dimensions: int) -> Any:
            if x is None or (axis and x.ndim < n_dimensions):
                return x
            return x[:, which] if axis else x[which]

        def cut_masks(masks: Any) -> Any:
            return None if masks is None else tuple(cut(mask, 2) for mask in masks)

        features, labels = (tuple(cut(x, 3) for x in arrays) for arrays in (self.features, self.labels))
        masks = cut_masks(self.features_masks), cut_masks(self.labels_masks)
        return Batch(features, labels, *masks, cut(self.weights, 2))

    def in_parts(self, n_parts: int) -> Iterator[Batch]:
        """The examples in up to `n_parts` parts of nearly one size."""
        n = self.n_examples
        edges = [n * i // n_parts for i in range(n_parts + 1)]
        return (
            self.part(slice(start, stop)) for start, stop in zip(edges[:-1], edges[1:], strict=True) if stop > start
        )


def batches_of(data: Any) -> Iterable[Any]:
    """An iterable over the batches of `data`, which may be a single batch."""
    if is_batch(data):
        return (data,)
    if not isinstance(data, Iterable):
        raise TypeError(
            f"data must be an iterator over batches, a batch with .features and .labels, or (features, labels); "
            f"given {type(data).__name__}"
        )
    return data


def is_batch(data: Any) -> bool:
    """Whether `data` is one batch: it has .features and .labels, or is a tuple (features, labels).

    Either of the two is an array, or one for each input or output of a graph.  Two pairs of arrays are two batches.
    """
    if hasattr(data, "features") and hasattr(data, "labels"):
        return True
    if not isinstance(data, tuple) or len(data) != 2:
        return False
    features, labels = data
    if not (holds_arrays(features) or holds_numbers(features)) or not holds_labels(labels):
        return False
    return not all(isinstance(part, tuple | list) and len(part) == 2 for part in data)


def holds_arrays(part: Any) -> bool:
    """Whether it is an array, or a list, tuple or dict of arrays."""
    if hasattr(part, "shape"):
        return True
    each = list(part.values()) if isinstance(part, Mapping) else part
    return isinstance(each, tuple | list) and bool(each) and all(hasattr(array, "shape") for array in each)


def holds_numbers(part: Any) -> bool:
    """Whether it is a list of numbers, or of lists of them: an array written out."""
    return isinstance(part, tuple | list) and isinstance(_first(part), int | float)


def holds_labels(part: Any) -> bool:
    """Whether it is meant as labels: arrays, numbers written out, a column, or texts, which are none yet."""
    is_written_out = isinstance(part, tuple | list) and isinstance(_first(part), int | float | str)
    return holds_arrays(part) or is_written_out or hasattr(part, "to_numpy")


def _first(part: Any) -> Any:
    """The first element of nested lists."""
    while isinstance(part, tuple | list) and len(part):
        part = part[0]
    return part


def parts_of(batch: Any) -> Batch:
    """Features, labels and masks of a batch, each as it is there: an array, or one for each input or output."""
    if isinstance(batch, Batch):
        return batch
    if hasattr(batch, "features") and hasattr(batch, "labels"):
        masks = [
            getattr(batch, f"{name}_masks", None) or _single(getattr(batch, f"{name}_mask", None))
            for name in ("features", "labels")
        ]
        return Batch(batch.features, batch.labels, *masks)
    if isinstance(batch, tuple | list) and len(batch) in (2, 4):
        return Batch(*batch)
    raise TypeError(f"a batch must have .features and .labels, or be (features, labels); given {type(batch).__name__}")


def one_batch(who: str, features: Any, labels: Any, features_masks: Any, labels_masks: Any) -> Batch:
    """The batch that a call is given, in its parts or as it is.  Raises TypeError for features without labels."""
    if labels is not None:
        return Batch(features, labels, features_masks, labels_masks)
    if not is_batch(features) or features_masks is not None or labels_masks is not None:
        raise TypeError(
            f"{who}: features without labels; give both, or a batch alone, with its masks, such as a DataSet or a pair "
            f"(features, labels); given {type(features).__name__}"
        )
    return parts_of(features)


def _single(mask: Any) -> Any:
    return None if mask is None else (mask,)


def epochs_of(epochs: object, who: str = "fit") -> int:
    """The number of epochs asked for.  Raises TypeError for an array, ValueError unless it is whole and at least 1."""
    if getattr(epochs, "ndim", 0):
        raise TypeError(f"{who}: `epochs` is an array; give arrays as a pair, {who}((features, labels), epochs)")
    return whole(epochs, f"{who}: epochs")


def feature_batches(data: Any) -> Iterable[Any]:
    """An iterable over the batches of `data`, which may be the features of a single one."""
    return (data,) if hasattr(data, "shape") or holds_numbers(data) else batches_of(data)


def features_of(batch: Any) -> Batch:
    """Features and masks of a batch, which may be an array of features; labels are left out."""
    is_alone = hasattr(batch, "shape") or holds_numbers(batch)
    return Batch(batch, ()) if is_alone else parts_of(batch)._replace(labels=())
