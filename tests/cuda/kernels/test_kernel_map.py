"""Elementwise kernels against the CPU's loops: every row and dtype, every layout, every schedule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_bench import SCHEDULES, Bench, compile_side_by_side, grouped
from row_cases import assert_same, on_cpu, operands_of
from simulator.compiler import QUICK

from nd4py._spec import dtypes
from nd4py._spec.ops import ALL, BY_NAME
from nd4py._spec.render import cuda_kernels
from nd4py.cuda.compile.kernel_catalogue import Kernels, kernels_of, row_kernels

NAMES = [row.name for row in dtypes.DTYPES]
MAPS = {name: [op for op in ALL if op.family == "map" and name in cuda_kernels.cuda_dtypes(op)] for name in NAMES}


@pytest.fixture(scope="module")
def bench():
    return Bench()


@pytest.fixture(scope="module")
def row_modules():
    """{dtype: a module with one kernel of every row that takes it}"""
    modules = {
        dtype: kernels_of(f"rows_{dtype}", tuple(cuda_kernels.map_text(op, dtype, ("packets",)) for op in rows)).module
        for dtype, rows in MAPS.items()
    }
    compile_side_by_side(modules.values(), QUICK)
    return modules


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", NAMES)
def test_every_row_agrees_with_the_cpu(row_modules, dtype):
    """Both compute an element by the same text; functions of the C library differ in last places, and differences of
    nearly equal numbers in gradients make more of that."""
    bench = Bench(flags=QUICK)
    module = row_modules[dtype]
    for op in MAPS[dtype]:
        inputs, params = operands_of(op, dtype)
        want = on_cpu(op, inputs, dtype, params)
        kernels = Kernels(module, {"packets": f"{op.name}_{dtype}_packets"})
        got = bench.run_map(kernels, inputs, [y.dtype for y in want], params)
        for y, expected in zip(got, want, strict=True):
            assert_same(y, expected, dtype, 400 if "_vjp_" in op.name else 8 + op.ulp, f"{op.name} of {dtype}")


def layouts(rng, make):
    """(variant that has to run, two inputs) for every way operands lie in memory."""
    x = make(rng, (40, 64))
    yield "packets", (x, make(rng, (40, 64)))
    yield "packets", (x, make(rng, (1, 1)))
    yield "packets", (make(rng, (1, 1)), x)
    yield "packets", (make(rng, 1001), make(rng, 1001))
    yield "packets", (make(rng, ()), make(rng, ()))
    yield "packets", (np.broadcast_to(make(rng, (1, 1)), (40, 64)), x)
    yield "rows", (x, make(rng, (1, 64)))
    yield "rows", (x, make(rng, (40, 1)))
    yield "rows", (make(rng, (40, 1)), make(rng, (1, 64)))
    yield "strided", (make(rng, (40, 65))[:, :63], make(rng, (1, 63)))
    yield "strided", (make(rng, (9, 7, 5, 6))[::2, ::-1, :, ::3], make(rng, (7, 1, 2)))
    yield "strided", (make(rng, 200)[::-2], make(rng, 100))
    yield "tiled", (make(rng, (64, 40)).T, make(rng, (40, 64)))
    yield "tiled", (make(rng, (33, 3, 35)).T, make(rng, (35, 3, 33)))
    yield "tiled", (make(rng, (9, 50, 31)).swapaxes(1, 2), make(rng, (9, 50, 31)).swapaxes(1, 2)[:, ::-1])


def random_array(dtype):
    """make(rng, shape): small numbers of a dtype; bfloat16's are any bits of numbers near 1."""

    def make(rng, shape):
        if dtype == "bfloat16":
            return rng.integers(0x3E00, 0x4100, shape).astype(np.uint16)
        if dtype.startswith("complex"):
            return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
        return np.asarray(rng.normal(size=shape) * 5).astype(dtype)

    return make


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex128"])
def test_every_layout(bench, dtype, schedule):
    subtract, op = row_kernels("subtract", dtype), BY_NAME["subtract"]
    bench.driver.schedule(*schedule)
    for variant, inputs in layouts(np.random.default_rng(5), random_array(dtype)):
        expect = "strided" if variant == "rows" and inputs[0].itemsize == 16 else variant
        want = on_cpu(op, inputs, dtype, ())
        (got,) = bench.run_map(subtract, inputs, [want[0].dtype], expect=expect)
        assert_same(got, want[0], dtype, 1, f"{variant} {[x.strides for x in inputs]}")


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 255, 1024, 1027])
@pytest.mark.parametrize("shift", [0, 4])
def test_sizes_and_alignment(bench, n, shift):
    """16-byte packets run where every address is a multiple of 16; the same numbers come out elsewhere."""
    x, y = np.arange(n, dtype=np.float32), np.full(n, 0.5, np.float32)
    (got,) = bench.run_map(
        row_kernels("add", "float32"), (x, y), [np.float32], shift=shift, expect="dense" if shift else "packets"
    )
    np.testing.assert_array_equal(got, x + y)


