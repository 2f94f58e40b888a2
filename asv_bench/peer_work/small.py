"""Ten elements, where the path of a call is all that counts; some rows have a floor of their own beside NumPy."""

import math
import re

import numpy as np

from .work import Work

N = (10,)
CHAIN = "((x1 + x2) * x1 - x2) * x2 + x1 - x2 * x1 + x2"  # eight operations
LIST = "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]"
NOT_COMPILED = {"numba": None, "jax": None, "numexpr": None}
# name: (text, floor), and the text of libraries that spell it otherwise
CALLS = {
    "a + b": ("x1 + x2", 0.45, {}),
    "a += b": ("x1 += x2", 0.5, NOT_COMPILED),
    "a + 1.0": ("x1 + 1.0", 0.35, {}),
    "x ** 0.5": ("x1 ** 0.5", None, {}),
    "exp": ("xp.exp(x1)", None, {"numexpr": "exp(x1)"}),
    "where": ("xp.where(c, x1, x2)", None, {"numexpr": "where(c, x1, x2)"}),
    "astype": ("x1.astype(xp.float32)", None, {"torch": "x1.to(xp.float32)", "numexpr": None}),
    "sum": ("xp.sum(x1)", 0.15, {"numexpr": "sum(x1)"}),
    "max(x), Python's": ("max(x1)", None, NOT_COMPILED),
    "m @ m": ("m @ m", None, {"numexpr": None}),
    "slice": ("x1[2:8]", 1.2, NOT_COMPILED),
    "x[i, j]": ("m[1, 2]", None, NOT_COMPILED),
    "float(x[i])": ("float(x1[3])", None, NOT_COMPILED),
    "x[i] = v": ("x1[3] = 2.0", None, NOT_COMPILED),
    "m.T": ("m.T", None, NOT_COMPILED),
    "reshape": ("xp.reshape(x1, (2, 5))", 0.3, NOT_COMPILED),
    "empty(256)": ("xp.empty(256)", 0.6, NOT_COMPILED),
    "zeros": ("xp.zeros(10)", None, NOT_COMPILED),
    "asarray(list)": (f"xp.asarray({LIST})", None, NOT_COMPILED | {"torch": f"xp.tensor({LIST})"}),
    "asarray(NumPy's)": ("xp.asarray(theirs)", None, NOT_COMPILED | {"torch": "xp.from_numpy(theirs)"}),
    "np.asarray(x)": ("np.asarray(x1)", None, NOT_COMPILED),
    "chain of 8": (CHAIN, 0.45, {}),
}
THEIRS = dict.fromkeys(("nd4py", "numpy", "torch"), "theirs = np.arange(10.0)")
FURTHER_ARRAYS = {"c": np.arange(10) % 2 == 0, "m": np.arange(100.0).reshape(10, 10)}


def arrays_for(text):
    """A maker of two arrays of ten numbers, and of the condition or the matrix that a text names."""
    further = {name: array for name, array in FURTHER_ARRAYS.items() if re.search(rf"\b{name}\b", text)}
    return lambda size: {"x1": np.arange(10.0), "x2": np.zeros(10) + 1e-9, **further}


def rows():
    for name, (text, floor, spell) in CALLS.items():
        yield Work(
            "small", name, text, arrays_for(text), N, "float64", spell, THEIRS if "theirs" in text else {},
            tolerance=math.inf if name.startswith("empty") else None, has_limit=False, is_core=True, floor=floor,
        )  # fmt: skip
    yield Work(
        "small", "iterate", "list(x)", lambda size: {"x": np.arange(float(size))}, (1000,), "float64", NOT_COMPILED,
        has_limit=False, is_core=True,
    )  # fmt: skip
