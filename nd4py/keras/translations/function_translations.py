"""Functions of `keras.ops` that are applied in functional models: of one tensor, and of tensors and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy

from nd4py import nn

from ..call_arguments import Ref
from ..counterparts.array_functions import FUNCTIONS, OF_LAYERS, PLAIN, SETTINGS
from ..counterparts.function_vertices import FunctionVertex, frozen
from ..graph_builder import Call, MaskTensor, Tensor
from ..settings_reader import UnsupportedError, plain, shown

IGNORED = ("name", "dtype", "trainable")  # what the description of every operation has
MOST_NUMBERS = 1 << 20  # of an array in the description of a model
# Types that numbers may be cast to between layers, which have them as floats all the same.
WHOLE = ("bool", "int32", "int64")
# Settings that are not read, and the value that they have where nothing is said.
DEFAULTS = {
    "exclusive": False,
    "reverse": False,
    "neginf": None,
    "posinf": None,
    "nan": 0.0,
    "sparse": False,
    "initial": None,
    "ddof": 0,
    "decimals": 0,
    "correction": 0,
    "method": "linear",
    "sorted": True,
    "synchronized": False,
}


def applied(call: Call, function: str, *, numbers: tuple[Any, ...] = (), part: str = "", **settings: Any) -> Tensor:
    """What a function makes of the inputs, whose axes it has in Keras's order."""
    vertex = FunctionVertex(function, tuple(settings.items()), numbers)
    sources = [call.builder.last(each) for each in call.inputs]
    if not sources:
        raise UnsupportedError("numbers alone")
    try:
        made = call.add(vertex, *sources, part=part)
    except ValueError as error:
        raise UnsupportedError(str(error).rpartition("given: ")[2]) from None
    return call.made(made, is_last=True, keeps_mask=False)


def settings_of(kind: str, call: Call) -> dict[str, Any]:
    """The settings of a function.  Raises UnsupportedError for others than those that are known."""
    known = SETTINGS.get(kind, ())
    values = {name: plain(value) for name, value in call.settings.values.items() if name not in IGNORED}
    for name, value in values.items():
        if name not in known and value != DEFAULTS.get(name):
            raise UnsupportedError(f"{name}={shown(value)}")
    for name, value in call.keywords.items():
        if name != "args" and value is not None:
            raise UnsupportedError(f"{name}={shown(value)}")
    return {name: value for name, value in values.items() if name in known}


def numbers_of(call: Call) -> tuple[Any, ...]:
    """The arguments, None for tensors.  Raises UnsupportedError for what is neither tensor nor number."""
    args = call.keywords.get("args")
    args = args if isinstance(args, list) else []
    flat = args[0] if len(args) == 1 and isinstance(args[0], list) else args
    flat = [tuple(each) if is_line(each) else each for each in flat]
    found = tuple(None if isinstance(each, Ref) else constant(each) for each in flat)
    if any(each is not None and not isinstance(each, int | float | tuple) for each in found):
        raise UnsupportedError(f"arguments {shown(args)}")
    return found if any(each is not None for each in found) else ()


def is_line(value: Any) -> bool:
    """Whether a list is one of numbers."""
    numbers = isinstance(value, list) and 0 < len(value) <= MOST_NUMBERS
    return numbers and all(isinstance(each, int | float) and not isinstance(each, bool) for each in value)


def constant(value: Any) -> Any:
    """An array that is written into the description of the model, as tuples of its numbers; anything else as it is."""
    if not isinstance(value, Mapping) or value.get("class_name") not in ("__tensor__", "__numpy__"):
        return value
    config = value.get("config")
    rows = frozen(plain(config.get("value"))) if isinstance(config, Mapping) else None
    try:
        array = numpy.asarray(rows, dtype=numpy.float64)
    except (TypeError, ValueError):
        array = numpy.asarray(numpy.nan)
    if not isinstance(rows, tuple) or array.size > MOST_NUMBERS or not numpy.all(numpy.isfinite(array)):
        raise UnsupportedError(f"a constant {shown(rows)}; at most {MOST_NUMBERS} finite numbers are read")
    return rows


