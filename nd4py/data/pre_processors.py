"""Preprocessors of data sets: gray, permuted and cropped images, the last label of sequences, under-sampling by masks.

Design: a preprocessor is any function of a batch; those here can also be described by JSON, stand in a
`CompositeNormalizer` and be saved with a network.  Normalizers are those that measure data and have a way back.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import count, having, items, real, whole
from nd4py.api.files.replacing import replacing
from nd4py.api.unknown_settings import TellingArguments

from .dataset import DataSet
from .merging import SEQUENCE_NDIM

TEXT_LIMIT_BYTES = 256 << 20
WANTED = ("a DataSet", "features", "labels")
GRAY_SHARES = (0.3, 0.59, 0.11)  # of red, green and blue
AXES = {"NCHW_TO_NHWC": (1, 2, 0), "NHWC_TO_NCHW": (2, 0, 1)}
METHODS = ("bilinear", "nearest")

TYPES: dict[str, type[DataSetPreProcessor]] = {}


class DataSetPreProcessor(TellingArguments, ABC):
    """The base class of preprocessors.  As a `pre_processor` of an iterator it is called with each batch.

    Raises nothing.

    >>> text = data.RGBtoGrayscaleDataSetPreProcessor().to_json()
    >>> data.DataSetPreProcessor.from_json(text)
    RGBtoGrayscaleDataSetPreProcessor()
    """

    type_tag: ClassVar[str]

    def __repr__(self):
        settings = ", ".join(f"{name}={value!r}" for name, value in self._settings().items())
        return f"{type(self).__name__}({settings})"

    def __call__(self, dataset):
        return self.transform(dataset)

    def transform(self, dataset):
        """A DataSet of what is made of features and labels.

        Masks stay as they are; what they leave out is 0 afterwards.
        Returns a `DataSet`.
        Raises TypeError for anything but a `DataSet`, ValueError for arrays of other shapes.
        """
        check_data_set("transform", dataset)
        return with_masks(dataset, self.transform_features, self.transform_labels)

    def transform_features(self, features):
        """What is made of features alone, as they come to a network that is used.

        Returns an array.
        Raises ValueError for arrays of other shapes.
        """
        return features

    def transform_labels(self, labels):
        """What is made of labels alone.

        Returns an array.
        Raises ValueError for arrays of other shapes.
        """
        return labels

    @abstractmethod
    def _settings(self) -> dict[str, Any]:
        """The keyword arguments that make an equal one, not fitted."""

    def _state(self) -> dict[str, Any]:
        """The statistics that `fit` computed, as values for JSON."""
        return {}

    def _restore(self, state):
        """Restore the statistics that `_state` returned."""

    def to_json(self):
        """Returns settings and statistics as a text, which `from_json` reads.  Raises nothing."""
        return json.dumps(self._described(), allow_nan=False)

    def _described(self):
        return {"type": self.type_tag, "settings": self._settings()} | self._state()

    @classmethod
    def _of_description(cls, found):
        """What `_described` described.  Raises what values of other kinds lead to."""
        made = cls(**found["settings"])
        made._restore(found)
        return made

    @classmethod
    def from_json(cls, text):
        """The preprocessor or normalizer that `to_json` described.

        Returns one of the class that the text names.
        Raises ValueError where the text is no such description, TypeError where it describes another class of them:
        that of `DataSetPreProcessor` reads them all, that of `Normalizer` all normalizers.
        """
        if not isinstance(text, str | bytes):
            raise TypeError(f"{cls.__name__}.from_json: text must be text, given {type(text).__name__}")
        try:
            found = json.loads(text)
            kind = TYPES[found["type"]]
            made = kind._of_description(found)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"the text describes no normalizer of {', '.join(TYPES)}: {error!r}") from None
        if not isinstance(made, cls):
            raise TypeError(f"{cls.__name__}.from_json: the text describes a {kind.__name__}; read it with that class")
        return made

    def save(self, path) -> None:
        """Write it to a JSON file; one that was there before stays whole until the new one is complete.

        Raises TypeError for anything but a path, OSError where the file cannot be written.
        """
        with replacing(Path(path)) as file:
            file.write(self.to_json().encode())

    @classmethod
    def load(cls, path):
        """Returns what was saved at `path`.  Raises ValueError and TypeError as `from_json`, OSError as `open`."""
        with Path(path).open("rb") as file:
            content = file.read(TEXT_LIMIT_BYTES + 1)
        if len(content) > TEXT_LIMIT_BYTES:
            raise ValueError(f"{path} is larger than {TEXT_LIMIT_BYTES} bytes, more than a normalizer takes")
        try:
            return cls.from_json(content.decode())
        except ValueError as error:
            raise ValueError(f"{path} is no normalizer saved by nd4py, or it is damaged: {error}") from None


class RGBtoGrayscaleDataSetPreProcessor(DataSetPreProcessor):
    """Images (n, 3, height, width) of red, green and blue as gray ones, (n, 1, height, width).

    Gray is 0.3 red + 0.59 green + 0.11 blue.
    Raises nothing; `transform` raises ValueError for images of other than three channels.

    >>> data.RGBtoGrayscaleDataSetPreProcessor().transform_features(nd.full((1, 3, 1, 1), 200.0))
    array([[[[200.]]]], dtype=float64)
    """

    type_tag = "RGB_TO_GRAYSCALE"

    def transform_features(self, features):
        x = images(self, features, 3)
        shares = nd.asarray(GRAY_SHARES, dtype=x.dtype, device=x.device).reshape((-1, 1, 1))
        return nd.sum(x * shares, axis=1, keepdims=True)

    def _settings(self):
        return {}


class PermuteDataSetPreProcessor(DataSetPreProcessor):
    """Features with their axes behind the first in another order.

    order: "NCHW_TO_NHWC", "NHWC_TO_NCHW", or the axes by their numbers from 1, such as (2, 1)
    Raises ValueError for other names, and for numbers that are not each of 1, 2, ... once; `transform` raises it for
    features with another number of axes.

    >>> data.PermuteDataSetPreProcessor("NHWC_TO_NCHW").transform_features(nd.ones((2, 5, 6, 3))).shape
    (2, 3, 5, 6)
    """

    type_tag = "PERMUTE"

    def __init__(self, order="NHWC_TO_NCHW"):
        axes = [each + 1 for each in AXES.get(order, ())] if isinstance(order, str) else items("order", order)
        if not axes or sorted(whole("order: an axis", axis) for axis in axes) != [*range(1, len(axes) + 1)]:
            raise ValueError(
                f"PermuteDataSetPreProcessor: order must be one of {', '.join(AXES)}, or axes from 1, each once, "
                f"given {order!r}"
            )
        self.order, self._axes = order if isinstance(order, str) else tuple(axes), tuple(axes)

    def transform_features(self, features):
        x = nd.asarray(features)
        if x.ndim != len(self._axes) + 1:
            raise ValueError(f"{self}: features must have {len(self._axes) + 1} axes, given {x.shape}")
        return nd.permute_dims(x, (0, *self._axes))

    def _settings(self):
        return {"order": self.order}


class CropAndResizeDataSetPreProcessor(DataSetPreProcessor):
    """A part of images (n, channels, height, width), in another size.

    top, left, height, width: of the part    resized_height, resized_width: None leaves it as it is
    method: "bilinear", between pixels whose centres are at halves, or "nearest"
    Raises ValueError for sizes below 1, a place below 0 and other methods; `transform` raises it for images that do not
    have such a part.

    >>> images = nd.reshape(nd.arange(16.0), (1, 1, 4, 4))
    >>> data.CropAndResizeDataSetPreProcessor(1, 1, 2, 2, 2, 1).transform_features(images).reshape(-1)
    array([5.5, 9.5], dtype=float64)
    """

    type_tag = "CROP_AND_RESIZE"

    def __init__(self, top, left, height, width, resized_height=None, resized_width=None, *, method="bilinear"):
        name = type(self).__name__
        self.top, self.left = count(f"{name}: top", top), count(f"{name}: left", left)
        self.height, self.width = count(f"{name}: height", height, 1), count(f"{name}: width", width, 1)
        sizes = (("resized_height", resized_height), ("resized_width", resized_width))
        self.resized_height, self.resized_width = (
            None if size is None else count(f"{name}: {what}", size, 1) for what, size in sizes
        )
        if method not in METHODS:
            raise ValueError(f"{name}: method must be one of {', '.join(METHODS)}, given {method!r}")
        self.method = method

    def transform_features(self, features):
        x = images(self, features)
        bottom, right = self.top + self.height, self.left + self.width
        if x.shape[2] < bottom or x.shape[3] < right:
            raise ValueError(f"{self}: images must have {bottom} x {right} pixels at least, given {x.shape}")
        x = x[:, :, self.top : bottom, self.left : right]
        if self.resized_height is not None:
            x = nd.matmul(self._weights(x, 2, self.resized_height), x)
        if self.resized_width is not None:
            x = nd.matmul(x, nd.matrix_transpose(self._weights(x, 3, self.resized_width)))
        return x

    def _weights(self, x, axis, n_out):
        """How much of each pixel of an axis is in each of the new ones: (n_out, n_in)."""
        n_in = x.shape[axis]
        centres = (nd.arange(n_out, dtype="float64") + 0.5) * (n_in / n_out)
        if self.method == "nearest":
            weights = nd.floor(centres)[:, None] == nd.arange(n_in, dtype="float64")
        else:
            distances = nd.abs(nd.clip(centres - 0.5, 0, n_in - 1)[:, None] - nd.arange(n_in, dtype="float64"))
            weights = nd.maximum(1 - distances, 0.0)
        return nd.asarray(nd.astype(weights, x.dtype), device=x.device)

    def _settings(self):
        return {
            "top": self.top, "left": self.left, "height": self.height, "width": self.width,
            "resized_height": self.resized_height, "resized_width": self.resized_width, "method": self.method,
        }  # fmt: skip


class LabelLastTimeStepPreProcessor(DataSetPreProcessor):
    """Labels of sequences, (n, length, size), as those of their last steps, (n, size), without a mask.

    With a mask it is the last step that is there; one of no steps at all has the first.
    Raises nothing; `transform` raises ValueError for labels that are no sequences.

    >>> labels = nd.reshape(nd.arange(6.0), (2, 3, 1))
    >>> sequences = data.DataSet(labels, labels, labels_mask=nd.asarray([[1, 1, 0], [1, 1, 1]]))
    >>> data.LabelLastTimeStepPreProcessor().transform(sequences).labels.tolist()
    [[1.0], [5.0]]
    """

    type_tag = "LABEL_LAST_TIME_STEP"

    def transform(self, dataset):
        check_data_set("transform", dataset)
        mask = getattr(dataset, "labels_mask", None)
        labels = self.transform_labels(dataset.labels) if mask is None else self._last_there(dataset.labels, mask)
        return DataSet(dataset.features, labels, getattr(dataset, "features_mask", None))

    def transform_labels(self, labels):
        return sequences(self, labels)[:, -1]

    def _last_there(self, labels, mask):
        labels = sequences(self, labels)
        steps = nd.arange(1, labels.shape[1] + 1, device=labels.device)
        last = nd.argmax(nd.where(step_mask(self, mask, labels) != 0, steps, 0), axis=1)
        indices = nd.broadcast_to(last[:, None, None], (len(labels), 1, labels.shape[2]))
        return nd.take_along_axis(labels, indices, axis=1)[:, 0]

    def _settings(self):
        return {}


class UnderSamplingByMaskingPreProcessor(DataSetPreProcessor):
    """Masks steps of the class that there is more of, so that the rare one of two has a share of what is left.

    target: the share of the rare class that is aimed at, above 0 and at most 0.5
    window: steps that are balanced by themselves, from the end of the sequences on; those of `tbptt_length`
    minority: the rare class, 1 or 0
    mask_all_majority: whether windows without the rare class are masked whole; else a share of `1 - target` is kept
    mask_minority: whether windows that have the rare class are masked in parts; else they stay as they are
    seed: of the draws, which follow from it and from the labels of the batch: so a run that goes on makes the same
    Labels are (n, length, 1), of zeros and ones, or one-hot (n, length, 2).  Masks that a batch has still count.
    Raises ValueError for a share or window out of its range; `transform` raises it for other labels.

    >>> labels = nd.asarray([[[1.0], [0.0], [0.0], [0.0]]])
    >>> balance = data.UnderSamplingByMaskingPreProcessor(0.5, window=4)
    >>> balance.transform(data.DataSet(labels, labels)).labels_mask.shape
    (1, 4)
    """

    type_tag = "UNDER_SAMPLING_BY_MASKING"

    def __init__(self, target, window, *, minority=1, mask_all_majority=True, mask_minority=True, seed=0):
        name = type(self).__name__
        self.target = float(real(f"{name}: target", target))
        if not 0 < self.target <= 0.5:
            raise ValueError(f"{name}: target must be above 0 and at most 0.5, given {target!r}")
        self.window, self.seed = count(f"{name}: window", window, 1), count(f"{name}: seed", seed)
        self.minority = count(f"{name}: minority", minority)
        if self.minority > 1:
            raise ValueError(f"{name}: minority must be 0 or 1, given {minority!r}")
        self.mask_all_majority, self.mask_minority = bool(mask_all_majority), bool(mask_minority)

    def transform(self, dataset):
        check_data_set("transform", dataset)
        labels = sequences(self, dataset.labels)
        if not 1 <= labels.shape[2] <= 2:
            raise ValueError(f"{self}: labels must be (n, length, 1), or (n, length, 2), given {labels.shape}")
        rare = labels[:, :, self.minority if labels.shape[2] == 2 else 0] != 0
        if labels.shape[2] == 1 and self.minority == 0:
            rare = nd.logical_not(rare)
        features_mask = getattr(dataset, "features_mask", None)
        given = next((m for m in (getattr(dataset, "labels_mask", None), features_mask) if m is not None), None)
        there = nd.ones(rare.shape, dtype="bool") if given is None else step_mask(self, given, labels) != 0
        n_steps = rare.shape[1]
        stops = range(n_steps, 0, -self.window)
        windows = [slice(max(0, stop - self.window), stop) for stop in stops]
        shares = nd.concat([self._shares(rare[:, each], there[:, each]) for each in reversed(windows)], axis=1)
        content = nd.astype(rare, "uint8").tobytes() + nd.astype(there, "uint8").tobytes()
        drawn = nd.random.Generator(self.seed + zlib.crc32(content)).random(rare.shape)
        kept = nd.asarray(drawn, device=shares.device) < shares
        return DataSet(dataset.features, dataset.labels, features_mask, nd.astype(kept, "float32"))

    def _shares(self, rare, there):
        """The probability of each step of a window to be kept."""
        few, many = (nd.astype(nd.logical_and(each, there), "float64") for each in (rare, nd.logical_not(rare)))
        n_few, n_many = (nd.sum(each, axis=1, keepdims=True) for each in (few, many))
        share = nd.minimum(n_few / nd.maximum(n_many, 1.0) * ((1 - self.target) / self.target), 1.0)
        if not self.mask_minority:
            share = nd.where(n_few > 0, 1.0, share)
        if not self.mask_all_majority:
            share = nd.where(n_few == 0, 1 - self.target, share)
        return few + many * share

    def _settings(self):
        return {
            "target": self.target, "window": self.window, "minority": self.minority,
            "mask_all_majority": self.mask_all_majority, "mask_minority": self.mask_minority, "seed": self.seed,
        }  # fmt: skip


TYPES |= {
    kind.type_tag: kind
    for kind in (
        RGBtoGrayscaleDataSetPreProcessor, PermuteDataSetPreProcessor, CropAndResizeDataSetPreProcessor,
        LabelLastTimeStepPreProcessor, UnderSamplingByMaskingPreProcessor,
    )
}  # fmt: skip


def images(who, features, n_channels=None):
    """Images (n, channels, height, width) in a floating dtype.  Raises ValueError for other arrays."""
    x = nd.asarray(features)
    is_number = nd.isdtype(x.dtype, ("real floating", "integral"))
    if x.ndim != 4 or x.shape[1] != (n_channels or x.shape[1]) or not is_number:
        wanted = n_channels or "channels"
        name = type(who).__name__
        raise ValueError(f"{name}: features must be numbers (n, {wanted}, height, width), given {x.dtype} {x.shape}")
    return x if nd.isdtype(x.dtype, "real floating") else nd.astype(x, "float32")


def sequences(who, labels):
    """Labels of sequences.  Raises ValueError for others."""
    labels = nd.asarray(labels)
    if labels.ndim != SEQUENCE_NDIM or not labels.shape[1]:
        raise ValueError(f"{type(who).__name__}: labels must be of sequences, (n, length, size), given {labels.shape}")
    return labels


def step_mask(who, mask, labels):
    """A mask of the steps of labels.  Raises ValueError for others."""
    mask = nd.asarray(mask, device=labels.device)
    if mask.shape != labels.shape[:2]:
        raise ValueError(f"{type(who).__name__}: a mask of steps must be {labels.shape[:2]}, given {mask.shape}")
    return mask


def check_data_set(caller, dataset):
    """Raises TypeError for anything but a data set."""
    if hasattr(dataset, "shape"):
        raise TypeError(f"{caller}: a DataSet is needed, given an array; {caller}_features takes arrays")
    having(f"{caller}: dataset", dataset, *WANTED)


def with_masks(dataset, of_features, of_labels):
    """A data set of what the functions make of its arrays, with its masks, and 0 where they say that nothing is."""
    masks = [getattr(dataset, name, None) for name in ("features_mask", "labels_mask")]
    rows = zip((of_features, of_labels), (dataset.features, dataset.labels), masks, strict=True)
    return DataSet(*(changed_where_present(*row) for row in rows), *masks)


def changed_where_present(function, x, mask):
    """What a function makes of an array, 0 where a mask says that nothing is."""
    y = function(x)
    return y if mask is None or y is x else nd.where(_beside_elements(mask, y) != 0, y, nd.zeros_like(y))


def _beside_elements(mask, x):
    """A mask of examples (n,) or (n, 1), of steps (n, length) or of elements, with the axes of x."""
    shape = mask.shape if mask.size != len(x) else mask.shape[:1]
    return mask.reshape((*shape, *[1] * (x.ndim - len(shape))))
