"""Reductions and places of best elements against the CPU: rows, dtypes, shapes, layouts, schedules, cuts."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_bench import SCHEDULES, Bench
from row_cases import assert_same, from_cpu, operands_of, to_cpu
from simulator.compiler import QUICK

import nd4py as nd
from nd4py._spec import dtypes
from nd4py._spec.ops import ALL, BY_NAME
from nd4py._spec.render import cuda_kernels
from nd4py.cuda.compile.kernel_catalogue import Kernels, kernels_of, row_kernels
from nd4py.cuda.reduce.reduce_geometry import PIECE, plan_reduction

NAMES = [row.name for row in dtypes.DTYPES]
ROWS = [op for op in ALL if op.family in ("reduce", "argreduce") and not op.cuda]


@pytest.fixture(scope="module")
def bench():
    return Bench()


def reduced_by_cpu(op, x, dtype, axes):
    """The CPU's result for a NumPy array."""
    axis = axes[0] if op.family == "argreduce" else tuple(axes)
    return from_cpu(getattr(nd, op.name)(to_cpu(x, dtype), axis=axis))


def check(bench, op, dtype, x, axes, kernels=None, ulp=None, **options):
    """A reduction of `x` on the device gives what the CPU gives; its plan.

    ulp: where given, from what the CPU gives in double precision: the device carries sums of floats in doubles
    """
    want = reduced_by_cpu(op, x, dtype, axes)
    if ulp is not None and want.dtype.kind == "f":
        want = reduced_by_cpu(op, x.astype(np.float64), "float64", axes).astype(want.dtype)
    size = cuda_kernels.accumulator_bytes(op, dtype)
    kernels = kernels or row_kernels(op.name, dtype)
    got, plan = bench.run_reduction(kernels, x, axes, want.dtype, size, **options)
    assert_same(got, want, dtype, op.ulp if ulp is None else ulp, f"{op.name} of {dtype} {x.shape} along {axes}")
    return plan


@pytest.mark.parametrize("dtype", NAMES)
def test_every_row_agrees_with_the_cpu(dtype):
    """Lines worked on by groups of lanes; the other variants share the steps."""
    bench = Bench(flags=QUICK)
    rows = [op for op in ROWS if dtype in cuda_kernels.cuda_dtypes(op)]
    texts = tuple(cuda_kernels.reduce_text(op, dtype, ("lines",)) for op in rows)
    module = kernels_of(f"reductions_{dtype}", texts).module
    for op in rows:
        (x,), _ = operands_of(op, dtype, 7 * 33)
        kernels = Kernels(module, {"lines": f"{op.name}_{dtype}_lines"})
        check(bench, op, dtype, x.reshape(7, 33), (1,), kernels)


