"""Convolutions, pooling and their gradients against the CPU."""

import numpy as np
import pytest
from kernel_bench import SCHEDULES, Bench
from row_cases import assert_same, from_cpu, to_cpu

import nd4py as nd
from nd4py.cpu.conv import conv
from nd4py.cpu.conv.window_sizes import Window
from nd4py.cpu.pooling import pool2d
from nd4py.cuda.compile.kernel_catalogue import function_kernels
from nd4py.cuda.launch.function_launches import convolution_launch, pooling_launch
from nd4py.cuda.launch.kernel_arguments import WindowArguments

# x shape, filters, kernel, stride, padding before and after each axis, dilation, groups
CONVOLUTIONS = [
    ((2, 3, 8, 9), 4, (3, 3), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((1, 4, 10, 7), 6, (3, 2), (2, 3), (1, 2, 0, 1), (1, 1), 2),
    ((3, 2, 9, 9), 2, (2, 3), (1, 2), (2, 0, 1, 3), (2, 2), 1),
    ((1, 6, 5, 5), 6, (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 6),
    ((2, 70, 4, 4), 65, (1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((2, 2, 4, 5, 6), 3, (3, 2, 3), (1, 2, 1), (1, 1, 0, 1, 2, 0), (1, 1, 2), 1),
    ((1, 4, 5, 3, 4), 6, (2, 2, 1), (2, 1, 1), (0, 0, 0, 0, 0, 0), (2, 1, 1), 2),
]
# x shape, kernel, stride, padding
POOLINGS = [
    ((2, 3, 8, 8), (2, 2), (2, 2), (0, 0, 0, 0)),
    ((1, 2, 9, 7), (3, 3), (2, 2), (1, 1, 1, 1)),
    ((2, 1, 7, 11), (3, 2), (1, 3), (0, 2, 1, 0)),
    ((1, 1, 5, 5), (5, 5), (5, 5), (0, 0, 0, 0)),
]


@pytest.fixture(scope="module")
def bench():
    return Bench()


def window_of(x_shape, kernel, stride, padding, y_shape, filters=0, dilation=(1, 1), groups=1):
    """The sizes of one call, without addresses; images have a depth of 1."""
    sizes = {"images": x_shape[0], "groups": groups, "channels": x_shape[1] // groups, "filters": filters // groups}
    axes = {
        ("depth", "height", "width"): x_shape[2:], ("kernel_d", "kernel_h", "kernel_w"): kernel,
        ("stride_d", "stride_h", "stride_w"): stride, ("pad_front", "pad_top", "pad_left"): padding[::2],
        ("dilation_d", "dilation_h", "dilation_w"): dilation, ("out_d", "out_h", "out_w"): y_shape[2:],
    }  # fmt: skip
    for names, numbers in axes.items():
        missing = (0 if "pad_front" in names else 1,) * (3 - len(numbers))
        sizes |= dict(zip(names, (*missing, *numbers), strict=True))
    return sizes


def run(bench, kernels, launch_of, variant, sizes, y, max_blocks=2**31 - 1, **arrays):
    """y after one kernel that reads `arrays` (x, w, bias)."""
    room = bench.room(y.nbytes)
    addresses = {name: bench.upload(array) for name, array in arrays.items()}
    arguments = WindowArguments(y=room, **addresses, **sizes)
    bench.launch(kernels, launch_of(variant, arguments, max_blocks))
    bench.download(room, y)
    bench.free()
    return y


def draw(rng, shape, dtype):
    return from_cpu(nd.astype(nd.asarray(rng.normal(size=shape)), getattr(nd, dtype)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_convolutions(bench, case, dtype):
    x_shape, filters, kernel, stride, padding, dilation, groups = case
    rng = np.random.default_rng(1)
    x, bias = draw(rng, x_shape, dtype), draw(rng, filters, dtype)
    w = draw(rng, (filters, x_shape[1] // groups, *kernel), dtype)
    wide = [nd.asarray(v.astype(np.float64)) for v in (x, w, bias)]
    window = Window("test", x_shape, filters, kernel, stride, padding, dilation, groups)
    y = np.asarray(conv.convolution(*wide, window))
    dy = draw(rng, y.shape, dtype)
    wide_dy = nd.asarray(dy.astype(np.float64))
    dx = np.asarray(conv.convolution_input_gradient(wide_dy, wide[1], window))
    dw = np.asarray(conv.convolution_weight_gradient(wide[0], wide_dy, window)[0])
    kernels, sizes = function_kernels("conv2d", dtype), window_of(x_shape, kernel, stride, padding, y.shape, filters,
                                                                  dilation, groups)  # fmt: skip
    for variant, want, arrays in (
        ("conv_forward", y, {"x": x, "w": w, "bias": bias}),
        ("conv_input_gradient", dx, {"x": dy, "w": w}),
        ("conv_weight_gradient", dw, {"x": x, "w": dy}),
    ):
        got = run(bench, kernels, convolution_launch, variant, sizes, np.empty(want.shape, dtype), **arrays)
        tolerance = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-11}[dtype]
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=variant)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_a_convolution_in_every_schedule_and_grid(bench, schedule):
    bench.driver.schedule(*schedule)
    rng, case = np.random.default_rng(2), CONVOLUTIONS[1]
    x_shape, filters, kernel, stride, padding, dilation, groups = case
    x, w = draw(rng, x_shape, "float64"), draw(rng, (filters, x_shape[1] // groups, *kernel), "float64")
    window = Window("test", x_shape, filters, kernel, stride, padding, dilation, groups)
    want = np.asarray(conv.convolution(nd.asarray(x), nd.asarray(w), None, window))
    sizes = window_of(x_shape, kernel, stride, padding, want.shape, filters, dilation, groups)
    kernels = function_kernels("conv2d", "float64")
    for max_blocks in (1, 2**31 - 1):
        got = run(bench, kernels, convolution_launch, "conv_forward", sizes, np.empty_like(want), max_blocks, x=x, w=w)
        np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_columns_of_images(bench, case):
    """w times the columns is the convolution."""
    x_shape, filters, kernel, stride, padding, dilation, groups = case
    rng = np.random.default_rng(3)
    x, w = draw(rng, x_shape, "float64"), draw(rng, (filters, x_shape[1] // groups, *kernel), "float64")
    window = Window("test", x_shape, filters, kernel, stride, padding, dilation, groups)
    want = np.asarray(conv.convolution(nd.asarray(x), nd.asarray(w), None, window))
    sizes = window_of(x_shape, kernel, stride, padding, want.shape, filters, dilation, groups)
    taps, positions = w[0].size, want[0, 0].size
    columns = run(bench, function_kernels("conv2d", "float64"), convolution_launch, "image_to_columns", sizes,
                  np.empty((x_shape[0], groups, taps, positions)), x=x)  # fmt: skip
    product = w.reshape(1, groups, filters // groups, taps) @ columns
    np.testing.assert_allclose(product.reshape(want.shape), want, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("case", POOLINGS, ids=str)
def test_pooling(bench, case, dtype):
    """Gradients too.  Only an average's gradient adds in another order than the CPU."""
    x_shape, kernel, stride, padding = case
    rng = np.random.default_rng(4)
    x = draw(rng, x_shape, dtype)
    x.reshape(-1)[::5] = x.reshape(-1)[3]  # equal elements: the first one is the maximum
    window = Window("test", x_shape, x_shape[1], kernel, stride, padding, (1, 1))
    in_loop = nd.float64 if dtype == "float64" else nd.float32
    y_shape = pool2d.maximum_pooling(nd.zeros(x_shape), window).shape
    dy = draw(rng, y_shape, dtype)
    cpu_x, cpu_dy = (nd.astype(to_cpu(v, dtype), in_loop) for v in (x, dy))
    sizes = window_of(x_shape, kernel, stride, padding, y_shape, x_shape[1])
    for variant, want, arrays in (
        ("max_pool", pool2d.maximum_pooling(cpu_x, window), {"x": x}),
        ("average_pool", pool2d.average_pooling(cpu_x, window), {"x": x}),
        ("max_pool_gradient", pool2d.maximum_pooling_gradient(cpu_x, cpu_dy, window), {"x": x, "w": dy}),
        ("average_pool_gradient", pool2d.average_pooling_gradient(cpu_x, cpu_dy, window), {"w": dy}),
    ):
        want = from_cpu(nd.astype(want, getattr(nd, dtype)))
        got = run(
            bench, function_kernels("pool2d", dtype), pooling_launch, variant, sizes, np.empty_like(want), **arrays
        )
        ulp = 64 if variant == "average_pool_gradient" else 1
        assert_same(got, want, dtype, ulp, f"{variant} of {dtype}")


def test_nan_is_the_maximum(bench):
    x = np.zeros((1, 1, 4, 4), np.float32)
    x[0, 0, 1, 1] = np.nan
    sizes = window_of(x.shape, (2, 2), (2, 2), (0, 0, 0, 0), (1, 1, 2, 2), 1)
    kernels = function_kernels("pool2d", "float32")
    got = run(bench, kernels, pooling_launch, "max_pool", sizes, np.empty((1, 1, 2, 2), np.float32), x=x)
    np.testing.assert_array_equal(got[0, 0], [[np.nan, 0], [0, 0]])
