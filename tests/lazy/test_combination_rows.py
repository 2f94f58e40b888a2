"""Reductions along any axis, of rows of any length, and what is computed from them: the bits of one by one."""

import itertools
import math

import numpy as np
import pytest
from combination_programs import RowProgram, check
from hypothesis import given, settings
from hypothesis import strategies as st
from test_combination_fused import equal_bits

import nd4py as nd

REAL = ("float32", "float64", "float16", "bfloat16", "int8", "int32", "int64", "uint8", "uint16")
# Rows of a few elements and of many, in blocks of a few and of many; with axes of one element in between.
SHAPES = (
    ((9_001, 5), (0, 1)),
    ((2_600, 7), (0, 1)),
    ((1_100, 16), (0, 1)),
    ((700, 50), (0, 1)),
    ((300, 127), (0, 1)),
    ((180, 255), (0, 1)),
    ((90, 256), (0, 1)),
    ((90, 257), (0, 1)),
    ((20_011, 2), (0, 1)),
    ((3, 20_000), (0, 1)),
    ((515, 129), (0,)),
    ((1_031, 300), (0,)),
    ((64, 2_500), (0,)),
    ((60, 5, 90), (0, 1, 2, (0, 1), (1, 2))),
    ((4, 700, 33), (0, 1, 2, (0, 1))),
    ((3, 600, 65), (1, (0, 1))),
    ((700, 3, 4, 5), (0, 1, 2, 3, (1, 2), (2, 3), (0, 1, 2))),
    ((7, 1, 11, 31, 6), (0, 2, 3, 4, (1, 2), (2, 3), (3, 4), (0, 1, 2))),
    # Blocks too large for the caches: in pieces or not, in strips or not, several narrow rows reduced as one or not.
    ((40_003, 3), (0,)),
    ((3_001, 31), (0,)),
    ((2, 9_100, 33), (1,)),
    ((300, 257), (0,)),
    ((2_100, 130), (0,)),
    ((40, 4_200), (0,)),
    ((3, 90_001), (1,)),
    ((70, 16_500), (1,)),
    ((2, 40, 1_500), (1, (1, 2))),
)
ALONG = [pytest.param(shape, axis, id=f"{shape}-{axis}") for shape, axes in SHAPES for axis in axes]


def softmax(x, axis):
    e = nd.exp(x - nd.max(x, axis=axis, keepdims=True))
    return (e / nd.sum(e, axis=axis, keepdims=True),)


def layer_norm(x, axis):
    d = x - nd.mean(x, axis=axis, keepdims=True)
    return (d / nd.sqrt(nd.mean(d * d, axis=axis, keepdims=True) + 1e-5),)


def log_sum_exp(x, axis):
    top = nd.max(x, axis=axis, keepdims=True)
    return (nd.log(nd.sum(nd.exp(x - top), axis=axis, keepdims=True)) + top,)


def share(x, axis):
    return (x / nd.sum(x, axis=axis, keepdims=True),)


def parts_that_are_held(x, axis):
    d = x - nd.mean(x, axis=axis, keepdims=True)
    total = nd.sum(d * d, axis=axis, keepdims=True)
    return d, total, d / total, nd.min(x * 2 + d, axis=axis), total + 1, nd.any(d > 0, axis=axis)


def several_in_a_row(x, axis):
    for _ in range(3):
        x = nd.tanh(x - nd.mean(x, axis=axis, keepdims=True)) * nd.max(x, axis=axis, keepdims=True)
    return (x,)


def scalars_beside_rows(x, axis):
    """Some dtypes have no loops of their own: their scalars are converted."""
    total = nd.sum(x, axis=axis, keepdims=True)
    top = nd.max(x, axis=axis)
    return total / 3, 2 - total, nd.floor_divide(total, 3), nd.maximum(2, top) * 3, x - nd.minimum(total / 2, 3)


def values_that_are_kept(x, axis):
    """What is costly is read again behind reductions, while results of its size and of others are yet to be written."""
    e, f = nd.exp(nd.minimum(x, 3)), nd.tanh(x)
    g = e - nd.max(e * f, axis=axis, keepdims=True)
    h = g * f + nd.mean(g, axis=axis, keepdims=True)
    return h * e, g > 0, nd.sum(f * h, axis=axis), nd.max(e, axis=axis, keepdims=True) * f


