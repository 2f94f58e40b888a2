"""Layers that prepare data: sizes of images, classes as rows, intervals of numbers, and chance while training."""

from dataclasses import replace
from functools import partial
from typing import Any

from nd4py import nn

from ..graph_builder import Call, Tensor
from ..settings_reader import UnsupportedError, plain, shown
from .activation_translations import element_by_element
from .convolution_translations import channels_of
from .function_translations import applied
from .translated_settings import is_channels_first

# Layers that change images by chance while Keras trains, and do nothing otherwise: here they do nothing.
BY_CHANCE = (
    *("AugMix", "CutMix", "MixUp", "RandAugment", "RandomBrightness", "RandomColorDegeneration", "RandomColorJitter"),
    *("RandomContrast", "RandomElasticTransform", "RandomErasing", "RandomFlip", "RandomGaussianBlur"),
    *("RandomGrayscale", "RandomHue", "RandomInvert", "RandomPerspective", "RandomPosterization", "RandomRotation"),
    *("RandomSaturation", "RandomSharpness", "RandomShear", "RandomTranslation", "RandomZoom"),
)


def activity_regularization(call: Call) -> Tensor:
    call.refuse_training(l1=0.0, l2=0.0)
    return unchanged(call)


def unchanged(call: Call) -> Tensor:
    return element_by_element(call, nn.ActivationLayer("identity"))


def image_sizes(call: Call) -> tuple[int, int]:
    """The height and width of an image.  Raises UnsupportedError for open ones, and channels in front."""
    channels_of(call, 2)
    height, width, _ = call.x.shape
    if is_channels_first(call) or height is None or width is None:
        raise UnsupportedError(f"images of shape {call.x.shape}, or with the channels in front")
    return height, width


def resizing(call: Call) -> Tensor:
    image_sizes(call)
    call.settings.refuse(crop_to_aspect_ratio=False, pad_to_aspect_ratio=False, antialias=False)
    size = [call.settings.whole(name) for name in ("height", "width")]
    kind = call.settings.values.get("interpolation", "bilinear")
    if kind not in ("bilinear", "nearest"):
        raise UnsupportedError(f"interpolation={shown(kind)}")
    return applied(call, "resize", size=size, interpolation=kind)


def center_crop(call: Call) -> Tensor:
    sizes, wanted = image_sizes(call), [call.settings.whole(name) for name in ("height", "width")]
    if any(n > size for n, size in zip(wanted, sizes, strict=True)):
        raise UnsupportedError(f"images of {sizes} pixels, which are smaller")
    starts = [(size - n) // 2 for n, size in zip(wanted, sizes, strict=True)]
    key = [[None, None, None], *([start, start + n, None] for start, n in zip(starts, wanted, strict=True))]
    return applied(call, "GetItem", key=key)


def adaptive_pooling(kind: str, n: int, call: Call) -> Tensor:
    """The translation of pooling to a number of windows along each of `n` axes."""
    channels_of(call, n)
    if is_channels_first(call) or None in call.x.shape:
        raise UnsupportedError(f"inputs of shape {call.x.shape}, or with the channels in front")
    return applied(call, "adaptive pooling", sizes=call.settings.sizes("output_size", n), kind=kind)


def category_encoding(call: Call) -> Tensor:
    mode = call.settings.choice("output_mode", ("multi_hot", "one_hot", "count"), "multi_hot")
    if len(call.inputs) != 1 or call.settings.flag("sparse", False):
        raise UnsupportedError("weights of classes, or sparse=True")
    return applied(call, "encoding", num_tokens=call.settings.whole("num_tokens"), output_mode=mode)


def discretization(call: Call) -> Tensor:
    values = plain(call.settings.values.get("bin_boundaries"))
    if not isinstance(values, list) or not all(isinstance(each, int | float) for each in values):
        raise UnsupportedError("no bin_boundaries, those of data that was seen")
    mode = call.settings.values.get("output_mode", "int")
    found = applied(call, "intervals", boundaries=values, part="" if mode == "int" else "intervals")
    if mode == "int":
        return found
    if mode not in ("multi_hot", "one_hot", "count") or call.settings.flag("sparse", False):
        raise UnsupportedError(f"output_mode={shown(mode)}, or sparse=True")
    return applied(replace(call, inputs=(found,)), "encoding", num_tokens=len(values) + 1, output_mode=mode)


ROWS: dict[str, Any] = {
    **{name: unchanged for name in BY_CHANCE},  # noqa: C420  a call at import
    **{f"AdaptiveAveragePooling{n}D": partial(adaptive_pooling, "avg", n) for n in (1, 2, 3)},
    **{f"AdaptiveMaxPooling{n}D": partial(adaptive_pooling, "max", n) for n in (1, 2, 3)},
    "ActivityRegularization": activity_regularization,
    "CategoryEncoding": category_encoding,
    "CenterCrop": center_crop,
    "Discretization": discretization,
    "Resizing": resizing,
}
