"""What `fit` makes of its data: the share that validates, and how much each example counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance

from ..networks.batches import Batch, parts_of
from ..numbers import real, whole
from .sources import (
    BATCH_SIZE,
    Source,
    arrays_of,
    checked_weights,
    cut,
    number_of_rows,
    source_of,
    validation_source,
)

# How far the numbers of a row may add up to something else than 1, for labels that say shares of classes.
SUM_TOLERANCE = 1e-3
ROUNDING = 1e-6  # 0.9 of 20 examples are 18, though 20 * (1 - 0.9) is below 2


def training_sources(
    x: Any,
    y: Any,
    batch_size: int | None,
    seed: int | None,
    validation_data: Any,
    validation_split: Any,
    sample_weight: Any,
    class_weight: Any,
) -> tuple[Source, Source | None]:
    """The sources that `fit` trains on, and validates on or None; arguments as for `fit`.

    Raises ValueError and TypeError naming the argument that is wrong, or that does not go with the data.
    """
    share = real(validation_split, "fit: validation_split", low=0.0, high=1.0)
    if share and validation_data is not None:
        raise ValueError("fit: validation_data and validation_split are both given; give one of them")
    classes = None if class_weight is None else checked_classes(class_weight)
    if not share and sample_weight is None and classes is None:
        return source_of(x, y, batch_size, seed), validation_source(validation_data, batch_size)
    arrays = arrays_of(x, y)
    if arrays is None:
        for name, is_given in (
            ("validation_split", bool(share)),
            ("sample_weight", sample_weight is not None),
            ('class_weight="balanced"', classes == "balanced"),
        ):
            if is_given:
                raise ValueError(
                    f"fit: {name} needs all examples, as arrays or a data set; x is an iterator over batches: "
                    f"{WHAT_TO_DO[name.partition('=')[0]]}"
                )
        assert isinstance(classes, Mapping)
        weighted = WeightedBatches(source_of(x, None, batch_size, seed), classes)
        return weighted, validation_source(validation_data, batch_size)
    n_examples = number_of_rows(arrays, "fit")
    if sample_weight is not None:
        arrays = arrays._replace(weights=checked_weights(sample_weight, n_examples))
    validation: Source | None = None
    # One batch, as it is, where `fit` takes the data as one.
    size = batch_size if batch_size is not None or y is None else BATCH_SIZE
    if share:
        n_trained = int(n_examples * (1.0 - share) + ROUNDING)
        if not 0 < n_trained < n_examples:
            raise ValueError(
                f"fit: validation_split={share} leaves {n_trained} of {n_examples} examples to train on and "
                f"{n_examples - n_trained} to validate on; both need one"
            )
        apart = rows_of(arrays, slice(n_trained, None))
        validation = cut(apart, size or BATCH_SIZE, None, "fit: validation_split")
        arrays, n_examples = rows_of(arrays, slice(0, n_trained)), n_trained
    else:
        validation = validation_source(validation_data, batch_size)
    if classes is not None:
        arrays = with_class_weights(arrays, classes)
    return cut(arrays, size or n_examples, seed if size else None, "fit"), validation


WHAT_TO_DO = {
    "validation_split": "keep batches apart and give them as validation_data=",
    "sample_weight": "give its batches weights as their labels_mask, one number for each example",
    "class_weight": "give the weights as a dict",
}


class WeightedBatches(Source):
    """The batches of another source, whose examples count by their classes."""

    def __init__(self, source: Source, classes: Mapping[int, float]) -> None:
        self._source, self._classes = source, classes
        self.n_batches = source.n_batches

    def batches(self, epoch: int, start: int) -> Iterable[Any]:
        for batch in self._source.batches(epoch, start):
            yield with_class_weights(parts_of(batch), self._classes)

    def state(self) -> Any:
        return self._source.state()

    def go_on(self, state: Any, n_epochs: int) -> None:
        self._source.go_on(state, n_epochs)


def checked_classes(given: Any) -> Any:
    """`class_weight`: "balanced", or a dict of numbers of classes to weights.  Raises TypeError, ValueError."""
    if isinstance(given, str):
        if given != "balanced":
            raise ValueError(f'fit: class_weight must be "balanced" or a dict of class to weight, given {given!r}')
        return given
    named = instance("fit: class_weight", given, Mapping)
    return {
        whole(number, "fit: each class of class_weight", least=0): real(
            weight, f"fit: class_weight of class {number}", low=0.0
        )
        for number, weight in named.items()
    }


def with_class_weights(batch: Batch, classes: Any) -> Batch:
    """The batch, in which each example counts as its class does, times what it counts already.

    Raises ValueError for labels that are no classes of examples.
    """
    numbers, n_classes = class_numbers(batch.labels)
    if classes == "balanced":
        found, counts = nd.unique_counts(numbers)
        classes = {int(each): numbers.size / (found.size * int(n)) for each, n in zip(found, counts, strict=True)}
    weights = nd.ones(numbers.shape, dtype="float64", device="cpu")
    for number, weight in classes.items():
        if n_classes is not None and number >= n_classes:
            raise ValueError(f"fit: class_weight has class {number}, but the labels have {n_classes} classes")
        weights = nd.where(numbers == number, weight, weights)
    if batch.weights is not None:
        weights = weights * batch.weights
    return batch._replace(weights=weights)


def class_numbers(given: Any) -> tuple[nd.NDArray, int | None]:
    """The class of each example, (n,) int64, and how many classes there are, None where labels do not say it.

    Raises ValueError for labels of several outputs, of steps or places, and for what is no class.
    """
    every = list(given.values()) if isinstance(given, Mapping) else given
    if isinstance(every, tuple | list) and every and hasattr(every[0], "shape"):
        if len(every) != 1:
            raise ValueError(f"fit: class_weight is for one output, the labels are of {len(every)}; give sample_weight")
        every = every[0]
    labels = nd.asarray(every, device="cpu")
    if labels.ndim == 2 and labels.shape[1] > 1:
        sums = nd.sum(nd.astype(labels, "float64"), axis=1)
        if not bool(nd.all(nd.abs(sums - 1.0) < SUM_TOLERANCE)):
            raise ValueError(
                "fit: class_weight needs one class for each example, but the numbers of a row of the labels do not add "
                "up to 1; give sample_weight"
            )
        return nd.argmax(labels, axis=1), int(labels.shape[1])
    if labels.ndim not in (1, 2):
        raise ValueError(
            f"fit: class_weight needs one class for each example, given labels of shape {labels.shape}; give "
            "sample_weight, or a labels_mask with the weights of steps or places"
        )
    numbers = nd.reshape(labels, (-1,))
    as_whole = nd.astype(numbers, "int64")
    if not bool(nd.all(as_whole == numbers)):
        raise ValueError("fit: class_weight needs numbers of classes as labels, given numbers that are not whole")
    return as_whole, None


def rows_of(batch: Batch, which: slice) -> Batch:
    """The examples `which` of arrays, of which there may be one for each input and output."""

    def taken(given: Any) -> Any:
        if given is None:
            return None
        if isinstance(given, Mapping):
            return {name: taken(each) for name, each in given.items()}
        return tuple(map(taken, given)) if isinstance(given, tuple | list) else given[which]

    return Batch(*map(taken, batch))