def values_over_each_other(x, axis):
    """Each result is written in its turn, where another value may have lain until then."""
    e = nd.exp(nd.minimum(x, 3))
    y = e - nd.mean(e, axis=axis, keepdims=True)
    z = nd.log(nd.abs(y) + 1) * e
    return y, z / nd.sum(z, axis=axis, keepdims=True), nd.sum(e, axis=axis) + nd.max(y, axis=axis)


def scaled(x, axis):
    low, high = nd.min(x, axis=axis, keepdims=True), nd.max(x, axis=axis, keepdims=True)
    return ((x - low) / (high - low),)


def rows_of_several_chains(x, axis):
    """Each sum begins a chain of its own; what is made of them joins these."""
    inner, square = nd.sum(x * nd.abs(x), axis=axis), nd.sum(x * x, axis=axis)
    return inner / nd.sqrt(square * nd.sum(nd.abs(x), axis=axis)), square, nd.where(nd.any(x > 1, axis=axis), inner, 3)


PROGRAMS = (
    *(softmax, layer_norm, log_sum_exp, share, parts_that_are_held, several_in_a_row, scalars_beside_rows),
    *(values_that_are_kept, values_over_each_other, scaled, rows_of_several_chains),
)


def sample(shape, dtype, seed=0):
    """Values of all kinds, infinities and NaN among them in a few rows."""
    values = np.random.default_rng(seed).normal(0, 3, shape)
    if dtype not in ("float32", "float64", "float16", "bfloat16"):
        return nd.astype(nd.array(np.abs(values) * 9, copy=True), dtype).block()
    flat = values.reshape(-1)
    flat[np.random.default_rng(seed).integers(0, flat.size, 6)] = (np.nan, np.inf, -np.inf, -0.0, 1e30, -1e30)
    return nd.astype(nd.array(values, copy=True), dtype).block()


def compare(program, *operands):
    """The bits of a program's results with combination and without."""
    got = program(*operands)
    with nd.combine(False):
        wanted = program(*operands)
    for one, other in zip(got, wanted, strict=True):
        assert one.dtype == other.dtype
        if one.dtype == nd.bfloat16:
            one, other = one.astype("float32"), other.astype("float32")
        equal_bits(one, other)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("shape, axis", ALONG)
def test_each_dtype_along_each_axis(shape, axis, dtype):
    x = sample(shape, dtype)
    for program in PROGRAMS:
        compare(program, x, axis)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape, axis", ALONG)
def test_each_instruction_set(shape, axis, dtype, instruction_set):
    x = sample(shape, dtype, 1)
    for program in PROGRAMS:
        compare(program, x, axis)


