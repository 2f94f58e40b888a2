"""Products of matrices in columns, as BLAS defines them, on the memory of simulated devices."""

import ctypes

import ml_dtypes  # noqa: F401 - NumPy knows bfloat16 from then on
import numpy as np


def extent(shape, x, batch):
    """How many elements lie from the first to the last one of `batch` matrices of a shape, as memory has them."""
    rows, columns = shape
    assert x.leading >= rows, f"BLAS refuses a leading dimension of {x.leading} for {rows} rows"
    return x.step * (batch - 1) + x.leading * (columns - 1) + rows


def shapes(gemm):
    """The shapes of A, B and C in memory: before they are transposed."""
    a, b = (gemm.m, gemm.k), (gemm.k, gemm.n)
    return a[::-1] if gemm.a.is_transposed else a, b[::-1] if gemm.b.is_transposed else b, (gemm.m, gemm.n)


def operands(gemm):
    """(what lies in memory, its shape, its bytes) of A, B and C."""
    itemsize = np.dtype(gemm.dtype).itemsize
    places = zip((gemm.a, gemm.b, gemm.c), shapes(gemm), strict=True)
    return [(x, shape, extent(shape, x, gemm.batch) * itemsize) for x, shape in places]


def matrices(x, shape, n_bytes, gemm):
    """The stack of matrices, as views of the memory."""
    dtype = np.dtype(gemm.dtype)
    memory = np.frombuffer((ctypes.c_char * n_bytes).from_address(x.address), dtype)
    strides = [dtype.itemsize * step for step in (x.step, 1, x.leading)]
    stack = np.lib.stride_tricks.as_strided(memory, (gemm.batch, *shape), strides)
    return stack.swapaxes(1, 2) if x.is_transposed else stack


def multiply(gemm):
    """C = A B; halves are multiplied and added in float32."""
    a, b, c = (matrices(*operand, gemm) for operand in operands(gemm))
    if np.dtype(gemm.dtype).itemsize == 2:
        a, b = a.astype(np.float32), b.astype(np.float32)
    with np.errstate(all="ignore"):
        c[...] = np.matmul(a, b).astype(c.dtype)
