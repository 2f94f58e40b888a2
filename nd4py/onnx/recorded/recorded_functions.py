"""Functions with nodes of their own: products, normalizations, windows, attention."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy

from nd4py import api as nd

from .function_writer import Call, FunctionWriter, NoCounterpart, computing, numpy_dtype
from .recorded_reductions import reduced


def product(writer: FunctionWriter, call: Call, *_: str) -> str:
    """A matrix product, of numbers that runtimes multiply."""
    y = call.results[0].dtype
    if "complex" in str(y):
        raise NoCounterpart("complex numbers")
    dtype = nd.int32 if str(y) in ("bool", "int8", "int16", "uint8", "uint16") else computing(y)
    found = writer.node("MatMul", *(writer.operand(x, dtype) for x in call.operands))
    return found if dtype == y else writer.cast(found, y)


def in_its_dtype(writer: FunctionWriter, call: Call) -> str:
    """The first operand in the dtype that it is computed in."""
    dtype = computing(call.operands[0].dtype)
    writer.dtype = numpy.dtype(numpy_dtype(dtype))
    return writer.operand(call.operands[0], dtype)


def back(writer: FunctionWriter, call: Call, y: str) -> str:
    """A result in its own dtype."""
    dtype = call.results[0].dtype
    return y if computing(dtype) == dtype else writer.cast(y, dtype)


def softmax(writer: FunctionWriter, call: Call, _: str) -> str | None:
    return along_one(writer, call, "Softmax")


def log_softmax(writer: FunctionWriter, call: Call, _: str) -> str | None:
    return along_one(writer, call, "LogSoftmax")


def along_one(writer: FunctionWriter, call: Call, operator: str) -> str | None:
    """A softmax along one axis; None along several."""
    axes = call.settings["axes"] if "axes" in call.settings else (call.operands[1],)
    if len(axes) != 1:
        return None
    return back(writer, call, writer.node(operator, in_its_dtype(writer, call), axis=axes[0]))


def log_sum_exp(writer: FunctionWriter, call: Call, _: str) -> str:
    axes = call.settings["axes"] if "axes" in call.settings else call.operands[1]
    along = Call("reduction", call.name, call.operands, {"axes": axes, "keepdims": False}, call.results)
    return back(writer, call, reduced(writer, "ReduceLogSumExp", in_its_dtype(writer, call), along))


def distances(writer: FunctionWriter, x: str, axes: Any) -> tuple[str, str]:
    """(x - mean, the mean of its squares) along axes, which stay with size 1."""
    held = writer.integers(list(axes), "axes")
    distance = writer.node("Sub", x, writer.node("ReduceMean", x, held, keepdims=1))
    return distance, writer.node("ReduceMean", writer.node("Mul", distance, distance), held, keepdims=1)


def variance(writer: FunctionWriter, call: Call, _: str) -> str:
    axes = call.settings["axes"] if "axes" in call.settings else call.operands[1]
    _, spread = distances(writer, in_its_dtype(writer, call), axes)
    n = prod(call.operands[0].shape[i] for i in axes)
    if (correction := call.settings.get("correction", 0)) == 1:  # the same nodes for every number of elements
        counts = (writer.constant(float(n)), writer.constant(float(max(n - 1, 0))))
        spread = writer.node("Mul", spread, writer.node("Div", *counts))
    elif correction:
        factor = n / (n - correction) if n > correction else float("nan")
        spread = writer.node("Mul", spread, writer.constant(factor))
    return back(writer, call, writer.shaped(spread, call.results[0].shape))


def standardized(writer: FunctionWriter, call: Call, axes: Any, epsilon: float, scale: Any, bias: Any) -> str:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, by one node along the last axes."""
    x, shape = in_its_dtype(writer, call), call.operands[0].shape
    dtype = computing(call.operands[0].dtype)
    if tuple(axes) == tuple(range(axes[0], len(shape))):
        sizes = tuple(shape[i] for i in axes)
        weights = writer.operand(scale, dtype) if scale is not None else writer.constant(numpy.ones(sizes))
        more = [] if bias is None else [writer.operand(bias, dtype)]
        return writer.node("LayerNormalization", x, weights, *more, axis=axes[0], epsilon=epsilon)
    distance, spread = distances(writer, x, axes)
    root = writer.node("Sqrt", writer.node("Add", spread, writer.constant(epsilon)))
    y = writer.node("Div", distance, root)
    kept = tuple(n if i in axes else 1 for i, n in enumerate(shape))
    for operator, weights in (("Mul", scale), ("Add", bias)):
        if weights is not None:
            y = writer.node(operator, y, writer.shaped(writer.operand(weights, dtype), kept))
    return y


def layer_norm(writer: FunctionWriter, call: Call, *_: str) -> str:
    _, scale, bias = call.operands
    y = standardized(writer, call, call.settings["axes"], call.settings["epsilon"], scale, bias)
    return back(writer, call, y)


def standardize(writer: FunctionWriter, call: Call, *_: str) -> str:
    _, axis, epsilon, scale, bias = call.operands
    return back(writer, call, standardized(writer, call, (axis,), epsilon, scale, bias))


# Windows.


