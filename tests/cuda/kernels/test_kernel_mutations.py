"""Planted bugs: each changes the text of a skeleton as a programmer might have, and the checks must find it.

A check runs one kernel over shapes and schedules, and compares; what finds a bug may be a wrong number, a fault of the
simulator (address, alignment, array position, barrier), or memory written behind its end.
"""

import hashlib
from contextlib import contextmanager

import huge_arrays as huge
import numpy as np
import pytest
from kernel_bench import SCHEDULES, TORN_SCHEDULES, Bench
from simulated_devices import is_on_gpu
from simulator.compiler import TORN
from test_kernel_functions import run_gather, run_product
from test_kernel_map import layouts, random_array
from test_kernel_windows import POOLINGS, window_of

from nd4py._spec.ops import BY_NAME
from nd4py._spec.render import cuda_kernels
from nd4py._spec.render.cuda_functors import SHUFFLE_THREADS, function_text, scan_text
from nd4py.cuda.compile.kernel_catalogue import Kernels, kernels_of
from nd4py.cuda.driver.driver import DeviceError, KernelModule
from nd4py.cuda.launch.function_launches import (
    Scan,
    convolution_launch,
    linear,
    mask_count_bytes,
    mask_launches,
    normalize_launch,
    pooling_launch,
    random_launch,
)
from nd4py.cuda.launch.kernel_arguments import RandomArguments, ShuffleArguments, WindowArguments

MAXIMUM = 2**31 - 1


@pytest.fixture
def bench():
    """Made anew for each test: what one planted bug left behind would find the next."""
    if is_on_gpu():
        pytest.skip("a GPU says nothing about many of these bugs")
    with abandoned(Bench(TORN)) as made:
        yield made


@pytest.fixture
def huge_bench():
    with abandoned(huge.HugeBench(TORN)) as made:
        yield made


@contextmanager
def abandoned(bench):
    """A bench whose memory goes unseen at the end, whatever was done to it."""
    yield bench
    bench.driver.abandon()


def small(*texts):
    """A module with no more kernels than a check needs."""
    return kernels_of(texts[0].name, texts)


def row(name, dtype, *variants):
    op = BY_NAME[name]
    return small((cuda_kernels.map_text if op.family == "map" else cuda_kernels.reduce_text)(op, dtype, variants))


def equal(got, want):
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


# The checks: what they run, and the kernels they run it with.


def check_dense(bench, kernels):
    x, y = np.arange(1001, dtype=np.float32), np.float32([2.5])
    equal(bench.run_map(kernels, (x, y), [np.float32])[0], x - y)


def check_strided(bench, kernels):
    for variant, inputs in layouts(np.random.default_rng(1), random_array("float32")):
        if variant == "strided":
            equal(bench.run_map(kernels, inputs, [np.float32], expect=variant)[0], np.subtract(*inputs))


def check_tiled(bench, kernels):
    for variant, inputs in layouts(np.random.default_rng(1), random_array("float32")):
        if variant == "tiled":
            equal(bench.run_map(kernels, inputs, [np.float32], max_blocks=1)[0], np.subtract(*inputs))


def reductions(bench, kernels, numpy_function, shapes, shift=0):
    for shape, axes in shapes:
        x = -1 - np.random.default_rng(2).random(shape).astype(np.float32)
        for max_blocks in (1, MAXIMUM):
            got, _ = bench.run_reduction(kernels, x, axes, np.float32, 8, max_blocks, shift)
            equal(got, numpy_function(x, axis=tuple(axes)))


def check_lines(bench, kernels):
    reductions(bench, kernels, np.max, [((19, 61), (1,)), ((37, 3), (1,))])
    reductions(bench, kernels, np.max, [((19, 33), (1,))], shift=4)


def check_blocks(bench, kernels):
    reductions(bench, kernels, np.max, [((3, 2500), (1,)), ((5, 40, 300), (0, 2))])


def check_pieces(bench, kernels):
    reductions(bench, kernels, np.sum, [((3, 20000), (1,))])


def check_columns(bench, kernels):
    reductions(bench, kernels, np.max, [((40, 70), (0,)), ((3, 33), (0,))])


def check_positions(bench, kernels):
    x = np.tile(np.float32([0, 5, 1, 5, 2]), (7, 40))
    x[1, ::128], x[1, 1:4], x[1, 129:132] = 4, 0, 0  # the best of the first lane stands first, and loses
    x[3, 0] = x[5, -1] = 9
    got, _ = bench.run_reduction(kernels, x, (1,), np.int64, 16)
    np.testing.assert_array_equal(got, x.argmax(1))


