"""take_along_axis and its kin: elements named by an array of indices along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._core.array.array_base import mark_written
from ..._core.layout.layouts import dense
from ..._core.lazy_modules import LazyModule
from ..autodiff.tape import differentiable, linear, sum_to_shape
from ..conversion import with_values
from ..device.device_operations import is_elsewhere, rules_for
from ..drivers.index_drivers import added_along, index_beside, put_along, take_along
from .assignment import apart, assigned, fitted
from .host_indexing import ADD, zeros_to_add_to

if TYPE_CHECKING:
    from ...cpu.index import gather, index_arrays
else:
    gather = LazyModule("nd4py.cpu.index.gather", globals())
    index_arrays = LazyModule("nd4py.cpu.index.index_arrays", globals())

NO_ROW = -1  # values are written as they are


def taken_along_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of taken_along: every element of g added to where it came from."""
    (x, indices), axis = inputs, attributes["axis"]

    def spread(values: NDArray) -> NDArray:
        if (rules := rules_for((values, x, indices))) is not None:
            sums: NDArray = rules.added_along(values, x, indices, axis)
            return sums
        if is_elsewhere(x):
            sums = added_along(x, index_beside(x, indices), values, axis)
            return sum_to_shape(sums, x.shape).astype(x.dtype, copy=False)
        full = zeros_to_add_to(x)
        gather.scatter_along(full, indices, axis, dense(values.astype(full.dtype, copy=False)), ADD)
        return full.astype(x.dtype, copy=False)

    return linear(g, spread, lambda values: taken_along(values, indices, axis=axis)), None


@differentiable(taken_along_vjp, keeps_output=False)
def taken_along(x: NDArray, indices: NDArray, *, axis: int) -> NDArray:
    """Element i of each line of `x` along `axis`, for every i of the same line of `indices`."""
    if (rules := rules_for((x, indices))) is not None:
        taken: NDArray = rules.taken_along(x, indices, axis)
        return taken
    if is_elsewhere(x) or is_elsewhere(indices):
        return take_along(x, index_beside(x, indices), axis)
    return gather.gather_along(x, indices, axis)


def write_along(x: NDArray, target: NDArray, indices: NDArray, values: Operand, axis: int) -> None:
    """Write to the elements of `target`, a view of `x`, that `taken_along` would read; of several for one the last
    stays.  Raises TypeError for complex values among real elements; nothing is written then."""
    if (rules := rules_for((x, indices, values))) is not None:
        rules.write_along(x, target, indices, values, axis)
        return
    if is_elsewhere(x):
        put_along(target, index_beside(x, indices), axis, values)
        return
    x, target = with_values(x), with_values(target)
    array = apart(indices, x)
    given = apart(assigned(x, values), x)
    spread = fitted(given, index_arrays.along_shape(target, array, axis)).astype(x.dtype, copy=False)
    mark_written(x)  # before: it may be interrupted
    gather.scatter_along(target, array, axis, dense(spread), NO_ROW)
