"""Matrix products: square, long and narrow, transposed, in batches, with a vector, and of half precision."""

from math import prod

import numpy as np

from .inputs import normals
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


def rows():
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