def check_scan(bench, kernels):
    x = np.random.default_rng(3).integers(-9, 9, (3, 2500))
    for max_blocks in (1, MAXIMUM):
        room = bench.room(x.nbytes)
        scan = Scan(3, 2500, 1, (20000, 8, 8), (20000, 8, 8), True)
        for launch in scan.launches(bench.upload(x), room, 0, max_blocks):
            bench.launch(kernels, launch)
        np.testing.assert_array_equal(bench.download(room, np.empty_like(x)), x.cumsum(1))
        bench.free()


def check_take(bench, kernels):
    x, y = np.arange(60.0).reshape(3, 5, 4), np.zeros((3, 4, 4))
    np.testing.assert_array_equal(run_gather(bench, "take", kernels, x, [4, -1, 0, -5], y)[0], x[:, [4, -1, 0, -5]])


def check_add(bench, kernels):
    """Of equal indices all are added, and what is out of range goes nowhere."""
    x, y = np.arange(40.0).reshape(2, 5, 4), np.ones((2, 3, 4))
    want = y.copy()
    np.add.at(want, (slice(None), [0, 2, 0]), x[:, [0, 2, 3]])
    np.testing.assert_array_equal(run_gather(bench, "add_at", kernels, x, [0, 7, 2, 0, -4], y)[0], want)


def check_fault(bench, kernels):
    """The first of many indices that are out of range is told, whichever thread comes first."""
    indices = np.full(300, 7)
    indices[:5] = 0
    y = np.zeros((1, 300, 1))
    assert run_gather(bench, "take", kernels, np.zeros((1, 5, 1)), indices, y)[1] == 2**64 - 1 - 5


def check_mask(bench, kernels):
    mask = np.random.default_rng(4).random(5000) < 0.4
    operand, counts = bench.upload(mask), bench.room(mask_count_bytes(mask.size))
    positions = np.flatnonzero(mask)
    room = bench.room(positions.nbytes)
    launches = mask_launches("count", 0, operand, 0, counts, mask.size, max_blocks=1)
    for launch in (*launches, *mask_launches("indices", 0, operand, room, counts, mask.size, max_blocks=1)):
        bench.launch(kernels, launch)
    np.testing.assert_array_equal(bench.download(room, np.empty_like(positions)), positions)
    bench.free()


def check_product(bench, kernels):
    rng = np.random.default_rng(5)
    for rows, columns, depth in ((65, 3, 40), (2, 70, 17)):
        a, b = rng.normal(size=(rows, depth)), rng.normal(size=(depth, columns))
        equal(run_product(bench, a, b, kernels, max_blocks=1), a @ b)


def check_random(bench, kernels):
    room, y = bench.room(4 * 1003), np.empty(1003, np.float32)

    def draw(n, offset, blocks):
        arguments = RandomArguments(y=room, n=n, seed=1, offset=offset)
        arguments.params[1] = 1.0
        bench.launch(kernels, random_launch("fill", arguments, 4, max_blocks=blocks))
        return bench.download(room, y).copy()

    whole = draw(1003, 0, 1)
    np.testing.assert_array_equal(draw(603, 100, 2)[:603], whole[400:])
    bench.free()


def check_shuffle(bench, kernels):
    """Exchanges one after the other, as Fisher & Yates say them."""
    rng, n = np.random.default_rng(4), 300
    drawn = {"": rng.integers(0, np.arange(1, n + 1)), "sample_": rng.integers(np.arange(n), 2 * n)}
    for kind, positions in drawn.items():
        order = np.argsort(positions, kind="stable")
        rooms = [bench.upload(x) for x in (positions, order, np.full(n, 7), np.full(n, -1), np.full(n, -5))]
        arguments = ShuffleArguments(*rooms, n)
        for name in ("links", "follow"):
            bench.launch(kernels, linear(f"{kind}{name}", n, SHUFFLE_THREADS, arguments, 2))
        listed = np.arange(2 * n)
        for i, position in enumerate(positions):
            if kind:
                listed[[i, position]] = listed[[position, i]]
            else:
                listed[i], listed[position] = listed[position], i
        np.testing.assert_array_equal(bench.download(rooms[-1], np.empty(n, np.int64)), listed[:n])
        bench.free()


