"""Groups of equal elements, wherever they are: on devices neighbours in sorted lines that differ begin a group."""

from .._core.array import NDArray
from .._core.lazy import LazyFunction
from .._exec.device_functions import take_elsewhere
from .._exec.devices import filled_beside
from .._exec.functions import by_place
from .elementwise import equal, imag, logical_not, minimum, not_equal, real, subtract
from .index_drivers import flat_places
from .lines import positions_in_order, search, sorted_lines
from .manipulation import ascontiguous, concat, stack
from .scans import cumulative_sum

__all__: list[str] = []


def parts_by_rows(x: NDArray, number: int) -> NDArray:
    """The real and the imaginary parts of the elements, (elements, 2)."""
    flat = x.reshape(-1)
    return stack([real(flat), imag(flat)], axis=1)


def begins_group(ordered: NDArray) -> NDArray:
    """Which elements of a sorted line differ from the one before; every NaN does."""
    first = filled_beside(ordered, (min(ordered.size, 1),), "bool", True)
    return concat([first, not_equal(ordered[1:], ordered[:-1])]) if ordered.size else first


def sizes_of(starts: NDArray, n: int) -> NDArray:
    """How many of n elements belong to the groups that begin at `starts`."""
    return subtract(concat([starts[1:], filled_beside(starts, (min(starts.size, 1),), "int64", n)]), starts)


def values_by_order(x: NDArray, with_counts: bool) -> tuple[NDArray, NDArray | None]:
    """The different elements in order, and how often each occurs if that is wanted."""
    ordered = sorted_lines(x.reshape(-1), False)
    starts = flat_places(begins_group(ordered))
    return take_elsewhere(ordered, starts, 0), sizes_of(starts, ordered.size) if with_counts else None


def positions_by_order(x: NDArray, with_counts: bool) -> tuple[NDArray, NDArray, NDArray | None]:
    """(where each different element first occurs, which of them each element is, how often they occur)."""
    flat = x.reshape(-1)
    order = positions_in_order(flat, False)
    begins = begins_group(take_elsewhere(flat, order, 0))
    starts = flat_places(begins)
    groups = subtract(cumulative_sum(begins.astype("int64")), 1)
    # Where an element went in the order is where its own number stands among the positions, put in order.
    inverse = take_elsewhere(groups, positions_in_order(order, False), 0).reshape(x.shape)
    return take_elsewhere(order, starts, 0), inverse, sizes_of(starts, flat.size) if with_counts else None


def contain_by_search(ordered: NDArray, queries: NDArray, is_inverted: bool) -> NDArray:
    """Whether each query is among the sorted elements."""
    if ordered.size == 0:
        return filled_beside(queries, queries.shape, "bool", is_inverted)
    places = minimum(search(ordered, ascontiguous(queries), False), ordered.size - 1)
    found = equal(take_elsewhere(ordered, places, 0), queries)
    return logical_not(found) if is_inverted else found


parts = by_place("parts", LazyFunction("nd4py.cpu.pick", "parts"), parts_by_rows)
contain = by_place("contain", LazyFunction("nd4py.cpu.search", "contain"), contain_by_search)
different_values = by_place("different_values", LazyFunction("nd4py.cpu.unique", "unique_values"), values_by_order)
positions_of_groups = by_place(
    "positions_of_groups", LazyFunction("nd4py.cpu.unique", "unique_positions"), positions_by_order
)
