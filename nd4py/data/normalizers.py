"""Normalizers: features and labels brought to one scale, measured on the training data.

    normalizer = NormalizerStandardize()
    normalizer.fit(train)                    # a DataSet, or an iterator of them
    train.pre_processor = normalizer         # each batch is normalized as it is handed out

Design: a normalizer never changes what it is given, and statistics are replaced only when a fit is complete.  Columns
are numbers of a row, channels of an image and features of a step: the second axis, and the third of sequences
(n, length, size), which have three.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from nd4py import api as nd
from nd4py.api.arguments import having, looped, real

from .column_statistics import Extremes, Moments
from .dataset import DataSet
from .merging import SEQUENCE_NDIM
from .pre_processors import TYPES, WANTED, DataSetPreProcessor, check_data_set, with_masks

COMPUTED = ("float32", "float64")


class NotFittedError(AttributeError, RuntimeError):
    """A normalizer was used before `fit`.  As an AttributeError it lets `hasattr` answer False."""


class Normalizer(DataSetPreProcessor):
    """The base class of normalizers.  As a `pre_processor` of an iterator it is called with each batch.

    Floating arrays keep their dtype, other numbers become float32; values are computed in float32 or float64.
    Raises TypeError for complex and bool arrays, ValueError where the columns are not those of `fit`, and RuntimeError
    where there was none.

    >>> text = data.ImagePreProcessingScaler().to_json()
    >>> data.Normalizer.from_json(text)
    ImagePreProcessingScaler(min_range=0.0, max_range=1.0, max_bits=8)
    """

    @abstractmethod
    def fit(self, data):
        """Measure `data`, a DataSet or an iterable of them, or features alone: an array or a frame of numbers.

        What an earlier fit measured is forgotten.
        Returns the normalizer.
        Raises TypeError for anything but examples, ValueError for no examples or columns that differ.
        """

    def transform(self, dataset):
        """A DataSet with normalized features, and labels if they were asked for by `fit_label`.

        Masks stay as they are; what they leave out is 0 afterwards.
        Raises TypeError for anything but a `DataSet`, ValueError for other columns, NotFittedError before `fit`.
        """
        check_data_set("transform", dataset)
        return with_masks(dataset, self.transform_features, self.transform_labels)

    def revert(self, dataset):
        """The inverse of `transform`, up to rounding; what masks leave out is 0.

        Raises TypeError for anything but a `DataSet`, ValueError for other columns, NotFittedError before `fit`.
        """
        check_data_set("revert", dataset)
        return with_masks(dataset, self.revert_features, self.revert_labels)

    @abstractmethod
    def transform_features(self, features):
        """Normalized features, (n, columns, ...).

        Returns an array.
        Raises ValueError for other columns than were measured, NotFittedError before `fit`.
        """

    @abstractmethod
    def revert_features(self, features):
        """The inverse of `transform_features`, up to rounding.

        Raises ValueError for other columns than were measured, NotFittedError before `fit`.
        """

    def transform_labels(self, labels):
        """Normalized labels; unchanged unless `fit_label` asked for them.

        Returns an array.
        Raises ValueError for other columns than were measured, NotFittedError before `fit`.
        """
        return labels

    def revert_labels(self, labels):
        """The inverse of `transform_labels`, up to rounding: gives predictions the units of the labels.

        Raises ValueError for other columns than were measured, NotFittedError before `fit`.
        """
        return labels


class FittedNormalizer(Normalizer):
    """A normalizer with statistics of each column, of the features and, after `fit_label()`, of the labels."""

    statistics_type: ClassVar[type[Moments | Extremes]]

    def __init__(self):
        self.is_fit_label = False
        self._of_features = None
        self._of_labels = None

    def fit_label(self, wanted=True):
        """Whether labels are measured and normalized too, from the next `fit` on.  Returns the normalizer.

        Raises nothing.
        """
        self.is_fit_label = bool(wanted)
        return self

    def fit(self, data):
        """Measure the columns of `data`, a DataSet or an iterable of them; the batches' sizes make no difference.

        Features alone, an array or a frame of numbers, and a pair of features and labels do as well.
        Raises ValueError where there are no examples, columns differ between batches, or a value is nan or infinite.
        Returns the normalizer.
        """
        if getattr(data, "pre_processor", None) is self:
            raise ValueError(
                f"{type(self).__name__}.fit: the iterator's pre_processor is this normalizer, so what it hands out "
                f"is normalized already; fit first, or set pre_processor to None"
            )
        of_features = of_labels = None
        with nd.scope_out_of_workspaces():
            for batch in _batches(data, self.is_fit_label):
                masks = [getattr(batch, f"{part}_mask", None) for part in ("features", "labels")]
                of_features = self._measured(of_features, batch.features, masks[0], "features")
                if self.is_fit_label:
                    of_labels = self._measured(of_labels, batch.labels, masks[1], "labels")
        if of_features is None:
            raise ValueError(f"{type(self).__name__}.fit: no examples given; fit on one at least")
        vars(self).update(_of_features=of_features, _of_labels=of_labels)  # both, or where it is interrupted, neither
        return self

    def _measured(self, statistics, x, mask, part):
        """Statistics of an array too, without what its mask leaves out."""
        x = _present(x, mask, part)
        if x.size == 0:
            return statistics
        what = f"{type(self).__name__}.fit: {part}"
        measured = self.statistics_type.of(_numbers(x, what), what)
        return measured if statistics is None else statistics.merged(measured, what)

    def transform_features(self, features):
        return self._applied(self._scaled, self._of_features, features, "features")

    def revert_features(self, features):
        return self._applied(self._unscaled, self._of_features, features, "features")

    def transform_labels(self, labels):
        return self._applied(self._scaled, self._of_labels, labels, "labels") if self.is_fit_label else labels

    def revert_labels(self, labels):
        return self._applied(self._unscaled, self._of_labels, labels, "labels") if self.is_fit_label else labels

    def _applied(self, function, statistics, x, part):
        what = f"{type(self).__name__}: {part}"
        statistics = self._known(statistics, part)
        x = nd.asarray(x)
        numbers = _numbers(x, what)
        statistics.check_columns(numbers, what)
        return function(numbers, statistics).astype(_result_dtype(x), copy=False)

    @abstractmethod
    def _scaled(self, x, statistics):
        """x normalized."""

    @abstractmethod
    def _unscaled(self, x, statistics):
        """The inverse: x before normalization."""

    def _state(self):
        states = {"features": self._of_features, "labels": self._of_labels}
        return {"fit_label": self.is_fit_label} | {
            part: None if found is None else found.to_dict() for part, found in states.items()
        }

    def _restore(self, state):
        read = self.statistics_type.from_dict
        self.is_fit_label = bool(state["fit_label"])
        with nd.scope_out_of_workspaces():
            self._of_features = None if state["features"] is None else read(state["features"])
            self._of_labels = None if state["labels"] is None else read(state["labels"])

    def _known(self, statistics, part):
        if statistics is None:
            raise NotFittedError(
                f"{type(self).__name__}: nothing is known of the {part} yet; call fit(training_data) first"
            )
        return statistics


class NormalizerStandardize(FittedNormalizer):
    """Each column to mean 0 and standard deviation 1: (x - mean) / std, with the population's deviation.

    A column that never changes is divided by 1, so that it becomes 0.
    Raises nothing.

    >>> scaler = data.NormalizerStandardize()
    >>> dataset = data.DataSet(nd.asarray([[1.0], [3.0]]), nd.ones((2, 1)))
    >>> scaler.fit(dataset)
    NormalizerStandardize()
    >>> scaler.transform_features(dataset.features)
    array([[-1.],
           [ 1.]], dtype=float64)
    """

    type_tag = "STANDARDIZE"
    statistics_type = Moments

    @property
    def mean(self):
        """(columns,) float64: means of the features."""
        return self._known(self._of_features, "features").mean

    @property
    def std(self):
        """(columns,) float64: population standard deviations of the features, 1 where they are 0."""
        return self._known(self._of_features, "features").std

    @property
    def label_mean(self):
        """(columns,) float64: means of the labels."""
        return self._known(self._of_labels, "labels").mean

    @property
    def label_std(self):
        """(columns,) float64: population standard deviations of the labels, 1 where they are 0."""
        return self._known(self._of_labels, "labels").std

    def _scaled(self, x, statistics):
        return (x - statistics.beside("mean", x)) / statistics.beside("std", x)

    def _unscaled(self, x, statistics):
        return x * statistics.beside("std", x) + statistics.beside("mean", x)

    def _settings(self):
        return {}


class NormalizerMinMaxScaler(FittedNormalizer):
    """Each column from its least and greatest value to [min_range, max_range].

    The range of a column that never changes counts as 1e-5, so that it becomes min_range.
    Raises ValueError unless min_range < max_range, both finite.

    >>> scaler = data.NormalizerMinMaxScaler()
    >>> dataset = data.DataSet(nd.asarray([[1.0], [3.0]]), nd.ones((2, 1)))
    >>> scaler.fit(dataset)
    NormalizerMinMaxScaler(min_range=0.0, max_range=1.0)
    >>> scaler.transform_features(dataset.features)
    array([[0.],
           [1.]], dtype=float64)
    """

    type_tag = "MIN_MAX"
    statistics_type = Extremes

    def __init__(self, min_range=0.0, max_range=1.0):
        super().__init__()
        self.min_range, self.max_range = _checked_range(min_range, max_range, "NormalizerMinMaxScaler")

    @property
    def min(self):
        """(columns,) float64: least values of the features."""
        return self._known(self._of_features, "features").min

    @property
    def max(self):
        """(columns,) float64: greatest values of the features."""
        return self._known(self._of_features, "features").max

    @property
    def label_min(self):
        """(columns,) float64: least values of the labels."""
        return self._known(self._of_labels, "labels").min

    @property
    def label_max(self):
        """(columns,) float64: greatest values of the labels."""
        return self._known(self._of_labels, "labels").max

    def _scaled(self, x, statistics):
        unit = (x - statistics.beside("min", x)) / statistics.beside("span", x)
        return unit * (self.max_range - self.min_range) + self.min_range

    def _unscaled(self, x, statistics):
        unit = (x - self.min_range) / (self.max_range - self.min_range)
        return unit * statistics.beside("span", x) + statistics.beside("min", x)

    def _settings(self):
        return {"min_range": self.min_range, "max_range": self.max_range}


class ImagePreProcessingScaler(Normalizer):
    """Pixels of `max_bits` bits, 0 to 2**max_bits - 1, to [min_range, max_range]; there is nothing to fit.

    Raises ValueError unless min_range < max_range, both finite, and max_bits lies in [1, 32].

    >>> dataset = data.DataSet(nd.asarray([[0.0, 255.0]]), nd.ones((1, 1)))
    >>> scaler = data.ImagePreProcessingScaler()
    >>> scaler(dataset).features
    array([[0., 1.]], dtype=float64)
    """

    type_tag = "IMAGE_MIN_MAX"

    def __init__(self, min_range=0.0, max_range=1.0, max_bits=8):
        self.min_range, self.max_range = _checked_range(min_range, max_range, "ImagePreProcessingScaler")
        if isinstance(max_bits, bool) or not isinstance(max_bits, int) or not 1 <= max_bits <= 32:
            raise ValueError(f"ImagePreProcessingScaler: pixels have from 1 to 32 bits, given max_bits={max_bits!r}")
        self.max_bits = max_bits

    def fit(self, data):
        """Nothing to measure.  Returns the normalizer.  Raises nothing."""
        return self

    def transform_features(self, features):
        x = nd.asarray(features)
        unit = _numbers(x, "ImagePreProcessingScaler: features") / (2**self.max_bits - 1)
        return (unit * (self.max_range - self.min_range) + self.min_range).astype(_result_dtype(x), copy=False)

    def revert_features(self, features):
        x = nd.asarray(features)
        unit = (_numbers(x, "ImagePreProcessingScaler: features") - self.min_range) / (self.max_range - self.min_range)
        return (unit * (2**self.max_bits - 1)).astype(_result_dtype(x), copy=False)

    def _settings(self):
        return {"min_range": self.min_range, "max_range": self.max_range, "max_bits": self.max_bits}


TYPES |= {kind.type_tag: kind for kind in (NormalizerStandardize, NormalizerMinMaxScaler, ImagePreProcessingScaler)}


def _batches(data, wants_labels):
    """What `fit` is given as data sets; of features alone, they are the labels too.  Raises TypeError for others."""
    if hasattr(data, "shape"):
        if wants_labels:
            raise TypeError("fit: fit_label() asked for labels too, given features alone; give data.DataSet(x, y)")
        return [DataSet(data, data)]
    each = [data] if isinstance(data, DataSet) or _is_pair(data) else looped("fit: data", data)
    return (DataSet(*batch) if _is_pair(batch) else having("fit: each batch", batch, *WANTED) for batch in each)


def _is_pair(batch):
    return isinstance(batch, tuple) and len(batch) == 2 and all(hasattr(each, "shape") for each in batch)


def _present(x, mask, part):
    """An array without the examples and steps that its mask leaves out, which count in no statistics."""
    if mask is None:
        return x
    if x.ndim == SEQUENCE_NDIM and mask.shape == x.shape[:2]:
        x = x.reshape((mask.size, x.shape[2]))
    elif mask.size != len(x):
        raise ValueError(
            f"fit: the {part}_mask {mask.shape} is of single elements; statistics are measured of whole examples and "
            "steps, so give a mask of those, or none"
        )
    return nd.take(x, nd.nonzero(mask.reshape(-1) != 0)[0], axis=0)


def _numbers(x, what):
    """x in a dtype to compute in.  Raises TypeError unless it holds real numbers."""
    if not nd.isdtype(x.dtype, ("real floating", "integral")):
        raise TypeError(f"{what} must be real numbers, given {x.dtype}; convert them with astype first")
    return x if str(x.dtype) in COMPUTED else x.astype("float32")


def _result_dtype(x):
    return x.dtype if nd.isdtype(x.dtype, "real floating") else "float32"


def _checked_range(low, high, name):
    low, high = real(f"{name}: min_range", low), real(f"{name}: max_range", high)
    if not -float("inf") < low < high < float("inf"):
        raise ValueError(f"{name}: min_range must lie below max_range, both finite, given {low} and {high}")
    return low, high