def check_pool(bench, kernels):
    for x_shape, kernel, stride, padding in POOLINGS[:2]:
        x = np.random.default_rng(6).normal(size=x_shape).astype(np.float32)
        x.reshape(-1)[::2] = 9.0  # the first of equal elements is the maximum
        wide = np.full([*x_shape[:2], x_shape[2] + 4, x_shape[3] + 4], -np.inf, np.float32)
        top, left = padding[0], padding[2]
        wide[:, :, top : top + x_shape[2], left : left + x_shape[3]] = x
        n_y, n_x = (
            (n + 2 * p - k) // s + 1 for n, p, k, s in zip(x_shape[2:], (top, left), kernel, stride, strict=True)
        )
        windows = np.lib.stride_tricks.sliding_window_view(wide, kernel, (2, 3))[:, :, :: stride[0], :: stride[1]]
        windows = windows[:, :, :n_y, :n_x]
        want, dy = (
            windows.max((4, 5)),
            np.random.default_rng(7).normal(size=(*x_shape[:2], n_y, n_x)).astype(np.float32),
        )
        dx = np.zeros(wide.shape, np.float32)
        for at in np.ndindex(*want.shape):
            y, x_ = np.unravel_index(windows[at].argmax(), kernel)
            dx[at[0], at[1], at[2] * stride[0] + y, at[3] * stride[1] + x_] += dy[at]
        dx = dx[:, :, top : top + x_shape[2], left : left + x_shape[3]]
        sizes = window_of(x_shape, kernel, stride, padding, want.shape, x_shape[1])
        for variant, expected in (("max_pool", want), ("max_pool_gradient", dx)):
            room = bench.room(expected.nbytes)
            arguments = WindowArguments(x=bench.upload(x), w=bench.upload(dy), y=room, **sizes)
            bench.launch(kernels, pooling_launch(variant, arguments))
            equal(bench.download(room, np.empty(expected.shape, np.float32)), expected)
        bench.free()


def check_convolution(bench, kernels):
    """dx of a filter of ones with stride 2: how many windows an element lies in."""
    dy, w = np.ones((1, 1, 3, 3)), np.ones((1, 1, 3, 3))
    want = np.zeros((7, 7))
    for y, x in np.ndindex(3, 3):
        want[2 * y : 2 * y + 3, 2 * x : 2 * x + 3] += 1
    sizes = window_of((1, 1, 7, 7), (3, 3), (2, 2), (0, 0, 0, 0), dy.shape, 1)
    room = bench.room(want.nbytes)
    arguments = WindowArguments(x=bench.upload(dy), w=bench.upload(w), y=room, **sizes)
    bench.launch(kernels, convolution_launch("conv_input_gradient", arguments))
    equal(bench.download(room, np.empty_like(want)), want)
    bench.free()


def check_softmax(bench, kernels):
    x = np.random.default_rng(8).normal(size=(3, 1500))
    room = bench.room(x.nbytes)
    bench.launch(kernels, normalize_launch("softmax", bench.upload(x), room, 3, 1500, max_blocks=1))
    want = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    equal(bench.download(room, np.empty_like(x)), want)
    bench.free()


