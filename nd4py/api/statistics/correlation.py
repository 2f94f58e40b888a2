"""Convolution and correlation of two rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._exec.autodiff.tape import differentiable
from ..._exec.concat import as_array
from ..elementwise.elementwise import conj
from ..manipulation.manipulation import ascontiguous, flip, stack
from ..operands import alike, widened
from ..products.matmul import matmul

if TYPE_CHECKING:
    from ..._exec.drivers import correlations
else:
    correlations = LazyModule("nd4py._exec.drivers.correlations", globals())

__all__ = ["convolve", "correlate"]

FEW_RESULTS = 16  # below which each is a product of its own


def checked_rows(name: str, x1: Any, x2: Any, mode: str) -> list[NDArray]:
    """Both operands in their common dtype.  Raises ValueError unless they are rows, TypeError without a common one."""
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim != 1 or x2.ndim != 1 or not x1.size or not x2.size:
        raise ValueError(f"{name}: needs two rows of one number or more, given shapes {x1.shape} and {x2.shape}")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"{name}: mode must be full, same or valid, given {mode!r}")
    return alike(x1, x2)


def convolve(x1: Operand, x2: Operand, /, mode: str = "full") -> NDArray:
    """The sums of x1[i] * x2[k - i] for each k: the product of two polynomials.

    x1: (n,)    x2: (m,)    A number is a row of one.
    mode: "full" for all n + m - 1 results, "same" for the max(n, m) in the middle, "valid" for the
    max(n, m) - min(n, m) + 1 to which all of the shorter row contributes.
    Raises ValueError for other shapes, no elements or another mode, TypeError for dtypes without a common one.

    >>> nd.convolve([1, 2, 3], [1, 1])
    array([1, 3, 5, 3], dtype=int64)
    """
    x1, x2 = (x if x.ndim else x.reshape(1) for x in (as_array(x1), as_array(x2)))
    x1, x2 = checked_rows("convolve", x1, x2, mode)
    long, short = (x1, x2) if x1.size >= x2.size else (x2, x1)
    return slid(long, flip(short), mode)


def correlate(x1: Operand, x2: Operand, /, mode: str = "valid") -> NDArray:
    """The sums of x1[i + k] * conj(x2[i]) for each shift k.

    x1: (n,)    x2: (m,)    mode: "full", "same" or "valid", see `convolve`, which also says what is raised.
    Raises as `convolve` does.

    >>> nd.correlate([1, 2, 3], [1, 1])
    array([3, 5], dtype=int64)
    """
    x1, x2 = checked_rows("correlate", x1, x2, mode)
    if x2.dtype.category == "complex floating":
        x2 = conj(x2)
    if x1.size >= x2.size:
        return slid(x1, x2, mode)
    return flip(slid(x2, x1, mode))


def slid(x: NDArray, short: NDArray, mode: str) -> NDArray:
    """The sums of products of `short` with every part of `x`, and with the ends of `x` for a mode."""
    m = short.size
    before = {"full": m - 1, "same": m // 2, "valid": 0}[mode]
    after = {"full": m - 1, "same": m - 1 - m // 2, "valid": 0}[mode]
    return sums_of_products(x, short, before=before, after=after)


def sums_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradients of sums_of_products: correlations of g with either row."""
    x, short = inputs
    before, after, ends = attributes["before"], attributes["after"], short.size - 1
    return (
        sums_of_products(g, flip(short), before=ends - before, after=ends - after),
        sums_of_products(x, g, before=before, after=after),
    )


@differentiable(sums_vjp)
def sums_of_products(x: NDArray, short: NDArray, *, before: int, after: int) -> NDArray:
    """The sums of x[k - before + i] * short[i] over those i that `x` has; both of one dtype.

    before, after: how many numbers of `short` lie beside `x` at the first k, and at the last one.
    """
    m, dtype = short.size, x.dtype
    if dtype.kind == "b":
        sums = sums_of_products(x.astype("int64"), short.astype("int64"), before=before, after=after)
        return sums.astype(dtype)
    if before + after == 0 and x.size == m:
        return matmul(x, ascontiguous(short)).reshape(1)
    if before + after == 0 and x.size - m < FEW_RESULTS:
        return matmul(stack([x[i : i + m] for i in range(x.size - m + 1)]), short)
    rows = widened(ascontiguous(x)), widened(ascontiguous(short))
    return correlations.slid_sums(*rows, before, after).astype(dtype, copy=False)
