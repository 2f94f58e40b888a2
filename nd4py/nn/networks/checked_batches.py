"""Checks of batches: shapes, dtypes and masks that fit a network's inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import items

from ..inputs import CONVOLUTIONAL, RECURRENT, InputType
from .batches import Batch
from .frames import framed, labels_array
from .stages import Stage, scored_layer


def number_of_examples(features: Sequence[nd.NDArray]) -> int:
    """How many examples there are to learn from.  Raises ValueError where there are none."""
    if not features[0].shape[0]:
        raise ValueError(f"a batch needs at least one example, given features of shape {features[0].shape}")
    return int(features[0].shape[0])


def advice(wanted: InputType, shape: Sequence[int]) -> str:
    """What to do with an array of a shape that would fit with its axes otherwise; an empty text for any other."""
    if wanted.fits((1, *shape)):
        return "; a single example is x[None], a batch of one"
    if wanted.kind == RECURRENT and len(shape) == 3 and wanted.fits((shape[0], shape[2], shape[1])):
        return "; steps are the second axis: x.transpose(0, 2, 1)"
    if wanted.kind == CONVOLUTIONAL and len(shape) == 4 and wanted.fits((shape[0], shape[3], *shape[1:3])):
        return '; channels are the second axis: x.transpose(0, 3, 1, 2), or an input type with data_format="NHWC"'
    return ""


class BatchChecker:
    """Makes batches fit for a network: arrays on its device, in its dtype, in the order of its inputs and outputs.

    input_types: by the names of the inputs    outputs: the stages that have labels    settings: of the network
    """

    def __init__(
        self, stages: Sequence[Stage], input_types: Mapping[str, InputType], outputs: Sequence[Stage], settings: Any
    ) -> None:
        self._types, self._outputs, self._settings = dict(input_types), outputs, settings
        # Inputs of indices stay as they are: not every whole number is a half, or a float32.
        self.index_inputs = {
            number
            for number in range(len(self._types))
            if any(number in stage.sources and getattr(stage.layer, "takes_indices", False) for stage in stages)
        }
        self._first = {
            number: next((stage.who for stage in stages if number in stage.sources), "the network")
            for number in range(len(self._types))
        }

    def checked(self, parts: Batch, device: str) -> Batch:
        """The arrays of a batch.  Raises ValueError for shapes that do not fit, TypeError for what is no array."""
        for stage in self._outputs:
            scored_layer(stage)
        if not self._outputs:
            raise ValueError("training needs a loss: the network has no outputs")
        features = self.features(parts.features, device)
        n_examples = number_of_examples(features)
        given = in_order_of([stage.name for stage in self._outputs], parts.labels, "labels")
        dtype = nd.dtype(self._settings.kept_dtype)
        labels = tuple(
            scored_layer(stage).prepare_labels(labels_array(each, device), (n_examples, *stage.output.shape), dtype)
            for stage, each in zip(self._outputs, given, strict=True)
        )
        masks = self.masks(parts.features_masks, features, device)
        weights = parts.weights
        if weights is not None:
            weights = nd.astype(nd.asarray(weights, device=device), dtype)
        return Batch(features, labels, masks, self._labels_masks(parts.labels_masks, n_examples, device), weights)

    def features(self, given: Any, device: str) -> tuple[nd.NDArray, ...]:
        """The arrays of the inputs.  Raises ValueError for shapes that do not fit, TypeError for what is no array."""
        arrays = []
        ordered = in_order_of(list(self._types), given, "features")
        for number, (x, wanted) in enumerate(zip(ordered, self._types.values(), strict=True)):
            array = nd.asarray(framed(x), device=device)
            if number in self.index_inputs and wanted.kind == RECURRENT and array.ndim == 2:
                array = nd.expand_dims(array, -1)  # numbers of words: (batch, length) as (batch, length, 1)
            elif number in self.index_inputs and wanted.shape == (1,) and array.ndim == 1:
                array = nd.expand_dims(array, -1)  # and (batch,) as (batch, 1)
            if not wanted.fits(array.shape):
                raise ValueError(
                    f"{self._first[number]} expects {wanted}, given {array.shape}{advice(wanted, array.shape)}"
                )
            if wanted.kind == RECURRENT and array.shape[0] and not array.shape[1]:
                raise ValueError(f"{self._first[number]} expects {wanted} with at least one step, given {array.shape}")
            if number not in self.index_inputs:
                array = nd.astype(array, self._settings.dtype, copy=False)
            arrays.append(array)
        if any(array.shape[0] != arrays[0].shape[0] for array in arrays):
            shapes = [array.shape for array in arrays]
            raise ValueError(f"the inputs of a batch need one number of examples, given features of shapes {shapes}")
        return tuple(arrays)

    def masks(self, given: Any, features: Sequence[nd.NDArray], device: str) -> tuple[nd.NDArray | None, ...] | None:
        """The masks of the inputs, None without any.  Raises ValueError for shapes that do not fit."""
        if given is None:
            return None
        found: list[nd.NDArray | None] = []
        names = list(self._types)
        for name, mask, x in zip(names, in_order_of(names, given, "features_mask"), features, strict=True):
            if mask is None:
                found.append(None)
                continue
            mask = nd.asarray(mask, device=device)
            if self._types[name].kind != RECURRENT or mask.shape != x.shape[:2]:
                wanted = f"of shape {x.shape[:2]}" if self._types[name].kind == RECURRENT else "None: it is no sequence"
                raise ValueError(f"the mask of features of shape {x.shape} must be {wanted}, given {mask.shape}")
            found.append(nd.astype(mask, self._settings.dtype, copy=False))
        return None if all(mask is None for mask in found) else tuple(found)

    def _labels_masks(self, given: Any, n_examples: int, device: str) -> tuple[nd.NDArray | None, ...] | None:
        if given is None:
            return None
        found: list[nd.NDArray | None] = []
        for stage, mask in zip(
            self._outputs, in_order_of([each.name for each in self._outputs], given, "labels_mask"), strict=True
        ):
            if mask is not None:
                mask = nd.astype(nd.asarray(mask, device=device), self._settings.kept_dtype, copy=False)
                wanted = (n_examples, *stage.output.shape)
                if not 1 <= mask.ndim <= len(wanted) or any(
                    n is not None and n != own for n, own in zip(wanted, mask.shape, strict=False)
                ):
                    raise ValueError(
                        f"{stage.who}: the mask of labels must have the first axes of {wanted}, given {mask.shape}"
                    )
            found.append(mask)
        return None if all(mask is None for mask in found) else tuple(found)

    def segments(self, batch: Batch) -> Iterator[Batch]:
        """The batch, or the parts of its sequences that truncated back-propagation trains on one after another.

        Raises ValueError for labels that belong to whole sequences.
        """
        length, n_steps = self._settings.tbptt_length, self._n_steps(batch)
        if length is None or n_steps <= length:
            yield batch
            return
        for stage, labels in zip(self._outputs, batch.labels, strict=True):
            if stage.output.kind != RECURRENT or labels.shape[1] != n_steps:
                raise ValueError(
                    f"tbptt_length={length} cuts sequences, but the labels of {stage.who} belong to whole sequences; "
                    "train with tbptt_length=None, or with a loss at every step (RnnOutputLayer)"
                )
        for start in range(0, n_steps, length):
            yield batch.part(slice(start, start + length), axis=1)

    def _n_steps(self, batch: Batch) -> int:
        types = self._types.values()
        lengths = [x.shape[1] for x, each in zip(batch.features, types, strict=True) if each.kind == RECURRENT]
        return max(lengths, default=0)


def in_order_of(names: Sequence[str], given: Any, what: str) -> Sequence[Any]:
    """What is given for each name: by a dict, by a sequence of as many, or for a single one as it is.

    Raises ValueError where there are more or fewer than names, or other names.
    """
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise ValueError(f"{what}: one entry for each of {list(names)} is needed, given {sorted(given)}")
        return [given[name] for name in names]
    is_many = isinstance(given, tuple | list) and len(given) == len(names)
    if len(names) == 1:
        return given if is_many and (given[0] is None or hasattr(given[0], "shape")) else [given]
    if hasattr(given, "shape"):
        raise ValueError(
            f"{what}: one array for each of {list(names)} is needed, given one of shape {tuple(given.shape)}; arrays "
            "of several inputs or outputs go into a tuple, a dict or a data.MultiDataSet; two pairs are two batches"
        )
    found = items(what, given)
    if len(found) != len(names):
        raise ValueError(f"{what}: one array for each of {list(names)} is needed, given {len(found)}")
    return found
