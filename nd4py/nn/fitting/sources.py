"""Sources: what `fit` is given, as the batches of each epoch in an order that can be found again.

Design: the order of arrays follows from the network's seed and the number of the epoch alone, so a run that goes on
needs no more than its place.  Iterators are others': one with `state()` and `set_state()` is asked for its own place,
a sequence begins anew in every epoch, and any other is read again from its start up to the place, which reads more than
it needs and is right for all that yield the same batches each time the program runs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import of_texts

from ..networks.batches import Batch, batches_of, holds_arrays, holds_numbers, is_batch, parts_of
from ..networks.frames import framed, labels_array
from ..numbers import whole

EXAMPLES_AT_ONCE = 128  # of arrays that are scored
BATCH_SIZE = 32  # of arrays that are cut into batches
ORDER_STEP = 0xD1342543DE82EF95  # spreads epochs over the seeds of their orders (odd; Steele & Vigna 2021, table 5)


class Source(ABC):
    """Batches of every epoch.

    n_batches: in an epoch, None where it is not known before
    """

    n_batches: int | None = None

    @abstractmethod
    def batches(self, epoch: int, start: int) -> Iterable[Any]:
        """The batches of an epoch from number `start` on.  epoch: counted over all training of the network."""

    def state(self) -> Any:
        """The place in the data between two batches, as JSON can hold it; None where epoch and number say it."""
        return None

    def go_on(self, state: Any, n_epochs: int) -> None:  # noqa: B027 - the order of arrays follows from the epoch
        """Go on at a place that `state` told, in another run that has had `n_epochs` whole epochs."""


class CutArrays(Source):
    """Batches cut from all examples.

    examples: n of them    rows: makes the batch of a slice, or of an array of numbers
    seed: of the order of each epoch; None keeps the order
    """

    def __init__(self, n_examples: int, rows: Callable[[Any], Any], batch_size: int, seed: int | None) -> None:
        self._n, self._rows, self._size, self._seed = n_examples, rows, batch_size, seed
        self.n_batches = -(-n_examples // batch_size)

    def batches(self, epoch: int, start: int) -> Iterator[Any]:
        order = None
        if self._seed is not None:
            with nd.scope_out_of_workspaces():
                order = nd.random.Generator((self._seed + (epoch + 1) * ORDER_STEP) % 2**63).permutation(self._n)
        for first in range(start * self._size, self._n, self._size):
            which = slice(first, min(first + self._size, self._n))
            yield self._rows(which if order is None else order[which])


class GivenBatches(Source):
    """Batches as an iterable yields them, once per epoch."""

    def __init__(self, batches: Iterable[Any]) -> None:
        self._batches = batches
        self._is_placed = False  # the iterable itself goes on at a place
        self._n_missed = 0  # whole epochs that another run has had
        self._has_state = all(callable(getattr(batches, name, None)) for name in ("state", "set_state"))
        with suppress(TypeError):  # no length, or that of what it wraps, which has none
            self.n_batches = len(batches)  # type: ignore[arg-type]

    def batches(self, epoch: int, start: int) -> Iterable[Any]:
        if self._is_placed:
            self._is_placed = False
            return self._batches
        if self._n_missed and not isinstance(self._batches, Sequence):
            for _ in range(self._n_missed):
                for _ in self._batches:
                    pass
            self._n_missed = 0
        return islice(self._batches, start, None) if start else self._batches

    def state(self) -> Any:
        return self._batches.state() if self._has_state else None  # type: ignore[attr-defined]

    def go_on(self, state: Any, n_epochs: int) -> None:
        if state is not None and self._has_state:
            self._batches.set_state(state)  # type: ignore[attr-defined]
            self._is_placed = True
        else:
            self._n_missed = n_epochs


def source_of(x: Any, y: Any, batch_size: int | None, seed: int | None, who: str = "fit") -> Source:
    """The source that `fit` reads.

    x: arrays of features with y, or what `fit` takes without    y: labels or None    seed: None keeps the order
    Raises TypeError for what holds no batches, ValueError for examples and labels that differ in number, a size of
    batches below 1, and one that is given for batches that are there already.
    """
    size = None if batch_size is None else whole(batch_size, f"{who}: batch_size")
    if y is None and size is None and (is_pair(x) or is_batch(x)):
        return GivenBatches(batches_of((framed(x[0]), labels_array(x[1])) if is_pair(x) else x))
    if (arrays := arrays_of(x, y)) is not None:
        return cut(arrays, size or BATCH_SIZE, seed, who)
    if hasattr(x, "shape") or holds_numbers(x):
        raise TypeError(
            f"{who}: features without labels; give both, as two arrays or a pair (features, labels); an autoencoder's "
            "labels are its features"
        )
    if size is not None:
        raise ValueError(f"{who}: batch_size is for arrays; this iterator yields batches already, leave it out")
    return GivenBatches(batches_of(x))


def arrays_of(x: Any, y: Any) -> Batch | None:
    """All examples as one batch of arrays, None for an iterator over batches.  Raises TypeError for what is none."""
    if y is not None:
        x, y = rows_as_arrays(x, y)
        return Batch(_arrays(x), _labels(y))
    if is_pair(x) or is_batch(x):
        parts = parts_of(x)
        masks = (None if each is None else _arrays(each) for each in parts[2:])
        return Batch(_arrays(parts.features), _labels(parts.labels), *masks)
    return None


def rows_as_arrays(x: Any, y: Any) -> tuple[Any, Any]:
    """Features and labels, where they are lists of rows, or labels of numbers, as arrays; several inputs as they are.

    A list of lines is one of rows where there are as many as there are examples on the other side, and their own
    length is not that number: that would be the examples of several inputs.
    """
    length_of_x, length_of_y = length_of_lines(x), length_of_lines(y)
    if length_of_x is not None and length_of_y is not None:  # both are rows, or several inputs and outputs
        if len(x) == len(y) and length_of_x != length_of_y:
            return stacked_rows(x), stacked_rows(y)
        return x, y
    if length_of_x is not None and n_rows(y) == len(x) != length_of_x:
        return stacked_rows(x), y
    if length_of_y is not None and n_rows(x) == len(y) != length_of_y:
        return x, stacked_rows(y)
    return x, y


def length_of_lines(given: Any) -> int | None:
    """How long the arrays of a list of vectors are, 0 for numbers; None for anything else."""
    if not isinstance(given, list) or not given or not all(hasattr(each, "shape") for each in given):
        return None
    shapes = {tuple(each.shape) for each in given}
    shape = shapes.pop()
    return None if shapes or len(shape) > 1 else int(shape[0]) if shape else 0


def n_rows(given: Any) -> int | None:
    """How many examples an array or a list of lists has; None where it is something else."""
    shape = getattr(given, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(given) if isinstance(given, list) and not hasattr(given[0] if given else None, "shape") else None


def stacked_rows(rows: list[Any]) -> nd.NDArray:
    """Vectors, or numbers, one below the other."""
    return nd.stack([nd.asarray(each) for each in rows])


def scored_batches(x: Any, y: Any, who: str) -> Iterable[Any]:
    """What scores and evaluations loop over: the batches of `x`, or with labels y its examples, some at a time.

    Raises what `source_of` does.
    """
    return batches_of(x) if y is None else source_of(x, y, EXAMPLES_AT_ONCE, None, who).batches(0, 0)


def is_pair(x: Any) -> bool:
    """Whether it is (features, labels), two arrays or frames."""
    return isinstance(x, tuple) and not hasattr(x, "_fields") and len(x) == 2 and all(hasattr(a, "shape") for a in x)


def labels_and_epochs(y: Any, epochs: Any, who: str) -> tuple[Any, Any]:
    """Labels or None, and the number of epochs, which may stand in the place of labels.  Raises TypeError for two."""
    if y is None or is_array_like(y):
        return y, epochs
    if epochs != 1:
        raise TypeError(f"{who}: two numbers of epochs, {y!r} and {epochs!r}; labels are an array")
    return None, y


def is_array_like(y: Any) -> bool:
    """Whether it can be labels, and is no number of epochs."""
    if hasattr(y, "shape"):
        return len(y.shape) > 0
    return hasattr(y, "__len__") and not isinstance(y, str)


def _arrays(given: Any) -> Any:
    """Arrays in place of frames, columns and lists of numbers; several inputs stay as many."""
    if isinstance(given, Mapping):
        return {name: _arrays(each) for name, each in given.items()}
    if isinstance(given, tuple | list) and given and all(each is None or hasattr(each, "shape") for each in given):
        return tuple(None if each is None else _arrays(each) for each in given)
    return array_of(given)


def _labels(given: Any) -> Any:
    """Labels as `_arrays` makes them.  Raises TypeError where they are texts."""
    try:
        return _arrays(given)
    except TypeError as error:
        raise of_texts(error) from None


def array_of(given: Any) -> nd.NDArray:
    """An array in place of a frame, a column or a list of numbers.  Raises TypeError for what cannot become one."""
    return nd.asarray(framed(given))


def cut(whole_batch: Batch, size: int, seed: int | None, who: str) -> CutArrays:
    """Batches of `size` examples.  Raises ValueError for arrays of differing numbers of rows, or without any."""
    n_examples = number_of_rows(whole_batch, who)

    def rows(which: Any) -> Batch:
        def taken(given: Any) -> Any:
            if given is None:
                return None
            if isinstance(given, Mapping):
                return {name: taken(each) for name, each in given.items()}
            if isinstance(given, tuple | list):
                return tuple(taken(each) for each in given)
            if isinstance(which, slice):
                return given[which]
            return nd.take(given, nd.asarray(which, device=given.device), axis=0)

        return Batch(*(taken(given) for given in whole_batch))

    return CutArrays(n_examples, rows, size, seed)


def number_of_rows(whole_batch: Batch, who: str) -> int:
    """How many examples there are.  Raises ValueError for arrays of differing numbers of rows, or without any."""
    numbers = {int(array.shape[0]) if array.shape else 0 for array in _each_array(whole_batch)}
    if len(numbers) != 1:
        raise ValueError(f"{who}: x and y need one row for each example, given arrays of {sorted(numbers)} rows")
    (n_examples,) = numbers
    if not n_examples:
        raise ValueError(f"{who}: no examples in x" + (" and y" if whole_batch.labels is not None else ""))
    return n_examples


def _each_array(given: Any) -> Iterator[Any]:
    if isinstance(given, Mapping):
        given = tuple(given.values())
    if isinstance(given, tuple | list):
        for each in given:
            yield from _each_array(each)
    elif given is not None:
        yield given


def validation_source(data: Any, batch_size: int | None) -> Source | None:
    """The source of `validation_data`, None without any; arrays are cut and keep their order."""
    if data is None:
        return None
    who = "fit: validation_data"
    if is_weighted(data):
        features, labels, weights = data
        arrays = Batch(_arrays(features), _labels(labels))
        arrays = arrays._replace(weights=checked_weights(weights, number_of_rows(arrays, who)))
        return cut(arrays, batch_size or BATCH_SIZE, None, who)
    size = (batch_size or BATCH_SIZE) if is_pair(data) or is_batch(data) else None
    return source_of(data, None, size, None, who)


def is_weighted(data: Any) -> bool:
    """Whether it is (features, labels, weights), with one weight an example."""
    return (
        isinstance(data, tuple) and not hasattr(data, "_fields") and len(data) == 3 and hasattr(data[2], "shape")
        and len(data[2].shape) == 1 and all(hasattr(part, "shape") or holds_arrays(part) for part in data[:2])
    )  # fmt: skip


def checked_weights(given: Any, n_examples: int) -> nd.NDArray:
    """`sample_weight` as an array (n,).  Raises ValueError for another shape, negative numbers, NaN and infinity."""
    try:
        weights = array_of(given)
    except (TypeError, ValueError) as error:
        raise TypeError(f"fit: sample_weight must be numbers, one for each example: {error}") from None
    if weights.shape == (n_examples, 1):
        weights = weights[:, 0]
    if weights.shape != (n_examples,):
        raise ValueError(
            f"fit: sample_weight must be one number for each of the {n_examples} examples, given shape {weights.shape}"
        )
    if weights.dtype.kind not in "biuf" and weights.dtype.name != "bfloat16":
        raise TypeError(f"fit: sample_weight must be numbers, given {weights.dtype}")
    weights = nd.astype(nd.asarray(weights, device="cpu"), "float64")
    if not bool(nd.all(nd.isfinite(weights) & (weights >= 0))):
        raise ValueError("fit: sample_weight must be finite and not below 0")
    return weights


def feature_source(x: Any, batch_size: int, n_inputs: int = 1, mask: Any = None) -> Source:
    """The source that `predict` reads: features alone, cut into batches, or batches as they come.

    n_inputs: as many arrays in a sequence are those of the inputs, and not batches    mask: of features, or None
    Raises TypeError for a mask beside batches, which have their own.
    """
    size = whole(batch_size, "predict: batch_size")
    is_several = n_inputs > 1 and isinstance(x, tuple | list) and len(x) == n_inputs and holds_arrays(x)
    if hasattr(x, "shape") or isinstance(x, Mapping) or is_several or holds_numbers(x):
        masks = (mask,) if hasattr(mask, "shape") or holds_numbers(mask) else mask
        return cut(Batch(_arrays(x), None, None if masks is None else _arrays(masks)), size, None, "predict")
    if mask is not None:
        raise TypeError("predict: mask= is for arrays; batches have masks of their own, as those of a DataSet")
    return source_of(x, None, size if is_pair(x) or is_batch(x) else None, None, "predict")
