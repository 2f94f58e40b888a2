"""Drivers of sorted lines, wherever the arrays are."""

from .._core.lazy import LazyFunction
from .._exec.functions import by_place
from .index_drivers import put_along_lines, take_along_lines

__all__: list[str] = []

sorted_lines = by_place("sorted_lines", LazyFunction("nd4py.cpu.sort", "sort"))
positions_in_order = by_place("positions_in_order", LazyFunction("nd4py.cpu.sort", "argsort"))
positions_of_first = by_place("positions_of_first", LazyFunction("nd4py.cpu.sort", "top_positions"))
picked = by_place("picked", LazyFunction("nd4py.cpu.pick", "pick"), take_along_lines)
put_picked = by_place("put_picked", LazyFunction("nd4py.cpu.pick", "put"), put_along_lines)
search = by_place("search", LazyFunction("nd4py.cpu.search", "search"))
