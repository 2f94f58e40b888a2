"""Discrete Fourier transforms: the array API's `fft` extension, and NumPy's transforms of two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..._core.annotations import DTypeLike, Operand, Shape
from ..._core.array.array import NDArray
from ..._core.dtype import dtype_of
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count, is_whole, items, named, real
from ..._exec.concat import as_array
from ..._exec.device.placement import check_device, on_requested_device
from ..._exec.drivers.fourier_drivers import transformed
from ..arguments import into, tells_its_name
from ..creation.basic_creation import arange
from ..creation.data_types import float32, float64, isdtype
from ..elementwise.elementwise import conj
from ..manipulation.rearranging import roll
from .tracked_transforms import OPPOSITE, tracked_transform

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

Norm: TypeAlias = str | None
Sequences: TypeAlias = Sequence[int] | None
Step: TypeAlias = tuple[str, int | None, int]  # a transform, its points (None: all), its axis

NORMS = ("backward", "ortho", "forward", None)


def fft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The transform of `x` along `axis`: y[k] = sum of x[j] exp(-2 pi i j k / n) over j.

    x: complex or real, any shape; integers are computed in float64.  Returns complex numbers of the same precision.
    n: the length to cut the axis to, or to fill it up to with zeros; by default its own.
    norm: whether y is divided by 1 ("backward"), sqrt(n) ("ortho") or n ("forward").
    Raises ValueError for an n below 1, an unknown norm or axis, TypeError for half types.

    >>> nd.fft.fft([1.0, 0.0, 0.0, 0.0])
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """
    return into("fft", along_axes("fft", x, [("fft", n, axis)], norm), out)


def ifft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The inverse of `fft`: sums of x[j] exp(2 pi i j k / n), divided by n ("backward"), sqrt(n) or 1 ("forward").

    Raises as `fft` does.

    >>> nd.fft.ifft([4.0, 0.0, 0.0, 0.0])
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """
    return into("ifft", along_axes("ifft", x, [("ifft", n, axis)], norm), out)


def rfft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The first n // 2 + 1 numbers of the `fft` of real `x`; the others are conjugates of these.

    Raises TypeError for complex x, and what fft raises.

    >>> nd.fft.rfft([1.0, 2.0, 3.0, 4.0])
    array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex128)
    """
    return into("rfft", along_axes("rfft", x, [("rfft", n, axis)], norm), out)


def irfft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The inverse of `rfft`: `n` real numbers, by default 2 * (length of the axis - 1).  Raises as `fft` does.

    >>> nd.fft.irfft([4.0, 0.0, 0.0])
    array([1., 1., 1., 1.], dtype=float64)
    """
    return into("irfft", along_axes("irfft", x, [("irfft", n, axis)], norm), out)


def hfft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The `fft` of a sequence with conjugate symmetry, of which `x` is the first half: `n` real numbers, by default
    2 * (length of the axis - 1).
    Raises as `fft` does.

    >>> nd.fft.hfft([1.0, 2.0, 3.0])
    array([ 8., -2.,  0., -2.], dtype=float64)
    """
    return into("hfft", along_axes("hfft", conjugated(x), [("irfft", n, axis)], opposite("hfft", norm)), out)