CHECKS = {
    "dense": (check_dense, lambda: row("subtract", "float32", "packets", "dense")),
    "strided": (check_strided, lambda: row("subtract", "float32", "strided")),
    "tiled": (check_tiled, lambda: row("subtract", "float32", "tiled")),
    "lines": (check_lines, lambda: row("max", "float32", "lines")),
    "blocks": (check_blocks, lambda: row("max", "float32", "blocks")),
    "pieces": (check_pieces, lambda: row("sum", "float32", "blocks", "merge")),
    "columns": (check_columns, lambda: row("max", "float32", "columns")),
    "positions": (check_positions, lambda: row("argmax", "float32", "lines")),
    "scan": (check_scan, lambda: small(scan_text(BY_NAME["cumulative_sum"], "int64"))),
    "take": (check_take, lambda: small(function_text("gather", "float64"))),
    "add": (check_add, lambda: small(function_text("add_at", "float64"))),
    "fault": (check_fault, lambda: small(function_text("gather", "float64"))),
    "mask": (check_mask, lambda: small(function_text("mask", "int32"))),
    "product": (check_product, lambda: small(function_text("matmul", "float64"))),
    "random": (check_random, lambda: small(function_text("uniform", "float32"))),
    "shuffle": (check_shuffle, lambda: small(function_text("shuffle", "int64"))),
    "pool": (check_pool, lambda: small(function_text("pool2d", "float32"))),
    "convolution": (check_convolution, lambda: small(function_text("conv2d", "float64", ("conv_input_gradient",)))),
    "softmax": (check_softmax, lambda: small(function_text("normalize", "float64", ("softmax_long",)))),
}
HUGE_CHECKS = {
    "huge dense": (huge.check_dense, CHECKS["dense"][1]),
    "huge strided": (huge.check_strided, lambda: row("subtract", "int8", "wide")),
    "huge tiled": (huge.check_tiled, lambda: row("subtract", "int8", "tiled")),
    "huge lines": (huge.check_lines, CHECKS["lines"][1]),
    "huge columns": (huge.check_columns, CHECKS["columns"][1]),
    "huge pieces": (huge.check_pieces, CHECKS["pieces"][1]),
    "huge scan": (huge.check_scan, CHECKS["scan"][1]),
    "huge take": (huge.check_take, CHECKS["take"][1]),
    "huge mask": (huge.check_mask, CHECKS["mask"][1]),
    "huge product": (huge.check_product, CHECKS["product"][1]),
    "huge random": (huge.check_random, CHECKS["random"][1]),
    "huge pool": (huge.check_pool, CHECKS["pool"][1]),
    "huge softmax": (huge.check_softmax, CHECKS["softmax"][1]),
}
BARRIER = "__syncthreads();"
ONE_BY_ONE = "arguments.n; i += all_threads()) {\n    long long offsets"
NO_ATOMIC = (
    "atomicMax(arguments.fault, ~0ull - (unsigned long long)i);",
    "{ const auto word = ~0ull - (unsigned long long)i; if (*arguments.fault < word) *arguments.fault = word; }",
)
MUTATIONS = [
    ("shuffle", "is_first && index", "index", "every step takes the holder of an index"),
    ("shuffle", "behind = k - direction", "behind = k - 1", "time runs one way"),
    ("shuffle", "if (direction > 0)", "if (direction < 0)", "the inverse of the permutation"),
    ("dense", "i < n_packets;", "i <= n_packets;", "one packet too many"),
    ("dense", "n_packets * N + first_thread()", "n_packets * N + 1 + first_thread()", "the tail begins too late"),
    ("dense", "constant >> k & 1 ? 0 : first *", "constant >> k & 2 ? 0 : first *", "a repeated operand moves"),
    ("strided", "index * arguments.strides[k][axis]", "index * arguments.strides[0][axis]", "strides of another"),
    ("strided", "axis.multiplier) + n) >> axis.shift", "axis.multiplier)) >> axis.shift", "division without its sum"),
    ("strided", "axis < (int)arguments.rank", "axis < (int)arguments.rank - 1", "the last axis is left out"),
    ("strided", f"i < {ONE_BY_ONE}", f"i + 1 < {ONE_BY_ONE}", "the last element is left out"),
    ("tiled", f"{BARRIER}\n    for (int row", "for (int row", "no barrier between filling and reading a tile"),
    ("tiled", f"{BARRIER}  // before the tiles", "// before the tiles", "tiles are filled while others read them"),
    ("tiled", "tiles[k][threadIdx.x][row] :", "tiles[k][row][threadIdx.x] :", "the tile is not transposed"),
    ("tiled", "row < left0 && threadIdx.x < left1", "row < left1 && threadIdx.x < left0", "the edges are exchanged"),
    ("tiled", "threadIdx.x >= left0 || row >= left1", "threadIdx.x > left0 || row >= left1", "one column too many"),
    ("lines", "distance = width / 2", "distance = width / 4", "the tree of lanes is too short"),
    ("lines", "from_lane_below(WHOLE_WARP, acc", "from_lane_below(0x0000ffffu, acc", "half of the lanes in the mask"),
    ("lines", "if (line < tad.n_lines)\n      acc", "if (line <= tad.n_lines)\n      acc", "one line too many is read"),
    ("lines", "% (N * sizeof(T)) == 0", "% (N * sizeof(T)) >= 0", "packets are taken to be aligned"),
    ("lines", "first + N <= end", "first < end", "the last packet is read as a whole"),
    ("blocks", f"= acc;\n  {BARRIER}\n  if (threadIdx.x < WARP)", "= acc;\n  if (threadIdx.x < WARP)", "no barrier"),
    ("blocks", f"{BARRIER}  // before `of_warp`", "// before `of_warp`", "shared memory is written too early"),
    ("blocks", "acc[k] = Body::init()", "acc[k] = A(0)", "a wrong neutral element"),
    ("blocks", "threadIdx.x < WARPS ? of_warp", "true ? of_warp", "shared memory that no warp wrote"),
    ("blocks", "__shared__ A of_warp[WARPS]", "__shared__ A of_warp[2]", "too little shared memory"),
    ("blocks", "if (threadIdx.x < WARP) {", "if (threadIdx.x < WARP / 2) {", "half a warp in a whole warp's exchange"),
    ("blocks", "if (rank == 1) return", "if (rank >= 1) return", "further axes are left out"),
    ("pieces", "[line * arguments.n_pieces + piece]", "[line + piece]", "pieces of lines overlap"),
    ("pieces", "i < arguments.n_pieces; i += WARP", "i < arguments.n_pieces - 1; i += WARP", "the last piece is lost"),
    ("columns", f"= acc;\n    {BARRIER}\n    if", "= acc;\n    if", "rows are read before they are written"),
    ("columns", "row < COLUMN_ROWS;", "row <= COLUMN_ROWS;", "a row that is not there"),
    ("columns", "int row = 1; row", "int row = 2; row", "a row is left out"),
    ("positions", "if (l.index < 0", "if (l.index <= 0", "the first index is taken for none"),
    ("positions", "r.index < l.index", "r.index > l.index", "the last of equals wins"),
    ("scan", "if (lane >= distance)", "if (lane > distance)", "a lane is left out"),
    ("scan", f"= running;\n  {BARRIER}", "= running;", "no barrier before the warps' totals are read"),
    ("scan", f"{BARRIER}  // before `of_warp`", "// before `of_warp`", "totals are written too early"),
    ("scan", "start = Body::merge(start, total)", "start = total", "the rounds before are forgotten"),
    ("take", "given < 0 ? given + arguments.n", "given < 0 ? given", "negative indices"),
    ("mask", "(1u << lane) - 1", "(2u << lane) - 1", "a lane counts itself"),
    ("mask", f"{BARRIER}  // before `of_warp`", "// before `of_warp`", "counts are written too early"),
    ("mask", f"{BARRIER}\n      const long long left", "const long long left", "sums are read too early"),
    ("product", f"{BARRIER}\n    for (int k", "for (int k", "tiles are read before they are filled"),
    ("product", f"{BARRIER}  // before the tiles", "// before the tiles", "tiles are filled too early"),
    ("product", "column < columns && k < depth", "column < columns && k <= depth", "a row beyond the matrix"),
    ("product", "lefts[PRODUCT_DEPTH][PRODUCT_TILE + 1]", "lefts[PRODUCT_DEPTH][PRODUCT_TILE - 1]", "a narrow tile"),
    ("random", "offset + (nd_wide)i, 0), i * N", "n * 0 + (nd_wide)i, 0), i * N", "the offset is forgotten"),
    ("pool", "Window{greater(0, y)", "Window{y", "windows begin above the image"),
    ("pool", "/ s.stride_h + 1;", "/ s.stride_h + 2;", "the first window is left out"),
    ("pool", "candidate > best ||", "candidate >= best ||", "the last of equals wins"),
    ("convolution", "|| y % s.stride_h ||", "||", "rows between the strides"),
    ("softmax", f"result = acc;\n  {BARRIER}", "result = acc;", "the result is read before it is written"),
    ("add", "index < 0 || (", "(", "an index out of range is added before the first"),
    ("add", "indices[order[j - 1]] == index)) continue", "false)) continue", "every one of equal indices adds all"),
    ("fault", *NO_ATOMIC, "a maximum that others change between its load and its store"),
    ("huge dense", "Aligned>(arguments, i * N)", "Aligned>(arguments, (int)i * N)", "packets are counted in 32 bits"),
    ("huge tiled", "long long at = (long long)(", "long long at = (", "indices of a tiled axis are counted in 32 bits"),
]  # fmt: skip


