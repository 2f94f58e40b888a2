"""Reductions over everything, the last axis and the first."""

import re

import numpy as np

from .inputs import between, normals
from .work import Work

# (shape, axis)
PLACES = (
    (100_000, None), (10_000_000, None),
    ((4096, 4096), -1), ((4096, 4096), 0), ((100_000, 32), -1), ((100_000, 32), 0),
)  # fmt: skip
NAMES = ("sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all")
CORE = ("sum", "max", "argmax", "var")
NUMEXPR = ("sum", "prod", "max", "min")
AXES = {None: "all", -1: "last axis", 0: "axis 0"}
NAIVE_SUM = 2e-2  # what float32 loses when ten million numbers are added one by one, as some libraries do


def of_bools(value):
    """A maker of bools that are all alike, so that none of them decides."""
    return lambda size: {"x": np.full(size, value)}


INPUTS = {
    "prod": between((0.999, 1.001)),
    "any": of_bools(False),
    "all": of_bools(True),
    "argmax": normals("x"),
    "argmin": normals("x"),
}


def by_lines(axis, text, dtype="x.dtype"):
    """Numba's text: its functions reduce everything, so a loop takes one line `v` of x after the other."""
    if axis is None:
        return re.sub(r"\bv\b", "x", text)
    lines, line = ("x.shape[0]", "x[i]") if axis == -1 else ("x.shape[1]", "x[:, i]")
    return f"y = np.empty({lines}, {dtype})\nfor i in prange({lines}):\n    v = {line}\n    y[i] = {text}\nreturn y"


def numba_dtype(name):
    """The dtype of a reduction's result."""
    return "np.bool_" if name in ("any", "all") else "np.int64" if name.startswith("arg") else "x.dtype"


def torch_text(name, axis):
    """PyTorch's spelling."""
    where = "" if axis is None else f", {axis}"
    if name in ("max", "min"):
        return f"xp.a{name}(x{where or ', ()'})"
    return f"xp.{name}(x{where}{', correction=0' if name in ('var', 'std') else ''})"


def reduction(name, shape, axis, dtype="float32", **spell):
    """One row: NumPy's name, along an axis."""
    where = "" if axis is None else f", axis={axis}"
    texts = {
        "torch": torch_text(name, axis),
        "numexpr": f"{name}(x{where.replace('-1', '1')})" if name in NUMEXPR else None,
        "numba": by_lines(axis, f"np.{name}(v)", numba_dtype(name)),
    }
    return Work(
        "reductions",
        f"{name} {dtype}, {AXES[axis]}",
        f"xp.{name}(x{where})",
        INPUTS.get(name, between((-1.0, 4.0))),
        (shape,),
        dtype,
        texts | spell,
        tolerance=NAIVE_SUM if dtype in ("float32", "float16") else None,
        is_core=name in CORE and dtype == "float32",
    )


def norm(shape, axis):
    text = f"xp.linalg.norm(x{'' if axis is None else f', axis={axis}'})"
    names = ("numpy", "jax", "nd4py")
    numba = by_lines(axis, "np.sqrt(np.sum(np.square(v)))")
    torch = text.replace("axis", "dim")
    return reduction("norm", shape, axis, **dict.fromkeys(names, text), torch=torch, numba=numba, numexpr=None)


def log_sum_exp(shape, axis):
    text = f"special.logsumexp(x{'' if axis is None else f', axis={axis}'})"
    torch = f"xp.logsumexp(x, {axis or 0})"
    numba = by_lines(axis, "np.log(np.sum(np.exp(v - np.max(v)))) + np.max(v)")
    return reduction("logsumexp", shape, axis, numpy=text, jax=text, torch=torch, numba=numba, numexpr=None)


def cumulative_sum(shape, axis):
    text = f"xp.cumulative_sum(x, axis={axis or 0})"
    numba = "np.cumsum(x)" if axis is None else None
    spell = dict.fromkeys(("numpy", "nd4py", "jax"), text) | {"torch": f"xp.cumsum(x, {axis or 0})"}
    return reduction("cumulative_sum", shape, axis, **spell, numba=numba, numexpr=None)


def rows():
    for shape, axis in PLACES:
        for name in NAMES:
            yield reduction(name, shape, axis, "bool" if name in ("any", "all") else "float32")
        for name in ("sum", "max"):
            yield reduction(name, shape, axis, "float64")
        for made in (norm, log_sum_exp, cumulative_sum):
            yield made(shape, axis)
    for name, dtype in (("sum", "int32"), ("sum", "float16"), ("max", "float16")):
        yield reduction(name, 10_000_000, None, dtype)
