"""Products in the standard's linear algebra, whose matrices lie along the last two axes."""

from __future__ import annotations

from collections.abc import Sequence

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import whole
from ..arguments import into, tells_its_name
from ..manipulation.manipulation import broadcast_to
from ..products import diagonals, tensor_products
from ..products.matmul import array_operands, matmul
from .matrices import identity_beside, square
from .solving import inv


def diagonal(x: Operand, /, *, offset: int = 0) -> NDArray:
    """The view of x[..., i, i + offset]; x: (..., m, n).  Raises ValueError below two axes.

    >>> nd.linalg.diagonal([[1, 2], [3, 4]])
    array([1, 4], dtype=int64)
    """
    return diagonals.diagonal(x, offset, -2, -1)


@tells_its_name
def trace(x: Operand, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> NDArray:
    """The sums of x[..., i, i + offset]; x: (..., m, n).  Integers widen as in `sum`.

    Raises ValueError below two axes.

    >>> nd.linalg.trace([[1, 2], [3, 4]])
    array(5, dtype=int64)
    """
    return diagonals.trace(x, offset, -2, -1, dtype)


def outer(x1: Operand, x2: Operand, /) -> NDArray:
    """x1[i] * x2[j] of vectors (m,) and (n,): (m, n).  Raises ValueError for other shapes.

    Returns them in the common dtype.

    >>> nd.linalg.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]], dtype=int64)
    """
    x1, x2 = array_operands("outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"outer: needs vectors, given shapes {x1.shape} and {x2.shape}; nd4py.outer flattens them")
    return tensor_products.outer(x1, x2)


def matrix_power(x: Operand, /, n: int) -> NDArray:
    """The product of n matrices x (..., m, m): of inverses where n is negative, the identity where it is 0.

    Raises LinAlgError for a negative power of a singular matrix, ValueError for other shapes, TypeError unless n is
    a whole number, or for a negative power of integers.

    >>> nd.linalg.matrix_power([[1, 1], [1, 0]], 5)
    array([[8, 5],
           [5, 3]], dtype=int64)
    """
    [given] = array_operands("matrix_power", x)
    x, n = square("matrix_power", given), whole("matrix_power: n", n)
    if n == 0:
        return broadcast_to(identity_beside(x, x.shape[-1]), x.shape).copy()
    if n < 0:
        x, n = inv(x), -n
    while n % 2 == 0:
        x, n = matmul(x, x), n // 2
    result = x
    while n := n // 2:
        x = matmul(x, x)
        result = matmul(result, x) if n % 2 else result
    return result.copy() if result is given else result


@tells_its_name
def cross(x1: Operand, x2: Operand, /, *, axis: int = -1) -> NDArray:
    """The cross product of vectors of 3 elements along `axis`, as `nd.cross`; the other axes broadcast.

    Raises ValueError unless both have 3 elements there, TypeError for bool.

    >>> nd.linalg.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1], dtype=int64)
    """
    x1, x2 = array_operands("cross", x1, x2)
    if any(x.ndim and x.shape[normalize_axis(axis, x.ndim)] != 3 for x in (x1, x2)):
        raise ValueError(f"cross: axis {axis} must have 3 elements in both, given {x1.shape} and {x2.shape}")
    return tensor_products.cross(x1, x2, axis=axis)


def multi_dot(arrays: Sequence[NDArray], /, *, out: NDArray | None = None) -> NDArray:
    """The product of two matrices or more, in the order that needs the fewest multiplications.

    arrays: (m, n), (n, p), ...; the first and the last may be vectors.
    out: an array that the result is written to.
    Raises ValueError for fewer than two arrays or shapes that do not fit.

    >>> nd.linalg.multi_dot([nd.ones((2, 3)), nd.ones((3, 4)), nd.ones((4, 5))]).shape
    (2, 5)
    """
    operands = array_operands("multi_dot", *arrays)
    shapes = [x.shape for x in operands]
    ends = {0, len(operands) - 1}
    if len(operands) < 2 or any(x.ndim != 2 and not (x.ndim == 1 and i in ends) for i, x in enumerate(operands)):
        raise ValueError(f"multi_dot: needs two matrices or more, of which the ends may be vectors, given {shapes}")
    if operands[0].ndim == 1:
        operands[0] = operands[0][None, :]
    if operands[-1].ndim == 1:
        operands[-1] = operands[-1][:, None]
    if any(a.shape[1] != b.shape[0] for a, b in zip(operands[:-1], operands[1:], strict=True)):
        raise ValueError(f"multi_dot: neighbours must share a size, given {shapes}")
    splits = best_splits([*(x.shape[0] for x in operands), operands[-1].shape[1]])
    y = chain_product(operands, 0, len(operands) - 1, splits)
    return into("multi_dot", y.reshape(shapes[0][:-1] + shapes[-1][1:]), out)


def best_splits(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each run of factors, factor i being (sizes[i], sizes[i + 1]).

    Cormen et al., Introduction to Algorithms, matrix-chain multiplication.
    """
    n = len(sizes) - 1
    cost = {(i, i): 0 for i in range(n)}
    split = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = {k: cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)}
            split[i, j] = min(costs, key=costs.__getitem__)
            cost[i, j] = costs[split[i, j]]
    return split


def chain_product(operands: Sequence[NDArray], i: int, j: int, split: dict[tuple[int, int], int]) -> NDArray:
    """The product of factors i to j."""
    if i == j:
        return operands[i]
    k = split[i, j]
    return matmul(chain_product(operands, i, k, split), chain_product(operands, k + 1, j, split))
