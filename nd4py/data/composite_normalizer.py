"""CompositeNormalizer: several normalizers and preprocessors, one after another, as one."""

from __future__ import annotations

from nd4py import api as nd
from nd4py.api.arguments import instance, items, looped

from .dataset import DataSet
from .multi_normalizer import MultiNormalizer
from .normalizers import Normalizer
from .pre_processors import TYPES, DataSetPreProcessor


class CompositeNormalizer(Normalizer):
    """Normalizers one after another: each is fitted on what those before it make, and `revert` goes back through all.

    steps: normalizers of one array, and preprocessors, in their order; features of a preprocessor have no way back
    Raises TypeError for what is no such normalizer, ValueError for none, or one that stands in two places.

    >>> images = data.DataSet(nd.asarray([[0.0, 255.0], [51.0, 153.0]]), nd.ones((2, 1)))
    >>> normalizer = data.CompositeNormalizer([data.ImagePreProcessingScaler(), data.NormalizerStandardize()])
    >>> scaled = normalizer.fit(images).transform(images)
    >>> scaled.features.round(6).tolist()
    [[-1.0, 1.0], [1.0, -1.0]]
    >>> normalizer.revert(scaled).features.round(6).tolist()
    [[0.0, 255.0], [51.0, 153.0]]
    """

    type_tag = "COMPOSITE"

    def __init__(self, steps):
        self.steps = tuple(items("CompositeNormalizer: steps", steps))
        for each in self.steps:
            instance("CompositeNormalizer: each of steps", each, DataSetPreProcessor)
            if isinstance(each, MultiNormalizer):
                raise TypeError("CompositeNormalizer: steps normalize one array, given a MultiNormalizer")
        if not self.steps or len({id(each) for each in self.steps}) < len(self.steps):
            raise ValueError("CompositeNormalizer: give one step at least, and each once")

    def __repr__(self):
        return f"CompositeNormalizer({list(self.steps)})"

    def fit(self, data):
        if getattr(data, "pre_processor", None) is self:
            raise ValueError(
                "CompositeNormalizer.fit: the iterator's pre_processor is this normalizer, so what it hands out is "
                "normalized already; fit first, or set pre_processor to None"
            )
        if hasattr(data, "shape"):
            data = DataSet(data, nd.asarray(data))
        for number, step in enumerate(self.steps):
            if isinstance(step, Normalizer):
                step.fit(_Normalized(data, self.steps[:number]) if number else data)
        return self

    def transform(self, dataset):
        for step in self.steps:
            dataset = step.transform(dataset)
        return dataset

    def transform_features(self, features):
        for step in self.steps:
            features = step.transform_features(features)
        return features

    def revert_features(self, features):
        for step in reversed(self.steps):
            features = step.revert_features(features) if isinstance(step, Normalizer) else _as_it_was(step, features)
        return features

    def transform_labels(self, labels):
        for step in self.steps:
            labels = step.transform_labels(labels)
        return labels

    def revert_labels(self, labels):
        for step in reversed(self.steps):
            if isinstance(step, Normalizer):  # labels that others make keep their units
                labels = step.revert_labels(labels)
        return labels

    def _settings(self):
        return {}

    def _state(self):
        return {"steps": [each._described() for each in self.steps]}

    @classmethod
    def _of_description(cls, found):
        return cls([TYPES[each["type"]]._of_description(each) for each in found["steps"]])


def _as_it_was(step, features):
    """Features that a preprocessor leaves alone.  Raises ValueError for one that does not."""
    if type(step).transform_features is not DataSetPreProcessor.transform_features:
        raise ValueError(f"CompositeNormalizer: there is no way back from the features that {step} makes")
    return features


class _Normalized:
    """The batches of data after some normalizers; each loop goes over the data again."""

    def __init__(self, data, steps):
        self._data, self._steps = data, steps

    def __iter__(self):
        given = self._data
        is_one = isinstance(given, DataSet) or (
            isinstance(given, tuple) and len(given) == 2 and all(hasattr(each, "shape") for each in given)
        )
        for batch in [given] if is_one else looped("fit: data", given):
            batch = DataSet(*batch) if isinstance(batch, tuple) else batch
            for step in self._steps:
                batch = step.transform(batch)
            yield batch


TYPES[CompositeNormalizer.type_tag] = CompositeNormalizer