@pytest.mark.parametrize("n", [2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 50, 63, 64, 65, 100, 127, 128, 129, 200, 254, 255])
def test_each_length_of_short_rows(n):
    for dtype in ("float32", "float64", "int16", "uint8"):
        x = sample((45_000 // n + 3, n), dtype, n)
        for program in PROGRAMS:
            compare(program, x, -1)


@pytest.mark.parametrize("n", [256, 257, 300, 383, 512, 1000, 1027, 2047, 2048, 2049, 4095, 4096, 4097, 4200, 5000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_each_length_of_long_rows(n, dtype):
    x = sample((45_000 // n + 3, n), dtype, n)
    for program in PROGRAMS:
        compare(program, x, -1)


@pytest.mark.parametrize("n", [16, 37, 1001])
def test_rows_beyond_the_caches(n):
    x = sample((5_000_000 // n, n), "float32", n)
    for program in (softmax, layer_norm):
        compare(program, x, -1)


def test_more_operations_than_runs_have_room_for():
    """And ones that no run takes, which read values of rows all the same."""
    x = sample((900, 40), "float32")

    def program(x, axis):
        top = nd.max(x, axis=axis, keepdims=True)
        for _ in range(12):
            x = nd.tanh(x - top) * top + nd.mean(x, axis=axis, keepdims=True)
        return x, nd.sin(x + top) - nd.atan2(x, top)

    compare(program, x, -1)
    compare(lambda x, axis: (nd.floor_divide(x, nd.max(x, axis=axis, keepdims=True)) + x,), x, -1)


@pytest.mark.parametrize("shape, axis", ALONG)
def test_other_operands_beside_the_rows(shape, axis):
    """Of the shape of a row, with one element for each row, with gaps, transposed, of another dtype."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    kept = tuple(1 if i in axes else size for i, size in enumerate(shape))
    rows = tuple(size if i in axes else 1 for i, size in enumerate(shape))
    x = sample(shape, "float32", 2)
    gaps = sample((*shape[:-1], 2 * shape[-1]), "float32", 3)[..., ::2]
    turned = nd.permute_dims(sample(shape[::-1], "float64", 4), tuple(range(len(shape)))[::-1])
    scale, bias = sample(rows, "float32", 5), sample(kept, "float32", 6)

    def program(x, gaps, turned, scale, bias):
        d = x - nd.mean(x * scale, axis=axis, keepdims=True)
        y = d * scale + bias - gaps
        top = nd.max(y, axis=axis, keepdims=True)
        z = nd.exp(y - top) * turned
        return y, top, z / nd.sum(z, axis=axis, keepdims=True), nd.sum(gaps * bias, axis=axis)

    compare(program, x, gaps, turned, scale, bias)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
@pytest.mark.parametrize("axis", [0, 1, 2, (0, 1), (1, 2)], ids=str)
def test_arrays_in_any_memory_order(order, axis):
    """Chains keep the order of their operands; those of rows are in C order, with operands in any."""
    shape = (40, 60, 50)
    stored = sample(tuple(shape[i] for i in order), "float32", 15)
    turned = nd.permute_dims(stored, tuple(order.index(i) for i in range(3)))
    x = sample(shape, "float32", 16)

    def program(x, turned):
        first = parts_that_are_held(turned * 2, axis)
        second = parts_that_are_held(x * turned, axis)
        d = x - nd.mean(x, axis=axis, keepdims=True)
        e = turned * 3 - nd.max(d, axis=axis, keepdims=True)
        return *first, *second, d + turned, e, e + d

    compare(program, x, turned)
    got = [y.strides for y in program(x, turned)]
    with nd.combine(False):
        assert got == [y.strides for y in program(x, turned)]


@pytest.mark.parametrize("shape", [(5_000, 7), (700, 50), (60, 50, 40), (3, 20_000)], ids=str)
def test_leading_axes_need_not_be_kept(shape):
    def program(x):
        d = x - nd.mean(x, axis=0)
        return d, d / (nd.max(nd.abs(d), axis=0) + 1), nd.sum(d, axis=0) * 2

    compare(program, sample(shape, "float32", 7))


def test_one_pass():
    for shape, axis in (
        *(((4_000, 32), 1), ((9_000, 7), 1), ((200, 300), 1), ((300, 40, 10), 1), ((40, 50, 60), (1, 2))),
        *(((4_000, 32), 0), ((9_000, 7), 0), ((200, 300), 0), ((30, 40, 100), 0), ((3, 20_000), 1), ((9, 2, 9_000), 2)),
    ):
        x = sample(shape, "float32", 8)
        for program in (softmax, layer_norm, scaled):
            before = nd.combine_statistics()
            program(x, axis)[0].block()
            assert nd.combine_statistics().launched - before.launched == 1, (shape, axis, program)


def sums_of_many(x, n_links, n_leaves):
    """The sums of rows of a chain of so many operations, and of one with so many operands."""
    y, z = x, x * 2
    for i in range(n_links):
        y = nd.minimum(y * 0.5, 9) + i
    for i in range(n_leaves):
        z = z + sample(x.shape, "float32", i)
    return nd.sum(y, axis=1), nd.sum(z, axis=1)


@pytest.mark.parametrize("n_links, n_leaves", [(1, 1), (14, 1), (14, 7), (15, 9)])
def test_chains_that_are_too_long_to_be_one(n_links, n_leaves):
    def program(x):
        first, second = sums_of_many(x, n_links, n_leaves)
        third, fourth = sums_of_many(x + 1, n_links, n_leaves)
        return first / second, third - fourth, (first + third) * nd.max(x, axis=1)

    compare(program, sample((3_000, 20), "float32", 17))


def test_rows_of_chains_that_belong_elsewhere():
    """An operation in a workspace reads rows that were deferred before it began."""
    x = sample((3_000, 20), "float32", 18)

    def program(x):
        first = nd.sum(x * 2, axis=1)
        with nd.workspace("rows"):
            second = nd.sum(x * 3, axis=1)
            return (np.array(first / second), np.array(nd.max(x, axis=1) - second))

    found = program(x)
    with nd.combine(False):
        wanted = program(x)
    for one, other in zip(found, wanted, strict=True):
        equal_bits(one, other)


def test_reductions_along_other_axes_begin_chains_of_their_own():
    x = sample((200, 30, 10), "float32", 9)

    def program(x):
        d = x - nd.mean(x, axis=1, keepdims=True)
        e = d * nd.sum(d, axis=2, keepdims=True)
        both = nd.sum(x + 1, axis=1, keepdims=True) * (x * 2) + nd.sum(x * 3, axis=0, keepdims=True) * (x * 4)
        return d, e, both

    compare(program, x)


def test_many_values_of_rows():
    """More than a chain may have links."""

    def program(x):
        total = x
        for k in range(30):
            total = total + nd.sum(x * (k + 1), axis=1, keepdims=True)
        return (total,)

    for shape in ((900, 40), (60, 30, 20), (80, 300)):
        compare(program, sample(shape, "float32", 10))


@pytest.mark.parametrize("shape, axis", ALONG)
def test_any_number_of_threads(shape, axis):
    shape = (*shape[:-1], shape[-1] * 3) if math.prod(shape) < 100_000 else shape
    x = sample(shape, "float32", 11)
    for program in (softmax, layer_norm, parts_that_are_held):
        results = []
        for n in (1, 2, 5):
            with nd.threads(n):
                results.append([np.asarray(y) for y in program(x, axis)])
        for others in results[1:]:
            for one, other in zip(results[0], others, strict=True):
                equal_bits(one, other)


@pytest.mark.parametrize("shape, axis", [((3_000, 20), 1), ((3_000, 20), 0), ((30, 60, 40), 1), ((90, 300), 1)])
def test_gradients(shape, axis):
    x, w = (nd.array(np.random.default_rng(seed).normal(size=shape), copy=True) for seed in (12, 13))
    for program in (softmax, layer_norm, log_sum_exp, share):
        compare(nd.grad(lambda x, w, program=program: nd.sum(program(x, axis)[0] * w), (0, 1)), x, w)


@pytest.mark.parametrize("shape, axis", [((3_000, 40), 0), ((50, 3_000), 0), ((3, 60_000), 1)])
def test_memory_that_is_written_afterwards(shape, axis):
    """Every sweep reads the values of the call, and no result lies over what a later sweep reads."""
    x = sample(shape, "float32", 17)

    def program(x):
        y = x * 1
        z = y - nd.mean(y, axis=axis, keepdims=True)
        y += 1
        y -= nd.max(y, axis=axis, keepdims=True)
        w = nd.exp(x * 2)
        w /= nd.sum(w, axis=axis, keepdims=True)
        w -= nd.max(w, axis=axis, keepdims=True)
        return y, z, w

    compare(program, x)
    y = softmax(x, axis)[0]
    with nd.combine(False):
        wanted = np.array(softmax(x, axis)[0])
    x += 1
    equal_bits(y, nd.asarray(wanted))


def test_results_in_a_workspace():
    x = sample((3_000, 20), "float32", 14)
    with nd.combine(False):
        wanted = [np.asarray(y) for axis in (0, 1) for y in parts_that_are_held(x, axis)]
    for _ in range(3):
        with nd.workspace("rows"):
            found = [np.array(y) for axis in (0, 1) for y in parts_that_are_held(x, axis)]
    for one, other in zip(found, wanted, strict=True):
        equal_bits(one, other)


@given(
    seed=st.integers(0, 10**9),
    n_steps=st.integers(1, 20),
    shape=st.lists(st.sampled_from((1, 2, 3, 5, 8, 13, 31, 64, 129, 300, 1000, 5000)), min_size=1, max_size=5),
)
@settings(max_examples=300)
def test_random_programs(seed, n_steps, shape):
    while math.prod(shape) > 400_000:
        shape[shape.index(max(shape))] //= 2
    check(seed, n_steps, tuple(shape), RowProgram)
