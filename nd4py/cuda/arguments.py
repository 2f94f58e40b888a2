"""The structs that kernels take, in ctypes, as kernels/launch_arguments.cuh declares them."""

import ctypes

MAX_RANK, MAX_OPERANDS, MAX_PARAMS = 8, 8, 16
MAX_CHAIN_OPERANDS, MAX_CHAIN_VALUES = 16, 32

Wide = ctypes.c_longlong
Address = ctypes.c_void_p


class Divisor(ctypes.Structure):
    """Division by `size` as a multiplication and a shift, for numbers below 2**31."""

    _fields_ = [("size", ctypes.c_uint), ("multiplier", ctypes.c_uint), ("shift", ctypes.c_uint)]

    @classmethod
    def of(cls, size: int) -> "Divisor":
        """size: 1 to 2**31.  Granlund & Montgomery 1994, https://doi.org/10.1145/773473.178249, figure 4.1."""
        shift = (size - 1).bit_length()
        return cls(size & 0xFFFFFFFF, ((1 << 32) * ((1 << shift) - size) // size + 1) & 0xFFFFFFFF, shift)


class DenseArguments(ctypes.Structure):
    _fields_ = [
        ("operands", Address * MAX_OPERANDS),
        ("params", ctypes.c_double * MAX_PARAMS),
        ("n", Wide),
        ("constant", Wide),
    ]


class StridedArguments(ctypes.Structure):
    _fields_ = [
        ("operands", Address * MAX_OPERANDS),
        ("params", ctypes.c_double * MAX_PARAMS),
        ("n", Wide),
        ("constant", Wide),
        ("rank", Wide),
        ("sizes", Wide * MAX_RANK),
        ("strides", (Wide * MAX_RANK) * MAX_OPERANDS),
        ("axes", Divisor * MAX_RANK),
    ]


class TiledArguments(ctypes.Structure):
    _fields_ = [
        ("operands", Address * MAX_OPERANDS),
        ("params", ctypes.c_double * MAX_PARAMS),
        ("n_tiles", Wide),
        ("turned", Wide),
        ("rank", Wide),
        ("sizes", Wide * 2),
        ("strides", (Wide * MAX_RANK) * MAX_OPERANDS),
        ("axes", Divisor * MAX_RANK),
    ]


class DenseChainArguments(ctypes.Structure):
    _fields_ = [
        ("operands", Address * MAX_CHAIN_OPERANDS),
        ("values", ctypes.c_double * MAX_CHAIN_VALUES),
        ("n", Wide),
        ("constant", Wide),
    ]


class StridedChainArguments(ctypes.Structure):
    _fields_ = [
        ("operands", Address * MAX_CHAIN_OPERANDS),
        ("values", ctypes.c_double * MAX_CHAIN_VALUES),
        ("n", Wide),
        ("constant", Wide),
        ("rank", Wide),
        ("sizes", Wide * MAX_RANK),
        ("strides", (Wide * MAX_RANK) * MAX_CHAIN_OPERANDS),
        ("axes", Divisor * MAX_RANK),
    ]


class TadAxis(ctypes.Structure):
    _fields_ = [("stride", Wide), ("divisor", Divisor), ("padding", ctypes.c_int)]


class Tad(ctypes.Structure):
    """Lines along some dimensions."""

    _fields_ = [
        ("n_lines", Wide),
        ("length", Wide),
        ("line_rank", Wide),
        ("element_rank", Wide),
        ("line_axes", TadAxis * MAX_RANK),
        ("element_axes", TadAxis * MAX_RANK),
    ]


class ReduceArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("y", Address),
        ("accumulators", Address),
        ("piece", Wide),
        ("n_pieces", Wide),
        ("tad", Tad),
        ("width", ctypes.c_int),
        ("padding", ctypes.c_int),
        ("operands", Address * MAX_CHAIN_OPERANDS),
        ("values", ctypes.c_double * MAX_CHAIN_VALUES),
        ("constant", Wide),
    ]


class ScanArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("y", Address),
        ("totals", Address),
        *((name, Wide) for name in ("n_lines", "n", "inner", "x_outer", "x_inner", "x_stride")),
        *((name, Wide) for name in ("y_outer", "y_inner", "y_stride", "piece", "n_pieces", "has_initial")),
    ]


class ScanGradientArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("g", "x", "y", "dx")),
        *((name, Wide) for name in ("n_lines", "n", "inner")),
    ]


class GatherArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("x", "indices", "y", "order", "fault")),
        *((name, Wide) for name in ("outer", "n", "n_indices", "inner")),
    ]


class MaskArguments(ctypes.Structure):
    _fields_ = [*((name, Address) for name in ("x", "mask", "y", "counts")), ("n", Wide), ("n_blocks", Wide)]


class RandomArguments(ctypes.Structure):
    _fields_ = [
        ("y", Address),
        ("n", Wide),
        ("seed", ctypes.c_ulonglong),
        ("offset", ctypes.c_ulonglong),
        ("params", ctypes.c_double * 4),
        ("values", Address * 4),
        ("table", Address),
        ("low", ctypes.c_ulonglong),
        ("span", ctypes.c_ulonglong),
    ]


class ShuffleArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("places", "order", "neighbours", "movers", "y")),
        ("n", Wide),
    ]


class SortArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("x", "y", "from_positions", "to_positions")),
        *((name, Wide) for name in ("n_lines", "n", "run", "descending")),
    ]


class SearchArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("x", "queries", "y")),
        *((name, Wide) for name in ("n", "n_queries", "is_right")),
    ]


class ProductArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("a", "b", "c")),
        *((name, Wide) for name in ("rows", "columns", "depth")),
        *((name, Wide) for name in ("a_row", "a_column", "b_row", "b_column", "c_row", "batch", "batch_rank")),
        ("a_batch", Wide * MAX_RANK),
        ("b_batch", Wide * MAX_RANK),
        ("c_batch", Wide),
        ("batch_axes", Divisor * MAX_RANK),
    ]


class WindowArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("x", "w", "bias", "y")),
        *((name, Wide) for name in ("images", "groups", "channels", "height", "width")),
        *((name, Wide) for name in ("filters", "kernel_h", "kernel_w", "stride_h", "stride_w")),
        *((name, Wide) for name in ("pad_top", "pad_left", "dilation_h", "dilation_w", "out_h", "out_w")),
    ]


class NormalizeArguments(ctypes.Structure):
    _fields_ = [
        *((name, Address) for name in ("x", "scale", "bias", "y")),
        ("n_lines", Wide),
        ("n", Wide),
        ("epsilon", ctypes.c_double),
    ]
