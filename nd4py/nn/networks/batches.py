"""Batches as `fit` and `evaluate` accept them."""

from collections.abc import Iterable
from typing import Any

from ..numbers import whole


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
    """Whether `data` is one batch: it has .features and .labels, or is a tuple of two arrays."""
    if hasattr(data, "features") and hasattr(data, "labels"):
        return True
    return isinstance(data, tuple) and len(data) == 2 and all(hasattr(array, "shape") for array in data)


def features_and_labels(batch: Any) -> tuple[Any, Any]:
    """The two arrays of a batch."""
    if hasattr(batch, "features") and hasattr(batch, "labels"):
        return batch.features, batch.labels
    if isinstance(batch, tuple | list) and len(batch) == 2:
        return batch[0], batch[1]
    raise TypeError(f"a batch must have .features and .labels, or be (features, labels); given {type(batch).__name__}")


def epochs_of(epochs: object) -> int:
    """The number of epochs asked for.  Raises TypeError for an array, ValueError unless it is whole and at least 1."""
    if hasattr(epochs, "shape"):
        raise TypeError("fit: `epochs` is an array; give arrays as a pair, fit((features, labels), epochs)")
    return whole(epochs, "fit: epochs")
