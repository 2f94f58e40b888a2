"""The table of drivers: which function the host and a device run under one name.

Each line: the name, the host's driver, and a function composed of others for backends without a driver of that name.
"""

from ..._core.lazy_modules import LazyFunction
from ..dispatch.by_backend import by_backend
from .index_drivers import put_along_lines, take_along_lines

diagonal_view = by_backend("diagonal_view", LazyFunction("nd4py._core.layout.diagonal_views", "diagonal_view"))

sorted_lines = by_backend("sorted_lines", LazyFunction("nd4py.cpu.sort.sort", "sort"))
argsort = by_backend("argsort", LazyFunction("nd4py.cpu.sort.sort", "argsort"))
topk = by_backend("topk", LazyFunction("nd4py.cpu.sort.sort", "topk"))
take_along_last = by_backend(
    "take_along_last", LazyFunction("nd4py.cpu.index.take_along", "take_lines"), take_along_lines
)
put_along_last = by_backend("put_along_last", LazyFunction("nd4py.cpu.index.take_along", "put_lines"), put_along_lines)
search = by_backend("search", LazyFunction("nd4py.cpu.sort.search", "search"))

parts = by_backend(
    "parts",
    LazyFunction("nd4py.cpu.index.take_along", "parts"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "parts_by_rows"),
)
contain = by_backend(
    "contain",
    LazyFunction("nd4py.cpu.sort.search", "contain"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "contain_by_search"),
)
different_values = by_backend(
    "different_values",
    LazyFunction("nd4py.cpu.sort.unique", "unique_values"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "values_by_order"),
)
positions_of_groups = by_backend(
    "positions_of_groups",
    LazyFunction("nd4py.cpu.sort.unique", "unique_positions"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "positions_by_order"),
)
count_positions = by_backend(
    "count_positions",
    LazyFunction("nd4py.cpu.histogram.histogram", "count_positions"),
    LazyFunction("nd4py._exec.drivers.counts_by_search", "positions_by_order"),
)
count_in_bins = by_backend(
    "count_in_bins",
    LazyFunction("nd4py.cpu.histogram.histogram", "count_in_bins"),
    LazyFunction("nd4py._exec.drivers.counts_by_search", "bins_by_search"),
)
repeated = by_backend(
    "repeated",
    LazyFunction("nd4py._exec.drivers.repeats", "repeat_unevenly"),
    LazyFunction("nd4py._exec.drivers.repeats", "repeat_by_position"),
)
slid_sums = by_backend(
    "correlate",
    LazyFunction("nd4py._exec.drivers.correlations", "sums_on_host"),
    LazyFunction("nd4py._exec.drivers.correlations", "sums_by_product"),
)
