"""softmax, log_softmax, layer norm and variance along one axis; the natural composition where a library has no name."""

from .inputs import normals
from .work import Work

PLACES = (((4096, 4096), -1), ((4096, 4096), 0), ((100_000, 32), -1))
EPSILON = 1e-5


def softmax_lines(body):
    """Numba: a loop over the lines of x, each a vector `v`; `u` is the line of the result."""
    return f"y = np.empty_like(x)\nfor i in prange(x.shape[0]):\n    v = x[i]\n{body}\nreturn y"


def transposed(text):
    """The same down the columns."""
    return text.replace("x.shape[0]", "x.shape[1]").replace("x[i]", "x[:, i]").replace("y[i]", "y[:, i]")


NUMBA = {
    "softmax": softmax_lines("    e = np.exp(v - v.max())\n    y[i] = e / e.sum()"),
    "log_softmax": softmax_lines("    d = v - v.max()\n    y[i] = d - np.log(np.exp(d).sum())"),
    "layer_norm": softmax_lines(
        f"    m = v.mean()\n    d = v - m\n    y[i] = d / np.sqrt((d * d).mean() + np.float32({EPSILON}))"
    ),
}


def row(name, shape, axis, dtype="float32"):
    """One function along one axis."""
    kept = f"axis={axis}, keepdims=True"
    composed = {
        "softmax": f"(lambda e: e / xp.sum(e, {kept}))(xp.exp(x - xp.max(x, {kept})))",
        "log_softmax": f"(lambda d: d - xp.log(xp.sum(xp.exp(d), {kept})))(x - xp.max(x, {kept}))",
        "layer_norm": f"(x - xp.mean(x, {kept})) / xp.sqrt(xp.var(x, {kept}) + {EPSILON})",
        "var": f"xp.var(x, axis={axis})",
    }[name]
    torch = {
        "softmax": f"xp.softmax(x, {axis})",
        "log_softmax": f"xp.log_softmax(x, {axis})",
        "layer_norm": f"functional.layer_norm(x, x.shape[-1:], eps={EPSILON})"
        if axis == -1
        else f"(lambda vm: (x - vm[1]) * xp.rsqrt(vm[0] + {EPSILON}))(xp.var_mean(x, 0, correction=0, keepdim=True))",
        "var": f"xp.var(x, {axis}, correction=0)",
    }[name]
    numba = NUMBA.get(name)
    if name == "var":
        numba = "y = np.empty(x.shape[0], x.dtype)\nfor i in prange(x.shape[0]):\n    y[i] = np.var(x[i])\nreturn y"
        numba = numba.replace("x.shape[0]", "x.shape[1]").replace("x[i]", "x[:, i]") if axis == 0 else numba
    elif axis == 0:
        numba = transposed(numba)
    jax = {"softmax": f"nn.softmax(x, {axis})", "log_softmax": f"nn.log_softmax(x, {axis})"}.get(name, composed)
    spell = {"nd4py": f"xp.{name}(x, axis={axis})", "torch": torch, "numba": numba, "jax": jax, "numexpr": None}
    where = "last axis" if axis == -1 else "axis 0"
    return Work("normalizations", f"{name} {dtype}, {where}", composed, normals("x"), (shape,), dtype, spell,
                tolerance=1e-3 if dtype == "float32" else None, is_core=dtype == "float32")  # fmt: skip


def rows():
    for shape, axis in PLACES:
        for name in ("softmax", "log_softmax", "layer_norm", "var"):
            yield row(name, shape, axis)
    for name in ("softmax", "layer_norm"):
        yield row(name, (4096, 4096), -1, "float64")
    yield Work("normalizations", "var float32, all", "xp.var(x)", normals("x"), (10_000_000,),
               spell={"torch": "xp.var(x, correction=0)", "numexpr": None}, tolerance=1e-3, is_core=True)  # fmt: skip
