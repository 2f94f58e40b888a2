"""Argument structs of kernels, in ctypes.  Made from the files of kernels/cuda by the build."""

import ctypes

from .divisor import Divisor as Divisor

MAX_RANK = 8
MAX_OPERANDS = 8
MAX_PARAMS = 16
MAX_CHAIN_OPERANDS = 16
MAX_CHAIN_VALUES = 32

Wide = ctypes.c_longlong
Address = ctypes.c_void_p


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
        ("transposed", Wide),
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
    _fields_ = [
        ("stride", Wide),
        ("divisor", Divisor),
        ("padding", ctypes.c_int),
    ]


class Tad(ctypes.Structure):
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


class ProductArguments(ctypes.Structure):
    _fields_ = [
        ("a", Address),
        ("b", Address),
        ("c", Address),
        ("rows", Wide),
        ("columns", Wide),
        ("depth", Wide),
        ("a_row", Wide),
        ("a_column", Wide),
        ("b_row", Wide),
        ("b_column", Wide),
        ("c_row", Wide),
        ("batch", Wide),
        ("batch_rank", Wide),
        ("a_batch", Wide * MAX_RANK),
        ("b_batch", Wide * MAX_RANK),
        ("c_batch", Wide),
        ("batch_axes", Divisor * MAX_RANK),
    ]


class WindowArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("w", Address),
        ("bias", Address),
        ("y", Address),
        ("images", Wide),
        ("groups", Wide),
        ("channels", Wide),
        ("depth", Wide),
        ("height", Wide),
        ("width", Wide),
        ("filters", Wide),
        ("kernel_d", Wide),
        ("kernel_h", Wide),
        ("kernel_w", Wide),
        ("stride_d", Wide),
        ("stride_h", Wide),
        ("stride_w", Wide),
        ("pad_front", Wide),
        ("pad_top", Wide),
        ("pad_left", Wide),
        ("dilation_d", Wide),
        ("dilation_h", Wide),
        ("dilation_w", Wide),
        ("out_d", Wide),
        ("out_h", Wide),
        ("out_w", Wide),
    ]


class GatherArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("indices", Address),
        ("y", Address),
        ("order", Address),
        ("fault", Address),
        ("outer", Wide),
        ("n", Wide),
        ("n_indices", Wide),
        ("inner", Wide),
    ]


class MaskArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("mask", Address),
        ("y", Address),
        ("counts", Address),
        ("n", Wide),
        ("n_blocks", Wide),
    ]


class NormalizeArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("scale", Address),
        ("bias", Address),
        ("y", Address),
        ("n_lines", Wide),
        ("n", Wide),
        ("epsilon", ctypes.c_double),
    ]


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


class ScanArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("y", Address),
        ("totals", Address),
        ("n_lines", Wide),
        ("n", Wide),
        ("inner", Wide),
        ("x_outer", Wide),
        ("x_inner", Wide),
        ("x_stride", Wide),
        ("y_outer", Wide),
        ("y_inner", Wide),
        ("y_stride", Wide),
        ("piece", Wide),
        ("n_pieces", Wide),
        ("has_initial", Wide),
    ]


class ScanGradientArguments(ctypes.Structure):
    _fields_ = [
        ("g", Address),
        ("x", Address),
        ("y", Address),
        ("dx", Address),
        ("n_lines", Wide),
        ("n", Wide),
        ("inner", Wide),
    ]


class ShuffleArguments(ctypes.Structure):
    _fields_ = [
        ("drawn", Address),
        ("order", Address),
        ("neighbours", Address),
        ("movers", Address),
        ("y", Address),
        ("n", Wide),
    ]


class SortArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("y", Address),
        ("from_positions", Address),
        ("to_positions", Address),
        ("n_lines", Wide),
        ("n", Wide),
        ("run", Wide),
        ("descending", Wide),
    ]


class SearchArguments(ctypes.Structure):
    _fields_ = [
        ("x", Address),
        ("queries", Address),
        ("y", Address),
        ("n", Wide),
        ("n_queries", Wide),
        ("is_right", Wide),
    ]
