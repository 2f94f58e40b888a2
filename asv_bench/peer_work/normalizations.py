"""softmax, log_softmax, layer norm and variance along one axis; the natural composition where a library has no name."""

from .inputs import normals
from .numba_lines import over_lines
from .work import Work

PLACES = (((4096, 4096), -1), ((4096, 4096), 0), ((100_000, 32), -1))
NAMES = ("softmax", "log_softmax", "layer_norm", "var")
# Of the functions that `by_hand` writes out: with those above every axis of three shapes.
FURTHER_PLACES = (((100_000, 32), 0), ((1000, 64, 50), 0), ((1000, 64, 50), 1), ((1000, 64, 50), -1))
EPSILON = 1e-5
# Numba: statements that make the line of the result from the line v.
NUMBA = {
    "softmax": "e = np.exp(v - v.max())\ny_line = e / e.sum()",
    "log_softmax": "d = v - v.max()\ny_line = d - np.log(np.exp(d).sum())",
    "layer_norm": f"d = v - v.mean()\ny_line = d / np.sqrt((d * d).mean() + np.float32({EPSILON}))",
    "var": "y_line = np.var(v)",
}


def composed(name, axis):
    """The function in terms of others, as NumPy's users write it."""
    kept = f"axis={axis}, keepdims=True"
    return {
        "softmax": f"(lambda e: e / xp.sum(e, {kept}))(xp.exp(x - xp.max(x, {kept})))",
        "log_softmax": f"(lambda d: d - xp.log(xp.sum(xp.exp(d), {kept})))(x - xp.max(x, {kept}))",
        "layer_norm": f"(x - xp.mean(x, {kept})) / xp.sqrt(xp.var(x, {kept}) + {EPSILON})",
        "var": f"xp.var(x, axis={axis})",
    }[name]


def torch_text(name, axis):
    """PyTorch's spelling; its layer norm takes the last axis alone."""
    if name == "layer_norm" and axis == -1:
        return f"functional.layer_norm(x, x.shape[-1:], eps={EPSILON})"
    return {
        "softmax": f"xp.softmax(x, {axis})",
        "log_softmax": f"xp.log_softmax(x, {axis})",
        "layer_norm": (
            f"(lambda v, m: (x - m) * xp.rsqrt(v + {EPSILON}))(*xp.var_mean(x, {axis}, correction=0, keepdim=True))"
        ),
        "var": f"xp.var(x, {axis}, correction=0)",
    }[name]


def numba_text(name, shape, axis):
    """A loop over the lines of x."""
    made = f"np.empty(x.shape[{1 + axis}], x.dtype)" if name == "var" else "np.empty_like(x)"  # var: of matrices alone
    return over_lines(len(shape), axis, NUMBA[name], made)


def axis_name(axis):
    return "last axis" if axis == -1 else f"axis {axis}"


def row(name, shape, axis, dtype="float32", is_core=True):
    """One function along one axis."""
    spell = {
        "nd4py": f"xp.{name}(x, axis={axis})",
        "torch": torch_text(name, axis),
        "numba": numba_text(name, shape, axis),
        "numexpr": None,
    }
    if name.endswith("softmax"):
        spell["jax"] = f"nn.{name}(x, {axis})"
    return Work(
        "normalizations",
        f"{name} {dtype}, {axis_name(axis)}",
        composed(name, axis),
        normals("x"),
        (shape,),
        dtype,
        spell,
        tolerance=1e-3 if dtype == "float32" else None,
        is_core=is_core and dtype == "float32",
    )


def rows():
    for shape, axis in PLACES:
        for name in NAMES:
            yield row(name, shape, axis)
    for shape, axis in FURTHER_PLACES:
        for name in ("softmax", "layer_norm"):
            yield row(name, shape, axis, is_core=False)
    for name in ("softmax", "layer_norm"):
        yield row(name, (4096, 4096), -1, "float64")
    spell = {"torch": "xp.var(x, correction=0)", "numexpr": None}
    yield Work(
        "normalizations", "var float32, all", "xp.var(x)", normals("x"), (10_000_000,), "float32", spell,
        tolerance=1e-3, is_core=True,
    )  # fmt: skip
