"""Scans and their gradients against the CPU."""

import numpy as np
import pytest
from kernel_bench import SCHEDULES, Bench
from row_cases import assert_same, from_cpu, operands_of, to_cpu
from simulator.compiler import QUICK

import nd4py as nd
from nd4py._spec import dtypes
from nd4py._spec.ops import ALL, BY_NAME
from nd4py._spec.render import cuda_kernels
from nd4py._spec.render.cuda_functors import scan_text
from nd4py.cuda.compile.kernel_catalogue import Kernels, kernels_of, row_kernels
from nd4py.cuda.launch.function_launches import SCAN_PIECE, Scan, scan_gradient_launch

NAMES = [row.name for row in dtypes.DTYPES]
SCANS = [op for op in ALL if op.family == "scan"]


@pytest.fixture(scope="module")
def bench():
    return Bench()


def run_scan(bench, kernels, op, x, axis, dtype, has_initial=False, max_blocks=2**31 - 1):
    """The scan of a NumPy array along an axis, which lies between (outer, n, inner)."""
    shape = list(x.shape)
    n, shape[axis] = shape[axis], shape[axis] + has_initial
    outer, inner = int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis + 1 :]))
    y = np.empty(shape, dtype)
    x = np.ascontiguousarray(x)
    x_strides = (n * inner * x.itemsize, inner * x.itemsize, x.itemsize)
    y_strides = (shape[axis] * inner * y.itemsize, inner * y.itemsize, y.itemsize)
    scan = Scan(outer, n, inner, x_strides, y_strides, bool(op.merge), has_initial)
    room, scratch = bench.room(y.nbytes), bench.room(scan.n_totals * 16) if scan.n_totals else 0
    launches = scan.launches(bench.upload(x), room, scratch, max_blocks)
    for launch in launches:
        bench.launch(kernels, launch)
    bench.download(room, y)
    bench.free()
    return y, [launch.variant for launch in launches]


def check(bench, op, dtype, x, axis, kernels=None, **options):
    has_initial = options.get("has_initial", False)
    want = from_cpu(getattr(nd, op.name)(to_cpu(x, dtype), axis=axis, include_initial=has_initial))
    got, variants = run_scan(bench, kernels or row_kernels(op.name, dtype), op, x, axis, want.dtype, **options)
    assert_same(got, want, dtype, op.ulp, f"{op.name} of {dtype} {x.shape} along {axis}")
    return variants


@pytest.mark.parametrize("dtype", NAMES)
def test_every_row_agrees_with_the_cpu(dtype):
    bench = Bench(flags=QUICK)
    rows = [op for op in SCANS if dtype in cuda_kernels.cuda_dtypes(op)]
    module = kernels_of(f"scans_{dtype}", tuple(scan_text(op, dtype) for op in rows)).module
    for op in rows:
        (x,), _ = operands_of(op, dtype, 5 * 300)
        kernels = Kernels(module, dict(scan_text(op, dtype).symbols))
        check(bench, op, dtype, x.reshape(5, 300), 1, kernels)
        check(bench, op, dtype, x.reshape(5, 300), 0, kernels)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_max", "cumulative_prod"])
def test_every_shape(bench, name, schedule):
    bench.driver.schedule(*schedule)
    op, rng = BY_NAME[name], np.random.default_rng(4)
    for shape, axis in (
        ((1,), 0),
        ((5,), 0),
        ((3, 128), 1),
        ((2, 1025), 1),
        ((2, 3000), 1),
        ((40, 7, 3), 1),
        ((0, 4), 1),
    ):
        x = rng.uniform(0.9, 1.1, shape)
        for has_initial in (False, True):
            check(bench, op, "float64", x, axis, has_initial=has_initial)


@pytest.mark.parametrize("max_blocks", [1, 2, 2**31 - 1])
def test_long_lines_are_cut(bench, max_blocks):
    x = np.random.default_rng(5).integers(-9, 9, (2, 3 * SCAN_PIECE + 5))
    variants = check(bench, BY_NAME["cumulative_sum"], "int64", x, 1, max_blocks=max_blocks)
    assert variants == ["totals", "carry", "blocks"]


@pytest.mark.parametrize("name", [op.name for op in SCANS])
def test_gradients(bench, name):
    rng = np.random.default_rng(6)
    x, g = rng.uniform(0.5, 1.5, (2, 3, 20, 4)), rng.normal(size=(3, 20, 4))
    want = np.asarray(nd.grad(lambda v: nd.sum(getattr(nd, name)(v, axis=1) * nd.asarray(g)))(nd.asarray(x[0])))
    y = np.asarray(getattr(nd, name)(nd.asarray(x[0]), axis=1))
    room = bench.room(want.nbytes)
    operands = [bench.upload(np.ascontiguousarray(v)) for v in (g, x[0], y)]
    bench.launch(row_kernels(name, "float64"), scan_gradient_launch(*operands, room, 3, 20, 4))
    got = bench.download(room, np.empty(want.shape))
    bench.free()
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
