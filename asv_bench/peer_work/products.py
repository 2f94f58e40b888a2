"""Products: of matrices that are square, narrow, transposed, in batches or of halves, with a vector, of two vectors."""

from math import prod

import numpy as np

from .inputs import between, normals
from .reductions import NAIVE_SUM
from .work import Work

# name: (shape of x1, shape of x2)
SHAPES = {
    "64": ((64, 64), (64, 64)),
    "512": ((512, 512), (512, 512)),
    "2048": ((2048, 2048), (2048, 2048)),
    "dense": ((128, 800), (800, 500)),
    "output": ((128, 500), (500, 10)),
    "narrow": ((2000, 784), (784, 10)),
    "tall-skinny": ((100_000, 32), (32, 32)),
    "tall-skinny transposed": ((100_000, 32), (100_000, 32)),
    "batched": ((256, 64, 64), (256, 64, 64)),
    "matvec": ((4096, 4096), (4096,)),
}
TEXTS = {"tall-skinny transposed": "x1.T @ x2"}
NUMBA_BATCHED = "y = np.empty_like(x1)\nfor i in prange(x1.shape[0]):\n    y[i] = np.dot(x1[i], x2[i])\nreturn y"


def operations(text, first, second):
    """How many multiplications and additions a product takes."""
    first = first[::-1] if text.startswith("x1.T") else first
    second = second[::-1] if text.endswith("x2.T") else second
    return 2 * prod(first) * (second[-1] if len(second) > 1 else 1)


def row(name, text, first, second, dtype="float32", is_core=True):
    """One product; a size is the shape of the first operand."""
    numba = NUMBA_BATCHED if len(first) == 3 else text
    return Work(
        "products", f"{name} {dtype}", text, normals("x1 x2", first, second), (first,), dtype,
        {"numexpr": None, "numba": numba}, flops=lambda size: operations(text, first, second),
        is_core=is_core, tolerance=np.inf if dtype == "bfloat16" else 2e-3 if dtype == "float32" else None,
    )  # fmt: skip


def vectors(dtype):
    """The product of two vectors, which is one number."""
    return Work(
        "vectors", f"x1 @ x2 {dtype}", "x1 @ x2", between((0.5, 1.5), (-0.5, 1.5)), (10, 1000, 100_000, 10_000_000),
        dtype, {"numexpr": 'evaluate("sum(x1 * x2)")'}, tolerance=NAIVE_SUM, is_core=dtype == "float32",
    )  # fmt: skip


def rows():
    for dtype in ("float32", "float64"):
        yield vectors(dtype)
    for name, (first, second) in SHAPES.items():
        for dtype in ("float32", "float64"):
            yield row(name, TEXTS.get(name, "x1 @ x2"), first, second, dtype, dtype == "float32" or name == "batched")
    square = (512, 512)
    yield row("512 first transposed", "x1.T @ x2", square, square, is_core=False)
    yield row("512 second transposed", "x1 @ x2.T", square, square)
    for dtype in ("float16", "bfloat16"):
        yield row("512", "x1 @ x2", square, square, dtype)
        yield row("dense", "x1 @ x2", *SHAPES["dense"], dtype, is_core=False)
        yield row("batched", "x1 @ x2", *SHAPES["batched"], dtype, is_core=False)
