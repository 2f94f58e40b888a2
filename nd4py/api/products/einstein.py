"""einsum: sums of products in Einstein's notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._exec.creation import ones
from ..._exec.indexing.subarrays_by_backend import diagonal_view
from ..arguments import into, tells_its_name
from ..elementwise.elementwise import logical_and, multiply
from ..reductions.reductions import any as any_of
from ..reductions.reductions import sum
from .diagonals import diagonal
from .einsum_operands import converted, in_one_dtype, ordered
from .matmul import array_operands

if TYPE_CHECKING:
    from ..._exec.drivers import matmul as driver
    from . import contraction as contractions
    from . import subscripts as notation
else:
    driver = LazyModule("nd4py._exec.drivers.matmul", globals())
    contractions = LazyModule(f"{__package__}.contraction", globals())
    notation = LazyModule(f"{__package__}.subscripts", globals())

__all__ = ["einsum"]

LONG_ROW = 1024  # elements up to which a product with ones is the faster sum (asv peers, "einsum ij->i")


@tells_its_name
def einsum(
    *arguments: Any, out: NDArray | None = None, optimize: Any = True, dtype: DTypeLike | None = None,
    order: str = "K", casting: str = "safe",
) -> NDArray:  # fmt: skip
    """The sum of products that Einstein's notation names.

    einsum("ij,jk->ik", x, y): a letter for each axis of each operand; letters that the result lacks are summed over,
    repeated ones in an operand take its diagonal.  Without "->" the result has, sorted, the letters that occur once.
    "..." stands for any axes, which broadcast, as axes of size 1 do.
    einsum(x, [0, 1], y, [1, 2], [0, 2]): the same with numbers (and Ellipsis) for letters.
    optimize: True, "greedy" or "optimal" search for a cheap order of several operands, False goes from left to right; a
    list of tuples, as numpy.einsum_path makes them, says which operands each step takes.
    out: an array that the result is written to.  dtype: what the operands are converted to first, which must be allowed
    by `casting`, as for `can_cast`.  order: "C" or "F" for a result in that order in memory, "A" for "F" where all
    operands have it, "K" for any.
    Returns the operands' common dtype, which sums do not widen; a view where nothing is computed.
    Raises ValueError for subscripts, shapes or a path that do not fit, TypeError for operands that are no arrays and
    for a dtype that `casting` does not allow.

    >>> nd.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 1])
    array([3, 7], dtype=int64)
    """
    is_plain = out is None and dtype is None and order == "K"
    if is_plain and len(arguments) == 2 and type(arguments[0]) is str and type(arguments[1]) is NDArray:
        return run_alone(contractions.plan(arguments[0], (arguments[1].shape,), True), arguments[1])
    if arguments and isinstance(arguments[0], str):
        subscripts: str | notation.Terms = arguments[0]
        operands = array_operands("einsum", *arguments[1:])
    else:
        subscripts, given = notation.parse_lists(arguments)
        operands = array_operands("einsum", *given)
    if not operands:
        raise ValueError("einsum: needs one operand or more")
    steps = contractions.plan(subscripts, tuple([x.shape for x in operands]), checked_optimize(optimize))
    if dtype is None and casting == "safe":
        same = operands if len(operands) == 1 else in_one_dtype(operands)
    else:
        same = converted(operands, dtype, casting)
    result = run(steps, list(same))  # which it writes to
    return into("einsum", result if order == "K" else ordered(result, operands, order), out)


def checked_optimize(optimize: Any) -> Any:
    """`optimize` as True, False or a tuple of tuples.  Raises ValueError for anything else."""
    if isinstance(optimize, bool):
        return optimize
    if optimize in ("greedy", "optimal"):
        return True
    steps = list(optimize) if isinstance(optimize, list | tuple) else [optimize]
    if steps[:1] == ["einsum_path"]:
        steps = steps[1:]
    elif len(steps) == 2 and steps[0] in ("greedy", "optimal"):
        return True
    if not all(isinstance(step, list | tuple) and all(isinstance(i, int) for i in step) for step in steps):
        raise ValueError(
            f"einsum: optimize must be True, False, 'greedy', 'optimal' or a list of tuples, given {optimize!r}"
        )
    return tuple(tuple(step) for step in steps)


def run_alone(steps: contractions.Plan, x: NDArray) -> NDArray:
    """The result of a plan for one operand, most often a view, for which every call counts."""
    preparations, _, axes = steps
    for _, preparation in preparations:
        x = prepared(x, preparation)
    return x if axes is None else x.permute_dims(axes)


def run(steps: contractions.Plan, operands: list[NDArray]) -> NDArray:
    """The result of a plan."""
    held = operands
    for i, preparation in steps.preparations:
        held[i] = prepared(held[i], preparation)
    for contraction in steps.contractions:
        i, j = contraction.pair
        y = contracted(held[i], held[j], contraction)
        held = [x for k, x in enumerate(held) if k != i and k != j]
        held.append(y)
    y = held[0]
    return y if steps.axes is None else y.permute_dims(steps.axes)


def prepared(x: NDArray, preparation: contractions.Preparation) -> NDArray:
    """An operand without repeated labels, broadcast axes and labels of its own."""
    for axis1, axis2 in preparation.diagonals:
        x = diagonal_view(x, axis1, axis2) if x.node is None else diagonal(x, 0, axis1, axis2)
    if preparation.key is not None:
        x = x[preparation.key]
    return added_up(x, preparation.summed) if preparation.summed else x


def added_up(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """The sum along axes in the operand's dtype; of bools, whether any is true."""
    if x.dtype.kind == "b":
        return any_of(x, axis=axes)
    if x.dtype.kind == "f" and axes == (x.ndim - 1,) and x.ndim > 1 and x.is_contiguous and x.shape[-1] <= LONG_ROW:
        return driver.product(x, ones(x.shape[-1], dtype=x.dtype))
    return sum(x, axis=axes, dtype=x.dtype)


def contracted(left: NDArray, right: NDArray, contraction: contractions.Contraction) -> NDArray:
    """Two operands made one."""
    (left_axes, left_form), (right_axes, right_form) = contraction.left, contraction.right
    left, right = left.permute_dims(left_axes), right.permute_dims(right_axes)
    if contraction.kind == "matrices":
        return driver.product(left.reshape(left_form), right.reshape(right_form)).reshape(contraction.shape)
    if contraction.kind == "sums" and left.ndim == right.ndim == 1 and left.dtype.kind in "iu":
        return driver.product(left, right)  # which wraps around as these do
    multiplied = logical_and if left.dtype.kind == "b" else multiply
    y = multiplied(left[left_form], right[right_form])
    return added_up(y, contraction.shape) if contraction.kind == "sums" else y
