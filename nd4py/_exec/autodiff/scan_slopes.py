"""Gradients of scans that have gradients themselves.

A scan is y[k] = f(y[k - 1], x[k]).  With the slopes a[k] of f for y[k - 1] and b[k] for x[k], what reaches y[k] is
s[k] = g[k] + a[k + 1] * s[k + 1], and the gradient of x[k] is b[k] * s[k].  The recurrence is solved by doubling the
steps it spans (Hillis & Steele 1986, https://doi.org/10.1145/7902.7903): log2(n) operations that have gradients.
"""

from ..._spec.formulas import read
from ..._spec.ops import ALL
from ..device.device_operations import filled_beside
from .formula_nodes import applied
from .tape import conjugate, linear


def gradient_on_the_tape(op, g, x, axis, scan):
    """The gradient of `x` from that of the results of `scan`, the scan of a row along an axis."""
    row = ALL[op]
    if row.vjp == ("g", "g"):
        backwards = (*(slice(None),) * axis, slice(None, None, -1))
        return scan(op, g[backwards], axis, None, False)[backwards].astype(x.dtype, copy=False)
    all_results = scan(op, x, axis, None, True)
    start = (slice(None),) * axis
    before, y = all_results[(*start, slice(0, -1))], all_results[(*start, slice(1, None))]
    ones = filled_beside(y, y.shape, y.dtype, 1)
    operands = {"g": ones, "acc": before, "x": x, "y": y}
    of_before, of_x = (conjugate(applied(read(slope), operands)) for slope in row.vjp)
    total, span, factor = g, 1, shifted(of_before, 1, axis)
    while span < x.shape[axis]:
        total = total + factor * shifted(total, span, axis)
        factor = factor * shifted(factor, span, axis)
        span *= 2
    return (of_x * total).astype(x.dtype, copy=False)


def shifted(x, by, axis):
    """x[k + by] at k along an axis, 0 where there is none."""

    def moved(values, by):
        result = filled_beside(values, values.shape, values.dtype, 0)
        n, start = values.shape[axis], (slice(None),) * axis
        result[(*start, slice(max(-by, 0), n + min(-by, 0)))] = values[(*start, slice(max(by, 0), n + min(by, 0)))]
        return result

    return linear(x, lambda values: moved(values, by), lambda values: moved(values, -by))
