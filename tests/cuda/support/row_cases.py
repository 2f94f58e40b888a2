"""Operands of rows, and what the CPU makes of them: the measure of what the kernels compute."""

import numpy as np
from kernel_bench import NUMPY_NAMES, bfloat16_bits, bfloat16_values
from table import params_of, sample

import nd4py as nd
from nd4py._exec.dispatch.dispatch import call
from nd4py._exec.dispatch.row_table import row_number
from nd4py._spec.ops import ASIDE, BY_NAME

HALF_EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
EPSILON = {**HALF_EPSILON, "float32": 2.0**-23, "complex64": 2.0**-23, "float64": 2.0**-52, "complex128": 2.0**-52}


def on_cpu(op, inputs, dtype, params):
    """The CPU's results of a map row, as NumPy arrays; those of bfloat16 as their bits."""
    operands = tuple(
        to_cpu(x, "bool" if name == "condition" else dtype) for name, x in zip(op.args, inputs, strict=True)
    )
    results = call(row_number(op.name), operands, params, None)
    return [from_cpu(y) for y in (results if isinstance(results, tuple) else (results,))]


def to_cpu(x, dtype):
    """A NumPy array of a bench as an array of nd4py."""
    if dtype == "bfloat16" and x.dtype == np.uint16:
        return nd.astype(nd.asarray(bfloat16_values(x)), nd.bfloat16)
    return nd.asarray(x)


def from_cpu(y):
    """An array of nd4py as a NumPy array of a bench."""
    if str(y.dtype).endswith("bfloat16"):
        return bfloat16_bits(np.asarray(nd.astype(y, nd.float32)))
    return np.asarray(y)


def operands_of(op, dtype, n=1003):
    """(inputs in the order of the row's args, scalar parameters)."""
    name, _, operand = op.name.partition("_vjp_")
    base = BY_NAME[name] if operand else op
    drawn = "float32" if dtype in NUMPY_NAMES else dtype
    inputs = dict(zip(base.args, sample(base, drawn, n), strict=True))
    params = {**params_of(base), "n": 7.0} if base.family == "reduce" else params_of(op)
    if operand:
        inputs["g"] = np.linspace(-2, 2, n).astype(drawn)
        if "y" in op.args:
            inputs["y"] = base_result(base, inputs, drawn)
        inputs |= {k: np.linspace(1, 3, n).astype(drawn) for k in ASIDE if k in op.args}
    if "condition" in inputs:
        inputs["condition"] = np.arange(n) % 3 == 0
    arrays = [bfloat16_bits(inputs[k]) if dtype == "bfloat16" and k != "condition" else inputs[k] for k in op.args]
    return arrays, tuple(params[k] for k, _ in op.params)


def base_result(base, inputs, dtype):
    """The y that a gradient reads; of a reduction any number near its elements."""
    if base.family == "reduce":
        return np.where(np.arange(len(inputs["x"])) % 5 == 0, inputs["x"], inputs["x"][0])
    return on_cpu(base, [inputs[k] for k in base.args], dtype, tuple(params_of(base).values()))[0]


def assert_same(got, want, dtype, ulp, label):
    """Equal for whole numbers and truth values; within `ulp` units in the last place of `dtype` for others."""
    assert got.shape == want.shape, f"{label}: shape {got.shape} instead of {want.shape}"
    if dtype == "bfloat16" and got.dtype == np.uint16:
        got, want = bfloat16_values(got), bfloat16_values(want)
    if got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want, err_msg=label)
        return
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    got, want = got.astype(wide), want.astype(wide)
    with np.errstate(all="ignore"):
        error = np.abs(got - want) / (EPSILON[dtype] * np.maximum(np.abs(want), 1e-30))
    wrong = ~((error <= ulp) | (got == want) | (np.isnan(got) & np.isnan(want)))
    assert not wrong.any(), f"{label}: {error[wrong].max():.3g} ulp at {want[wrong][:3]}, got {got[wrong][:3]}"
