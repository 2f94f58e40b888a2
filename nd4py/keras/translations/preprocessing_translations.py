"""Layers that prepare data: sizes of images, classes as rows, intervals of numbers, and chance while training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..graph_builder import Call, Tensor
from ..settings_reader import Settings, UnsupportedError, plain, shown
from .activation_translations import element_by_element
from .convolution_translations import channels_of
from .function_translations import applied
from .translated_settings import is_channels_first

# Layers that change images by chance while Keras trains, and do nothing otherwise: here they do nothing.
BY_CHANCE = (
    *("AugMix", "CutMix", "MixUp", "RandAugment", "RandomBrightness", "RandomColorDegeneration", "RandomColorJitter"),
    *("RandomContrast", "RandomElasticTransform", "RandomErasing", "RandomFlip", "RandomGaussianBlur"),
    *("RandomGrayscale", "RandomHue", "RandomInvert", "RandomPerspective", "RandomPosterization", "RandomRotation"),
    *("RandomSaturation", "RandomSharpness", "RandomShear", "RandomTranslation", "RandomZoom", "Solarization"),
)

# The settings of decibels, and what they are where nothing is said.
LOUDNESS = {"min_power": 1e-10, "ref_power": 1.0, "top_db": 80.0}


def activity_regularization(call: Call) -> Tensor:
    call.refuse_training(l1=0.0, l2=0.0)
    return unchanged(call)


def unchanged(call: Call) -> Tensor:
    return element_by_element(call, nn.ActivationLayer("identity"))


def image_sizes(call: Call) -> tuple[int, int]:
    """The height and width of an image.  Raises UnsupportedError for open ones, and channels in front."""
    channels_of(call, 2)
    height, width, _ = call.x.shape
    if height is None or width is None:
        raise UnsupportedError(f"images of shape {call.x.shape}")
    return height, width


def of_images(translation: Callable[[Call], Tensor], call: Call) -> Tensor:
    """The translation of a layer of images with the channels last, also where they are in front."""
    if not is_channels_first(call):
        return translation(call)
    channels_of(call, 2)
    x = call.builder.tensor(call.add(PermuteVertex((2, 3, 1)), call.last, part="channels last"), is_last=True)
    settings = Settings(call.settings.who, {**call.settings.values, "data_format": "channels_last"})
    made = translation(replace(call, inputs=(x,), settings=settings))
    back = call.add(PermuteVertex((3, 1, 2)), call.builder.last(made), part="channels first")
    return call.made(back, is_last=True)


def resizing(call: Call) -> Tensor:
    height, width = image_sizes(call)
    size = [call.settings.whole(name) for name in ("height", "width")]
    kind, is_smooth = call.settings.values.get("interpolation", "bilinear"), call.settings.flag("antialias", False)
    if kind == "bicubic" and not is_smooth:
        raise UnsupportedError("interpolation='bicubic' without antialias, which each backend of Keras does in its way")
    if kind not in (*("bilinear", "nearest", "bicubic"), *(("lanczos3", "lanczos5") if is_smooth else ())):
        raise UnsupportedError(f"interpolation={shown(kind)}")
    # The largest part of the image that has the sides' ratio wanted, or the smallest image of it around this one.
    ratio_height, ratio_width = int(width * size[0] / size[1]), int(height * size[1] / size[0])
    if call.settings.flag("crop_to_aspect_ratio", False):
        crop = max(min(height, ratio_height), 1), max(min(width, ratio_width), 1)
        starts = (height - crop[0]) // 2, (width - crop[1]) // 2
        key = [[None, None, None], *([a, a + n, None] for a, n in zip(starts, crop, strict=True))]
        call = replace(call, inputs=(applied(call, "GetItem", part="cropped", key=key),))
    elif call.settings.flag("pad_to_aspect_ratio", False):
        call.settings.refuse(fill_mode="constant")
        beside = call.settings.number("fill_value", 0.0)
        edges = (max(height, ratio_height) - height) // 2, (max(width, ratio_width) - width) // 2
        pad = [(0, 0), *((n, n) for n in edges), (0, 0)]
        call = replace(call, inputs=(applied(call, "Pad", part="padded", pad_width=pad, value=beside),))
    kind = f"smooth {kind}" if is_smooth and kind != "nearest" else kind
    return applied(call, "resize", size=size, interpolation=kind)


def mel_spectrogram(call: Call) -> Tensor:
    """How loud each band of the mel scale is at each time, in decibels."""
    settings = call.settings
    if len(call.x.shape) != 1 or call.x.shape[0] is None:
        raise UnsupportedError(f"input of shape {('batch', *call.x.shape)}; a number of samples is needed")
    n, rate = settings.whole("fft_length", 2048), settings.whole("sampling_rate", 16000)
    length = settings.whole("sequence_length") if settings.has("sequence_length") else n
    window = settings.values.get("window", "hann")
    if window not in ("hann", "hamming"):
        raise UnsupportedError(f"window={shown(window)}")
    high = settings.number("max_freq", least=0.0) if settings.has("max_freq") else float(int(rate / 2))
    decibels = {name: settings.number(name, start) for name, start in LOUDNESS.items()}
    return applied(
        call, "mel spectrogram", fft_length=n, length=length, step=settings.whole("sequence_stride", 512),
        window=window, rate=rate, n_bands=settings.whole("num_mel_bins", 128), low=settings.number("min_freq", 20.0),
        high=high, exponent=settings.number("mag_exp", 2.0),
        decibels=list(decibels.values()) if settings.flag("power_to_db", True) else [],
    )  # fmt: skip


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
    "CenterCrop": partial(of_images, center_crop),
    "Discretization": discretization,
    "MelSpectrogram": mel_spectrogram,
    "Resizing": partial(of_images, resizing),
}
