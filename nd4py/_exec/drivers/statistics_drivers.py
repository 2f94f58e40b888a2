"""Variance, log-sum-exp, softmax and standardizing, on the host and on devices.

Operands are untracked arrays of real floats, but for the root.
"""

from __future__ import annotations

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyFunction
from ..._spec.dtypes import BY_NAME
from ..autodiff.nodes import constant, node_of
from ..conversion import with_values
from ..dispatch.by_backend import by_backend
from ..dispatch.row_functions import row_function

exp, isfinite, log = row_function("exp"), row_function("isfinite"), row_function("log")
sqrt, square, where = row_function("sqrt"), row_function("square"), row_function("where")


def widened(x: NDArray) -> NDArray:
    """`x` in the dtype it is computed in if it is of a half type: functions of several steps round once, at their
    end."""
    row = BY_NAME[x.dtype.name]
    is_half = row.kind == "real floating" and row.compute != row.name
    return with_values(x.astype(row.compute) if is_half else x)


def without_axes(shape: Shape, axes: Shape, keepdims: bool) -> Shape:
    """`shape` without `axes`, or with the size 1 for each of them."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape) if keepdims or i not in axes)


def variance_by_rows(x: NDArray, axes: Shape) -> NDArray:
    """The mean of squared distances from the mean along `axes`; halves in float32."""
    wide = widened(x)
    spread: NDArray = square(wide - wide.mean(axis=axes, keepdims=True)).mean(axis=axes)
    return spread


def log_sum_exp_by_rows(x: NDArray, axes: Shape) -> NDArray:
    """log(sum(exp(x))) along `axes`; halves in float32."""
    wide = widened(x)
    if wide.size == 0:
        return log(wide.sum(axis=axes))
    top = wide.max(axis=axes, keepdims=True)
    top = where(isfinite(top), top, 0.0)  # infinities are taken as they are
    powers = exp(wide - top)
    return log(powers.sum(axis=axes)) + top.reshape(without_axes(wide.shape, axes, False))


def root_of_spread(spread: NDArray) -> NDArray:
    """The square root of a variance, without a gradient where that is 0: the slope of the root is infinite there, and
    0 is a subgradient of the deviation."""
    if node_of(spread) is None:
        return sqrt(spread)
    return sqrt(where(constant(spread) == 0, 0.0, spread))


variance = by_backend("variance", LazyFunction("nd4py._exec.drivers.fused_reductions", "variance"), variance_by_rows)
log_sum_exp = by_backend(
    "log_sum_exp", LazyFunction("nd4py._exec.drivers.fused_reductions", "log_sum_exp"), log_sum_exp_by_rows
)
softmax = by_backend("softmax", LazyFunction("nd4py._exec.drivers.fused_reductions", "softmax"))
log_softmax = by_backend("log_softmax", LazyFunction("nd4py._exec.drivers.fused_reductions", "log_softmax"))
standardize = by_backend("standardize", LazyFunction("nd4py._exec.drivers.fused_reductions", "standardize"))
