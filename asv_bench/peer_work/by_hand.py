"""Functions of the lines of an array, written out: what `normalizations` has by name, and dividing by the sum."""

from .inputs import normal, uniform
from .normalizations import EPSILON, FURTHER_PLACES, NUMBA, PLACES, axis_name
from .numba_lines import over_lines
from .work import Work

# Each: (what NumPy's users write along an axis, statements that make the line of the result from the line v for Numba).
FUNCTIONS = {
    "softmax": ("(lambda e: e / xp.sum(e, {kept}))(xp.exp(x - xp.max(x, {kept})))", NUMBA["softmax"]),
    "layer norm": (
        f"(lambda d: d / xp.sqrt(xp.mean(d * d, {{kept}}) + {EPSILON}))(x - xp.mean(x, {{kept}}))",
        NUMBA["layer_norm"],
    ),
    "log softmax": (
        "(lambda d: d - xp.log(xp.sum(xp.exp(d), {kept})))(x - xp.max(x, {kept}))",
        NUMBA["log_softmax"],
    ),
    "log-sum-exp": ("(lambda m: m + xp.log(xp.sum(xp.exp(x - m), {kept})))(xp.max(x, {kept}))", None),
    "x / sum": ("x / x.sum({kept})", "y_line = v / v.sum()"),
    "min to max": (
        "(lambda low, high: (x - low) / (high - low))(xp.min(x, {kept}), xp.max(x, {kept}))",
        "low = v.min()\ny_line = (v - low) / (v.max() - low)",
    ),
}
# Rows of every length: short ones, ones that no vectors fill, ones that exceed a cache, and columns in between.
LENGTHS = (
    *(((1_000_000, 3), -1), ((500_000, 7), -1), ((300_000, 10), -1), ((100_000, 33), -1), ((60_000, 50), -1)),
    *(((30_000, 100), -1), ((20_000, 200), -1), ((3000, 1000), -1), ((64, 100_000), -1), ((3000, 40, 50), 1)),
    *(((3000, 40, 50), -1), ((20, 30, 10, 40, 10), 1), ((20, 30, 10, 40, 10), -1)),
)
MATRIX = (4096, 4096)


def away_from_zero(size):
    """Numbers whose sums are no differences of nearly equal ones."""
    return {"x": abs(normal(size)) + 0.5}


def row(name, shape, axis):
    """A function along an axis; a quick run has those of the longest lines."""
    text, body = FUNCTIONS[name]
    text = text.format(kept=f"axis={axis}, keepdims=True")
    torch = text.replace("xp.max", "xp.amax").replace("xp.min", "xp.amin")
    numba = over_lines(len(shape), axis, body) if body else None
    spell = {"torch": torch, "compiled": torch, "numba": numba, "numexpr": None}
    inputs = away_from_zero if name == "x / sum" else lambda size: {"x": normal(size)}
    return Work(
        "rows", f"{name} float32, {axis_name(axis)}", text, inputs, (shape,), spell=spell, tolerance=1e-3,
        is_core=(shape, axis) == (MATRIX, -1),
    )  # fmt: skip


def mean_of_squares():
    """The mean of the squares of the distances from a number per row."""

    def inputs(size):
        return {"x": normal(size), "m": normal((size[0], 1), 2)}

    numba = "y = np.empty(x.shape[0], x.dtype)\nfor i in prange(x.shape[0]):\n    d = x[i] - m[i, 0]\n"
    numba += "    y[i] = (d * d).mean()\nreturn y"
    return Work(
        "rows", "mean of squares float32, last axis", "xp.mean((x - m) ** 2, axis=-1)", inputs, (MATRIX,),
        spell={"numba": numba, "numexpr": None}, tolerance=1e-3, is_core=True,
    )  # fmt: skip


def cosine(shape):
    """The cosines of the angles between the rows of two arrays."""
    text = "xp.sum(x * y, axis=-1) / xp.sqrt(xp.sum(x * x, axis=-1) * xp.sum(y * y, axis=-1))"
    numba = "z = np.empty(x.shape[0], x.dtype)\nfor i in prange(x.shape[0]):\n    v, w = x[i], y[i]\n"
    numba += "    z[i] = (v * w).sum() / np.sqrt((v * v).sum() * (w * w).sum())\nreturn z"
    spell = {"numba": numba, "numexpr": None}
    inputs = lambda size: {"x": away_from_zero(size)["x"], "y": uniform(0.5, 1.5, size, 3)}  # noqa: E731
    return Work("rows", "cosine float32, last axis", text, inputs, (shape,), spell=spell, tolerance=1e-3)


def masked(shape):
    """The distances from the sum of the elements that a mask chooses."""
    text = "x - xp.sum(x, axis=-1, keepdims=True, where=m)"
    torch = "x - xp.where(m, x, 0).sum(-1, keepdim=True)"
    numba = over_lines(2, -1, "y_line = v - v[m[i0]].sum()")
    spell = {"torch": torch, "compiled": torch, "numba": numba, "numexpr": None}
    inputs = lambda size: {"x": normal(size), "m": normal(size, 2) < 0.5}  # noqa: E731
    return Work("rows", "x - sum(where=m) float32, last axis", text, inputs, (shape,), spell=spell, tolerance=1e-3)


def running(shape):
    """The shares that all elements up to each have in the sum of their row."""
    text = "xp.cumulative_sum(x, axis=-1) / xp.sum(x, axis=-1, keepdims=True)"
    torch = "xp.cumsum(x, -1) / xp.sum(x, -1, keepdim=True)"
    spell = {"torch": torch, "compiled": torch, "numba": over_lines(2, -1, "y_line = v.cumsum() / v.sum()")}
    name = "cumulative_sum / sum float32, last axis"
    return Work("rows", name, text, away_from_zero, (shape,), spell=spell | {"numexpr": None}, tolerance=1e-3)


def rows():
    yield mean_of_squares()
    for shape in ((100_000, 32), (3000, 1000)):
        yield cosine(shape)
        yield masked(shape)
        yield running(shape)
    for shape, axis in PLACES + FURTHER_PLACES:
        for name in FUNCTIONS:
            yield row(name, shape, axis)
    for shape, axis in LENGTHS:
        for name in ("softmax", "layer norm"):
            yield row(name, shape, axis)
