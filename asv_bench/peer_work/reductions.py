"""Reductions over everything, the last axis and the first, and what is composed of them along one axis."""

import re

import numpy as np

from .inputs import between, normals, uniform
from .work import Work

# (shape, axis); the first size of each length stands in a straight line.
PLACES = (
    (100_000, None), (10_000_000, None),
    ((4096, 4096), -1), ((4096, 4096), 0), ((100_000, 32), -1), ((100_000, 32), 0),
)  # fmt: skip
CORE = ("sum", "max", "argmax", "var")
NAIVE_SUM = 2e-2  # what float32 loses when ten million numbers are added one by one, as some libraries do
AXES = {None: "all", -1: "last axis", 0: "axis 0"}


def of_bools(value):
    """A maker of bools that are all alike, so that none of them decides."""
    return lambda size: {"x": np.full(size, value)}


def lines(size_out, size_in, body, result="np.float32"):
    """A Numba function's body that treats each line of x: `v` is the line, `i` its number."""
    return f"y = np.empty(x.shape[{size_out}], {result})\nfor i in prange(x.shape[{size_out}]):\n    v = {size_in}\n    {body}\nreturn y"


def along(axis, plain):
    """Numba reduces along an axis only as a loop over lines: `plain` is the reduction of one line `v`."""
    if axis is None:
        return re.sub(r"\bv\b", "x", plain)
    kind = "np.bool_" if ".any" in plain or ".all" in plain else "np.int64" if "arg" in plain else "x.dtype.type"
    kind = "x.dtype" if kind == "x.dtype.type" else kind
    return lines(0, "x[i]", f"y[i] = {plain}", kind) if axis == -1 else lines(1, "x[:, i]", f"y[i] = {plain}", kind)


def reduction(name, shape, axis, dtype="float32", **spell):
    """One row: NumPy's name, along an axis."""
    inputs = {
        "prod": between((0.999, 1.001)),
        "any": of_bools(False),
        "all": of_bools(True),
        "argmax": normals("x"),
        "argmin": normals("x"),
    }.get(name, between((-1.0, 4.0)))
    where = "" if axis is None else f", axis={axis}"
    words = {
        "torch": {"max": f"xp.amax(x{where or ', ()'})", "min": f"xp.amin(x{where or ', ()'})",
                  "var": f"xp.var(x{where}, correction=0)", "std": f"xp.std(x{where}, correction=0)"},
    }["torch"]  # fmt: skip
    texts = {
        "torch": words.get(name, f"xp.{name}(x{where})"),
        "numexpr": f"{name}(x{where.replace('-1', '1')})" if name in ("sum", "prod", "max", "min") else None,
        "numba": along(axis, f"np.{name}(v)"),
    }
    return Work(
        "reductions", f"{name} {dtype}, {AXES[axis]}", f"xp.{name}(x{where})", inputs, (shape,), dtype,
        texts | spell, tolerance=NAIVE_SUM if dtype in ("float32", "float16") else None,
        is_core=name in CORE and dtype == "float32",
    )  # fmt: skip


def norm(shape, axis):
    where = "" if axis is None else f", axis={axis}"
    return reduction(
        "norm", shape, axis, numpy=f"xp.linalg.norm(x{where})", jax=f"xp.linalg.norm(x{where})",
        nd4py=f"xp.linalg.norm(x{where})", torch=f"xp.linalg.norm(x{where.replace('axis', 'dim')})",
        numba=along(axis, "np.sqrt(np.sum(np.square(v)))"), numexpr=None,
    )  # fmt: skip


def log_sum_exp(shape, axis):
    where = "" if axis is None else f", axis={axis}"
    numba = along(axis, "np.log(np.sum(np.exp(v - np.max(v)))) + np.max(v)").replace("np.eyp", "np.exp")
    if axis is None:
        numba = "top = np.max(x)\nreturn np.log(np.sum(np.exp(x - top))) + top"
    return reduction(
        "logsumexp", shape, axis, numpy=f"special.logsumexp(x{where})", jax=f"special.logsumexp(x{where})",
        torch=f"xp.logsumexp(x, {0 if axis is None else axis})", numba=numba, numexpr=None,
    )  # fmt: skip


def cumulative(shape, axis):
    along_axis = 0 if axis is None else axis
    return reduction(
        "cumulative_sum", shape, axis, **{name: f"xp.cumulative_sum(x, axis={along_axis})" for name in ("numpy", "nd4py", "jax")},
        torch=f"xp.cumsum(x, {along_axis})", numexpr=None,
        numba="return np.cumsum(x)\n" if axis is None else None,
    )  # fmt: skip


NAMES = "sum prod mean var std min max argmin argmax any all".split()


def rows():
    for shape, axis in PLACES:
        for name in NAMES:
            yield reduction(name, shape, axis, "bool" if name in ("any", "all") else "float32")
        for name in ("sum", "max"):
            yield reduction(name, shape, axis, "float64")
        yield norm(shape, axis)
        yield log_sum_exp(shape, axis)
        yield cumulative(shape, axis)
    yield reduction("sum", 10_000_000, None, "int32", numexpr="sum(x)")
    yield reduction("sum", 10_000_000, None, "float16", numba=None, numexpr=None)
    yield reduction("max", 10_000_000, None, "float16", numba=None, numexpr=None)