def ihfft(
    x: Operand, /, n: int | None = None, axis: int = -1, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The inverse of `hfft`: the first n // 2 + 1 numbers.  Raises TypeError for complex x.

    >>> nd.fft.ihfft([4.0, 0.0, 0.0, 0.0])
    array([1.-0.j, 1.-0.j, 1.-0.j], dtype=complex128)
    """
    return into("ihfft", conj(along_axes("ihfft", x, [("rfft", n, axis)], opposite("ihfft", norm))), out)


def fftn(
    x: Operand, /, s: Sequences = None, axes: Sequences = None, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The transform along several axes, by default all.

    s: the lengths of these axes, as `n` of fft; without `axes`, of the last len(s) axes.
    Raises ValueError for axes that repeat or do not match `s`, and what fft raises.

    >>> nd.fft.fftn(nd.ones((2, 2, 2)))[0, 0, 0]
    array(8.+0.j, dtype=complex128)
    """
    return into("fftn", along_axes("fftn", x, every("fftn", x, s, axes, "fft"), norm), out)


def ifftn(
    x: Operand, /, s: Sequences = None, axes: Sequences = None, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The inverse of `fftn`.  Raises as `fftn` does.

    >>> nd.allclose(nd.fft.ifftn(nd.fft.fftn(nd.ones((2, 2, 2)))), 1)
    array(True, dtype=bool)
    """
    return into("ifftn", along_axes("ifftn", x, every("ifftn", x, s, axes, "ifft"), norm), out)


def rfftn(
    x: Operand, /, s: Sequences = None, axes: Sequences = None, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The transform of real `x` along several axes, with half of the numbers along the last of them, as in `rfft`.

    Raises TypeError for complex x, and as `fftn` does.

    >>> nd.fft.rfftn(nd.ones((2, 2, 4))).shape
    (2, 2, 3)
    """
    *others, (_, n, axis) = every("rfftn", x, s, axes, "fft")
    return into("rfftn", along_axes("rfftn", x, [*others, ("rfft", n, axis)], norm), out)


def irfftn(
    x: Operand, /, s: Sequences = None, axes: Sequences = None, norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """The inverse of `rfftn`: real numbers, of which the last axis has 2 * (its length - 1) by default.

    Raises as `fftn` does.

    >>> nd.allclose(nd.fft.irfftn(nd.fft.rfftn(nd.ones((2, 4)))), 1)
    array(True, dtype=bool)
    """
    *others, (_, n, axis) = every("irfftn", x, s, axes, "ifft")
    n = None if s is None else n
    return into("irfftn", along_axes("irfftn", x, [("irfft", n, axis), *others], norm), out)


@tells_its_name
def fft2(
    x: Operand, /, s: Sequences = None, axes: Sequences = (-2, -1), norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """`fftn` along two axes, by default the last.  Returns and raises as `fftn` does.

    >>> nd.fft.fft2(nd.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """
    return into("fft2", fftn(x, s, axes, norm), out)


@tells_its_name
def ifft2(
    x: Operand, /, s: Sequences = None, axes: Sequences = (-2, -1), norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """`ifftn` along two axes, by default the last.  Returns and raises as `ifftn` does.

    s: the sizes of the result along `axes`, longer than x or shorter.

    >>> nd.fft.ifft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]], dtype=complex128)
    """
    return into("ifft2", ifftn(x, s, axes, norm), out)


@tells_its_name
def rfft2(
    x: Operand, /, s: Sequences = None, axes: Sequences = (-2, -1), norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """`rfftn` along two axes, by default the last.  Returns and raises as `rfftn` does.

    s: the sizes that x is cut or filled with zeros to.

    >>> nd.fft.rfft2(nd.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """
    return into("rfft2", rfftn(x, s, axes, norm), out)


@tells_its_name
def irfft2(
    x: Operand, /, s: Sequences = None, axes: Sequences = (-2, -1), norm: Norm = "backward", out: NDArray | None = None
) -> NDArray:
    """`irfftn` along two axes, by default the last.  Returns and raises as `irfftn` does.

    s: the sizes of the result along `axes`.

    >>> nd.fft.irfft2([[4.0, 0.0], [0.0, 0.0]])
    array([[1., 1.],
           [1., 1.]], dtype=float64)
    """
    return into("irfft2", irfftn(x, s, axes, norm), out)


def fftfreq(n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """The frequencies of an `fft` of `n` samples at distance `d`: 0, 1 ... and the negative ones, divided by n d.

    dtype: a floating dtype, float64 by default.  Raises ValueError for an n below 1 or a d of 0.

    >>> nd.fft.fftfreq(4, d=0.1)
    array([ 0. ,  2.5, -5. , -2.5], dtype=float64)
    """
    n = length("fftfreq", n)
    return frequencies("fftfreq", ifftshift(arange(-(n // 2), (n + 1) // 2)), n, d, dtype, device)


def rfftfreq(n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """The n // 2 + 1 frequencies of an `rfft` of `n` samples at distance `d`.  Otherwise like `fftfreq`.

    Raises as `fftfreq` does.

    >>> nd.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ], dtype=float64)
    """
    n = length("rfftfreq", n)
    return frequencies("rfftfreq", arange(n // 2 + 1), n, d, dtype, device)


def fftshift(x: Operand, /, axes: int | Sequences = None) -> NDArray:
    """`x` with frequency 0 moved to the middle of `axes`, by default all.  Raises ValueError for a wrong axis.

    >>> nd.fft.fftshift(nd.fft.fftfreq(4))
    array([-0.5 , -0.25,  0.  ,  0.25], dtype=float64)
    """
    x = as_array(x)
    numbers = shifted_axes(x, axes)
    return roll(x, [x.shape[axis] // 2 for axis in numbers], numbers)


def ifftshift(x: Operand, /, axes: int | Sequences = None) -> NDArray:
    """The inverse of `fftshift`.  Raises as `fftshift` does.

    >>> nd.fft.ifftshift(nd.fft.fftshift([0, 1, 2, 3, 4]))
    array([0, 1, 2, 3, 4], dtype=int64)
    """
    x = as_array(x)
    numbers = shifted_axes(x, axes)
    return roll(x, [-(x.shape[axis] // 2) for axis in numbers], numbers)


def shifted_axes(x: NDArray, axes: int | Sequences) -> Shape:
    """The axes to shift, each of them once."""
    given = range(x.ndim) if axes is None else axes if isinstance(axes, Sequence) else (axes,)
    return tuple(sorted({normalize_axis(axis, x.ndim) for axis in given}))


# How a transform runs.


def conjugated(x: Any) -> NDArray:
    """`x` with its imaginary part negated; real numbers as they are."""
    x = as_array(x)
    return conj(x) if x.dtype.kind == "c" else x


def opposite(name: str, norm: Norm) -> Norm:
    """The norm of the inverse."""
    return OPPOSITE.get(named(f"{name}: norm", norm, NORMS), norm)


def along_axes(name: str, x: Any, steps: list[Step], norm: Norm) -> NDArray:
    """One transform after the other, the last step first."""
    named(f"{name}: norm", norm, NORMS)
    x = as_array(x)
    check_input(name, x, steps[-1][0] == "rfft")
    numbered = [(transform, n, normalize_axis(axis, x.ndim)) for transform, n, axis in reversed(steps)]
    exact = [(transform, points(name, transform, x, n, axis), axis) for transform, n, axis in numbered]
    y = x if x.dtype.kind in "fc" else x.astype(float64)
    if y.node is None:
        return transformed(y, exact, norm or "backward")
    for step in exact:
        y = tracked_transform(y, *step, norm or "backward")
    return y


def check_input(name: str, x: NDArray, is_real: bool) -> None:
    """Raises TypeError for what has no transform."""
    if is_real and x.dtype.kind == "c":
        raise TypeError(f"{name}: needs real numbers, given {x.dtype}; take nd4py.real(x) first")
    if x.dtype.kind == "f" and x.dtype.itemsize < float32.itemsize:
        raise TypeError(f"{name}: no {x.dtype} transform; convert first, x.astype('float32')")


def points(name: str, transform: str, x: NDArray, n: int | None, axis: int) -> int:
    """How many points are transformed: `n`, by default those of the axis, or twice the numbers of half a spectrum."""
    if n is None:
        n = 2 * (x.shape[axis] - 1) if transform == "irfft" else x.shape[axis]
        if n < 1:
            raise ValueError(f"{name}: axis {axis} of shape {x.shape} gives no points to transform; pass a length")
    return length(name, n)


def every(name: str, x: Any, s: Sequences, axes: Sequences, transform: str) -> list[Step]:
    """The steps of a transform along several axes.  Raises ValueError for axes that are none or do not fit."""
    n_axes = as_array(x).ndim
    if axes is None:
        axes = range(n_axes) if s is None else range(-len(items(f"{name}: s", s)), 0)
    axes = items(f"{name}: axes", axes)
    lengths: Sequence[int | None] = [None] * len(axes) if s is None else items(f"{name}: s", s)
    if len(lengths) != len(axes):
        raise ValueError(f"{name}: {len(lengths)} lengths s={tuple(lengths)} for {len(axes)} axes {tuple(axes)}")
    numbers = [normalize_axis(axis, n_axes) for axis in axes]
    if not numbers or len(set(numbers)) < len(numbers):
        raise ValueError(f"{name}: needs one axis or more, each of them once, given {tuple(axes)}")
    return [(transform, None if n == -1 else n, axis) for n, axis in zip(lengths, numbers, strict=True)]


def length(name: str, n: Any) -> int:
    """`n` as a number of points.  Raises TypeError unless it is a whole number, ValueError below 1."""
    if isinstance(n, bool) or not is_whole(n):
        raise TypeError(f"{name}: the number of points must be a whole number, given {n!r}")
    return count(f"{name}: the number of points", n, 1)


def frequencies(name: str, numbers: NDArray, n: int, d: float, dtype: DTypeLike | None, device: str | None) -> NDArray:
    """numbers / (n d) in a floating dtype."""
    check_device(device)
    target = dtype_of(float64 if dtype is None else dtype)
    if not isdtype(target, "real floating"):
        raise TypeError(f"{name}: dtype must be a real floating dtype, given {target}")
    d = real(f"{name}: the distance d of samples", d)
    if d == 0:
        raise ValueError(f"{name}: the distance d of samples must not be 0")
    return on_requested_device((numbers.astype(float64) / (n * d)).astype(target, copy=False), device)
