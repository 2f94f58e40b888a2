"""Counts and sums by position or by bin, wherever the arrays are.

On devices elements are put in order, and the borders between the numbers among them are searched for.
"""

from .._core.array import NDArray
from .._core.lazy import LazyFunction
from .._exec.devices import filled_beside
from .._exec.functions import by_place
from .elementwise import equal, subtract
from .index_drivers import add_to_slices
from .operands import alike, as_real, numbers_beside
from .searching import searchsorted
from .sorting import sort

__all__: list[str] = []


def bin_numbers(x: NDArray, edges: NDArray) -> NDArray:
    """The bin of each element counted from 1, as int64: 0 below the edges, len(edges) above them and for NaN."""
    x, edges = alike(as_real("bins", x), as_real("bins", edges))
    return subtract(searchsorted(edges, x, side="right"), equal(x, edges[-1]).astype("int64"))


def positions_by_order(x: NDArray, weights: NDArray | None, n: int) -> NDArray:
    """How often each of 0 ... n - 1 occurs, or the sum of the float64 weights that stand there."""
    if weights is not None:
        sums = filled_beside(x, (n,), "float64", 0)
        if x.size:
            add_to_slices(sums, x, weights, 0)
        return sums
    borders = searchsorted(sort(x), numbers_beside(x, 0, n + 1))
    return subtract(borders[1:], borders[:-1])


def bins_by_search(x: NDArray, weights: NDArray | None, edges: NDArray, is_even: bool) -> NDArray:
    """How many elements lie in each bin, or the sum of their float64 weights; by search, whatever the widths."""
    return positions_by_order(bin_numbers(x, edges), weights, edges.size + 1)[1:-1]


count_positions = by_place("count_positions", LazyFunction("nd4py.cpu.counting", "count_positions"), positions_by_order)
count_in_bins = by_place("count_in_bins", LazyFunction("nd4py.cpu.counting", "count_in_bins"), bins_by_search)
