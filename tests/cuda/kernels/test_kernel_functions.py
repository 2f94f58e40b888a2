"""Gathering, masks, random numbers and products against the CPU and NumPy."""

import numpy as np
import pytest
from kernel_bench import SCHEDULES, Bench, bfloat16_values, grouped, numpy_dtype
from row_cases import EPSILON, assert_same, from_cpu, to_cpu

import nd4py as nd
from nd4py._spec.dtypes import DTYPES, NUMBER
from nd4py._spec.render.cuda_functors import function_text
from nd4py.cpu.random.random import Stream
from nd4py.cuda.compile.kernel_catalogue import function_kernels
from nd4py.cuda.launch.function_launches import (
    Matrices,
    gather_launch,
    mask_count_bytes,
    mask_launches,
    normalize_launch,
    product_launch,
    random_launch,
)
from nd4py.cuda.launch.kernel_arguments import RandomArguments


@pytest.fixture(scope="module")
def bench():
    return Bench()


@pytest.fixture(params=SCHEDULES, ids=str)
def scheduled_bench(bench, request):
    bench.driver.schedule(*request.param)
    return bench


# Gathering.


def run_gather(bench, variant, dtype, x, indices, y, fault=False):
    """(y after the kernel, the fault word).

    dtype: or the kernels to run
    x: (outer, n, inner), for put and add_at (outer, n_indices, inner)
    """
    name = "add_at" if variant == "add_at" else "gather"
    kernels = function_kernels(name, dtype) if isinstance(dtype, str) else dtype
    indices = np.ascontiguousarray(indices, np.int64)
    n = y.shape[1] if variant in ("put", "add_at") else x.shape[1]
    n_indices = indices.shape[1] if variant == "take_along" else indices.size
    word, room = bench.upload(np.zeros(1, np.uint64)), bench.upload(y)
    sizes, order = (x.shape[0], n, n_indices, x.shape[2]), 0
    if variant == "add_at":
        indices = np.where((indices >= -n) & (indices < n), indices % n, -1)  # as `numbers` leaves them
        order = bench.upload(np.argsort(indices, kind="stable"))
    launch = gather_launch(variant, bench.upload(x), bench.upload(indices), room, sizes, word, order=order)
    bench.launch(kernels, launch)
    result, state = bench.download(room, y.copy()), bench.download(word, np.zeros(1, np.uint64))
    bench.free()
    return result, int(state[0])


@pytest.mark.parametrize("dtype", ["bool", "float16", "int32", "float64", "complex128"])
def test_take_and_put(bench, dtype):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2 if dtype == "bool" else 99, (3, 17, 5)).astype(dtype)
    indices = rng.integers(-17, 17, 40)
    got, fault = run_gather(bench, "take", dtype, x, indices, np.zeros((3, 40, 5), dtype))
    np.testing.assert_array_equal(got, np.take(x, indices, axis=1))
    assert fault == 0
    along = rng.integers(-17, 17, (3, 9, 5))
    got, _ = run_gather(bench, "take_along", dtype, x, along, np.zeros((3, 9, 5), dtype))
    np.testing.assert_array_equal(got, np.take_along_axis(x, along, axis=1))
    values = rng.integers(0, 2 if dtype == "bool" else 99, (3, 40, 5)).astype(dtype)
    got, _ = run_gather(bench, "put", dtype, values, indices, x)
    want = x.copy()
    want[:, indices] = values
    np.testing.assert_array_equal(got, want)


def test_an_index_out_of_range_is_named(scheduled_bench):
    """The first one, whatever the order of the threads; what it names is not written."""
    x, y = np.arange(12.0).reshape(1, 12, 1), np.full((1, 5, 1), -1.0)
    got, fault = run_gather(scheduled_bench, "take", "float64", x, [3, 12, 5, -13, 0], y)
    assert 2**64 - 1 - fault == 1
    np.testing.assert_array_equal(got.ravel(), [3, -1, 5, -1, 0])


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex64", "bfloat16"])
def test_equal_indices_are_added_in_their_order(scheduled_bench, dtype):
    rng = np.random.default_rng(2)
    x = from_cpu(nd.astype(nd.asarray(rng.normal(size=(2, 30, 3)) * 9), getattr(nd, dtype)))
    y = from_cpu(nd.astype(nd.asarray(rng.normal(size=(2, 7, 3)) * 9), getattr(nd, dtype)))
    indices = rng.integers(-7, 7, 30)
    got, _ = run_gather(scheduled_bench, "add_at", dtype, x, indices, y)
    want = from_cpu(nd.index_add(to_cpu(y, dtype), nd.asarray(indices), to_cpu(x, dtype), axis=1))
    assert_same(got, want, dtype, 1, dtype)


