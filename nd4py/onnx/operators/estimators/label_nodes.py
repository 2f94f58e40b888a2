"""Labels by other labels, and classes as vectors; labels are numbers or texts."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..host_arrays import is_host
from ..operator_rows import Rows

KINDS = ("strings", "int64s", "floats")
DEFAULTS = {"strings": "_Unused", "int64s": -1, "floats": 0.0}
DTYPES = {"strings": object, "int64s": numpy.int64, "floats": numpy.float32}


class LabelEncoder:
    """For each label what stands in its place.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        keys, kind = side_of(given, "keys")
        values, kind = side_of(given, "values")
        if len(keys) != len(values):
            raise ValueError(f"it has {len(keys)} keys and {len(values)} values")
        default = given.get("default_tensor")
        singular = kind.removesuffix("s") if kind else ""
        other = numpy.asarray(default).reshape(-1)[0] if default is not None else given.get(f"default_{singular}")
        self.values = values
        self.default = values.dtype.type(other) if values.dtype != object and other is not None else other
        if self.default is None:
            self.default = "" if values.dtype == object else values.dtype.type(0)
        self.places = {key: i for i, key in enumerate(keys.tolist()) if key == key}
        missing = [i for i, key in enumerate(keys.tolist()) if key != key]
        self.of_missing = missing[0] if missing else None
        order = numpy.argsort(keys, kind="stable") if keys.dtype != object else None
        self.keys = keys[order] if order is not None else keys
        self.by_order = values[order] if order is not None else values

    def __call__(self, x: Any) -> Any:
        if is_host(x) or self.values.dtype == object:
            found = [self._of_one(label) for label in numpy.asarray(x).reshape(-1).tolist()]
            array = numpy.asarray(found, dtype=self.values.dtype).reshape(x.shape)
            return array if array.dtype == object else nd.asarray(array)
        keys, values = nd.asarray(self.keys).astype(x.dtype), nd.asarray(self.by_order)
        flat = x.reshape(-1)
        place = nd.clip(nd.searchsorted(keys, flat), 0, len(self.keys) - 1)
        is_known = nd.take(keys, place, axis=0) == flat
        found = nd.where(is_known, nd.take(values, place, axis=0), nd.asarray(numpy.asarray(self.default)))
        if self.of_missing is not None:
            found = nd.where(nd.isnan(flat), values[-1], found)  # NaN is the last of sorted keys
        return found.reshape(x.shape)

    def _of_one(self, label: Any) -> Any:
        place = self.places.get(label) if label == label else self.of_missing
        return self.default if place is None else self.values[place]


def side_of(given: dict[str, Any], side: str) -> tuple[Any, str | None]:
    """The keys or the values, and the kind that they are named by; None for a tensor."""
    if (tensor := given.get(f"{side}_tensor")) is not None:
        return numpy.asarray(tensor).reshape(-1), None
    kind = next((kind for kind in KINDS if given.get(f"{side}_{kind}")), "floats")
    return numpy.asarray(given.get(f"{side}_{kind}") or [], dtype=DTYPES[kind]), kind


class OneHotEncoder:
    """1 at the place of the class of each element.  given: the attributes of the node"""

    def __init__(self, *, cats_int64s: Any = None, cats_strings: Any = None, zeros: int = 1) -> None:
        self.classes = numpy.asarray(cats_int64s, numpy.int64) if cats_int64s else numpy.asarray(cats_strings, object)
        self.may_be_unknown = bool(zeros)

    def __call__(self, x: Any) -> Any:
        if is_host(x):
            found = nd.asarray((x[..., None] == self.classes).astype(numpy.float32))
        else:
            found = (nd.expand_dims(x.astype(nd.int64), axis=-1) == nd.asarray(self.classes)).astype(nd.float32)
        if not self.may_be_unknown and not bool(nd.all(nd.any(found != 0, axis=-1))):
            raise ValueError("OneHotEncoder: an element is none of the classes, and zeros=0 does not allow it")
        return found


OPERATORS: Rows = {
    "ai.onnx.ml:LabelEncoder": [(1, 4, LabelEncoder)],
    "ai.onnx.ml:OneHotEncoder": [(1, 1, OneHotEncoder)],
}
