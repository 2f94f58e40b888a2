"""Matrix products on a device: by its library where that has the dtype, else by the kernels in kernels/cuda/matmul.cu.

Design: the library is cuBLAS, which sees matrices in columns.  Memory of a matrix in rows is in columns its transpose,
so the product of matrices in rows is that of their transposes in reverse, (A B)' = B' A', and nothing is moved.  Stacks
are one call too.  CuPy refuses cuBLAS while a graph is captured, so the steps of graphs have the kernels, also when
they run first.  Rejected: `cupy.matmul`, which copies transposed stacks, adds some halves as halves, and has no
bfloat16.
"""

from __future__ import annotations

from math import prod

from ..._core.devices import UnsupportedOnDevice, ways
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DTYPES
from ..allocation.ownership import used_on_stream
from ..array.device_array import DeviceArray, empty_on_device
from ..device_families import kernels_of
from ..driver.driver import Columns, Gemm, RoutineMissing
from ..driver.driver_choice import driver, lacking
from ..launch.current_stream import bound_device, runs_graph_step, stream_of
from ..launch.function_launches import Matrices, product_launch
from ..launch.launch_configuration import config
from ..launch.submit import submit

FLOATING = ("real floating", "complex floating")
LIMIT = 2**31  # of the library's sizes


def run_matmul(x1: DeviceArray, x2: DeviceArray, batch: tuple[int, ...]) -> DeviceArray:
    """The products of stacks of matrices of one dtype."""
    y = empty_on_device((*batch, x1.shape[-2], x2.shape[-1]), x1.number, x1.device_number)
    if y.size and not has_multiplied(x1, x2, y, batch):
        multiply(x1, x2, y, batch)
    return y


# By the library.


def has_multiplied(x1: DeviceArray, x2: DeviceArray, y: DeviceArray, batch: tuple[int, ...]) -> bool:
    """Whether the library was given the product; if not, nothing happened."""
    row, device = DTYPES[y.number], y.device_number
    if row.kind not in FLOATING or x1.shape[-1] == 0 or ("gemm", device, row.name) in lacking or runs_graph_step():
        return False
    x1, left = in_columns(x1, batch)
    x2, right = in_columns(x2, batch)
    rows, columns = y.shape[-2:]
    n_matrices, depth = prod(batch), x1.shape[-1]
    if not right.step and not left.is_transposed and left.step == rows * left.leading:
        rows, n_matrices = rows * n_matrices, 1  # a stack times one matrix is one tall product
    if max(rows, columns, depth, n_matrices, left.leading, right.leading) >= LIMIT:
        return False
    result = Columns(y.address, columns, rows * columns)
    stream = stream_of(device)
    bound_device(device)
    try:
        driver().gemm(Gemm(row.name, columns, rows, depth, n_matrices, right, left, result), stream)
    except RoutineMissing:
        lacking.add(("gemm", device, row.name))
        return False
    for x in (x1, x2, y):
        used_on_stream(x, stream)
    return True


def in_columns(x: DeviceArray, batch: tuple[int, ...]) -> tuple[DeviceArray, Columns]:
    """The transposes of a stack of matrices as the library reads them, and the array that they lie in, maybe a copy."""
    stack = x.shape[:-2]
    if prod(stack) > 1 and stack != batch:
        x = x.broadcast_to((*batch, *x.shape[-2:]))
    found = columns_of(x)
    if found is None:
        x = dense(x)
        found = columns_of(x)
        assert found is not None
    return x, found


def columns_of(x: DeviceArray) -> Columns | None:
    """The transposes of a stack of matrices, where these have rows or columns without gaps and equal distances."""
    steps = [step // x.itemsize for step in x.strides]
    (rows, columns), (down, along) = x.shape[-2:], steps[-2:]
    step = step_between(x.shape[:-2], steps[:-2])
    if step is None:
        return None
    if (along == 1 or columns == 1) and (down >= columns or rows == 1):
        return Columns(x.address, max(columns, down), step)
    if (down == 1 or rows == 1) and (along >= rows or columns == 1):
        return Columns(x.address, max(rows, along), step, is_transposed=True)
    return None


def step_between(shape: tuple[int, ...], steps: list[int]) -> int | None:
    """The one distance between neighbours of a stack, 0 where all are one matrix; None where distances differ."""
    axes = [(n, step) for n, step in zip(shape, steps, strict=True) if n > 1]
    if not axes:
        return 0
    for (_, outer), (n, inner) in zip(axes, axes[1:], strict=False):
        if outer != n * inner:
            return None
    return axes[-1][1] if axes[-1][1] >= 0 else None


# By the kernels.


def multiply(x1: DeviceArray, x2: DeviceArray, y: DeviceArray, batch: tuple[int, ...]) -> None:
    """Launch the kernel.  Raises UnsupportedOnDevice for stacks that it does not walk."""
    kernels = kernels_of("matmul", DTYPES[y.number].name)
    sizes = (x1.shape[-2], x2.shape[-1], x1.shape[-1])
    try:
        launch = product_launch(
            matrices(x1, batch), matrices(x2, batch), y.address, sizes, batch, config.maximum_grid_size
        )
    except ValueError as error:
        raise UnsupportedOnDevice(f"matmul: {error}; {ways()}") from None
    if launch is not None:
        submit(y.device_number, kernels, launch, [x1, x2, y])


def matrices(x: DeviceArray, batch: tuple[int, ...]) -> Matrices:
    """A stack of matrices as the kernel sees it: strides in elements."""
    view = x if x.shape[:-2] == batch else x.broadcast_to((*batch, *x.shape[-2:]))
    strides = [step // x.itemsize for step in view.strides]
    return Matrices(x.address, strides[-2], strides[-1], tuple(strides[:-2]))
