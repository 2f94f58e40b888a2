"""Drivers of sorted lines, wherever the arrays are."""

from .._exec.functions import by_place
from ..cpu import pick as picking
from ..cpu import search as searching
from ..cpu import sort
from .index_drivers import put_along_lines, take_along_lines

__all__: list[str] = []

sorted_lines = by_place("sorted_lines", sort.sort)
positions_in_order = by_place("positions_in_order", sort.argsort)
positions_of_first = by_place("positions_of_first", sort.top_positions)
picked = by_place("picked", picking.pick, take_along_lines)
put_picked = by_place("put_picked", picking.put, put_along_lines)
search = by_place("search", searching.search)
