"""Table of device functions on indices, masks and sorted lines.  The names are those that `by_backend` asks for."""

from collections.abc import Callable
from typing import Any

from .array.device_views import diagonal_view
from .index.gathering import add_at, add_slices, flat_positions, put_slices, selected, take_along_lines, write_selected
from .sort.device_sort import argsort, search, sorted_lines, topk

FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        add_at,
        add_slices,
        diagonal_view,
        flat_positions,
        argsort,
        topk,
        put_slices,
        search,
        selected,
        sorted_lines,
        take_along_lines,
        write_selected,
    )
}
