"""Groups of equal elements on devices, by sorting."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DEFAULT_INT
from ..concat import join
from ..device.device_functions import taken
from ..device.device_operations import filled_beside
from ..dispatch.row_functions import row_function
from .driver_table import argsort, search, sorted_lines
from .index_drivers import flat_positions

minimum = row_function("minimum")


def parts(x: NDArray, number: int) -> NDArray:
    """The real and the imaginary parts of the elements, (elements, 2)."""
    flat = x.reshape(-1)
    return join([flat.real, flat.imag], 1, True)


def begins_group(ordered: NDArray) -> NDArray:
    """Which elements of a sorted line differ from the one before; every NaN does."""
    first = filled_beside(ordered, (min(ordered.size, 1),), "bool", True)
    return join([first, ordered[1:] != ordered[:-1]], 0) if ordered.size else first


def sizes_of(starts: NDArray, n: int) -> NDArray:
    """How many of n elements belong to the groups that begin at `starts`."""
    ends = join([starts[1:], filled_beside(starts, (min(starts.size, 1),), DEFAULT_INT, n)], 0)
    return ends - starts


def different_values(x: NDArray, with_counts: bool) -> tuple[NDArray, NDArray | None]:
    """The different elements in order, and how often each occurs if that is wanted."""
    ordered = sorted_lines(x.reshape(-1), False)
    starts = flat_positions(begins_group(ordered))
    return taken(ordered, starts, axis=0), sizes_of(starts, ordered.size) if with_counts else None


def positions_of_groups(x: NDArray, with_counts: bool) -> tuple[NDArray, NDArray, NDArray | None]:
    """(where each different element first occurs, which of them each element is, how often they occur)."""
    flat = x.reshape(-1)
    order = argsort(flat, False)
    begins = begins_group(taken(flat, order, axis=0))
    starts = flat_positions(begins)
    groups = begins.astype(DEFAULT_INT).cumsum(0) - 1
    # Where an element went in the order is where its own number stands among the positions, put in order.
    inverse = taken(groups, argsort(order, False), axis=0).reshape(x.shape)
    return taken(order, starts, axis=0), inverse, sizes_of(starts, flat.size) if with_counts else None


def contain(ordered: NDArray, queries: NDArray, is_inverted: bool) -> NDArray:
    """Whether each query is among the sorted elements."""
    if ordered.size == 0:
        return filled_beside(queries, queries.shape, "bool", is_inverted)
    indices = minimum(search(ordered, dense(queries), False), ordered.size - 1)
    neighbours = taken(ordered, indices, axis=0)
    return neighbours != queries if is_inverted else neighbours == queries