# Masks.


@pytest.mark.parametrize("n", [0, 1, 31, 1024, 5000, 3_100_000])
def test_masks(bench, n):
    """Blocks are counted, their counts added up, and the chosen elements put behind each other."""
    rng = np.random.default_rng(3)
    mask, x = rng.random(n) < 0.3, np.arange(n, dtype=np.int32)
    kernels = function_kernels("mask", "int32")
    counts, chosen = bench.room(mask_count_bytes(n)), int(mask.sum())
    operands = bench.upload(x), bench.upload(mask)
    blocks = 1 if n < 3_000_000 else 2000
    if n < 3_000_000:
        for launch in mask_launches("count", 0, operands[1], 0, counts, n, max_blocks=3):
            bench.launch(kernels, launch)
    else:  # more blocks than one round of the sum has threads: the counts alone, the rest is the same
        ours = np.append(np.add.reduceat(mask, np.arange(0, n, 1024), dtype=np.int64), -1)
        counts = bench.upload(ours)
        bench.launch(kernels, mask_launches("count", 0, operands[1], 0, counts, n)[1])
        want = np.concatenate([[0], np.cumsum(ours[:-1])])
        np.testing.assert_array_equal(bench.download(counts, np.empty_like(ours)), want)
        bench.free()
        return
    total = bench.download(counts + mask_count_bytes(n) - 8, np.zeros(1, np.int64))
    assert total[0] == chosen
    for variant, want in (("compress", x[mask]), ("indices", np.flatnonzero(mask))):
        room = bench.room(want.nbytes)
        for launch in mask_launches(variant, *operands, room, counts, n, max_blocks=blocks):
            bench.launch(kernels, launch)
        np.testing.assert_array_equal(bench.download(room, np.empty_like(want)), want)
    room = bench.upload(np.zeros(n, np.int32))
    bench.launch(kernels, mask_launches("expand", bench.upload(-x[mask]), operands[1], room, counts, n)[0])
    np.testing.assert_array_equal(bench.download(room, np.empty(n, np.int32)), np.where(mask, -x, 0))
    bench.free()


# Random numbers.


def run_random(bench, name, variant, dtype, n, lanes, offset=0, params=(), low=0, span=0):
    y = np.empty(n, numpy_dtype(dtype))
    room = bench.room(y.nbytes)
    arguments = RandomArguments(y=room, n=n, seed=12345678901, offset=offset, low=low, span=span % 2**64)
    arguments.params[: len(params)] = params
    launch = random_launch(variant, arguments, lanes, max_blocks=7)
    bench.launch(function_kernels(name, dtype), launch)
    bench.download(room, y)
    bench.free()
    return y