SHAPES = [
    ((5, 7), (1,), "lines"),
    ((300, 3), (1,), "lines"),
    ((40, 1000), (1,), "lines"),
    ((3, 4, 5), (0, 1, 2), "lines"),
    ((3, 4, 5), (), "lines"),
    ((6, 0), (1,), "lines"),
    ((1, 1), (0,), "lines"),
    ((3, 5000), (1,), "blocks"),
    ((2, 3 * PIECE + 17), (1,), "blocks"),
    ((4, 6, 300), (0, 2), "blocks"),
    ((7, 40), (0,), "columns"),
    ((1500, 33), (0,), "columns"),
    ((9, 11, 64), (0, 1), "columns"),
    ((5, 70, 40), (1,), "columns"),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("name, dtype", [("sum", "float32"), ("max", "float16"), ("argmin", "int8"), ("prod", "int64")])
def test_every_shape(bench, name, dtype, schedule):
    bench.driver.schedule(*schedule)
    op, rng = BY_NAME[name], np.random.default_rng(8)
    for shape, axes, variant in SHAPES:
        if (name == "argmin" and len(axes) != 1) or (not op.identity and 0 in shape):
            continue
        if op.family == "argreduce" and 0 in shape:
            continue
        x = rng.integers(-4, 5, shape).astype(dtype) if "int" in dtype else rng.normal(size=shape).astype(dtype)
        plan = check(bench, op, dtype, x, axes, ulp=1)
        assert plan.variant == variant, f"{shape} along {axes}"


def test_long_lines_and_columns_are_cut(bench):
    """Pieces are merged by a second launch, in a fixed order."""
    op, x = BY_NAME["sum"], np.random.default_rng(1).normal(size=40 * PIECE + 3).astype(np.float32)
    kernels = row_kernels("sum", "float32", "blocks")
    assert check(bench, op, "float32", x, (0,), kernels, ulp=1).n_pieces > 8
    assert check(bench, op, "float32", x[: 3000 * 40].reshape(3000, 40), (0,), ulp=1).n_pieces > 8


def test_the_sum_of_many_floats_is_as_exact_as_the_cpu(bench):
    """A running sum in floats would lose all digits of 1 beside 2**24."""
    x = np.ones(100_000, np.float32)
    x[0] = 2.0**24
    got, _ = bench.run_reduction(row_kernels("sum", "float32"), x, (0,), np.float32, 8)
    assert got == np.float32(math.fsum(x))


@pytest.mark.parametrize("lay", ["transposed", "reversed", "sliced", "repeated", "swapped"])
def test_any_layout(bench, lay):
    x = np.random.default_rng(2).normal(size=(12, 50, 36)).astype(np.float32)
    x = {
        "transposed": x.T, "reversed": x[:, ::-1, ::-1], "sliced": x[::2, 1::3, ::5],
        "repeated": np.broadcast_to(x[:, :1], x.shape), "swapped": x.swapaxes(0, 1),
    }[lay]  # fmt: skip
    for axes in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        check(bench, BY_NAME["sum"], "float32", x, axes, ulp=2)
        check(bench, BY_NAME["max"], "float32", x, axes, ulp=0)


def test_the_first_of_equals_wins_and_nan_over_all(bench):
    x = np.zeros((40, 3000), np.float32)
    x[:, [700, 1500, 2900]] = 5
    x[3, [800, 2000]] = np.nan
    for axis in (0, 1):
        for laid in (x, np.asfortranarray(x)):
            check(bench, BY_NAME["argmax"], "float32", laid, (axis,))
            check(bench, BY_NAME["argmin"], "float32", laid, (axis,))


@pytest.mark.parametrize(
    "shape, axes", [((3, 5000), (1,)), ((1500, 33), (0,)), ((300, 100), (1,)), ((50 * PIECE,), (0,))]
)
def test_the_grid_and_the_address_change_no_bit(bench, shape, axes):
    x = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    results = [
        bench.run_reduction(row_kernels("sum", "float32"), x, axes, np.float32, 8, **options)[0]
        for options in ({}, {"max_blocks": 1}, {"max_blocks": 3}, {"shift": 4})
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


@given(st.data())
@settings(max_examples=100)
def test_any_axes_of_any_layout(bench, data):
    shape = tuple(data.draw(st.lists(st.sampled_from([1, 2, 3, 7, 16, 33, 60]), min_size=1, max_size=4)))
    order = data.draw(st.permutations(range(len(shape))))
    axes = tuple(data.draw(st.sets(st.sampled_from(range(len(shape))))))
    x = np.arange(np.prod(shape), dtype=np.int64).reshape(shape).transpose(order)[::-1]
    got, _ = bench.run_reduction(row_kernels("sum", "int64"), x, [order.index(i) for i in axes], np.int64, 8)
    np.testing.assert_array_equal(got, x.sum(tuple(order.index(i) for i in axes)))


def test_equal_layouts_have_equal_records():
    """The bytes of a record key the slots of constant memory, so its holes must be set."""
    first = plan_reduction((3, 4, 5), (80, 20, 4), (1,), 4, 8)
    assert first.record == plan_reduction((3, 4, 5), (80, 20, 4), (1,), 4, 8).record
    assert first.record != plan_reduction((3, 4, 5), (160, 20, 4), (1,), 4, 8).record


def test_a_record_has_room_for_eight_axes():
    strides = [4 * 3**k for k in range(10)]
    with pytest.raises(ValueError, match="10 axes .* copy the array to a dense one first"):
        plan_reduction((2,) * 10, strides, tuple(range(10)), 4, 8)
