"""Polynomials fitted to points by least squares."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.whole_numbers import count, named, real
from ..._exec.concat import as_array
from ..arguments import ShapesError
from ..creation.data_types import finfo
from ..elementwise.elementwise import divide, multiply, sqrt, where
from ..linalg.least_squares import lstsq
from ..linalg.ranks import pinv
from ..linalg.solving import inv
from ..operands import alike, as_number
from ..products.matmul import matmul
from ..reductions.reductions import sum
from .polynomials import vander

__all__ = ["polyfit"]


def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """The coefficients of the polynomial of degree `deg` that is nearest to points, that of the highest power first.

    x: (n,)    y: (n,) or (n, k), k sets of points    w: (n,) weights of the residuals before they are squared.
    rcond: singular values up to rcond times the largest count as 0, by default n times the dtype's eps.
    full: also the sums of squared residuals, the rank, the singular values, and rcond.
    cov: also the covariance matrix of the coefficients, with "unscaled" for weights that are 1 / sigma.
    Raises ValueError for other shapes, which is a TypeError too, as NumPy's is, for a negative degree and for too few
    points for `cov`; TypeError for what is no number; NotImplementedError for `full` and `cov` of arrays that are being
    differentiated.
    Returns (deg + 1,) or (deg + 1, k), or a tuple of it and what is asked for.

    >>> nd.round(nd.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 7.0], 2), 10).tolist()
    [1.0, 1.0, 1.0]
    """
    n_powers = count("polyfit: deg", deg) + 1
    x, y = alike(as_number(x), as_number(y))
    if x.ndim != 1 or y.ndim not in (1, 2) or x.size == 0 or x.shape[0] != y.shape[0]:
        raise ShapesError(f"polyfit: needs x (n,) and y (n,) or (n, k), n at least 1, given {x.shape} and {y.shape}")
    rcond = x.size * finfo(x.dtype).eps if rcond is None else real("polyfit: rcond", rcond)
    powers = vander(x, n_powers)
    if w is not None:
        powers, y = weighted(powers, y, as_number(w))
    scale = sqrt(sum(multiply(powers, powers), axis=0))
    powers = divide(powers, where(scale == 0, 1, scale))
    if x.node is not None or y.node is not None or powers.node is not None:
        return unscaled(matmul(pinv(powers, rtol=rcond), y), scale)
    found = lstsq(powers, y, rcond)
    result = unscaled(found.x, scale)
    if full:
        return result, found.residuals, found.rank, found.singular_values, rcond
    if cov is False or cov is None:
        return result
    return result, covariance(powers, scale, found.residuals, x.size, cov, y.ndim)


def weighted(powers: NDArray, y: NDArray, w: NDArray) -> tuple[NDArray, NDArray]:
    """Both sides of the equations times the weights."""
    if w.shape != powers.shape[:1]:
        raise ShapesError(f"polyfit: w must be one weight for each of {powers.shape[0]} points, given shape {w.shape}")
    return multiply(powers, w[:, None]), multiply(y, w[:, None] if y.ndim == 2 else w)


def unscaled(result: NDArray, scale: NDArray) -> NDArray:
    """The coefficients of powers that had been divided by `scale`."""
    return divide(result, scale[:, None] if result.ndim == 2 else scale)


def covariance(powers: NDArray, scale: NDArray, residuals: NDArray, n: int, kind: Any, ndim: int) -> NDArray:
    """The covariance of the coefficients, times the residuals' variance unless `kind` is "unscaled"."""
    if kind is not True:
        named("polyfit: cov", kind, ("unscaled",)) if isinstance(kind, str) else bool(kind)
    base = divide(divide(inv(matmul(powers.T, powers)), scale[:, None]), scale)
    if kind == "unscaled":
        factor: Any = as_array(1.0)
    else:
        freedom = n - powers.shape[1]
        if freedom <= 0:
            raise ValueError(f"polyfit: cov needs more than {powers.shape[1]} points, given {n}; or cov='unscaled'")
        factor = divide(residuals if residuals.size else as_array([0.0]), float(freedom))
    return multiply(base, factor) if ndim == 1 else multiply(base[:, :, None], factor)