def function(kind: str, call: Call) -> Tensor:
    """The translation of one function."""
    call = call.without_masks()
    if any(isinstance(each, MaskTensor) for each in call.inputs):
        raise UnsupportedError("a mask as its input")
    settings = settings_of(kind, call)
    if kind == "Gelu":
        settings.setdefault("approximate", True)
    if kind == "Transpose" and settings.get("axes") is None:
        raise UnsupportedError("axes=None")
    return applied(call, kind, numbers=numbers_of(call), **settings)


def item(call: Call) -> Tensor:
    """x[key] of whole numbers, slices, new axes and an ellipsis."""
    args = call.keywords["args"]
    if len(args) != 2 or len(call.inputs) != 1:
        raise UnsupportedError(f"arguments {shown(args)}")
    key = plain(args[1])
    key = [part_of_key(each) for each in (key if isinstance(key, list) else [key])]
    return applied(call.without_masks(), "GetItem", key=key)


def part_of_key(value: Any) -> Any:
    kind = value.get("class_name") if isinstance(value, Mapping) else None
    if kind == "__ellipsis__":
        return "..."
    if kind in ("__slice__", "slice"):
        config = value.get("config", {})
        ends = [config.get(name) for name in ("start", "stop", "step")]
        if all(end is None or isinstance(end, int) for end in ends):
            return ends
    elif value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise UnsupportedError(f"key {shown(value)}")


def split(call: Call) -> list[Tensor]:
    call, settings = call.without_masks(), settings_of("Split", call)
    sections = settings.get("indices_or_sections")
    n = len(sections) + 1 if isinstance(sections, list) else sections
    if not isinstance(n, int) or not 1 <= n <= 1000:
        raise UnsupportedError(f"indices_or_sections={shown(sections)}")
    return [applied(call, "Split", part=f"part {i}" if i else "", **settings, index=i) for i in range(n)]


def two_results(kind: str, call: Call) -> list[Tensor]:
    """The translation of a function with two results."""
    call, settings = call.without_masks(), settings_of(kind, call)
    return [applied(call, kind, part=f"part {i}" if i else "", **settings, index=i) for i in range(2)]


def same(call: Call) -> Tensor:
    """Functions that change nothing here."""
    call, dtype = call.without_masks(), call.settings.values.get("dtype")
    dtype = dtype.get("config", {}).get("name") if isinstance(dtype, Mapping) else dtype
    if isinstance(dtype, str) and "float" not in dtype:
        if dtype not in WHOLE:
            raise UnsupportedError(f"dtype={shown(dtype)}")
        return applied(call, "cast", dtype=dtype)
    return call.made(call.add(nn.ActivationLayer("identity"), call.x.only), is_last=call.x.first is None)


# What layers are called too; files of the old form do not say which of the two is meant.
LAYER_NAMES = ("Softmax", "Reshape", "Average", "Dot", "Add", "Subtract", "Multiply", "Maximum", "Minimum")
OF_MASKS = ("ExpandDims", "NotEqual")
TWO_RESULTS = ("Moments", "TopK")
APART = (*OF_MASKS, *TWO_RESULTS, "GetItem", "Split")
KINDS = [name for name in (*FUNCTIONS, *PLAIN) if name not in OF_LAYERS and name not in APART]
TRANSLATED: dict[str, Any] = {
    **{name: partial(function, name) for name in KINDS},
    **{name: partial(two_results, name) for name in TWO_RESULTS},
    "GetItem": item,
    "Split": split,
}
ROWS: dict[str, Any] = {
    **{f"ops.{name}": translation for name, translation in TRANSLATED.items()},
    **{name: translation for name, translation in TRANSLATED.items() if name not in LAYER_NAMES},
    "Cast": same,
    "ops.Cast": same,
    "ops.StopGradient": same,
}
