"""Derivatives and integrals of sampled functions."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Axes, Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import real, whole
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..elementwise.elementwise import add, divide, multiply, subtract
from ..manipulation.manipulation import concat
from ..operands import alike, as_number, axes_of
from ..reductions.reductions import sum

__all__ = ["gradient", "trapezoid"]


def along(x: NDArray, axis: int, start: int | None, stop: int | None) -> NDArray:
    """The part start:stop of `x` along one axis, a view."""
    return x[(slice(None),) * axis + (slice(start, stop),)]


def steps_of(x: NDArray, axis: int) -> NDArray:
    """The distance from each sample to the next along one axis."""
    return subtract(along(x, axis, 1, None), along(x, axis, None, -1))


@tells_its_name
def trapezoid(y: Operand, /, x: Any = None, dx: float | NDArray = 1.0, axis: int = -1) -> NDArray:
    """The integral of samples `y` along `axis` by the trapezoidal rule.

    x: the coordinates of the samples, (samples,) or of the shape of y; None stands for steps of `dx`.
    Returns the shape of y without `axis`; integers become float64.
    Raises ValueError for a wrong axis and shapes that do not broadcast.

    >>> nd.trapezoid([1.0, 2.0, 3.0])
    array(4., dtype=float64)
    """
    y = as_number(y)
    axis = normalize_axis(axis, y.ndim)
    middles = add(along(y, axis, 1, None), along(y, axis, None, -1))
    if x is None:
        step = dx if is_array(dx) else real("trapezoid: dx", dx)
        return multiply(sum(middles, axis=axis), step * 0.5)
    points = as_number(x)
    if points.ndim == 1:
        points = points.reshape((points.size, *(1 for _ in range(y.ndim - axis - 1))))
    steps = steps_of(points, points.ndim - (y.ndim - axis))
    steps, middles = alike(steps, middles)
    return multiply(sum(multiply(steps, middles), axis=axis), 0.5)


def gradient(x: Operand, /, *spacing: Any, axis: Axes = None, edge_order: int = 1) -> Any:
    """Slopes of samples `x` along `axis`: central differences inside, one-sided ones at the two ends.

    spacing: nothing for steps of 1, one number for all axes, or for each axis a number or the coordinates of its
    samples.
    edge_order: 1 or 2, the order of the differences at the ends; an axis needs edge_order + 1 samples.
    Returns one array of the shape of x for a single axis, else a tuple of them; integers become float64.
    Raises ValueError for a wrong axis, too few samples or coordinates, another edge_order, TypeError for a wrong number
    of spacings.  Fornberg 1988, https://doi.org/10.1090/S0025-5718-1988-0935077-0, has the weights for uneven steps.

    >>> nd.gradient([1.0, 2.0, 4.0])
    array([1. , 1.5, 2. ], dtype=float64)
    """
    x = as_number(x)
    axes = axes_in_order(axis, x.ndim)
    if len(spacing) == 1 and len(axes) != 1 and as_array(spacing[0]).ndim == 0:
        spacing = spacing * len(axes)
    if len(spacing) not in (0, len(axes)):
        raise TypeError(f"gradient: needs spacing for all of {len(axes)} axes, one for each, given {len(spacing)}")
    edge_order = whole("gradient: edge_order", edge_order)
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order must be 1 or 2, given {edge_order}")
    slopes = [slope(x, i, each, edge_order) for i, each in zip(axes, spacing or (1.0,) * len(axes), strict=True)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


def axes_in_order(axis: Axes, ndim: int) -> tuple[int, ...]:
    """The axes as given, counted from the front."""
    axes_of("gradient", axis, ndim)
    if axis is None:
        return tuple(range(ndim))
    return tuple(normalize_axis(i, ndim) for i in (axis if isinstance(axis, tuple | list) else (axis,)))


def slope(x: NDArray, axis: int, spacing: Any, edge_order: int) -> NDArray:
    """Slopes along one axis."""
    n = x.shape[axis]
    if n < edge_order + 1:
        raise ValueError(f"gradient: axis {axis} needs {edge_order + 1} samples or more, given shape {x.shape}")
    if not isinstance(spacing, int | float):
        x, spacing = alike(x, as_number(spacing))
    if is_array(spacing) and spacing.ndim:
        if spacing.shape != (n,):
            raise ValueError(f"gradient: axis {axis} has {n} samples and needs {n} coordinates, given {spacing.shape}")
        steps = steps_of(spacing.reshape((n, *(1 for _ in range(x.ndim - axis - 1)))), 0)
        first, last = [steps[0], steps[1:2]], [steps[n - 2], steps[n - 3 : n - 2]]
        inside = uneven_slopes(x, axis, steps[:-1], steps[1:])
    else:
        first = last = [spacing, spacing]
        inside = divide(subtract(along(x, axis, 2, None), along(x, axis, None, -2)), spacing * 2.0)
    starts = [along(x, axis, i, i + 1) for i in range(edge_order + 1)]
    ends = [along(x, axis, n - 1 - i, n - i) for i in range(edge_order + 1)]
    return concat([one_sided(starts, first), inside, subtract(0, one_sided(ends, last))], axis=axis)


def uneven_slopes(x: NDArray, axis: int, before: NDArray, after: NDArray) -> NDArray:
    """Slopes at the inner samples, with the steps before and after each."""
    both = before + after
    return (
        along(x, axis, None, -2) * (-after / (before * both))
        + along(x, axis, 1, -1) * ((after - before) / (before * after))
        + along(x, axis, 2, None) * (before / (after * both))
    )


def one_sided(samples: list[NDArray], steps: list[Any]) -> NDArray:
    """The slope at the first of two or three samples of the line, or parabola, through them."""
    near, far = steps
    if len(samples) == 2:
        return divide(subtract(samples[1], samples[0]), near)
    both = near + far
    return (
        samples[1] * (both / (near * far))
        - samples[0] * ((near + both) / (near * both))
        - samples[2] * (near / (far * both))
    )
