"""Every row of the table, on every instruction set this machine has, against NumPy."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import MAPS, REDUCTIONS, assert_close, call, dtypes_of, params_of, reference, sample

import nd4py as nd
from nd4py.cpu.isa.isa import supported

CASES = [pytest.param(op, dtype, id=f"{op.name}-{dtype}") for op in MAPS for dtype in dtypes_of(op)]
REDUCE_CASES = [pytest.param(op, dtype, id=f"{op.name}-{dtype}") for op in REDUCTIONS for dtype in dtypes_of(op)]
FLOAT_MAPS = [op for op in MAPS if "float32" in op.types and len(op.outputs) == 1]


def tolerance(op, dtype):
    """Halves are rounded once from a float32 result."""
    return 1.0 if dtype == "float16" else op.ulp


@pytest.mark.sampled(2)
@pytest.mark.parametrize("op, dtype", CASES)
def test_map_matches_reference(op, dtype, instruction_set):
    inputs = sample(op, dtype)
    got, want = call(op, inputs), reference(op, inputs)
    for one, expected in zip(got, want, strict=True) if len(op.outputs) > 1 else [(got, want)]:
        assert_close(one, expected, dtype, tolerance(op, dtype), op.name)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("op, dtype", CASES)
def test_map_layouts_agree(op, dtype):
    """Strided, reversed, transposed and broadcast operands give what dense ones give."""
    inputs = [x[:48].reshape(6, 8) for x in sample(op, dtype)]
    dense = call(op, inputs)
    wide = [np.zeros((12, 16), x.dtype) for x in inputs]
    for x, holder in zip(inputs, wide, strict=True):
        holder[::2, ::2] = x
    layouts = {
        "strided": [holder[::2, ::2] for holder in wide],
        "reversed": [np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1] for x in inputs],
        "transposed": [np.asfortranarray(x) for x in inputs],
    }
    for name, operands in layouts.items():
        got = call(op, operands)
        for one, expected in zip(got, dense, strict=True) if len(op.outputs) > 1 else [(got, dense)]:
            np.testing.assert_allclose(
                np.asarray(one),
                np.asarray(expected),
                rtol=1e-3 if dtype == "float16" else 3e-6,
                err_msg=f"{op.name} {name}",
            )


@pytest.mark.parametrize("op", [op for op in MAPS if len(op.args) > 1 and len(op.outputs) == 1], ids=lambda op: op.name)
def test_map_broadcasts(op):
    dtype = "float32" if "float32" in op.types else op.types[-1]
    inputs = sample(op, dtype)
    columns, rows = [inputs[0][:6].reshape(6, 1)], [x[:8] for x in inputs[1:]]
    want = call(op, [np.broadcast_to(x, (6, 8)).copy() for x in columns + rows])
    np.testing.assert_allclose(np.asarray(call(op, columns + rows)), np.asarray(want), rtol=3e-6)


@pytest.mark.parametrize("op", [op for op in FLOAT_MAPS if not op.takes_bits], ids=lambda op: op.name)
def test_bfloat16_is_the_rounded_float32_result(op):
    inputs = [nd.asarray(x).astype("bfloat16") for x in sample(op, "float32", 101)]
    got = getattr(nd, op.name)(*inputs, **params_of(op))
    want = getattr(nd, op.name)(*[x.astype("float32") for x in inputs], **params_of(op))
    rounded = want.astype(got.dtype)
    np.testing.assert_array_equal(np.asarray(got.astype("float32")), np.asarray(rounded.astype("float32")))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op, dtype", REDUCE_CASES)
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2), (0, 1), (1, 2)], ids=str)
def test_reduction_matches_reference(op, dtype, axis, instruction_set):
    if op.family == "argreduce" and isinstance(axis, tuple):
        with pytest.raises(TypeError):
            getattr(nd, op.name)(nd.ones((2, 2, 2)), axis=axis)
        return
    (x,) = sample(op, dtype, n=5 * 37 * 11)
    x = x.reshape(5, 37, 11)
    for keepdims in (False, True):
        got = getattr(nd, op.name)(nd.asarray(x), axis=axis, keepdims=keepdims)
        want = np.asarray(reference(op, [x], axis=axis, keepdims=keepdims))
        ulp = 1.0 if dtype == "float16" else max(op.ulp, 16.0)
        scale = np.abs(x.astype(np.float64)).sum() if x.dtype.kind == "f" and op.name in ("sum", "mean") else 0
        if scale:
            eps = {"float16": 1e-3, "float32": 1e-7, "float64": 1e-15}[dtype]
            np.testing.assert_allclose(np.asarray(got), want, rtol=4 * eps, atol=scale * eps)
        else:
            assert_close(got, want, dtype, ulp, op.name)


@pytest.mark.parametrize("op", REDUCTIONS, ids=lambda op: op.name)
@pytest.mark.parametrize(
    "shape, axis", [((1_000_000,), None), ((300_000, 3), 0), ((3, 300_000), 1), ((64, 64, 200), 1)], ids=str
)
def test_reduction_bits_do_not_depend_on_threads(op, shape, axis):
    x = nd.asarray(np.random.default_rng(1).uniform(0.9, 1.1, shape).astype("float32"))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(bytes(memoryview(getattr(nd, op.name)(x, axis=axis))))
    assert results[0] == results[1] == results[2]
    want = reference(op, [np.asarray(x)], axis=axis, keepdims=False)
    assert_close(getattr(nd, op.name)(x, axis=axis), want, "float32", 1e6 if "prod" in op.name else 16.0, op.name)


def test_float32_sum_is_as_good_as_double():
    x = np.random.default_rng(2).uniform(0, 1, 10_000_000).astype("float32")
    want = x.sum(dtype=np.float64)
    assert abs(float(nd.sum(nd.asarray(x))) - want) / want < 2.0**-24


@pytest.mark.parametrize("op", [op for op in FLOAT_MAPS if len(op.args) == 1], ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(op, dtype, instruction_set):
    tiny = np.finfo(dtype).tiny
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, tiny, -tiny, 0.5, -0.5, 2.0], dtype)
    x = np.concatenate([x] * 6)  # long enough for the vector loops and their tails
    got, want = np.asarray(call(op, [x])), np.asarray(reference(op, [x]))
    # The references are inf * 0 at -inf.
    if op.name in {"swish", "hard_swish", "mish", "gelu", "gelu_tanh", "softsign", "rational_tanh"}:
        defined = np.isfinite(x)
        got, want = got[defined], want[defined]
    np.testing.assert_allclose(got, want.astype(got.dtype), rtol=1e-5, atol=tiny)
    if got.dtype.kind == "f" and op.name not in {"softsign", "rational_tanh", "cube", "square"}:
        zero = (want == 0) & (got == 0)
        np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


@given(st.integers(0, 300), st.integers(1, 4), st.booleans())
@settings(deadline=None, max_examples=40)
def test_any_length_and_step(n, step, is_reversed):
    x = np.arange(n * step, dtype=np.float32)[::step]
    x = x[::-1] if is_reversed else x
    np.testing.assert_array_equal(np.asarray(-nd.asarray(x)), -x)
    np.testing.assert_array_equal(np.asarray(nd.asarray(x) + nd.asarray(x)), x + x)


def run_with(code, instruction_set):
    """A fresh interpreter that runs `code` with ND4PY_ISA set."""
    environment = {**os.environ, "ND4PY_ISA": instruction_set}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("name", supported())
def test_instruction_set_is_forced_by_environment(name):
    code = "import nd4py as nd; print(nd.config()['instruction set'], float(nd.sum(nd.exp(nd.zeros(1000)))))"
    result = run_with(code, name)
    assert result.stdout.split() == [name, "1000.0"], result.stderr


def test_unknown_instruction_set_is_refused():
    result = run_with("import nd4py", "v9")
    assert "instruction set 'v9' is not usable here" in result.stderr


@pytest.mark.parametrize("bounds", [(-1, 300), (-1, 50), (70, 300), (None, 999), (-3, None), (0, 255)], ids=str)
def test_ints_beyond_the_dtype_limit_nothing(bounds):
    x = np.arange(5, dtype="uint8") * 50
    got, out = nd.clip(nd.asarray(x), *bounds), nd.zeros(5, dtype="uint8")
    np.testing.assert_array_equal(np.asarray(got), np.clip(x, *bounds), strict=True)
    assert nd.clip(nd.asarray(x), *bounds, out=out) is out
    assert out.tolist() == got.tolist()


@pytest.mark.parametrize("bounds", [(300, None), (None, -1), (300, 400)])
def test_bounds_that_no_element_can_have_are_refused(bounds):
    with pytest.raises(OverflowError, match="outside the range of uint8"):
        nd.clip(nd.asarray([1, 2], dtype="uint8"), *bounds)


@pytest.mark.parametrize("bounds", [(), (0, None), (None, 2), (0, 2), ("i", "u"), (None, "i"), ("i", None)], ids=str)
@pytest.mark.parametrize("dtype", ["uint32", "float32"])
def test_clip_writes_to_out_whatever_is_on_the_way(dtype, bounds):
    x = nd.asarray([1, 5, 3], dtype=dtype)
    arrays = {"i": nd.asarray([2, 0, 1], dtype="int32"), "u": nd.asarray([2, 2, 9], dtype="uint32")}
    bounds = [arrays.get(bound, bound) for bound in bounds]
    out, wanted = nd.zeros(3, dtype=dtype), nd.clip(x, *bounds)
    assert nd.clip(x, *bounds, out=out) is out
    assert out.tolist() == wanted.tolist()
    other = nd.zeros(3, dtype="bool")
    with pytest.raises(TypeError, match=f"the result is {dtype}, out is bool"):
        nd.clip(x, *bounds, out=other)
    assert other.tolist() == [False, False, False]