def windows(call: Call) -> dict[str, Any]:
    """Attributes of a node that slides a kernel."""
    window = call.settings["window"]
    sizes, shape, results = window.sizes, window.x_shape[2:], window.y_shape[2:]
    n = len(shape)
    kernel = [sizes[f"kernel_{axis}"] for axis in "dhw"][-n:]
    strides = [sizes[f"stride_{axis}"] for axis in "dhw"][-n:]
    dilations = [sizes[f"dilation_{axis}"] for axis in "dhw"][-n:]
    before = [sizes[name] for name in ("pad_front", "pad_top", "pad_left")][-n:]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    behind = [
        max(0, (out - 1) * stride + span - size - first)
        for out, stride, span, size, first in zip(results, strides, spans, shape, before, strict=True)
    ]
    return {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "pads": [*before, *behind]}


def of_windows(writer: FunctionWriter, call: Call) -> list[str]:
    """The operands, in the dtype that a convolution computes in."""
    dtype = computing(call.settings["dtype"])
    return [writer.operand(x, dtype) for x in call.operands if x is not None]


def convolution(writer: FunctionWriter, call: Call, *_: str) -> str:
    group = call.settings["window"].sizes["groups"]
    return back(writer, call, writer.node("Conv", *of_windows(writer, call), group=group, **windows(call)))


def correlation(writer: FunctionWriter, call: Call, *_: str) -> str:
    """The sums of a row's parts times a short row: a convolution of floats, a product with the parts of integers."""
    x, short, before, behind = call.operands
    dtype = computing(call.results[0].dtype)
    row, weights = (writer.operand(each, dtype) for each in (x, short))
    n, m = call.results[0].shape[0], short.shape[0]
    if dtype.kind == "f":
        first = [writer.node("Unsqueeze", each, writer.integers([0, 1], "axes")) for each in (row, weights)]
        y = writer.node("Conv", *first, kernel_shape=[m], pads=[before, behind])
        return back(writer, call, writer.node("Squeeze", y, writer.integers([0, 1], "axes")))
    edges = [writer.node("Expand", writer.number(0, dtype), writer.integers([k], "shape")) for k in (before, behind)]
    long = writer.node("Concat", edges[0], row, edges[1], axis=0)
    places = numpy.arange(n)[:, None] + numpy.arange(m)
    parts = writer.node("Gather", long, writer.integers(places, "places"), axis=0)
    return writer.node("MatMul", parts, weights)


def transposed_convolution(writer: FunctionWriter, call: Call, *_: str) -> str:
    """The rest that no window reached is behind the last one."""
    window, attributes = call.settings["window"], windows(call)
    n, spans = len(window.x_shape) - 2, zip(attributes["kernel_shape"], attributes["dilations"], strict=True)
    covered = [
        (out - 1) * stride + (kernel - 1) * dilation + 1 - before - behind
        for out, stride, (kernel, dilation), before, behind in zip(
            window.y_shape[2:],
            attributes["strides"],
            spans,
            attributes["pads"][:n],
            attributes["pads"][n:],
            strict=True,
        )
    ]
    rest = [size - reached for size, reached in zip(window.x_shape[2:], covered, strict=True)]
    group = window.sizes["groups"]
    y = writer.node("ConvTranspose", *of_windows(writer, call), group=group, output_padding=rest, **attributes)
    return back(writer, call, y)


def maxima(writer: FunctionWriter, call: Call, _: str) -> str:
    return back(writer, call, writer.node("MaxPool", in_its_dtype(writer, call), **windows(call)))


def means(writer: FunctionWriter, call: Call, _: str) -> str:
    attributes = windows(call)
    del attributes["dilations"]  # which are newer than this operator set
    y = writer.node("AveragePool", in_its_dtype(writer, call), count_include_pad=0, **attributes)
    return back(writer, call, y)


def attention(writer: FunctionWriter, call: Call, *_: str) -> list[str]:
    """softmax(q @ k.mT * scale) @ v; 0 for a query that sees no key."""
    q, k, v, mask = call.operands
    dtype = q.dtype
    writer.dtype = numpy.dtype(numpy_dtype(dtype))
    keys = writer.transposed(writer.operand(k), 0, 1, 3, 2)
    scores = writer.node("MatMul", writer.operand(q), keys)
    scores = writer.node("Mul", scores, writer.constant(call.settings["scale"]))
    seen = None if mask is None else writer.operand(mask, nd.bool)
    if call.settings["is_causal"]:
        n_queries, n_keys = q.shape[2], k.shape[2]
        order = numpy.tril(numpy.ones((n_queries, n_keys), dtype=bool), n_keys - n_queries)
        causal = writer.operand(nd.asarray(order))
        seen = causal if seen is None else writer.node("And", seen, causal)
    if seen is not None:
        scores = writer.node("Where", seen, scores, writer.constant(float(numpy.finfo(writer.dtype).min)))
    shares = writer.node("Softmax", scores, axis=-1)
    if seen is not None:
        shares = writer.node("Where", seen, shares, writer.constant(0.0))
    y = writer.node("MatMul", shares, writer.operand(v))
    return [y, *("" for _ in call.results[1:])]


def determinants(writer: FunctionWriter, call: Call, _: str) -> str:
    """Raises NoCounterpart for matrices without elements."""
    if 0 in call.operands[0].shape:
        raise NoCounterpart("matrices without elements")
    return back(writer, call, writer.node("Det", in_its_dtype(writer, call)))
