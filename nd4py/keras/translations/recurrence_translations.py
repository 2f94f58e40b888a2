"""Recurrent layers: LSTM, GRU, SimpleRNN, Bidirectional and TimeDistributed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.convolutional_recurrence import ConvolutionalLSTM, ConvolutionalRecurrence
from ..counterparts.recurrence_vertices import RecurrenceVertex
from ..counterparts.wrapped_layers import FromBehind, HeldOutput
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import Settings, UnsupportedError, shown
from ..stored_weights import Wanted
from .convolution_translations import channels_first_kernel, channels_of, of_image
from .function_translations import applied
from .translated_settings import activation, is_channels_first, penalties

Weights = tuple[list[Wanted], Callable[[Arrays], Converted]]
# The settings of weights, of which those of the recurrent ones have no counterpart.
REFUSED = ("recurrent_regularizer", "kernel_constraint", "recurrent_constraint", "bias_constraint")
KINDS = ("LSTM", "GRU", "SimpleRNN")
CONVOLUTIONAL = {"ConvLSTM1D": 1, "ConvLSTM2D": 2}  # over how many axes beside that of the steps
CELL_PATHS = {"LSTMCell": "lstm_cell", "GRUCell": "gru_cell", "SimpleRNNCell": "simple_rnn_cell"}
JOINS = {"sum": "add", "mul": "product", "ave": "average"}
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
    call.settings.refuse(time_major=False)
    if call.settings.flag("stateful", False) and call.settings.flag("go_backwards", False):
        raise UnsupportedError("stateful=True of a layer that goes backwards")
    call.refuse_training(recurrent_dropout=0.0)
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


def recurrent(kind: str, call: Call, path: str = "cell/") -> Tensor | list[Tensor]:
    """A recurrent layer: its steps or the last one, and where they are asked for the states that it ends with."""
    call, states = initial_states(call)
    layer, weights = LAYERS[kind](call, features(call), path)
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


def recurrence_of_cells(call: Call) -> Tensor | list[Tensor]:
    """The layer RNN: with one cell it is the layer of that cell, with several it is such layers one behind another."""
    cell = call.settings.inner("cell")
    if cell.values.get("class_name") != "StackedRNNCells":
        kind, inner = of_cell(call, call.settings.values.get("cell"))
        return recurrent(kind, inner)
    cells = cell.inner("config").items("cells")
    backwards, state = call.settings.flag("go_backwards", False), call.settings.flag("return_state", False)
    if not cells or backwards or state or len(call.inputs) != 1 or call.keywords.get("initial_state"):
        raise UnsupportedError("several cells with states, or that go backwards")
    counts: dict[str, int] = {}
    for number, each in enumerate(cells):
        kind, inner = of_cell(call, each)
        path = CELL_PATHS[f"{kind}Cell"] + (f"_{counts[kind]}" if counts.get(kind) else "")
        counts[kind] = counts.get(kind, 0) + 1
        inner = replace(inner, place=numbered(call.place, number))
        is_last = number == len(cells) - 1
        if not is_last:
            inner.settings.values = {**inner.settings.values, "return_sequences": True}
            inner = replace(inner, name=f"{call.name}, cell {number}")
        found = recurrent(kind, inner, f"cell/cells/{path}/")
        assert isinstance(found, Tensor)
        call = replace(call, inputs=(found,))
    return found


def of_cell(call: Call, described: Any) -> tuple[str, Call]:
    """The layer that runs a cell over steps, and the call with the settings of both."""
    holder = Settings(call.settings.who, {"cell": described})
    kind, inner = inner_call(replace(call, settings=holder), "cell", tuple(CELL_PATHS))
    values = {**call.settings.values, **inner.settings.values}
    return kind.removesuffix("Cell"), replace(call, settings=Settings(call.settings.who, values))


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


def both_with_states(kind: str, call: Call, inner: Call, mode: str | None) -> list[Tensor]:
    """Both directions as recurrences of their own, which start from states or tell those that they end with."""
    if call.x.mask is not None:
        raise UnsupportedError("states, of sequences with a mask")
    if call.keywords.get("initial_state") is not None:
        raise UnsupportedError("initial states")
    has_states = inner.settings.flag("return_state", False)
    settings = Settings(
        inner.settings.who, {**inner.settings.values, "zero_output_for_mask": False, "return_state": True}
    )
    inner, found = replace(inner, settings=settings), []
    for number, direction in enumerate(("forward", "backward")):
        each = replace(inner, name=f"{call.name}, {direction}", place=numbered(call.place, number), keywords={})
        if number:
            each = replace(each, inputs=(applied(each, "Flip", part="from behind", axis=1),))
        made = recurrent(kind, each, f"{direction}_layer/cell/")
        assert isinstance(made, list)
        if number and inner.settings.flag("return_sequences", False):
            made[0] = applied(replace(each, inputs=(made[0],)), "Flip", part="in order", axis=1)
        found.append(made)
    states = [*found[0][1:], *found[1][1:]] if has_states else []
    outputs = [each[0].only for each in found]
    if mode is None:
        return [found[0][0], found[1][0], *states]
    vertex: Any = nn.MergeVertex() if mode == "concat" else nn.ElementWiseVertex(JOINS[mode])
    return [call.made(call.add(vertex, *outputs)), *states]


def numbered(place: Any, number: int) -> Any:
    """The place of one of several parts of a layer, whose weights old files have one behind the other."""
    return replace(place, order=(*place.order, number))


def bidirectional(call: Call) -> Tensor | list[Tensor]:
    call, states = initial_states(call)
    kind, inner = inner_call(call, "layer", (*KINDS, *CONVOLUTIONAL))
    mode = call.settings.values.get("merge_mode", "concat")
    inner.settings.refuse(go_backwards=False)
    if mode is not None and mode not in MERGES:
        raise UnsupportedError(f"merge_mode {shown(mode)}")
    check_backward(call, inner.settings)
    if kind in CONVOLUTIONAL:
        return both_convolutional(CONVOLUTIONAL[kind], call, inner, mode)
    if states or mode is None or inner.settings.flag("return_state", False):
        return both_with_states(kind, call, inner, mode)
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


def is_of_rows(call: Call) -> bool:
    """Whether a layer on every step is one that treats rows and steps alike, and takes sequences as they are."""
    kind = call.settings.inner("layer").values.get("class_name")
    return kind in ("Dense", "Dropout", "Activation") and len(call.x.shape) == 2


def time_distributed(call: Call) -> Tensor:
    """A layer on every step of rows; `ModelReader` gives others the steps as examples."""
    return of_rows(*inner_call(call, "layer", ("Dense", "Dropout", "Activation")))


def of_rows(kind: str, inner: Call) -> Tensor:
    if kind == "Dropout":
        return inner.made(inner.add(nn.DropoutLayer(inner.settings.number("rate", least=0.0)), inner.first))
    if kind == "Activation":
        return inner.made(inner.add(nn.ActivationLayer(activation(inner)), inner.first))
    units, has_bias = inner.settings.whole("units"), inner.settings.flag("use_bias", True)
    shapes = [(features(inner), units), *([(units,)] if has_bias else [])]
    names = ("W", "b")[: len(shapes)]
    layer = nn.DenseLayer(units, activation=activation(inner), has_bias=has_bias, **penalties(inner))
    inner.fill(wanted_at("layer/", shapes), lambda arrays: dict(zip(names, arrays, strict=True)))
    return inner.made(inner.add(layer, inner.first))


def convolutional_lstm(n: int, call: Call, path: str = "cell/") -> Tensor | list[Tensor]:
    """Over images, or over sequences as images of height 1; the gates lie in the same order: i, f, g, o."""
    settings = call.settings
    call.refuse_training(recurrent_dropout=0.0, dropout=0.0)
    call, states = image_states(n, call)
    if is_channels_first(call):
        return with_channels_last(n, replace(call, inputs=(*call.inputs, *states)), path)
    n_in, n_out, kernel = channels_of(call, n + 1), settings.whole("filters"), settings.sizes("kernel_size", n)
    mode = "same" if settings.choice("padding", ("valid", "same"), "valid") == "same" else "truncate"
    has_bias, goes_back = settings.flag("use_bias", True), settings.flag("go_backwards", False)
    returns_states = settings.flag("return_state", False)
    if settings.flag("stateful", False) and (goes_back or returns_states or states):
        raise UnsupportedError("stateful=True of a layer that goes backwards, is given states or returns them")
    layer = ConvolutionalLSTM(
        n_out, flat(kernel), flat(settings.sizes("strides", n, 1)), flat(settings.sizes("dilation_rate", n, 1)), mode,
        activation(call, "activation", "tanh"), activation(call, "recurrent_activation", "sigmoid"), has_bias,
        settings.flag("return_sequences", False), goes_back, **penalties(call, *REFUSED),
    )  # fmt: skip
    shapes = [(*kernel, n_in, 4 * n_out), (*kernel, n_out, 4 * n_out), *([(4 * n_out,)] if has_bias else [])]
    call.fill(
        wanted_at(path, shapes),
        lambda arrays: {
            "W": of_image(channels_first_kernel(arrays[0]), n),
            "RW": of_image(channels_first_kernel(arrays[1]), n),
            **({"b": arrays[2]} if has_bias else {}),
        },
    )
    x, length = call.first, call.x.shape[0]
    if n == 1:
        if length is None or call.x.shape[1] is None:
            raise UnsupportedError(f"inputs of shape {call.x.shape}; all sizes must be given")
        x = as_images(call, call.x, (length, 1, *call.x.shape[1:]), "images of height 1")
    if not states and not returns_states:
        return of_height_1(n, call, call.add(layer, x))
    given = [
        call.builder.first(each) if n == 2 else as_images(call, each, (1, *each.shape), f"state {name} of height 1")
        for name, each in zip("hc", states, strict=False)
    ]
    parts = ["steps", *(("h", "c") if returns_states else ())]
    vertices = [ConvolutionalRecurrence(layer, part, is_kept=not call.place.is_trained) for part in parts]
    return [
        of_height_1(n, call, call.add(vertex, x, *given), "" if vertex.part == "steps" else f"{vertex.part}, ")
        for vertex in vertices
    ]


def volumes(call: Call) -> Tensor:
    """Raises UnsupportedError."""
    raise UnsupportedError("sequences of volumes, whose five axes no type of input has")


def image_states(n: int, call: Call) -> tuple[Call, list[Tensor]]:
    """The call with its sequences alone, and the two states that it starts from, or none."""
    keyword = call.keywords.get("initial_state")
    given = keyword if isinstance(keyword, list) else [] if keyword is None else [keyword]
    states = [*call.inputs[1:], *given]
    if len(states) not in (0, 2) or not all(isinstance(each, Tensor) and len(each.shape) == n + 1 for each in states):
        raise UnsupportedError(f"an initial_state that is no list of two tensors of {n + 2} axes")
    return replace(call, inputs=call.inputs[:1]), states


def as_images(call: Call, x: Tensor, shape: Any, part: str) -> str:
    """A tensor with one more axis, the channels in front."""
    images = call.add(nn.ReshapeVertex(shape), call.builder.last(x), part=part)
    return call.builder.first(call.builder.tensor(images, is_last=True))


def of_height_1(n: int, call: Call, vertex: str, part: str = "") -> Tensor:
    """What a vertex makes, without the axis of the height where that was put in."""
    if n == 2:
        return call.made(vertex, keeps_mask=False)
    made = call.builder.tensor(vertex)
    shape = tuple(size or 1 for axis, size in enumerate(made.shape) if axis != len(made.shape) - 3)
    back = call.add(nn.ReshapeVertex(shape), call.builder.last(made), part=f"{part}sequences")
    return call.made(back, is_last=True, keeps_mask=False)


def with_channels_last(n: int, call: Call, path: str) -> Tensor | list[Tensor]:
    """The same of (length, channels, ...), by way of (length, ..., channels)."""
    if len(call.inputs[0].shape) != n + 2:
        given = ("batch", *call.inputs[0].shape)
        raise ValueError(f"{call.settings.who}: examples of {n + 2} axes are needed, given {given}")
    values = {**call.settings.values, "data_format": "channels_last"}
    inputs = [
        turned(
            call, each, (*range(1, n_before + 1), *range(n_before + 2, n + n_before + 2), n_before + 1), f"{part}last"
        )
        for each, n_before, part in zip(
            call.inputs, (1, 0, 0), ("channels ", "h, channels ", "c, channels "), strict=False
        )
    ]
    inner = replace(call, inputs=tuple(inputs), keywords={}, settings=Settings(call.settings.who, values))
    made = convolutional_lstm(n, inner, path)
    found = []
    for each, part in zip(
        made if isinstance(made, list) else [made], ("channels ", "h, channels ", "c, channels "), strict=False
    ):
        n_made = len(each.shape)
        order = (1, n_made, *range(2, n_made)) if n_made > n + 1 else (n_made, *range(1, n_made))
        found.append(turned(call, each, order, f"{part}first"))
    return found if isinstance(made, list) else found[0]


def turned(call: Call, x: Tensor, order: tuple[int, ...], part: str) -> Tensor:
    """A tensor with its axes in another order, as Keras sees it."""
    return call.builder.tensor(call.add(PermuteVertex(order), call.builder.last(x), part=part), is_last=True)


def both_convolutional(n: int, call: Call, inner: Call, mode: str | None) -> Tensor | list[Tensor]:
    """A convolutional recurrence in either direction, and what joins both."""
    has_steps, found = inner.settings.flag("return_sequences", False), []
    inner.settings.refuse(stateful=False, return_state=False)
    if call.keywords.get("initial_state") is not None or len(call.inputs) > 1:
        raise UnsupportedError("initial states of both directions")
    for number, direction in enumerate(("forward", "backward")):
        settings = Settings(inner.settings.who, {**inner.settings.values, "go_backwards": bool(number)})
        each = replace(
            inner, name=f"{call.name}, {direction}", place=numbered(call.place, number), settings=settings, keywords={}
        )
        made = convolutional_lstm(n, each, f"{direction}_layer/cell/")
        assert isinstance(made, Tensor)
        if number and has_steps:
            made = applied(replace(each, inputs=(made,)), "Flip", part="in order", axis=1)
        found.append(made)
    if mode is None:
        return found
    vertex: Any = nn.MergeVertex() if mode == "concat" else nn.ElementWiseVertex(JOINS[mode])
    is_first = not is_channels_first(inner)
    if not is_first and mode == "concat":  # Keras joins along the last axis, whatever it is
        raise UnsupportedError("merge_mode 'concat' with data_format channels_first")
    names = [call.builder.first(each) if is_first else call.builder.last(each) for each in found]
    return call.made(call.add(vertex, *names), is_last=not is_first, keeps_mask=False)


def flat(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes along sequences as those of images of height 1."""
    return sizes if len(sizes) > 1 else (1, *sizes)


ROWS: dict[str, Any] = {
    **{kind: partial(recurrent, kind) for kind in KINDS},
    "Bidirectional": bidirectional,
    **{kind: partial(convolutional_lstm, n) for kind, n in CONVOLUTIONAL.items()},
    "ConvLSTM3D": volumes,
    "RNN": recurrence_of_cells,
    "TimeDistributed": time_distributed,
}
