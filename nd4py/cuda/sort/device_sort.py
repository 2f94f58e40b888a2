"""Sorting and binary search of lines on a device.

Design: long lines are sorted by CuPy, whose sort is Thrust's, where it has the dtype; others, and those of a graph's
step, since Thrust waits, by the kernels.  Of these the number of launches follows from the length of a line: one that
sorts short runs, then one for each doubling.  The order is the same.
"""

from __future__ import annotations

from functools import partial
from math import prod

from ..._spec.dtypes import DTYPES, NUMBER
from ..._spec.op import KERNEL_THREADS
from ..allocation.ownership import used_on_stream
from ..array.device_array import DeviceArray, empty_on_device
from ..device_families import kernels_of
from ..driver.driver import LibraryArray, RoutineMissing
from ..driver.driver_choice import driver, lacking
from ..launch.current_stream import bound_device, runs_graph_step, stream_of
from ..launch.function_launches import linear
from ..launch.kernel_arguments import SearchArguments, SortArguments
from ..launch.launch_configuration import config
from ..launch.submit import submit

__all__ = ["argsort", "search", "sorted_lines", "topk"]

INT64 = NUMBER["int64"]
FIRST_RUN = 32  # elements of the runs that kernels/cuda/sort.cu sorts at once
LIBRARY_FROM = 4096  # elements of a line that the kernels would sort in eight launches or more; not measured


def sorted_lines(x: DeviceArray, descending: bool) -> DeviceArray:
    """The elements of every line of dense `x` along its last axis, in order."""
    check_order(x)
    found = by_library("sort", x, x.number, descending)
    return lines_in_order(x, descending, False)[0] if found is None else found


def argsort(x: DeviceArray, descending: bool) -> DeviceArray:
    """The positions of the elements of every line of dense `x` in the order of `sorted_lines`, int64."""
    check_order(x)
    found = by_library("argsort", x, INT64, descending)
    return positions_in_order(x, descending) if found is None else found


def positions_in_order(x: DeviceArray, descending: bool) -> DeviceArray:
    """What `argsort` gives, by the kernels."""
    positions = lines_in_order(x, descending, True)[1]
    assert positions is not None
    return positions


def topk(x: DeviceArray, k: int, descending: bool) -> DeviceArray:
    """The first k positions of `argsort`."""
    return argsort(x, descending)[..., :k].copy()


def by_library(name: str, x: DeviceArray, number: int, descending: bool) -> DeviceArray | None:
    """What a routine of the library makes of dense lines, in dtype `number`; None where the kernels shall do it."""
    row, device = DTYPES[x.number], x.device_number
    if x.size == 0 or x.shape[-1] < LIBRARY_FROM or not row.buffer or runs_graph_step():
        return None
    if (name, device, row.name) in lacking:
        return None
    y = empty_on_device(x.shape, number, device)
    arrays = [LibraryArray(array.address, array.shape, DTYPES[array.number].name) for array in (x, y)]
    stream = stream_of(device)
    bound_device(device)
    try:
        driver().run_routine(name, arrays[:1], arrays[1:], {"descending": descending}, stream)
    except RoutineMissing:
        lacking.add((name, device, row.name))
        return None
    used_on_stream(x, stream)
    used_on_stream(y, stream)
    return y


def lines_in_order(x: DeviceArray, descending: bool, wants_positions: bool) -> tuple[DeviceArray, DeviceArray | None]:
    """(the elements of every line in order, where they stood if that is wanted), by the kernels."""
    kernels = kernels_of("sort", DTYPES[x.number].name)
    n, n_lines, device = x.shape[-1], prod(x.shape[:-1]), x.device_number
    make = partial(empty_on_device, x.shape, device=device)
    values, positions = make(number=x.number), make(number=INT64) if wants_positions else None
    if x.size == 0:
        return values, positions
    source, before, run = x, None, 0
    while True:
        arguments = SortArguments(
            x=source.address, y=values.address, from_positions=before.address if before is not None else None,
            to_positions=positions.address if positions is not None else None, n_lines=n_lines, n=n, run=run,
            descending=descending,
        )  # fmt: skip
        launch = linear(
            "sort_merge" if run else "sort_runs", x.size, KERNEL_THREADS, arguments, config.maximum_grid_size
        )
        used = [item for item in (source, values, before, positions) if item is not None]
        submit(device, kernels, launch, used)
        run = 2 * run or FIRST_RUN
        if run >= n:
            return values, positions
        spare = make(number=x.number) if source is x else source
        source, values = values, spare
        if positions is not None:
            before, positions = positions, make(number=INT64) if before is None else before


def search(x: DeviceArray, queries: DeviceArray, is_right: bool) -> DeviceArray:
    """Where dense queries belong in dense sorted `x` of their dtype: before equal elements, or behind them; int64."""
    check_order(x)
    kernels = kernels_of("searchsorted", DTYPES[x.number].name)
    y = empty_on_device(queries.shape, INT64, x.device_number)
    if queries.size:
        arguments = SearchArguments(
            x=x.address, queries=queries.address, y=y.address, n=x.size, n_queries=queries.size, is_right=is_right
        )
        launch = linear("search", queries.size, KERNEL_THREADS, arguments, config.maximum_grid_size)
        submit(x.device_number, kernels, launch, [x, queries, y])
    return y


def check_order(x: DeviceArray) -> None:
    """Raises TypeError where the elements of `x` have no order."""
    if x.dtype.kind == "c":
        raise TypeError(f"{x.dtype} elements have no order; sort their real parts or absolute values")
