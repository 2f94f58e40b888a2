"""Recurrent layers: LSTM, GRU, SimpleRNN, Bidirectional and TimeDistributed."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.convolutional_recurrence import ConvolutionalLSTM
from ..counterparts.recurrence_vertices import RecurrenceVertex
from ..counterparts.wrapped_layers import FromBehind, HeldOutput
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import Settings, UnsupportedError, shown
from ..stored_weights import Wanted
from .convolution_translations import channels_first_kernel, channels_of
from .translated_settings import activation, penalties

Weights = tuple[list[Wanted], Callable[[Arrays], Converted]]
# The settings of weights, of which those of the recurrent ones have no counterpart.
REFUSED = ("recurrent_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint")
KINDS = ("LSTM", "GRU", "SimpleRNN")
MERGES = {"concat": "concat", "sum": "add", "mul": "mul", "ave": "average"}


def features(call: Call) -> int:
    """The numbers of a step.  Raises ValueError for what are no sequences."""
    shape = call.inputs[0].shape if call.inputs else ()
    if len(shape) != 2:
        raise ValueError(f"{call.settings.who}: sequences are needed, given {('batch', *shape)}")
    if shape[1] is None:
        raise UnsupportedError("steps of any number of features")
    return shape[1]


def common(call: Call) -> dict[str, Any]:
    """The fields that recurrent layers share.  Raises UnsupportedError for settings without a counterpart."""
    call.settings.refuse(stateful=False, recurrent_dropout=0.0, time_major=False)
    dropout = call.settings.number("dropout", 0.0, least=0.0)
    if dropout >= 1.0:
        raise call.settings.wrong("dropout", "a number below 1")
    found = {"activation": activation(call, "activation", "tanh"), **penalties(call, *REFUSED)}
    return found | ({"dropout": dropout} if dropout else {})


def recurrent_shapes(n_in: int, units: int, n_gates: int) -> list[tuple[int, ...]]:
    return [(n_in, n_gates * units), (units, n_gates * units)]


def wanted_at(path: str, shapes: Sequence[tuple[int, ...]]) -> list[Wanted]:
    return [Wanted(f"{path}vars/{number}", shape) for number, shape in enumerate(shapes)]


def bias_of(arrays: Arrays, size: int) -> numpy.ndarray:
    """The third array, or zeros where there is none."""
    return arrays[2] if len(arrays) > 2 else numpy.zeros(size, dtype=arrays[0].dtype)


def lstm(call: Call, n_in: int, path: str) -> tuple[Any, Weights]:
    """The gates lie in the same order: i, f, g, o."""
    units, has_bias = call.settings.whole("units"), call.settings.flag("use_bias", True)
    layer = nn.LSTM(units, gate_activation=activation(call, "recurrent_activation", "sigmoid"), **common(call))
    shapes = [*recurrent_shapes(n_in, units, 4), *([(4 * units,)] if has_bias else [])]
    return layer, (
        wanted_at(path, shapes),
        lambda arrays: {"W": arrays[0], "RW": arrays[1], "b": bias_of(arrays, 4 * units)},
    )


def gru(call: Call, n_in: int, path: str) -> tuple[Any, Weights]:
    """Keras has the gates u, r, n and, with `reset_after`, two biases for each, of which those of u and r add up."""
    units, has_bias = call.settings.whole("units"), call.settings.flag("use_bias", True)
    resets_after = call.settings.flag("reset_after", not call.is_legacy)
    layer = nn.GRU(
        units, gate_activation=activation(call, "recurrent_activation", "sigmoid"), reset_after=resets_after,
        **common(call),
    )  # fmt: skip
    bias = (2, 3 * units) if resets_after else (3 * units,)
    shapes = [*recurrent_shapes(n_in, units, 3), *([bias] if has_bias else [])]

    def swapped(values: numpy.ndarray) -> numpy.ndarray:
        return numpy.concatenate([values[..., units : 2 * units], values[..., :units], values[..., 2 * units :]], -1)

    def converted(arrays: Arrays) -> Converted:
        biases = numpy.atleast_2d(arrays[2]) if has_bias else numpy.zeros((2, 3 * units), arrays[0].dtype)
        own = swapped(biases[0])
        weights = {"W": swapped(arrays[0]), "RW": swapped(arrays[1])}
        if not resets_after:
            return {**weights, "b": own}
        inner = swapped(biases[1])
        return {**weights, "b": numpy.concatenate([(own + inner)[: 2 * units], own[2 * units :]]), "Rb": inner[-units:]}

    return layer, (wanted_at(path, shapes), converted)


def simple(call: Call, n_in: int, path: str) -> tuple[Any, Weights]:
    units, has_bias = call.settings.whole("units"), call.settings.flag("use_bias", True)
    shapes = [*recurrent_shapes(n_in, units, 1), *([(units,)] if has_bias else [])]
    return nn.SimpleRnn(units, **common(call)), (
        wanted_at(path, shapes),
        lambda arrays: {"W": arrays[0], "RW": arrays[1], "b": bias_of(arrays, units)},
    )


LAYERS: Mapping[str, Any] = {"LSTM": lstm, "GRU": gru, "SimpleRNN": simple}


def initial_states(call: Call) -> tuple[Call, list[str]]:
    """The call with the sequences alone, and the vertices that the recurrence starts from, given in either way."""
    keyword = call.keywords.get("initial_state")
    given = keyword if isinstance(keyword, list) else [] if keyword is None else [keyword]
    states = [*call.inputs[1:], *given]
    if not all(isinstance(each, Tensor) and len(each.shape) == 1 for each in states):
        raise UnsupportedError("an initial_state that is no list of rows")
    return replace(call, inputs=call.inputs[:1]), [each.only for each in states]


def recurrent(kind: str, call: Call) -> Tensor | list[Tensor]:
    """A recurrent layer: its steps or the last one, and where they are asked for the states that it ends with."""
    call, states = initial_states(call)
    layer, weights = LAYERS[kind](call, features(call), "cell/")
    zeroes = call.settings.flag("zero_output_for_mask", False)
    has_steps, goes_back = call.settings.flag("return_sequences", False), call.settings.flag("go_backwards", False)
    returns_states = call.settings.flag("return_state", False)
    call.fill(*weights)
    if not states and not returns_states:
        whole = wrapped(layer, has_steps, zeroes)
        return call.made(call.add(FromBehind(whole) if goes_back else whole, call.first), keeps_mask=has_steps)
    if goes_back or zeroes:
        raise UnsupportedError("go_backwards or zero_output_for_mask with states")
    names = ("h", "c") if kind == "LSTM" else ("h",)
    if len(states) not in (0, len(names)):
        raise ValueError(f"{call.settings.who}: {len(names)} initial states are needed, given {len(states)}")
    parts = ["steps" if has_steps else "h", *(names if returns_states else ())]
    is_frozen = not call.place.is_trained
    # Keras 3 gives a layer no mask beside initial states, unless the file says so, and yet hands it on.
    sees_mask = not states or call.is_legacy or call.keywords.get("mask") is not None
    return [
        call.made(
            call.add(RecurrenceVertex(layer, part, is_kept=is_frozen, sees_mask=sees_mask), call.first, *states),
            keeps_mask=part == "steps",
        )
        for part in parts
    ]


def wrapped(layer: Any, has_steps: bool, zeroes: bool) -> Any:
    """All steps, at padding zeros or the last one that was there, or the last one alone."""
    if has_steps:
        return layer if zeroes else HeldOutput(layer)
    return nn.LastTimeStep(layer)


def inner_call(call: Call, name: str, kinds: Sequence[str]) -> tuple[str, Call]:
    """The class of a layer inside another, and the call with its settings.  Raises UnsupportedError for others."""
    whole = call.settings.inner(name)
    kind = whole.values.get("class_name")
    module = whole.values.get("module")
    if kind not in kinds or (isinstance(module, str) and not module.startswith(("keras", "tf_keras", "tensorflow"))):
        raise UnsupportedError(f"{name} {shown(kind)}")
    settings = Settings(f"{call.settings.who}: {name}", whole.values.get("config"))
    return str(kind), replace(call, settings=settings)


def bidirectional(call: Call) -> Tensor:
    call, states = initial_states(call)
    kind, inner = inner_call(call, "layer", KINDS)
    mode = call.settings.values.get("merge_mode", "concat")
    inner.settings.refuse(return_state=False, go_backwards=False)
    if mode not in MERGES or states:
        raise UnsupportedError(f"merge_mode {shown(mode)}" if mode not in MERGES else "initial states")
    check_backward(call, inner.settings)
    n_in = features(call)
    layer, (forth, converted) = LAYERS[kind](inner, n_in, "forward_layer/cell/")
    _, (back, _) = LAYERS[kind](inner, n_in, "backward_layer/cell/")
    has_steps = inner.settings.flag("return_sequences", False)

    def both(arrays: Arrays) -> Converted:
        n = len(forth)
        directions = {"f": converted(arrays[:n]), "b": converted(arrays[n:])}
        return {letter + name: each for letter, own in directions.items() for name, each in own.items()}

    call.fill([*forth, *back], both)
    zeroes = inner.settings.flag("zero_output_for_mask", has_steps)
    whole = nn.Bidirectional(wrapped(layer, has_steps, zeroes), mode=MERGES[mode])
    return call.made(call.add(whole, call.first), keeps_mask=has_steps)


def check_backward(call: Call, forward: Settings) -> None:
    """Raises UnsupportedError where the layer that goes backwards has settings of its own."""
    if not call.settings.has("backward_layer"):
        return
    back = call.settings.inner("backward_layer").values.get("config")
    back = back if isinstance(back, Mapping) else {}
    for name in ("units", "activation", "recurrent_activation", "use_bias", "reset_after", "return_sequences"):
        if back.get(name) != forward.values.get(name):
            raise UnsupportedError(f"a backward_layer with another {name}")


def time_distributed(call: Call) -> Tensor:
    """A layer on every step: of rows as it is, of images as if the steps were examples."""
    kind, inner = inner_call(call, "layer", ("Dense", "Conv2D", "Flatten", "Dropout", "Activation"))
    shape = call.x.shape
    if kind in ("Dense", "Dropout", "Activation") and len(shape) == 2:
        return of_rows(kind, call, inner)
    if kind == "Flatten" and len(shape) > 2 and None not in shape:
        size = math.prod(int(each or 1) for each in shape[1:])
        return call.made(call.add(nn.ReshapeVertex((int(shape[0] or 1), size)), call.last), is_last=True)
    is_first = inner.settings.values.get("data_format") == "channels_first"
    if kind != "Conv2D" or len(shape) != 4 or None in shape or is_first:
        raise UnsupportedError(f"{kind} on steps of shape {shape[1:]}")
    return of_images(call, inner)


def of_rows(kind: str, call: Call, inner: Call) -> Tensor:
    if kind == "Dropout":
        return call.made(call.add(nn.DropoutLayer(inner.settings.number("rate", least=0.0)), call.first))
    if kind == "Activation":
        return call.made(call.add(nn.ActivationLayer(activation(inner)), call.first))
    units, has_bias = inner.settings.whole("units"), inner.settings.flag("use_bias", True)
    shapes = [(features(call), units), *([(units,)] if has_bias else [])]
    names = ("W", "b")[: len(shapes)]
    layer = nn.DenseLayer(units, activation=activation(inner), has_bias=has_bias, **penalties(inner))
    call.fill(wanted_at("layer/", shapes), lambda arrays: dict(zip(names, arrays, strict=True)))
    return call.made(call.add(layer, call.first))


def of_images(call: Call, inner: Call) -> Tensor:
    length, height, width, channels = (int(size or 1) for size in call.x.shape)
    n_out, kernel = inner.settings.whole("filters"), inner.settings.sizes("kernel_size", 2)
    inner.settings.refuse(groups=1)
    has_bias = inner.settings.flag("use_bias", True)
    layer = nn.ConvolutionLayer(
        kernel, n_out, inner.settings.sizes("strides", 2, 1), 0, inner.settings.sizes("dilation_rate", 2, 1),
        "same" if inner.settings.choice("padding", ("valid", "same"), "valid") == "same" else "truncate",
        activation=activation(inner), has_bias=has_bias, **penalties(inner),
    )  # fmt: skip
    step = nn.InputType.convolutional(height, width, channels, "NHWC")
    shapes = [(*kernel, channels, n_out), *([(n_out,)] if has_bias else [])]
    call.fill(
        wanted_at("layer/", shapes),
        lambda arrays: {"W": channels_first_kernel(arrays[0]), **({"b": arrays[1]} if has_bias else {})},
    )
    rows = call.add(nn.ReshapeVertex((length, height * width * channels)), call.last, part="steps as rows")
    made = call.add(nn.TimeDistributed(layer, step), rows)
    seen = layer.output_type(nn.InputType.convolutional(height, width, channels))
    sizes = tuple(int(each or 1) for each in seen.shape)
    from_rows = call.add(nn.ReshapeVertex((length, *sizes)), made, part="steps as images")
    return call.made(call.add(steps_last(), from_rows, part="channels last"), is_last=True)


def convolutional_lstm(call: Call) -> Tensor:
    """Over images; the gates lie in the same order: i, f, g, o."""
    settings = call.settings
    settings.refuse(
        stateful=False, recurrent_dropout=0.0, dropout=0.0, return_state=False, data_format="channels_last",
        zero_output_for_mask=False,
    )  # fmt: skip
    if len(call.inputs) != 1 or "initial_state" in call.keywords:
        raise UnsupportedError("initial states")
    n_in, n_out, kernel = channels_of(call, 3), settings.whole("filters"), settings.sizes("kernel_size", 2)
    mode = "same" if settings.choice("padding", ("valid", "same"), "valid") == "same" else "truncate"
    has_bias = settings.flag("use_bias", True)
    layer = ConvolutionalLSTM(
        n_out, kernel, settings.sizes("strides", 2, 1), settings.sizes("dilation_rate", 2, 1), mode,
        activation(call, "activation", "tanh"), activation(call, "recurrent_activation", "sigmoid"), has_bias,
        settings.flag("return_sequences", False), settings.flag("go_backwards", False), **penalties(call, *REFUSED),
    )  # fmt: skip
    shapes = [(*kernel, n_in, 4 * n_out), (*kernel, n_out, 4 * n_out), *([(4 * n_out,)] if has_bias else [])]
    call.fill(
        wanted_at("cell/", shapes),
        lambda arrays: {
            "W": channels_first_kernel(arrays[0]),
            "RW": channels_first_kernel(arrays[1]),
            **({"b": arrays[2]} if has_bias else {}),
        },
    )
    return call.made(call.add(layer, call.first), keeps_mask=False)


def steps_last() -> nn.Vertex:
    """(length, channels, height, width) as (length, height, width, channels)."""
    return PermuteVertex((1, 3, 4, 2))


ROWS: dict[str, Any] = {
    **{kind: partial(recurrent, kind) for kind in KINDS},
    "Bidirectional": bidirectional,
    "ConvLSTM2D": convolutional_lstm,
    "TimeDistributed": time_distributed,
}
