"""Comparisons, logic, and bits."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .operator_rows import Rows


def is_infinite(x: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    return (nd.isinf(x) & (x < 0) & bool(detect_negative)) | (nd.isinf(x) & (x > 0) & bool(detect_positive))


OPERATORS: Rows = {
    "And": [(7, 7, nd.logical_and)],
    "BitwiseAnd": [(18, 18, nd.bitwise_and)],
    "BitwiseNot": [(18, 18, nd.bitwise_invert)],
    "BitwiseOr": [(18, 18, nd.bitwise_or)],
    "BitwiseXor": [(18, 18, nd.bitwise_xor)],
    "Greater": [(7, 13, nd.greater)],
    "GreaterOrEqual": [(12, 16, nd.greater_equal)],
    "IsInf": [(10, 20, is_infinite)],
    "IsNaN": [(9, 20, nd.isnan)],
    "Less": [(7, 13, nd.less)],
    "LessOrEqual": [(12, 16, nd.less_equal)],
    "Not": [(1, 1, nd.logical_not)],
    "Or": [(7, 7, nd.logical_or)],
    "Where": [(9, 16, nd.where)],
    "Xor": [(7, 7, nd.logical_xor)],
}
