"""Ten elements, where the path of a call is all that counts; each row has a floor of its own beside NumPy."""

import math

import numpy as np

from .work import Work

N = (10,)
CHAIN = "((x1 + x2) * x1 - x2) * x2 + x1 - x2 * x1 + x2"  # eight operations
# name: (text, floor), and the text of libraries that spell it otherwise
CALLS = {
    "a + b": ("x1 + x2", 0.45, {}),
    "a += b": ("x1 += x2", 0.5, {"numba": None, "jax": None, "numexpr": None}),
    "a + 1.0": ("x1 + 1.0", 0.35, {}),
    "sum": ("xp.sum(x1)", 0.15, {"numexpr": "sum(x1)"}),
    "slice": ("x1[2:8]", 1.2, {"numba": None, "jax": None, "numexpr": None}),
    "reshape": ("xp.reshape(x1, (2, 5))", 0.3, {"numba": None, "jax": None, "numexpr": None}),
    "empty(256)": ("xp.empty(256)", 0.6, {"numba": None, "jax": None, "numexpr": None}),
    "chain of 8": (CHAIN, 0.45, {}),
}


def pair(size):
    """Two arrays of ten numbers."""
    return {"x1": np.arange(10.0), "x2": np.zeros(10) + 1e-9}


def rows():
    for name, (text, floor, spell) in CALLS.items():
        tolerance = math.inf if name.startswith("empty") else None
        yield Work(
            "small", name, text, pair, N, "float64", spell,
            tolerance=tolerance, has_limit=False, is_core=True, floor=floor,
        )  # fmt: skip
