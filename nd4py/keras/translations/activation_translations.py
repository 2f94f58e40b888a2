"""Activations and dropout as layers, and masks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.example_dropout import ExampleDropout
from ..counterparts.mask_layers import MaskingLayer
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import Settings, UnsupportedError, plain, shown
from ..stored_weights import Wanted
from .function_translations import applied
from .translated_settings import ACTIVATION_LAYERS, activation, is_foreign


def element_by_element(call: Call, layer: nn.Layer) -> Tensor:
    """A layer that treats all numbers alike, in whatever order they are."""
    return call.made(call.add(layer, call.x.only), is_last=call.x.first is None)


# Activations that are functions of a whole axis, by their names in Keras.
ALONG_LAST = {"glu": "Glu", "sparsemax": "Sparsemax"}


def activation_layer(call: Call) -> Tensor:
    value = call.settings.values.get("activation")
    if isinstance(value, Mapping) and value.get("class_name") == "function" and not is_foreign(value):
        value = value.get("config")
    if isinstance(value, str) and value in ALONG_LAST:
        return applied(call.without_masks(), ALONG_LAST[value])
    found = activation(call)
    layer = nn.ActivationLayer(found)
    if found in ("softmax", "log_softmax"):  # over the channels
        return call.made(call.add(layer, call.first))
    return element_by_element(call, layer)


def of_settings(name: str, call: Call) -> Tensor:
    """The translation of a layer that is an activation."""
    return element_by_element(call, nn.ActivationLayer(ACTIVATION_LAYERS[name](call.settings)))


def softmax(call: Call) -> Tensor:
    if call.settings.has("axis") and len(call.settings.wholes("axis")) > 1 and call.x.mask is None:
        return applied(call, "SoftmaxOverAxes", axis=call.settings.wholes("axis"))
    n_axes, axes = len(call.x.shape), call.settings.wholes("axis") if call.settings.has("axis") else [-1]
    axis = axes[0] if axes[0] > 0 else axes[0] + n_axes + 1
    if len(axes) != 1 or not 1 <= axis <= n_axes or call.x.mask is not None:
        raise UnsupportedError(f"axis {axes}" + (" of sequences with a mask" if call.x.mask else ""))
    layer = nn.ActivationLayer("softmax")
    if axis == n_axes:
        return call.made(call.add(layer, call.first))
    # The axis at the place of the channels, and back.
    order = [each for each in range(1, n_axes + 1) if each != axis]
    order = [axis, *order] if n_axes > 2 else [*order, axis]
    turned = call.add(PermuteVertex(tuple(order)), call.last, part="axis moved")
    made = call.add(layer, turned)
    back = tuple(order.index(each) + 1 for each in range(1, n_axes + 1))
    return call.made(call.add(PermuteVertex(back), made, part="axis moved back"), is_last=True)


def prelu(call: Call) -> Tensor:
    call.refuse_training(alpha_constraint=None, alpha_regularizer=None)
    n_axes, shape = len(call.x.shape), call.x.shape
    shared = set(call.settings.wholes("shared_axes")) if call.settings.has("shared_axes") else set()
    sizes = tuple(1 if axis in shared else size for axis, size in enumerate(shape, 1))
    if None in sizes or any(not 1 <= axis <= n_axes for axis in shared):
        raise UnsupportedError(f"shared_axes {sorted(shared)} of input of shape {('batch', *shape)}")
    wanted = tuple(int(size or 1) for size in sizes)
    own = {axis: axis for axis in shared} if n_axes < 3 else {axis: axis % n_axes + 1 for axis in shared}
    layer = nn.PReLULayer(tuple(sorted(own.values())))

    def converted(arrays: Arrays) -> Converted:
        slopes = arrays[0]
        return {"W": slopes if n_axes < 3 else slopes.transpose((n_axes - 1, *range(n_axes - 1)))}

    call.fill([Wanted("vars/0", wanted)], converted)
    return call.made(call.add(layer, call.first))


def noise(call: Call, setting: Any) -> Tensor:
    """A layer that does something while the network trains and nothing otherwise."""
    return call.made(call.add(nn.DropoutLayer(setting), call.first))


def rate(settings: Settings) -> float:
    """The share that is dropped.  Raises ValueError for a number outside of [0, 1)."""
    found = settings.number("rate", least=0.0)
    if found >= 1.0:
        raise settings.wrong("rate", "a number below 1")
    return found


def dropout(call: Call) -> Tensor:
    share = rate(call.settings)
    if not call.settings.has("noise_shape"):
        return noise(call, share)
    shape = plain(call.settings.values["noise_shape"])
    if shape != [None, *(1 for _ in call.x.shape)]:
        raise UnsupportedError(f"noise_shape={shown(shape)}")
    return noise(call, ExampleDropout(share))


def spatial_dropout(call: Call) -> Tensor:
    return noise(call, nn.SpatialDropout(rate(call.settings)))


def alpha_dropout(call: Call) -> Tensor:
    call.settings.refuse(noise_shape=None)
    return noise(call, nn.AlphaDropout(rate(call.settings)))


def gaussian_dropout(call: Call) -> Tensor:
    return noise(call, nn.GaussianDropout(rate(call.settings)))


def gaussian_noise(call: Call) -> Tensor:
    return noise(call, nn.GaussianNoise(call.settings.number("stddev", least=0.0)))


def identity(call: Call) -> Tensor:
    return element_by_element(call, nn.ActivationLayer("identity"))


def masking(call: Call) -> Tensor:
    if len(call.x.shape) != 2:
        raise UnsupportedError(f"input of shape {('batch', *call.x.shape)}; sequences are needed")
    vertex = call.add(MaskingLayer(call.settings.number("mask_value", 0.0)), call.x.only)
    return call.builder.tensor(vertex, mask=vertex)


ROWS: dict[str, Any] = {
    "Activation": activation_layer,
    "Softmax": softmax,
    "PReLU": prelu,
    **{name: partial(of_settings, name) for name in ACTIVATION_LAYERS},
    "Dropout": dropout,
    "SpatialDropout1D": spatial_dropout,
    "SpatialDropout2D": spatial_dropout,
    "SpatialDropout3D": spatial_dropout,
    "AlphaDropout": alpha_dropout,
    "GaussianDropout": gaussian_dropout,
    "GaussianNoise": gaussian_noise,
    "Identity": identity,
    "Masking": masking,
}