def run_check(bench, huge_bench, name, kernels):
    """Under every schedule; with huge arrays under one."""
    if name in HUGE_CHECKS:
        huge_bench.driver.schedule("forward")
        HUGE_CHECKS[name][0](huge_bench, kernels)
        return
    for schedule in (*SCHEDULES, *TORN_SCHEDULES):
        bench.driver.schedule(*schedule)
        CHECKS[name][0](bench, kernels)


def kernels_for(name):
    return {**CHECKS, **HUGE_CHECKS}[name][1]()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*CHECKS, *HUGE_CHECKS])
def test_the_checks_pass_unchanged_kernels(bench, huge_bench, name):
    run_check(bench, huge_bench, name, kernels_for(name))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name, before, after", [pytest.param(*m[:3], id=f"{m[0]}: {m[3]}") for m in MUTATIONS])
def test_a_planted_bug_is_found(bench, huge_bench, name, before, after):
    kernels = kernels_for(name)
    source = kernels.module.source
    assert before in source, "the text has changed: plant the bug anew"
    changed = source.replace(before, after, 1)
    digest = hashlib.sha256(changed.encode()).hexdigest()
    module = KernelModule(f"mutant_{name}", changed, (), kernels.module.options, digest)
    with pytest.raises((AssertionError, DeviceError)):
        run_check(bench, huge_bench, name, Kernels(module, kernels.symbols))
