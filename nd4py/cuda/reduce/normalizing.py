"""Softmax, its logarithm, and standardized lines on a device.

Lines are brought behind the other axes; then there is one launch.
"""

from __future__ import annotations

from math import prod

from ..._core.layout.layouts import dense, inverse_of
from ..._spec.dtypes import DTYPES
from ..array.device_array import DeviceArray, empty_on_device
from ..device_families import kernels_of
from ..launch.function_launches import normalize_launch
from ..launch.launch_configuration import config
from ..launch.submit import submit

__all__ = ["log_softmax", "softmax", "standardize"]


def softmax(x: DeviceArray, axis: int) -> DeviceArray | None:
    """exp(x) / sum(exp(x)) along an axis; None of no elements."""
    return normalized("softmax", x, axis)


def log_softmax(x: DeviceArray, axis: int) -> DeviceArray | None:
    """The logarithm of the softmax along an axis; None of no elements."""
    return normalized("log_softmax", x, axis)


def standardize(
    x: DeviceArray, axis: int, epsilon: float, scale: DeviceArray | None, bias: DeviceArray | None
) -> DeviceArray | None:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias along an axis; None of no elements.

    scale, bias: dense, of the dtype of x, as long as the axis; or None
    """
    return normalized("standardize", x, axis, epsilon, scale=scale, bias=bias)


def normalized(
    name: str, x: DeviceArray, axis: int, epsilon: float = 0.0, **weights: DeviceArray | None
) -> DeviceArray | None:
    """The lines of `x` along an axis through the kernel of that name."""
    if x.size == 0:
        return None
    order = (*(i for i in range(x.ndim) if i != axis), axis)
    lines = dense(x.permute_dims(order))
    y = empty_on_device(lines.shape, x.number, x.device_number)
    given = {key: weight for key, weight in weights.items() if weight is not None}
    n_lines, n = prod(lines.shape[:-1]), lines.shape[-1]
    launch = normalize_launch(
        name, lines.address, y.address, n_lines, n, epsilon=epsilon, max_blocks=config.maximum_grid_size,
        **{key: weight.address for key, weight in given.items()},
    )  # fmt: skip
    kernels = kernels_of("normalize", DTYPES[x.number].name, launch.variant)
    submit(x.device_number, kernels, launch, [lines, y, *given.values()])
    return dense(y.permute_dims(inverse_of(order)))
