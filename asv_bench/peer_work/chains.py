"""Chains of elementwise operations, as users write them: with a trailing sum, and in place.

Whole numbers stand for scalars: numexpr computes in float64 where a scalar is a float.
"""

from .elementwise import LARGE, MEDIUM
from .inputs import between
from .work import Work

CHAINS = {
    "2 cheap": "a * b + c",
    "4 cheap": "(a * b + c - a) * c",
    "7 cheap, two at a time,": "((a * b + c) * a - b) * (c + a) * b",
    "8 cheap": "((a * b + c - a) * c + b - c) * a + b",
    "transcendental": "xp.tanh(a * b + c) * xp.exp(-abs(a)) + xp.log(1 + b)",
}
IN_PLACE = "z = a + b\nz *= 2\nreturn z"


def chain(name, text, dtype, spell):
    """A chain over three arrays of one shape."""
    inputs = between((-1.0, 1.0), (0.5, 1.5), (0.0, 1.0), names="a b c")
    return Work("chains", f"{name} {dtype}", text, inputs, (LARGE, MEDIUM), dtype, spell, tolerance=1e-3, is_core=True)


def pair(dtype):
    """`z = a + b; z *= 2` in a function: the second operation is in place."""
    body = IN_PLACE.replace("\n", "\n    ")
    function = dict.fromkeys(("nd4py", "uncombined", "numpy", "torch", "compiled"), f"def pair(a, b):\n    {body}")
    spell = dict.fromkeys(function, "pair(a, b)") | {"numba": IN_PLACE}
    inputs = between((-1.0, 1.0), (0.5, 1.5), names="a b")
    return Work(
        "chains", f"pair {dtype}", "(a + b) * 2", inputs, (LARGE, MEDIUM), dtype, spell, function, is_core=True
    )  # fmt: skip


def rows():
    for dtype in ("float32", "float64"):
        for name, text in CHAINS.items():
            # To Numba a whole number beside an array is an int64, and the result float64.
            numba = text.replace("abs", "xp.abs").replace("1 +", f"xp.{dtype}(1) +")
            yield chain(name, text, dtype, {"numexpr": text.replace("xp.", ""), "numba": numba})
        text = CHAINS["2 cheap"]
        yield chain("sum of 2 cheap", f"xp.sum({text})", dtype, {"numexpr": f'evaluate("sum({text})")'})
        yield pair(dtype)
