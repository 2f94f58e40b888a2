"""Kernels over arrays of more than 2^31 elements, most of which are never touched.

Memory is zeros that take none before they are touched, and of a grid only some blocks run: both ends and some between.
So every check writes few elements, at both ends, and checks them; indices counted in 32 bits end in a fault, or in the
wrong element.
"""

import ctypes

import numpy as np
from kernel_bench import Bench

from nd4py.cuda.launch.function_launches import (
    Matrices,
    Scan,
    gather_launch,
    mask_count_bytes,
    mask_launches,
    normalize_launch,
    pooling_launch,
    product_launch,
    random_launch,
)
from nd4py.cuda.launch.geometry import Operand, map_launch
from nd4py.cuda.launch.kernel_arguments import RandomArguments, WindowArguments
from nd4py.cuda.reduce.reduce_geometry import plan_reduction

MANY = 2**31 + 1003
SOME_BLOCKS = 12


class HugeBench(Bench):
    """A device with room for arrays of any size, on which some blocks of each grid run."""

    def __init__(self, flags):
        super().__init__(flags, is_sparse=True, memory=1 << 45)

    def launch(self, kernels, launch):
        self.driver.sample(SOME_BLOCKS)
        try:
            super().launch(kernels, launch)
        finally:
            self.driver.sample(0)

    def zeros(self, n, dtype, shift=0):
        """n elements of zero on the device, as an array that the host sees too."""
        dtype = np.dtype(dtype)
        address = self.room(n * dtype.itemsize, shift)
        return np.frombuffer((ctypes.c_char * (n * dtype.itemsize)).from_address(address), dtype)


def address_of(x):
    return x.ctypes.data


def ends(n, count=3):
    """The first and the last places of n."""
    return [*range(count), *range(n - count, n)]


def marked(bench, n, dtype, shift=0):
    """n elements, those at the ends small numbers that differ."""
    x = bench.zeros(n, dtype, shift)
    x[ends(n)] = np.arange(1, 7)
    return x


def subtract(bench, kernels, shape, arrays, strides, variant):
    operands = [Operand(address_of(x), x.itemsize, s) for x, s in zip(arrays, strides, strict=True)]
    launch = map_launch(shape, operands, 2)
    assert launch.variant == variant, f"{launch.variant} runs instead of {variant}"
    bench.launch(kernels, launch)


def check_dense(bench, kernels):
    for variant, shift in (("packets", 0), ("dense", 4)):
        x, y, z = (marked(bench, MANY, np.float32, shift) for _ in range(3))
        y[ends(MANY)] = 10
        subtract(bench, kernels, (MANY,), (x, y, z), [(4,)] * 3, variant)
        np.testing.assert_array_equal(z[ends(MANY)], np.arange(1, 7) - 10.0)
        bench.free()


def check_strided(bench, kernels):
    rows, columns = 3, 2**30
    x, y, z = (bench.zeros(n, np.int8) for n in (2 * rows * columns, 1, rows * columns))
    y[0] = 3
    x[::2][ends(rows * columns)] = np.arange(1, 7)
    subtract(bench, kernels, (rows, columns), (x, y, z), [(2 * columns, 2), (0, 0), (columns, 1)], "wide")
    np.testing.assert_array_equal(z[ends(rows * columns)], np.arange(1, 7) - 3)
    bench.free()


def check_tiled(bench, kernels):
    """An axis of more than 2^32 elements."""
    rows, columns = 8, 2**32 + 40
    x, z = bench.zeros(rows * columns, np.int8), bench.zeros(rows * columns, np.int8)
    y, transposed = bench.zeros(rows * columns, np.int8), z.reshape(rows, columns)
    positions = [(0, 0), (7, 0), (0, columns - 1), (7, columns - 1), (3, columns - 33)]
    for value, (row, column) in enumerate(positions, 2):
        x[column * rows + row], y[row * columns + column] = value, 1
    subtract(bench, kernels, (rows, columns), (x, y, z), [(1, rows), (columns, 1), (columns, 1)], "tiled")
    assert [transposed[position] for position in positions] == [1, 2, 3, 4, 5]
    bench.free()


def reduce_huge(bench, kernels, x, shape, axis, dtype, variant):
    plan = plan_reduction(shape, np.empty(0, x.dtype).itemsize * np.array(strides_of(shape)), [axis], x.itemsize, 8)
    assert plan.variant == variant, f"{plan.variant} runs instead of {variant}"
    y = bench.zeros(plan.n_lines, dtype)
    scratch = bench.room(plan.scratch_bytes) if plan.scratch_bytes else 0
    for launch in plan.launches(address_of(x), address_of(y), scratch):
        bench.launch(kernels, launch)
    return y


def strides_of(shape):
    """Of a dense array, in elements."""
    return [int(np.prod(shape[i + 1 :], dtype=np.int64)) for i in range(len(shape))]


def check_lines(bench, kernels):
    x = marked(bench, 2 * MANY, np.float32)
    y = reduce_huge(bench, kernels, x, (MANY, 2), 1, np.float32, "lines")
    np.testing.assert_array_equal(y[ends(MANY, 2)], [2, 3, 4, 6])
    bench.free()


