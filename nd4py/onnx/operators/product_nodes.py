"""Products of matrices, and what is made of them."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .operator_rows import Rows
from .quantized_nodes import matmul_integer


def general_product(
    a: Any, b: Any, c: Any = None, *, alpha: float = 1.0, beta: float = 1.0, **is_transposed: Any
) -> Any:
    """alpha * a @ b + beta * c, with the attributes transA and transB"""
    a, b = (x.T if is_transposed.get(name) else x for x, name in ((a, "transA"), (b, "transB")))
    found = nd.matmul(a, b)
    found = found if alpha == 1 else (found * alpha).astype(a.dtype)
    return found if c is None else found + (c if beta == 1 else (c * beta).astype(c.dtype))


def einstein_sum(*operands: Any, equation: str) -> Any:
    return nd.einsum(equation, *operands)


OPERATORS: Rows = {
    "Det": [(11, 22, nd.linalg.det)],
    "Einsum": [(12, 28, einstein_sum)],
    "Gemm": [(6, 13, general_product)],
    "MatMul": [(1, 13, nd.matmul)],
    "MatMulInteger": [(10, 10, matmul_integer)],
}
