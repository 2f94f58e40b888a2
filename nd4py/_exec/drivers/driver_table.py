"""The table of drivers: which function the host and a device run under one name.

Made by the build (nd4py/_spec/render/driver_tables.py) from what files list in `__all__`.
Each entry: the name, the host's driver, and what is composed of others for backends without a driver of that name.
"""

from ..._core.lazy_modules import LazyFunction
from ..dispatch.by_backend import by_backend

argpartition = by_backend(
    "argpartition",
    LazyFunction("nd4py.cpu.sort.sort", "argpartition"),
    LazyFunction("nd4py._exec.drivers.partitions_by_sort", "argpartition"),
)
argsort = by_backend("argsort", LazyFunction("nd4py.cpu.sort.sort", "argsort"))
attention = by_backend("attention", LazyFunction("nd4py.cpu.attention.attention", "attention"))
attention_gradient = by_backend(
    "attention_gradient", LazyFunction("nd4py.cpu.attention.attention", "attention_gradient")
)
average_pooling = by_backend("average_pooling", LazyFunction("nd4py.cpu.pooling.pool2d", "average_pooling"))
average_pooling_gradient = by_backend(
    "average_pooling_gradient", LazyFunction("nd4py.cpu.pooling.pool2d", "average_pooling_gradient")
)
binary_parts = by_backend(
    "binary_parts",
    LazyFunction("nd4py.cpu.bits.bits", "binary_parts"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "binary_parts"),
)
bits_counted = by_backend(
    "bits_counted",
    LazyFunction("nd4py.cpu.bits.bits", "bits_counted"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "bits_counted"),
)
bits_joined = by_backend(
    "bits_joined",
    LazyFunction("nd4py.cpu.bits.bits", "bits_joined"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "bits_joined"),
)
bits_packed = by_backend(
    "bits_packed",
    LazyFunction("nd4py.cpu.bits.bits", "bits_packed"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "bits_packed"),
)
bits_unpacked = by_backend(
    "bits_unpacked",
    LazyFunction("nd4py.cpu.bits.bits", "bits_unpacked"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "bits_unpacked"),
)
common_divisors = by_backend(
    "common_divisors",
    LazyFunction("nd4py.cpu.bits.bits", "common_divisors"),
    LazyFunction("nd4py._exec.drivers.bits_by_rows", "common_divisors"),
)
contain = by_backend(
    "contain",
    LazyFunction("nd4py.cpu.sort.search", "contain"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "contain"),
)
convolution = by_backend("convolution", LazyFunction("nd4py.cpu.conv.conv", "convolution"))
convolution_input_gradient = by_backend(
    "convolution_input_gradient", LazyFunction("nd4py.cpu.conv.conv", "convolution_input_gradient")
)
convolution_weight_gradient = by_backend(
    "convolution_weight_gradient", LazyFunction("nd4py.cpu.conv.conv", "convolution_weight_gradient")
)
count_in_bins = by_backend(
    "count_in_bins",
    LazyFunction("nd4py.cpu.histogram.histogram", "count_in_bins"),
    LazyFunction("nd4py._exec.drivers.counts_by_search", "count_in_bins"),
)
count_positions = by_backend(
    "count_positions",
    LazyFunction("nd4py.cpu.histogram.histogram", "count_positions"),
    LazyFunction("nd4py._exec.drivers.counts_by_search", "count_positions"),
)
different_values = by_backend(
    "different_values",
    LazyFunction("nd4py.cpu.sort.unique", "different_values"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "different_values"),
)
lines_at = by_backend("lines_at", LazyFunction("nd4py.cpu.sort.search", "lines_at"))
maximum_pooling = by_backend("maximum_pooling", LazyFunction("nd4py.cpu.pooling.pool2d", "maximum_pooling"))
maximum_pooling_gradient = by_backend(
    "maximum_pooling_gradient", LazyFunction("nd4py.cpu.pooling.pool2d", "maximum_pooling_gradient")
)
partitioned_lines = by_backend(
    "partitioned_lines",
    LazyFunction("nd4py.cpu.sort.sort", "partitioned_lines"),
    LazyFunction("nd4py._exec.drivers.partitions_by_sort", "partitioned_lines"),
)
parts = by_backend(
    "parts",
    LazyFunction("nd4py.cpu.index.take_along", "parts"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "parts"),
)
positions_of_groups = by_backend(
    "positions_of_groups",
    LazyFunction("nd4py.cpu.sort.unique", "positions_of_groups"),
    LazyFunction("nd4py._exec.drivers.equal_groups", "positions_of_groups"),
)
put_along_last = by_backend(
    "put_along_last",
    LazyFunction("nd4py.cpu.index.take_along", "put_along_last"),
    LazyFunction("nd4py._exec.drivers.index_drivers", "put_along_last"),
)
recurrence = by_backend("recurrence", LazyFunction("nd4py.cpu.recurrent.recurrent", "recurrence"))
recurrence_gradient = by_backend(
    "recurrence_gradient", LazyFunction("nd4py.cpu.recurrent.recurrent", "recurrence_gradient")
)
search = by_backend("search", LazyFunction("nd4py.cpu.sort.search", "search"))
sorted_lines = by_backend("sorted_lines", LazyFunction("nd4py.cpu.sort.sort", "sorted_lines"))
take_along_last = by_backend("take_along_last", LazyFunction("nd4py.cpu.index.take_along", "take_along_last"))
topk = by_backend("topk", LazyFunction("nd4py.cpu.sort.sort", "topk"))
