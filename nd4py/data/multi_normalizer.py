"""MultiNormalizer: a normalizer for each input and output of examples with several."""

from __future__ import annotations

from typing import ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance, items, looped

from .multi_dataset import MultiDataSet
from .normalizers import FittedNormalizer, Normalizer
from .pre_processors import TYPES, changed_where_present


class MultiNormalizer(Normalizer):
    """A normalizer for each input and output of a `MultiDataSet`; as `pre_processor` of an iterator it takes batches.

    features: for each input a normalizer of any kind, or None where the array stays as it is
    labels: for each output likewise; None for none at all.  Normalizers measure and scale the arrays in their place,
        whatever their own `fit_label` says
    Raises TypeError for what is no normalizer, ValueError for one that stands in two places.

    >>> both = data.MultiDataSet([nd.asarray([[1.0], [3.0]]), nd.asarray([[7], [9]])], [nd.asarray([[0.0], [8.0]])])
    >>> normalizer = data.MultiNormalizer([data.NormalizerStandardize(), None], [data.NormalizerMinMaxScaler()])
    >>> scaled = normalizer.fit(both).transform(both)
    >>> scaled.features[0].tolist(), scaled.labels[0].tolist()
    ([[-1.0], [1.0]], [[0.0], [1.0]])
    """

    type_tag: ClassVar[str] = "MULTI"

    def __init__(self, features, labels=None):
        self.features = _normalizers("features", features)
        self.labels = _normalizers("labels", () if labels is None else labels)
        given = [each for each in (*self.features, *self.labels) if each is not None]
        if len({id(each) for each in given}) < len(given):
            raise ValueError("MultiNormalizer: a normalizer stands in two places; give each array one of its own")

    def __repr__(self):
        return f"MultiNormalizer({list(self.features)}, {list(self.labels)})"

    def fit(self, data):
        """Measure `data`, a MultiDataSet or an iterable of them; what an earlier fit measured is forgotten.

        Returns the normalizer.
        Raises TypeError for anything but a `MultiDataSet`, ValueError for no examples, other numbers of arrays, and
        what the normalizers do not take.
        """
        if getattr(data, "pre_processor", None) is self:
            raise ValueError(
                "MultiNormalizer.fit: the iterator's pre_processor is this normalizer, so what it hands out is "
                "normalized already; fit first, or set pre_processor to None"
            )
        found: dict = {}
        with nd.scope_out_of_workspaces():
            for batch in [data] if isinstance(data, MultiDataSet) else looped("fit: data", data):
                for part, normalizers, arrays, masks in self._rows(batch, "fit: each batch"):
                    for i, (each, x, mask) in enumerate(zip(normalizers, arrays, masks, strict=True)):
                        if isinstance(each, FittedNormalizer):
                            found[each] = each._measured(found.get(each), x, mask, f"{part}[{i}]")
        wanted = [each for each in (*self.features, *self.labels) if isinstance(each, FittedNormalizer)]
        if any(found.get(each) is None for each in wanted):
            raise ValueError("MultiNormalizer.fit: no examples given; fit on one at least")
        for each in wanted:
            each._of_features = found[each]
        return self

    def transform(self, dataset):
        """A MultiDataSet with normalized arrays; masks stay as they are, and what they leave out is 0 afterwards.

        Raises TypeError for anything but a `MultiDataSet`, ValueError for other numbers of arrays or columns,
        NotFittedError before `fit`.
        """
        return self._over(dataset, "transform", "transform_features")

    def revert(self, dataset):
        """The inverse of `transform`, up to rounding; what masks leave out is 0.

        Raises TypeError for anything but a `MultiDataSet`, ValueError for other numbers of arrays or columns,
        NotFittedError before `fit`.
        """
        return self._over(dataset, "revert", "revert_features")

    def transform_features(self, features):
        """Normalized features, an array for each input.

        Returns a list of arrays.
        Raises ValueError for other numbers of arrays or columns than were measured, NotFittedError before `fit`.
        """
        return _each("transform_features", self.features, features, "transform_features")

    def revert_features(self, features):
        """The inverse of `transform_features`, up to rounding.

        Returns a list of arrays.
        Raises ValueError for other numbers of arrays or columns than were measured, NotFittedError before `fit`.
        """
        return _each("revert_features", self.features, features, "revert_features")

    def transform_labels(self, labels):
        """Normalized labels, an array for each output; unchanged where there are no normalizers for them.

        Returns a list of arrays.
        Raises ValueError for other numbers of arrays or columns than were measured, NotFittedError before `fit`.
        """
        return _each("transform_labels", self.labels, labels, "transform_features")

    def revert_labels(self, labels):
        """The inverse of `transform_labels`, up to rounding: gives predictions the units of the labels.

        Returns a list of arrays.
        Raises ValueError for other numbers of arrays or columns than were measured, NotFittedError before `fit`.
        """
        return _each("revert_labels", self.labels, labels, "revert_features")

    def _rows(self, batch, who):
        """(part, normalizers, arrays, masks) of a batch, for features and labels; one of each for every array."""
        instance(who, batch, MultiDataSet)
        features_masks, labels_masks = (
            masks or (None,) * len(arrays)
            for arrays, masks in ((batch.features, batch.features_masks), (batch.labels, batch.labels_masks))
        )
        yield "features", _agreeing(who, "features", self.features, batch.features), batch.features, features_masks
        yield "labels", _agreeing(who, "labels", self.labels, batch.labels), batch.labels, labels_masks

    def _over(self, dataset, who, method):
        features, labels = (
            [
                x if each is None else changed_where_present(getattr(each, method), x, mask)
                for each, x, mask in zip(normalizers, arrays, masks, strict=True)
            ]
            for _, normalizers, arrays, masks in self._rows(dataset, f"{who}: dataset")
        )
        return MultiDataSet(features, labels, dataset.features_masks, dataset.labels_masks)

    def _settings(self):
        return {}

    def _state(self):
        parts = {"features": self.features, "labels": self.labels}
        return {part: [None if each is None else each._described() for each in of] for part, of in parts.items()}

    @classmethod
    def _of_description(cls, found):
        return cls(
            *(
                [None if each is None else TYPES[each["type"]]._of_description(each) for each in found[part]]
                for part in ("features", "labels")
            )
        )


TYPES[MultiNormalizer.type_tag] = MultiNormalizer


def _normalizers(what, given):
    found = tuple(items(f"MultiNormalizer: {what}", given))
    for each in found:
        if each is not None:
            instance(f"MultiNormalizer: each of {what}", each, Normalizer)
        if isinstance(each, MultiNormalizer):
            raise TypeError(f"MultiNormalizer: each of {what} must normalize one array, given a MultiNormalizer")
    return found


def _agreeing(who, what, normalizers, arrays):
    """The normalizers of arrays, None for each where there are none.  Raises ValueError for another number."""
    if not normalizers and what == "labels":
        return (None,) * len(arrays)
    if len(normalizers) != len(arrays):
        raise ValueError(f"{who}: {len(arrays)} arrays of {what} for {len(normalizers)} normalizers")
    return normalizers


def _each(who, normalizers, arrays, method):
    given = items(f"{who}: arrays", arrays)
    normalizers = _agreeing(who, "labels" if "labels" in who else "features", normalizers, given)
    return [x if each is None else getattr(each, method)(x) for each, x in zip(normalizers, given, strict=True)]
