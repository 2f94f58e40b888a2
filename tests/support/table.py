"""Inputs, references and tolerances for every row of the table."""

import math

import numpy as np

import nd4py as nd
from nd4py._spec.ops import OPS

HALVES = ("float16", "bfloat16")
MAPS = [op for op in OPS if op.family == "map"]
REDUCTIONS = [op for op in OPS if op.family in ("reduce", "argreduce")]
PARAMS = {"lr": 0.01, "c1": 0.1, "c2": 0.001, "c1_next": 0.19}


def dtypes_of(op):
    """Every dtype the row takes, halves included where NumPy can check them."""
    return tuple(dtype for dtype in op.dtypes if dtype != "bfloat16")


def params_of(op):
    """A value for each scalar parameter: its default, or one that makes sense for an updater."""
    return {name: PARAMS.get(name, default) for name, default in op.params}


def sample(op, dtype, n=1003, seed=0):
    """One NumPy array per operand, within the row's domain and the dtype's range."""
    rng = np.random.default_rng(seed)
    domains = op.domain if isinstance(op.domain[0], tuple) else (op.domain,) * len(op.args)
    return [draw(rng, dtype, low, high, n) for low, high in domains]


def draw(rng, dtype, low, high, n):
    """Values of `dtype` between low and high."""
    if dtype.startswith("complex"):
        return ((rng.uniform(low, high, n) + 1j * rng.uniform(low, high, n)) / 2**0.5).astype(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    if dtype.startswith("uint"):
        low = max(low, 0)
    if "int" in dtype:
        return rng.integers(math.ceil(low), max(math.floor(high), math.ceil(low)) + 1, n).astype(dtype)
    return rng.uniform(low, high, n).astype(dtype)


def arguments_of(text, op, dtype):
    """(arguments, keywords) of a call that a row has as an example, with NumPy arrays."""
    rng, (low, high) = np.random.default_rng(len(text)), op.domain
    names = {"np": np, "numbers": lambda *shape: draw(rng, dtype, low, high, shape)}
    return eval(f"(lambda *arguments, **keywords: (arguments, keywords))({text})", names)


def reference_of(op, arguments, keywords):
    """What NumPy says of an example."""
    params = [name if default is None else f"{name}={default!r}" for name, default in op.params]
    names = eval(f"lambda {', '.join([*op.args, *params])}: locals()")(*map(widened, arguments), **keywords)
    return eval(op.ref, {"np": np, **names})


def widened(x):
    """Floating elements in 64 bits."""
    is_floating = isinstance(x, np.ndarray) and x.dtype.kind in "fc"
    return x.astype(np.result_type(x.dtype, np.float64)) if is_floating else x


def reference(op, inputs, **values):
    """What NumPy says, computed in float64 for floating inputs."""
    inputs = [widened(x) for x in inputs] if inputs[0].dtype.kind in "fc" else inputs
    with np.errstate(all="ignore"):
        names = {"np": np, "math": math, **dict(zip(op.args, inputs, strict=True)), **params_of(op), **values}
        return eval(op.ref, names)


def assert_close(got, want, dtype, ulp, label=""):
    """`got` is within `ulp` units in the last place of its dtype around `want` (exact for other kinds)."""
    got = np.asarray(got.astype("float64") if got.dtype == "bfloat16" else got)
    want = np.asarray(want)
    assert got.shape == want.shape, f"{label}: shape {got.shape} instead of {want.shape}"
    if got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want.astype(got.dtype), err_msg=label)
        return
    dtype = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    eps = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}[dtype]
    tiny = {"float16": 2.0**-14, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1022}[dtype]
    with np.errstate(all="ignore"):
        scale = eps * np.maximum(np.abs(want), tiny / eps)
        error = np.abs(got.astype(want.dtype) - want) / scale
    wrong = ~((error <= ulp) | (got == want) | (np.isnan(got) & np.isnan(want)))
    assert not wrong.any(), f"{label}: {error[wrong].max()} ulp at {want[wrong][:3]}, got {got[wrong][:3]}"


def call(op, inputs, **keywords):
    """Run the row's function on NumPy inputs."""
    return getattr(nd, op.name)(*[nd.asarray(x) for x in inputs], **params_of(op), **keywords)