@pytest.mark.parametrize("max_blocks", [1, 2, 3])
def test_any_grid_gives_the_same(bench, max_blocks):
    for _, inputs in layouts(np.random.default_rng(6), random_array("float32")):
        (got,) = bench.run_map(row_kernels("subtract", "float32"), inputs, [np.float32], max_blocks=max_blocks)
        np.testing.assert_array_equal(got, np.subtract(*inputs))


def test_places_of_more_than_31_bits_are_divided_in_64(bench):
    """The variant for huge arrays, asked for by name: the simulator has no room for one."""
    kernels = row_kernels("add", "float32")
    wide = Kernels(kernels.module, {"strided": kernels.symbols["wide"]})
    x, y = np.arange(1000, dtype=np.float32)[::-2], np.arange(500, dtype=np.float32)
    (got,) = bench.run_map(wide, (x, y), [np.float32], expect="strided")
    np.testing.assert_array_equal(got, x + y)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_rows_of_every_arity(bench, schedule):
    """One to four inputs, one to four outputs, conditions, scalars; dense and not."""
    bench.driver.schedule(*schedule)
    names = ("exp", "isnan", "where", "where_vjp_x1", "clip", "nesterovs_step", "adam_step", "amsgrad_step")
    rows = [BY_NAME[name] for name in names]
    variants = ("packets", "strided", "tiled")
    kernels = grouped("arities", [cuda_kernels.map_text(op, "float32", variants) for op in rows])
    for op in rows:
        inputs, params = operands_of(op, "float32", 600)
        for lay in (lambda x: x, lambda x: x.reshape(20, 30).T, lambda x: x[::3]):
            laid = [lay(x) for x in inputs]
            want = on_cpu(op, laid, "float32", params)
            got = bench.run_map(kernels[f"{op.name}_float32"], laid, [y.dtype for y in want], params)
            for y, expected in zip(got, want, strict=True):
                assert_same(y, expected, "float32", 8, op.name)


def test_a_condition_may_be_turned_or_repeated(bench):
    condition, x = np.arange(1200).reshape(30, 40) % 3 == 0, np.arange(1200.0).reshape(40, 30).T
    for c in (condition, condition[:, :1], condition[:1, :1], np.asfortranarray(condition)):
        (got,) = bench.run_map(row_kernels("where", "float64"), (c, x, -x.copy()), [np.float64])
        np.testing.assert_array_equal(got, np.where(c, x, -x))


def test_outputs_of_any_layout(bench):
    x, y = np.arange(1200.0).reshape(30, 40), np.zeros((40, 60)).T[::2]
    (got,) = bench.run_map(row_kernels("negative", "float64"), (x,), [y])
    np.testing.assert_array_equal(got, -x)


def test_a_result_may_be_written_over_an_operand(bench):
    x = np.arange(1003, dtype=np.float32)
    (got,) = bench.run_map(row_kernels("add", "float32"), (x, x), [np.float32], in_place=True)
    np.testing.assert_array_equal(got, x + x)


@st.composite
def laid_out(draw, shape):
    """An array of this shape in some layout: axes in any order, steps, reversed, repeated."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 2, 3])) for _ in shape]
    repeated = [draw(st.booleans()) and draw(st.booleans()) for _ in shape]
    sizes = [1 if repeated[i] else shape[i] * steps[i] for i in order]
    x = np.arange(np.prod(sizes, dtype=int), dtype=np.float32).reshape(sizes).transpose(np.argsort(order))
    x = x[tuple(slice(None, None, 1 if r else s * draw(st.sampled_from([1, -1])))
                for s, r in zip(steps, repeated, strict=True))]  # fmt: skip
    return np.broadcast_to(x, shape)


@st.composite
def pairs_of_arrays(draw):
    shape = tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 8, 16, 33, 40]), max_size=4).filter(np.prod)))
    return draw(laid_out(shape)), draw(laid_out(shape))


@given(pairs_of_arrays())
@settings(max_examples=150)
def test_all_layouts_there_are(bench, pair):
    (got,) = bench.run_map(row_kernels("subtract", "float32"), pair, [np.float32])
    np.testing.assert_array_equal(got, np.subtract(*pair))


def test_a_row_without_kernels_says_why():
    with pytest.raises(TypeError, match=r"bitwise_and of float32 has no CUDA kernels: the operation does not take"):
        row_kernels("bitwise_and", "float32")
