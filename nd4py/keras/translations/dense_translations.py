"""Dense layers, embeddings and layers of one's own."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from nd4py import nn
from nd4py.nn.parameters import Parameter

from ..counterparts.function_vertices import EinsumVertex
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import UnsupportedError, plain, shown
from ..stored_weights import Wanted
from .translated_settings import activation, constraints, penalties


def kernel_and_bias(call: Call, shape: tuple[int, ...], has_bias: bool) -> list[Wanted]:
    """What most layers need: a kernel, and a bias for each of its outputs."""
    return [Wanted("vars/0", shape), *([Wanted("vars/1", shape[-1:])] if has_bias else [])]


def dense(call: Call) -> Tensor:
    units, has_bias = call.settings.whole("units"), call.settings.flag("use_bias", True)
    call.settings.refuse(quantization_config=None)
    common = {**penalties(call), **constraints(call, (0,)), "activation": activation(call), "has_bias": has_bias}
    shape, n_axes = call.x.shape, len(call.x.shape)
    layer: Any
    if n_axes < 3:
        layer = nn.DenseLayer(units, **common)
    else:  # the same weights at every pixel
        layer = (nn.ConvolutionLayer if n_axes == 3 else nn.Convolution3D)(1, units, **common)

    def converted(arrays: Arrays) -> Converted:
        kernel = arrays[0] if n_axes < 3 else arrays[0].T.reshape((units, -1, *(1,) * (n_axes - 1)))
        return {"W": kernel, **({"b": arrays[1]} if has_bias else {})}

    n_in = shape[-1]
    if n_in is None:
        raise UnsupportedError("inputs of any number of features")
    call.fill(kernel_and_bias(call, (n_in, units), has_bias), converted)
    return call.made(call.add(layer, call.first))


def embedding(call: Call) -> Tensor:
    n_in, n_out = call.settings.whole("input_dim"), call.settings.whole("output_dim")
    call.settings.refuse(quantization_config=None)
    call.refuse_training(embeddings_constraint=None)
    if len(call.x.shape) != 1:
        raise UnsupportedError(f"input of shape {('batch', *call.x.shape)}; one number for each step is needed")
    mask_zero = call.settings.flag("mask_zero", False)
    layer = nn.EmbeddingSequenceLayer(n_in, n_out, mask_zero=mask_zero, **penalties(call))
    call.fill([Wanted("vars/0", (n_in, n_out))], lambda arrays: {"W": arrays[0]})
    vertex = call.add(layer, call.x.only)
    return call.builder.tensor(vertex, mask=vertex if mask_zero else None)


def custom_layer(call: Call) -> Tensor:
    """A layer of a class of the caller's, made from the settings in the file that are its fields.

    Its weights are the arrays of its `parameters`, in their order; images come to it as Keras has them.
    """
    kind = call.custom_layers[call.settings.who.rpartition("(")[2].rstrip(")")]
    names = {row.name for row in fields(kind) if row.init}
    values = {name: plain(value) for name, value in call.settings.values.items() if name in names}
    try:
        layer = kind(**{name: tuple(each) if isinstance(each, list) else each for name, each in values.items()})
    except TypeError as error:
        raise ValueError(f"{call.settings.who}: {error}") from None
    sources = [call.builder.last(each) for each in call.inputs]
    if isinstance(layer, nn.Layer) and len(sources) != 1:
        raise ValueError(f"{call.settings.who}: a Layer has one input, given {len(sources)}; take a Vertex")
    vertex = call.add(layer, *sources)
    given = [call.builder.types[source] for source in sources]
    parameters: tuple[Parameter, ...] = layer.parameters(*given)
    if parameters:
        wanted = [Wanted(f"vars/{i}", each.shape, not each.is_state) for i, each in enumerate(parameters)]
        call.fill(wanted, lambda arrays: {each.name: array for each, array in zip(parameters, arrays, strict=True)})
    return call.made(vertex, is_last=True)


def einsum_dense(call: Call) -> Tensor:
    """EinsumDense, where it is a dense layer over the last axis: "abc,cd->abd" and the like."""
    equation = call.settings.text("equation").replace(" ", "").replace("...", "")
    inputs, _, rest = equation.partition(",")
    kernel, _, outputs = rest.partition("->")
    if len(kernel) != 2 or not inputs.endswith(kernel[0]) or outputs != inputs[:-1] + kernel[1] or len(inputs) < 1:
        return any_einsum(call, call.settings.text("equation").replace(" ", ""))
    n_in, n_out = call.x.shape[-1], (plain(call.settings.values.get("output_shape")))
    n_out = n_out[-1] if isinstance(n_out, list) and n_out else n_out
    axes = call.settings.values.get("bias_axes")
    if len(call.x.shape) > 2 or n_in is None or axes not in (None, kernel[1]) or not isinstance(n_out, int):
        return any_einsum(call, call.settings.text("equation").replace(" ", ""))
    layer = nn.DenseLayer(n_out, activation=activation(call), has_bias=axes is not None, **penalties(call))
    call.fill(
        kernel_and_bias(call, (n_in, n_out), axes is not None),
        lambda arrays: dict(zip(("W", "b"), arrays, strict=False)),
    )
    return call.made(call.add(layer, call.first))


def any_einsum(call: Call, equation: str) -> Tensor:
    """EinsumDense of any equation: "abc,cde->abde" """
    call.refuse_training(kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None)
    call.refuse_training(kernel_constraint=None, bias_constraint=None)
    of_x, of_kernel, made = parts_of_equation(equation)
    sizes = dict(zip(of_x[1:], call.x.shape, strict=False))
    given = plain(call.settings.values.get("output_shape"))
    given = given if isinstance(given, list) else [given]
    sizes |= {letter: size for letter, size in zip(made[:0:-1], reversed(given), strict=False) if size is not None}
    kernel = tuple(sizes.get(letter) or 0 for letter in of_kernel)
    if len(of_x) != len(call.x.shape) + 1 or made[:1] != of_x[:1] or 0 in kernel:
        raise UnsupportedError(f"equation {equation!r} of examples of shape {call.x.shape}")
    axes = call.settings.values.get("bias_axes")
    bias: tuple[Any, ...] = ()
    if axes:
        if not isinstance(axes, str) or any(letter not in made[1:] or sizes.get(letter) is None for letter in axes):
            raise UnsupportedError(f"bias_axes={shown(axes)}")
        behind = made[min(map(made.index, axes)) :]
        bias = tuple(sizes[letter] if letter in axes else 1 for letter in behind)
    wanted = [Wanted("vars/0", kernel), *([Wanted("vars/1", bias)] if bias else [])]
    call.fill(wanted, lambda arrays: dict(zip(("W", "b"), arrays, strict=False)))
    found = call.made(call.add(EinsumVertex(equation, kernel, bias), call.last), is_last=True)
    layer = nn.ActivationLayer(activation(call))
    return call.made(call.add(layer, call.builder.first(found), part="activation"))


def parts_of_equation(equation: str) -> tuple[str, str, str]:
    """The letters of x, the kernel and the result.  Raises UnsupportedError for an equation of other parts."""
    found = re.fullmatch(r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)", equation)
    if found is None:
        raise UnsupportedError(f"equation {equation!r}")
    return found[1], found[2], found[3]


ROWS: dict[str, Any] = {"Dense": dense, "Embedding": embedding, "EinsumDense": einsum_dense}