@pytest.mark.parametrize("offset", [0, 2**32 - 3])
@pytest.mark.parametrize("name", ["uniform", "normal", "exponential", "laplace", "gumbel"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_random_numbers_have_the_bits_of_the_cpu(scheduled_bench, name, dtype, offset):
    lanes = 16 // numpy_dtype(dtype).itemsize if name in ("uniform", "normal") else 2
    params = (-2.5, 3.7) if name != "exponential" else (0.0, 1.5)
    got = run_random(scheduled_bench, name, "fill", dtype, 1003, lanes, offset, params)
    want = np.asarray(Stream(12345678901, offset).draw(name, 1003, NUMBER[dtype], *params))
    np.testing.assert_array_equal(got.view(np.uint8), want.view(np.uint8))


@pytest.mark.parametrize("probability", [0.0, 0.25, 0.3, 1.0])
def test_truth_values_have_the_bits_of_the_cpu(bench, probability):
    got = run_random(bench, "bernoulli", "fill", "bool", 5003, 4, 7, (probability,))
    np.testing.assert_array_equal(got, np.asarray(Stream(12345678901, 7).draw("bernoulli", 5003, 0, probability)))


@pytest.mark.parametrize("span", [1, 6, 2**31 + 5, 2**32, 2**63 + 12345, 0])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64"])
def test_whole_random_numbers_have_the_bits_of_the_cpu(bench, dtype, span):
    """Spans just above a power of two reject nearly half of the draws, which are drawn again."""
    is_narrow = 0 < span <= 2**32
    variant, lanes = ("narrow", 4) if is_narrow else ("wide", 2)
    got = run_random(bench, "integers", variant, dtype, 1003, lanes, 5, low=2**64 - 3, span=span)
    want = Stream(12345678901, 5).integers(1003, NUMBER[dtype], 2**64 - 3, span)
    np.testing.assert_array_equal(got, np.asarray(want))


# Products.


def matrices(bench, x):
    """A NumPy array of matrices as the kernel sees it."""
    strides = [s // x.itemsize for s in x.strides]
    return Matrices(bench.upload(x), strides[-2], strides[-1], tuple(strides[:-2]))


def run_product(bench, a, b, dtype, max_blocks=2**31 - 1):
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = np.broadcast_to(a, (*batch, *a.shape[-2:])), np.broadcast_to(b, (*batch, *b.shape[-2:]))
    c = np.empty((*batch, a.shape[-2], b.shape[-1]), a.dtype)
    room, sizes = bench.room(c.nbytes), (a.shape[-2], b.shape[-1], a.shape[-1])
    launch = product_launch(matrices(bench, a), matrices(bench, b), room, sizes, batch, max_blocks)
    if launch is not None:
        bench.launch(function_kernels("matmul", dtype) if isinstance(dtype, str) else dtype, launch)
        bench.download(room, c)
    bench.free()
    return c


@pytest.mark.parametrize("dtype", [row.name for row in DTYPES])
def test_products_of_every_dtype(bench, dtype):
    rng = np.random.default_rng(4)
    high = 2 if dtype == "bool" else 5
    a, b = (from_cpu(nd.astype(nd.asarray(rng.integers(0, high, s)), getattr(nd, dtype))) for s in ((9, 33), (33, 7)))
    want = from_cpu(nd.matmul(to_cpu(a, dtype), to_cpu(b, dtype)))
    kernels = grouped("products", [function_text("matmul", row.name) for row in DTYPES])
    assert_same(run_product(bench, a, b, kernels[f"matmul_{dtype}"]), want, dtype, 2, dtype)


SIZES = [(1, 1, 1), (64, 64, 16), (65, 63, 17), (130, 5, 100), (3, 70, 0), (0, 4, 4)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_products_of_every_size_and_layout(scheduled_bench, sizes):
    rows, columns, depth = sizes
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(rows, depth)), rng.normal(size=(depth, columns))
    for left in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
        for right in (b, np.asfortranarray(b), b[::-1][::-1]):
            np.testing.assert_allclose(run_product(scheduled_bench, left, right, "float64"), a @ b, atol=1e-12)


def test_batches_are_repeated_and_strided(bench):
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(4, 1, 20, 30)), rng.normal(size=(3, 10, 30)).swapaxes(1, 2)
    for max_blocks in (1, 5, 2**31 - 1):
        np.testing.assert_allclose(run_product(bench, a, b, "float64", max_blocks), a @ b, atol=1e-12)


# Normalization.


@pytest.mark.parametrize("shape", [(5, 1), (3, 10), (2, 1000), (2, 3000)])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_normalized_lines(bench, dtype, shape):
    rng = np.random.default_rng(7)
    x = from_cpu(nd.astype(nd.asarray(rng.normal(size=shape) * 5), getattr(nd, dtype)))
    scale, bias = (from_cpu(nd.astype(nd.asarray(rng.normal(size=shape[1])), getattr(nd, dtype))) for _ in range(2))
    on_cpu = [to_cpu(v, dtype) for v in (x, scale, bias)]
    wanted = {
        "softmax": nd.softmax(on_cpu[0]), "log_softmax": nd.log_softmax(on_cpu[0]),
        "standardize": nd.layer_norm(*on_cpu, epsilon=1e-5),
    }  # fmt: skip
    operands = [bench.upload(v) for v in (x, scale, bias)]
    for name, want in wanted.items():
        room, options = bench.room(x.nbytes), {}
        if name == "standardize":
            options = {"scale": operands[1], "bias": operands[2], "epsilon": 1e-5}
        bench.launch(function_kernels("normalize", dtype), normalize_launch(name, operands[0], room, *shape, **options))
        want, got = from_cpu(want), bench.download(room, np.empty_like(x))
        if dtype == "bfloat16":
            got, want = bfloat16_values(got), bfloat16_values(want)
        # Numbers of about 1 are rounded on the way to results near 0.
        tolerance = 16 * EPSILON[dtype]
        wide = [v.astype(np.float64) for v in (got, want)]
        np.testing.assert_allclose(*wide, rtol=tolerance, atol=tolerance * (name != "softmax"), err_msg=name)
    bench.free()
