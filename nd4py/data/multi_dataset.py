"""MultiDataSet: examples with several arrays of features and labels."""

from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, items

from .dataset import Examples
from .merging import merged

PARTS = ("features", "labels", "features_masks", "labels_masks")


class MultiDataSet(Examples):
    """Examples of networks with several inputs or outputs; all arrays belong together row by row.

    features, labels: an array (n, ...) for each input and output
    features_masks, labels_masks: of sequences, an array (n, length) or None for each of them; None for no masks
    Raises ValueError if one has no first axis or the numbers of rows differ.

    >>> both = data.MultiDataSet([nd.ones((6, 4)), nd.ones((6, 3))], [nd.ones((6, 2))])
    >>> both, len(both.get(slice(0, 3)))
    (MultiDataSet(features=[(6, 4), (6, 3)], labels=[(6, 2)]), 3)
    """

    def __init__(self, features, labels, features_masks=None, labels_masks=None):
        self.features = _arrays("features", features)
        self.labels = _arrays("labels", labels)
        self.features_masks = _masks("features_masks", features_masks, self.features)
        self.labels_masks = _masks("labels_masks", labels_masks, self.labels)
        every = [*self.features, *self.labels, *(self.features_masks or ()), *(self.labels_masks or ())]
        shapes = [array.shape for array in every if array is not None]
        if any(shape[:1] != shapes[0][:1] or not shape for shape in shapes):
            raise ValueError(f"MultiDataSet: every array needs one row per example, given arrays of shapes {shapes}")

    def __repr__(self):
        features, labels = ([array.shape for array in arrays] for arrays in (self.features, self.labels))
        return f"MultiDataSet(features={features}, labels={labels})"

    def __len__(self):
        return self.features[0].shape[0]

    @staticmethod
    def merge(datasets):
        """One MultiDataSet with the examples of all `datasets` in order.

        Sequences of several lengths are padded, and masks filled in, as `DataSet.merge` does.
        Raises ValueError if there are none or their rows differ in number or shape.
        Returns a new `MultiDataSet`.
        """
        datasets = items("MultiDataSet.merge: datasets", datasets)
        if not datasets:
            raise ValueError("MultiDataSet.merge: no data sets given; pass at least one")
        for each in datasets:
            instance("MultiDataSet.merge: each of datasets", each, MultiDataSet)
        counts = {(len(each.features), len(each.labels)) for each in datasets}
        if len(counts) > 1:
            raise ValueError("MultiDataSet.merge: the data sets differ in the number of their arrays")
        features, features_masks = _merged([(each.features, each.features_masks) for each in datasets], "features")
        labels, labels_masks = _merged([(each.labels, each.labels_masks) for each in datasets], "labels")
        return MultiDataSet(features, labels, features_masks, labels_masks)

    def _named_arrays(self):
        return {
            f"{part}_{place}": array
            for part, arrays in zip(PARTS, self._parts(), strict=True)
            for place, array in enumerate(arrays or ())
            if array is not None
        }

    @classmethod
    def _from_arrays(cls, arrays):
        found: dict[str, dict[int, Any]] = {part: {} for part in PARTS}
        for name, array in arrays.items():
            part, _, place = name.rpartition("_")
            if part not in PARTS or not place.isdecimal():
                raise ValueError(f"MultiDataSet.load: the file holds {name}; a MultiDataSet has {PARTS[0]}_0 and so on")
            found[part][int(place)] = array
        features, labels = ([found[part][i] for i in range(len(found[part]) or 1)] for part in PARTS[:2])
        masks = (
            [found[part].get(i) for i in range(len(of))] if found[part] else None
            for part, of in zip(PARTS[2:], (features, labels), strict=True)
        )
        return cls(features, labels, *masks)

    def _parts(self):
        return self.features, self.labels, self.features_masks, self.labels_masks

    def _changed(self, change):
        """A data set of what `change` makes of each array."""
        return MultiDataSet(
            *(
                None if arrays is None else [None if array is None else change(array) for array in arrays]
                for arrays in self._parts()
            )
        )


def _merged(parts, what):
    """Each array of all data sets in one, and a mask or None for each; None where there are no masks at all."""
    pairs = [
        merged(
            [arrays[place] for arrays, _ in parts],
            [None if masks is None else masks[place] for _, masks in parts],
            f"MultiDataSet.merge: {what} {place}",
        )
        for place in range(len(parts[0][0]))
    ]
    arrays, masks = zip(*pairs, strict=True)
    return arrays, None if all(mask is None for mask in masks) else masks


def _arrays(what, given):
    if hasattr(given, "shape"):
        given = (given,)
    arrays = tuple(nd.asarray(array) for array in items(f"MultiDataSet: {what}", given))
    if not arrays:
        raise ValueError(f"MultiDataSet: {what} must hold at least one array, given none")
    return arrays


def _masks(what, given, arrays):
    if given is None:
        return None
    if hasattr(given, "shape"):
        given = (given,)
    masks = tuple(None if mask is None else nd.asarray(mask) for mask in items(f"MultiDataSet: {what}", given))
    if len(masks) != len(arrays):
        raise ValueError(
            f"MultiDataSet: {what} needs a mask or None for each of {len(arrays)} arrays, given {len(masks)}"
        )
    return masks
