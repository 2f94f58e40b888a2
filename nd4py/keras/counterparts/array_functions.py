"""Functions that functional models apply to tensors, of arrays whose axes are in Keras's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil, floor
from typing import Any

import numpy

from nd4py import api as nd
from nd4py.nn.activations import tanh_shrink

from .mel_spectrograms import mel_spectrogram
from .upsampling_layers import smooth_weights, weights_between

Array = nd.NDArray
Axes = Any


def axes(given: Axes) -> Any:
    return tuple(given) if isinstance(given, Sequence) else given


def reduced(reduce: Callable[..., Array], x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    return reduce(x, axis=axes(axis), keepdims=keepdims)


def index_of(find: Callable[..., Array], x: Array, *, axis: int = -1, keepdims: bool = False) -> Array:
    return find(x, axis=axis, keepdims=keepdims)


def norm(x: Array, *, axis: Axes = None, keepdims: bool = False, ord: Any = None) -> Array:
    return nd.linalg.vector_norm(x, axis=axes(axis), keepdims=keepdims, ord=2 if ord is None else ord)


def normalize(x: Array, *, axis: int = -1, order: int = 2, epsilon: float | None = None) -> Array:
    """x by its length along an axis, which counts as no less than epsilon."""
    length = nd.linalg.vector_norm(x, axis=axis, keepdims=True, ord=order)
    return x / nd.maximum(length, 1e-12 if epsilon is None else epsilon)


def squeeze(x: Array, *, axis: Axes = None) -> Array:
    """Without axes of size 1, but never without that of the examples."""
    ones = [i for i in range(1, x.ndim) if x.shape[i] == 1]
    return nd.squeeze(x, axis=tuple(ones) if axis is None else axes(axis))


def item(x: Array, *, key: Sequence[Any]) -> Array:
    """x[key]; slices are lists [start, stop, step]."""
    return x[tuple(... if each == "..." else slice(*each) if isinstance(each, Sequence) else each for each in key)]


def split(x: Array, *, indices_or_sections: Any, axis: int = 0, index: int) -> Array:
    sections = indices_or_sections
    return nd.split(x, list(sections) if isinstance(sections, Sequence) else sections, axis=axis)[index]


def pad(x: Array, *, pad_width: Sequence[Sequence[int]], mode: str = "constant", value: float = 0.0) -> Array:
    widths = [tuple(each) for each in pad_width]
    return nd.pad(x, widths, constant_values=value) if value else nd.pad(x, widths, mode=mode)


def one_hot(x: Array, *, num_classes: int, axis: int = -1) -> Array:
    return nd.moveaxis(nd.one_hot(x.astype(nd.int64), num_classes), -1, axis)


def choose(condition: Array, first: Any, second: Any) -> Array:
    return nd.where(condition.astype(nd.bool), first, second)


def gelu(x: Array, *, approximate: bool = True) -> Array:
    return nd.gelu_tanh(x) if approximate else nd.gelu(x)


def softmax_over(x: Array, *, axis: Sequence[int]) -> Array:
    """exp(x) by its sum over several axes."""
    high = nd.exp(x - nd.max(x, axis=tuple(axis), keepdims=True))
    return high / nd.sum(high, axis=tuple(axis), keepdims=True)


def cast(x: Array, *, dtype: str) -> Array:
    """Whole numbers, or zeros and ones, in the dtype that the network has."""
    return (x != 0).astype(x.dtype) if dtype == "bool" else nd.trunc(x)


def resize(x: Array, *, size: Sequence[int], interpolation: str) -> Array:
    """Images (batch, height, width, channels) of another size: the nearest pixels, or values along lines between."""
    for axis, n in enumerate(size, 1):
        if interpolation == "nearest":
            nearest = (2 * numpy.arange(n) + 1) * x.shape[axis] // (2 * n)
            x = nd.take(x, nd.asarray(nearest), axis=axis)
        else:
            is_smooth, old = interpolation.startswith("smooth"), x.shape[axis]
            rows = smooth_weights(old, n, interpolation) if is_smooth else weights_between(old, n)
            weights = nd.asarray(rows).astype(x.dtype)
            x = nd.moveaxis(nd.matmul(nd.moveaxis(x, axis, -1), weights.T), -1, axis)
    return x


def adaptive_pooling(x: Array, *, sizes: Sequence[int], kind: str) -> Array:
    """Means or maxima of as many windows along each axis as `sizes` says, which may overlap by one element."""
    reduce = nd.mean if kind == "avg" else nd.max
    for axis, n in enumerate(sizes, 1):
        length, before = x.shape[axis], (slice(None),) * axis
        ends = [(floor(i * length / n), ceil((i + 1) * length / n)) for i in range(n)]
        x = nd.concat([reduce(x[(*before, slice(*end))], axis=axis, keepdims=True) for end in ends], axis=axis)
    return x


def encoded(x: Array, *, num_tokens: int, output_mode: str) -> Array:
    """Numbers of classes as rows: with a one for each, for any of them, or with how often each is there."""
    rows = nd.one_hot(x.astype(nd.int64), num_tokens)
    if output_mode == "one_hot":
        return rows[:, 0] if x.ndim == 2 and x.shape[1] == 1 else rows
    return nd.sum(rows, axis=-2) if output_mode == "count" else nd.max(rows, axis=-2)


def intervals(x: Array, *, boundaries: Sequence[float]) -> Array:
    """In which interval between the boundaries each number lies; a boundary belongs to the interval above."""
    return nd.searchsorted(nd.asarray(numpy.asarray(boundaries, numpy.float32)), x.astype(nd.float32), side="right")


def quantile(x: Array, q: Any, *, axis: Axes = None, keepdims: bool = False) -> Array:
    return nd.quantile(x, q, axis=axes(axis), keepdims=keepdims)


def take(x: Array, index: Any, axis: int | None) -> Array:
    return nd.take(x, index.astype(nd.int64) if isinstance(index, Array) else int(index), axis=axis)


def top_k(x: Array, *, k: int, index: int) -> Array:
    """The k largest numbers along the last axis, or where they are."""
    return nd.topk(x, k, axis=-1)[index]


def moments(x: Array, *, axes: Sequence[int], keepdims: bool = False, index: int) -> Array:
    """Means, or variances."""
    return (nd.mean, nd.var)[index](x, axis=tuple(axes), keepdims=keepdims)


def glu(x: Array, *, axis: int = -1) -> Array:
    """The first half along an axis, by the sigmoid of the second."""
    first, second = nd.split(x, 2, axis=axis)
    return first * nd.sigmoid(second)


def sparsemax(x: Array, *, axis: int = -1) -> Array:
    """What Keras makes of algorithm 1 of Martins & Astudillo 2016, https://arxiv.org/abs/1602.02068: its threshold adds
    the running sums up, where the paper takes the last one, so that the results do not add up to 1."""
    x = nd.moveaxis(x, axis, -1)
    ordered = nd.sort(x, axis=-1, descending=True)
    sums, numbers = nd.cumulative_sum(ordered, axis=-1), nd.arange(1, x.shape[-1] + 1, dtype=x.dtype)
    is_inside = ordered - (sums - 1) / numbers > 0
    count = nd.sum(is_inside.astype(x.dtype), axis=-1, keepdims=True)
    edge = (nd.sum(nd.where(is_inside, sums, 0.0), axis=-1, keepdims=True) - 1) / count
    return nd.moveaxis(nd.maximum(x - edge, 0), -1, axis)


def rescale(x: Array, *, scale: Any, offset: Any) -> Array:
    """Numbers by numbers, and further, for each channel or for all."""
    return x * nd.asarray(scale).astype(x.dtype) + nd.asarray(offset).astype(x.dtype)


REDUCTIONS: Mapping[str, Callable[..., Array]] = {
    "Mean": nd.mean, "Sum": nd.sum, "Max": nd.max, "Min": nd.min, "Prod": nd.prod, "Var": nd.var, "Std": nd.std,
    "Logsumexp": nd.logsumexp, "Amax": nd.max, "Amin": nd.min, "All": nd.all, "Any": nd.any, "Median": nd.median,
}  # fmt: skip
# Functions of one, two or three tensors or numbers without settings.
PLAIN: Mapping[str, Callable[..., Array]] = {
    "Absolute": nd.abs, "Abs": nd.abs, "Negative": nd.negative, "Exp": nd.exp, "Expm1": nd.expm1, "Log": nd.log,
    "Log1p": nd.log1p, "Sqrt": nd.sqrt, "Rsqrt": nd.rsqrt, "Square": nd.square, "Reciprocal": lambda x: 1 / x,
    "Sin": nd.sin, "Cos": nd.cos, "Tan": nd.tan, "Tanh": nd.tanh, "Sinh": nd.sinh, "Cosh": nd.cosh, "Erf": nd.erf,
    "Arctan": nd.atan, "Floor": nd.floor, "Ceil": nd.ceil, "Round": nd.round, "Sign": nd.sign,
    "Sigmoid": nd.sigmoid, "Relu": nd.relu, "Relu6": nd.relu6, "Silu": nd.swish, "Softplus": nd.softplus,
    "Softsign": nd.softsign, "HardSilu": nd.hard_swish, "Selu": nd.selu, "LogSigmoid": nd.log_sigmoid,
    "Mish": nd.mish, "TanhShrink": tanh_shrink,
    "Power": lambda x, y: x**y, "Divide": lambda x, y: x / y, "TrueDivide": lambda x, y: x / y,
    "Add": lambda x, y: x + y, "Subtract": lambda x, y: x - y, "Multiply": lambda x, y: x * y,
    "Maximum": nd.maximum, "Minimum": nd.minimum, "Matmul": nd.matmul, "Where": choose,
    "Greater": lambda x, y: x > y, "GreaterEqual": lambda x, y: x >= y, "Less": lambda x, y: x < y,
    "LogicalAnd": nd.logical_and, "LogicalNot": nd.logical_not, "HardSigmoid": lambda x: nd.clip(x / 6 + 0.5, 0, 1),
    "FloorDivide": lambda x, y: x // y, "Mod": lambda x, y: x % y, "Arcsin": nd.asin, "Arccos": nd.acos,
    "Arctan2": nd.atan2, "NanToNum": nd.nan_to_num, "Isnan": nd.isnan, "Isinf": nd.isinf, "Isfinite": nd.isfinite,
    "Dot": nd.dot, "Exp2": nd.exp2, "Log2": nd.log2, "Log10": nd.log10, "Arcsinh": nd.asinh, "Arccosh": nd.acosh,
    "Arctanh": nd.atanh, "Logaddexp": nd.logaddexp, "Hypot": nd.hypot, "Trunc": nd.trunc, "LogicalXor": nd.logical_xor,
    "LogicalOr": nd.logical_or,
    "LessEqual": lambda x, y: x <= y, "Equal": lambda x, y: x == y, "NotEqual": lambda x, y: x != y,
}  # fmt: skip
# What layers without weights compute.
OF_LAYERS: Mapping[str, Callable[..., Array]] = {
    "SoftmaxOverAxes": softmax_over,
    "adaptive pooling": adaptive_pooling,
    "cast": cast,
    "encoding": encoded,
    "intervals": intervals,
    "mel spectrogram": mel_spectrogram,
    "rescale": rescale,
    "resize": resize,
}
FUNCTIONS: Mapping[str, Callable[..., Array]] = {
    **PLAIN,
    **{name: partial(reduced, function) for name, function in REDUCTIONS.items()},
    "Argmax": partial(index_of, nd.argmax),
    "Argmin": partial(index_of, nd.argmin),
    "Average": lambda x, weights=None, *, axis=None: nd.average(x, axis=axes(axis), weights=weights),
    "CountNonzero": lambda x, *, axis=None: nd.count_nonzero(x, axis=axes(axis)),
    "Diagonal": lambda x, *, offset=0, axis1=0, axis2=1: nd.diagonal(x, offset, axis1, axis2),
    "Glu": glu,
    "Moments": moments,
    "Quantile": quantile,
    "Sparsemax": sparsemax,
    "Tensordot": lambda x, y, *, axes=2: nd.tensordot(x, y, axes=axes),
    "TopK": top_k,
    "Clip": lambda x, *, x_min, x_max: nd.clip(x, x_min, x_max),
    "Cumsum": lambda x, *, axis=None: nd.cumulative_sum(x, axis=axis),
    "Einsum": lambda *x, subscripts: nd.einsum(subscripts, *x),
    "Elu": lambda x, *, alpha=1.0: nd.where(x > 0, x, alpha * nd.expm1(nd.minimum(x, 0))),
    "ExpandDims": lambda x, *, axis: nd.expand_dims(x, axis=axes(axis)),
    "Flip": lambda x, *, axis=None: nd.flip(x, axis=axes(axis)),
    "Gelu": gelu,
    "GetItem": item,
    "LeakyRelu": lambda x, *, negative_slope=0.2: nd.where(x >= 0, x, negative_slope * x),
    "LogSoftmax": lambda x, *, axis=-1: nd.log_softmax(x, axis=axes(axis)),
    "Moveaxis": lambda x, *, source, destination: nd.moveaxis(x, axes(source), axes(destination)),
    "Norm": norm,
    "Normalize": normalize,
    "OneHot": one_hot,
    "Pad": pad,
    "Repeat": lambda x, *, repeats, axis=None: nd.repeat(x, repeats, axis=axis),
    "Reshape": lambda x, *, newshape: x.reshape((x.shape[0] if newshape[0] == -1 else newshape[0], *newshape[1:])),
    "Softmax": lambda x, *, axis=-1: nd.softmax(x, axis=axes(axis)),
    "Split": split,
    "Squeeze": squeeze,
    "Stack": lambda *x, axis=0: nd.stack(list(x), axis=axis),
    "Sort": lambda x, *, axis=-1: nd.sort(x, axis=axis),
    "Argsort": lambda x, *, axis=-1: nd.argsort(x, axis=axis),
    "Cumprod": lambda x, *, axis=None: nd.cumulative_prod(x, axis=axis),
    "Roll": lambda x, *, shift, axis=None: nd.roll(x, axes(shift), axis=axes(axis)),
    "TakeAlongAxis": lambda x, index, *, axis=None: nd.take_along_axis(x, index.astype(nd.int64), axis=axis),
    "Triu": lambda x, *, k=0: nd.triu(x, k=k),
    "Tril": lambda x, *, k=0: nd.tril(x, k=k),
    "Swapaxes": lambda x, *, axis1, axis2: nd.swapaxes(x, axis1, axis2),
    "Take": lambda x, index, *, axis=None: take(x, index, axis),
    "Tile": lambda x, *, repeats: nd.tile(x, axes(repeats)),
    "Transpose": lambda x, *, axes: nd.permute_dims(x, tuple(axes)),
    **OF_LAYERS,
}
ALONG_AXES = (
    "Argsort",
    "Average",
    "CountNonzero",
    "Cumprod",
    "Cumsum",
    "ExpandDims",
    "Flip",
    "Glu",
    "LogSoftmax",
    "Softmax",
    "Sort",
    "Sparsemax",
    "Squeeze",
    "Stack",
    "Take",
)
# What functions are given beside tensors, as files call it; everything else must be as it is where nothing is said.
SETTINGS: Mapping[str, tuple[str, ...]] = {
    **{name: ("axis", "keepdims") for name in (*REDUCTIONS, "Argmax", "Argmin")},  # noqa: C420  a call at import
    **{name: ("axis",) for name in ALONG_AXES},  # noqa: C420
    "Clip": ("x_min", "x_max"),
    "Diagonal": ("offset", "axis1", "axis2"),
    "Moments": ("axes", "keepdims"),
    "Quantile": ("axis", "keepdims"),
    "Tensordot": ("axes",),
    "TopK": ("k",),
    "Einsum": ("subscripts",),
    "Elu": ("alpha",),
    "Gelu": ("approximate",),
    "LeakyRelu": ("negative_slope",),
    "Moveaxis": ("source", "destination"),
    "Norm": ("axis", "keepdims", "ord"),
    "Normalize": ("axis", "order", "epsilon"),
    "OneHot": ("num_classes", "axis"),
    "Pad": ("pad_width", "mode"),
    "Repeat": ("repeats", "axis"),
    "Reshape": ("newshape",),
    "Roll": ("shift", "axis"),
    "TakeAlongAxis": ("axis",),
    "Tril": ("k",),
    "Triu": ("k",),
    "Split": ("indices_or_sections", "axis"),
    "Swapaxes": ("axis1", "axis2"),
    "Tile": ("repeats",),
    "Transpose": ("axes",),
}