def check_columns(bench, kernels):
    n = 2**30
    x = marked(bench, 3 * n, np.float32)
    y = reduce_huge(bench, kernels, x, (3, n), 0, np.float32, "columns")
    np.testing.assert_array_equal(y[ends(n)], np.arange(1, 7))
    bench.free()


def check_pieces(bench, kernels):
    """One line, whose pieces in the middle are zeros whether they run or not."""
    y = reduce_huge(bench, kernels, marked(bench, MANY, np.float32), (1, MANY), 1, np.float32, "blocks")
    assert y[0] == 21
    bench.free()


def check_scan(bench, kernels):
    x, y = marked(bench, MANY, np.int64), bench.zeros(MANY, np.int64)
    scan = Scan(1, MANY, 1, (8 * MANY, 8, 8), (8 * MANY, 8, 8), True)
    for launch in scan.launches(address_of(x), address_of(y), bench.room(8 * scan.n_totals)):
        bench.launch(kernels, launch)
    np.testing.assert_array_equal(y[ends(MANY)], [1, 3, 6, 10, 15, 21])
    bench.free()


def check_take(bench, kernels):
    """Out of many elements few, and out of few many."""
    x, y = marked(bench, MANY, np.float64), bench.zeros(6, np.float64)
    indices = bench.zeros(6, np.int64)
    indices[:] = [0, 1, 2, MANY - 3, -2, -1]
    bench.launch(kernels, gather_launch("take", address_of(x), address_of(indices), address_of(y), (1, MANY, 6, 1)))
    np.testing.assert_array_equal(y, np.arange(1, 7))
    n_lines = MANY // 6 + 1
    x, y = marked(bench, 6 * n_lines, np.float64), bench.zeros(6 * n_lines, np.float64)
    indices[:] = range(6)
    sizes = (n_lines, 6, 6, 1)
    bench.launch(kernels, gather_launch("take", address_of(x), address_of(indices), address_of(y), sizes))
    np.testing.assert_array_equal(y[ends(6 * n_lines)], np.arange(1, 7))
    bench.free()


def check_mask(bench, kernels):
    mask, positions = bench.zeros(MANY, np.bool_), bench.zeros(6, np.int64)
    mask[ends(MANY)] = True
    counts = bench.room(mask_count_bytes(MANY))
    for launch in (
        *mask_launches("count", 0, address_of(mask), 0, counts, MANY),
        *mask_launches("indices", 0, address_of(mask), address_of(positions), counts, MANY),
    ):
        bench.launch(kernels, launch)
    np.testing.assert_array_equal(positions, ends(MANY))
    bench.free()


def check_product(bench, kernels):
    rows, depth, columns = MANY // 3 + 1, 3, 3
    a, b = marked(bench, rows * depth, np.float64), bench.zeros(9, np.float64)
    c = bench.zeros(rows * columns, np.float64)
    b[:] = np.eye(3).reshape(-1)
    left, right = Matrices(address_of(a), depth, 1), Matrices(address_of(b), columns, 1)
    bench.launch(kernels, product_launch(left, right, address_of(c), (rows, columns, depth)))
    np.testing.assert_array_equal(c[ends(rows * columns)], np.arange(1, 7))
    bench.free()


def check_random(bench, kernels):
    def draw(n, offset):
        y = bench.zeros(n, np.float32)
        arguments = RandomArguments(y=address_of(y), n=n, seed=1, offset=offset)
        arguments.params[1] = 1.0
        bench.launch(kernels, random_launch("fill", arguments, 4))
        return y

    n = 2**31 + 1004
    np.testing.assert_array_equal(draw(n, 0)[-1000:], draw(1000, (n - 1000) // 4))
    bench.free()


def check_pool(bench, kernels):
    images = 2**31 // 16 + 5
    x, y = marked(bench, 16 * images, np.float32), bench.zeros(4 * images, np.float32)
    sizes = {
        "images": images, "groups": 1, "channels": 1, "height": 4, "width": 4, "filters": 1, "kernel_h": 2,
        "kernel_w": 2, "stride_h": 2, "stride_w": 2, "dilation_h": 1, "dilation_w": 1, "out_h": 2, "out_w": 2,
    }  # fmt: skip
    arguments = WindowArguments(x=address_of(x), w=address_of(x), y=address_of(y), **sizes)
    bench.launch(kernels, pooling_launch("max_pool", arguments))
    np.testing.assert_array_equal(y[ends(4 * images, 2)], [2, 3, 4, 6])
    bench.free()


def check_softmax(bench, kernels):
    n = 1500
    n_lines = MANY // n + 1
    x, y = bench.zeros(n * n_lines, np.float64), bench.zeros(n * n_lines, np.float64)
    x[-2:] = 1, 2
    bench.launch(kernels, normalize_launch("softmax", address_of(x), address_of(y), n_lines, n))
    want = np.exp([0, 1, 2]) / (n - 2 + np.exp(1) + np.exp(2))
    np.testing.assert_allclose(y[-3:], want)
    np.testing.assert_allclose(y[:3], 1 / n)
    bench.free()
