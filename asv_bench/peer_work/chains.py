"""Chains of elementwise operations, as users write them: with a trailing sum, in place, and along rows.

Whole numbers stand for scalars: numexpr computes in float64 where a scalar is a float.
"""

from .elementwise import LARGE, MEDIUM
from .inputs import between, normal
from .work import Work

EPSILON = 1e-5
CHAINS = {
    "2 cheap": "a * b + c",
    "4 cheap": "(a * b + c - a) * c",
    "8 cheap": "((a * b + c - a) * c + b - c) * a + b",
    "transcendental": "xp.tanh(a * b + c) * xp.exp(-abs(a)) + xp.log(1 + b)",
}
IN_PLACE = "z = a + b\nz *= 2\nreturn z"
LAST = "axis=-1, keepdims=True"
# Each: (what NumPy's users write, a loop over the lines of x for Numba).
ROWS = {
    "mean of squares": ("xp.mean((x - m) ** 2, axis=-1)", "d = x[i] - m[i, 0]\n    y[i] = (d * d).mean()"),
    "softmax": (
        f"(lambda e: e / xp.sum(e, {LAST}))(xp.exp(x - xp.max(x, {LAST})))",
        "e = np.exp(x[i] - x[i].max())\n    y[i] = e / e.sum()",
    ),
    "layer norm": (
        f"(lambda d: d / xp.sqrt(xp.mean(d * d, {LAST}) + {EPSILON}))(x - xp.mean(x, {LAST}))",
        f"d = x[i] - x[i].mean()\n    y[i] = d / np.sqrt((d * d).mean() + np.float32({EPSILON}))",
    ),
}


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


def line_of_means(size):
    """One number per row."""
    return normal((size[0], 1), 2)


def row(name):
    """A function of rows, written out."""
    text, body = ROWS[name]
    made = "np.empty(x.shape[0], x.dtype)" if name == "mean of squares" else "np.empty_like(x)"
    torch = text.replace("xp.max", "xp.amax")

    def inputs(size):
        given = {"x": normal(size)}
        return given | {"m": line_of_means(size)} if "m[i" in body else given

    spell = {
        "torch": torch,
        "compiled": torch,
        "numba": f"y = {made}\nfor i in prange(x.shape[0]):\n    {body}\nreturn y",
        "numexpr": None,
    }
    return Work(
        "rows", f"{name} float32", text, inputs, ((4096, 4096),), "float32", spell, tolerance=1e-3, is_core=True
    )


def rows():
    for dtype in ("float32", "float64"):
        for name, text in CHAINS.items():
            # To Numba a whole number beside an array is an int64, and the result float64.
            numba = text.replace("abs", "xp.abs").replace("1 +", f"xp.{dtype}(1) +")
            yield chain(name, text, dtype, {"numexpr": text.replace("xp.", ""), "numba": numba})
        text = CHAINS["2 cheap"]
        yield chain("sum of 2 cheap", f"xp.sum({text})", dtype, {"numexpr": f'evaluate("sum({text})")'})
        yield pair(dtype)
    for name in ROWS:
        yield row(name)
