"""Launch geometry: the kernel's variant, the number of blocks, and the bytes of its argument.

Design: rules of shapes alone, so that an operation does the same on every device, and results repeat bit for bit.
Kernels walk their range in strides of the grid; a smaller grid (`max_blocks`) changes no result.  What was planned is
remembered by layout, and addresses and scalars are put in front of the bytes that it came to.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from struct import pack

from ..._spec.render.cuda_kernels import MAP_THREADS
from ..driver.driver import Sizes3
from .kernel_arguments import (
    MAX_CHAIN_OPERANDS,
    MAX_CHAIN_VALUES,
    MAX_OPERANDS,
    MAX_PARAMS,
    MAX_RANK,
    DenseArguments,
    DenseChainArguments,
    Divisor,
    StridedArguments,
    StridedChainArguments,
    TiledArguments,
)

MAX_BLOCKS = 2**31 - 1
TILE = 32  # elements along each side of a tile of map.cu
TILE_ROWS = 8
PACKET_BYTES = 16
SHARED_BYTES = 48 << 10  # that every kernel may have without asking
HEAD = f"{MAX_OPERANDS}Q{MAX_PARAMS}d"  # what the three structs of map.cu begin with: addresses and scalars
HEAD_BYTES = 8 * (MAX_OPERANDS + MAX_PARAMS)
WORDS_OF_VALUE = 2  # of the scalars, for each input: one that comes by value lies there, the first one last
CHAIN_HEAD_BYTES = 8 * (MAX_CHAIN_OPERANDS + MAX_CHAIN_VALUES)  # the same of chain.cu


@dataclass(frozen=True)
class Operand:
    """An array as a kernel sees it: strides in bytes, one for each axis of the whole operation (0: repeated).

    value: the bytes of an element that comes by value, whose address is 0
    """

    address: int
    itemsize: int
    strides: tuple[int, ...]
    value: bytes = b""


@dataclass(frozen=True)
class Launch:
    """What `Driver.launch` needs, but for the function and the stream.

    is_elastic: whether threads work each on their own, in steps of all threads, so that blocks may be smaller
    """

    variant: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[bytes, ...]
    is_elastic: bool = False

    def within(self, max_blocks: int, max_threads: int) -> tuple[Sizes3, Sizes3]:
        """(grid, block) of at most so many blocks, and so many threads of each where that changes no result."""
        n = self.block[0]
        if not self.is_elastic or n <= max_threads:
            return self.grid, self.block
        n_blocks = min(-(-self.grid[0] * n // max_threads), max_blocks)
        return (n_blocks, 1, 1), (max_threads, 1, 1)


class MapStructs:
    """What the kernels of map.cu take for each kind of layout."""

    dense: type[ctypes.Structure] = DenseArguments
    strided: type[ctypes.Structure] = StridedArguments
    has_tiles: bool = True


class ChainStructs(MapStructs):
    """The same of chain.cu."""

    dense = DenseChainArguments
    strided = StridedChainArguments
    has_tiles = False


@dataclass(frozen=True)
class Axis:
    """An axis of an elementwise operation: its size, and every operand's stride along it."""

    size: int
    strides: tuple[int, ...]


def join_axes(shape: Sequence[int], operands: Sequence[Operand], first_output: int) -> list[Axis]:
    """The axes that are left after neighbours were joined, innermost first.

    They are ordered by the strides of the outputs, then of the inputs, so that threads side by side write side by side.
    """
    axes = [Axis(n, tuple(x.strides[i] for x in operands)) for i, n in enumerate(shape) if n != 1]
    order = [*range(first_output, len(operands)), *range(first_output)]
    axes.reverse()
    axes.sort(key=lambda axis: [abs(axis.strides[k]) for k in order])
    joined: list[Axis] = []
    for axis in axes:
        if joined and all(s == t * joined[-1].size for s, t in zip(axis.strides, joined[-1].strides, strict=True)):
            joined[-1] = Axis(joined[-1].size * axis.size, joined[-1].strides)
        else:
            joined.append(axis)
    return joined


def map_launch(
    shape: Sequence[int],
    operands: Sequence[Operand],
    n_in: int,
    params: Iterable[float] = (),
    max_blocks: int = MAX_BLOCKS,
) -> Launch | None:
    """The launch of a kernel of map.cu over `shape`; None where there is nothing to do.

    operands: inputs, then outputs, which may not be repeated along an axis; an output may be an input, element for
        element, but must not overlap one otherwise
    Raises ValueError for more than 8 axes that cannot be joined: such an array has to be copied first.
    """
    params = tuple(params)
    if len(operands) > MAX_OPERANDS or len(params) + WORDS_OF_VALUE * n_in > MAX_PARAMS:
        raise ValueError(f"{len(operands)} operands and {len(params)} scalars are more than a kernel takes")
    launch = launch_of_layout(tuple(shape), layout_of(operands), n_in, max_blocks)
    if launch is None:
        return None
    addresses = [x.address for x in operands]
    unused, silent = (0,) * (MAX_OPERANDS - len(addresses)), (0.0,) * (MAX_PARAMS - len(params))
    head = bytearray(pack(HEAD, *addresses, *unused, *params, *silent))
    for k, x in enumerate(operands):
        if x.value:
            start = HEAD_BYTES - 8 * WORDS_OF_VALUE * (k + 1)
            head[start : start + len(x.value)] = x.value
    arguments = (bytes(head) + launch.arguments[0][HEAD_BYTES:],)
    return Launch(launch.variant, launch.grid, launch.block, launch.shared_bytes, arguments, launch.is_elastic)


def chain_launch(
    shape: tuple[int, ...], operands: Sequence[Operand], n_in: int, values: bytes, max_blocks: int = MAX_BLOCKS
) -> Launch:
    """The same of a kernel of chain.cu, over elements that there are; values: the words of its scalars."""
    launch = launch_of_layout(shape, layout_of(operands), n_in, max_blocks, ChainStructs)
    assert launch is not None
    addresses = pack(f"{len(operands)}Q", *(x.address for x in operands)).ljust(8 * MAX_CHAIN_OPERANDS, b"\0")
    head = addresses + values.ljust(8 * MAX_CHAIN_VALUES, b"\0")
    arguments = (head + launch.arguments[0][CHAIN_HEAD_BYTES:],)
    return Launch(launch.variant, launch.grid, launch.block, launch.shared_bytes, arguments, launch.is_elastic)


Layout = tuple[tuple[int, int, tuple[int, ...]], ...]


def layout_of(operands: Sequence[Operand]) -> Layout:
    """(address modulo a packet, itemsize, strides) of operands."""
    return tuple((x.address % PACKET_BYTES, x.itemsize, x.strides) for x in operands)


@lru_cache(maxsize=1024)
def launch_of_layout(
    shape: tuple[int, ...], layout: Layout, n_in: int, max_blocks: int, structs: type[MapStructs] = MapStructs
) -> Launch | None:
    """The launch without addresses and scalars.  Raises ValueError as `map_launch`."""
    operands = [Operand(*given) for given in layout]
    n = prod(shape)
    if n == 0:
        return None
    axes = join_axes(shape, operands, n_in)
    if len(axes) > MAX_RANK:
        raise ValueError(f"{len(axes)} axes cannot be joined to {MAX_RANK}: copy the arrays to dense ones first")
    width = PACKET_BYTES // max(x.itemsize for x in operands)
    if len(axes) <= 1 and is_dense(operands, axes, n_in):
        return dense_launch(n, operands, axes, width, max_blocks, structs)
    if width > 1 and is_dense(operands, axes[:1], n_in) and is_packed(operands, axes, width):
        return strided_launch("rows", axes, operands, max_blocks, width, structs)
    transposed = transposed_inputs(axes, operands, n_in) if structs.has_tiles else None
    if transposed and (tiled := tiled_launch(axes, operands, n_in, transposed, max_blocks)):
        return tiled
    return strided_launch("strided" if n < 2**31 else "wide", axes, operands, max_blocks, 1, structs)


def is_dense(operands: Sequence[Operand], axes: Sequence[Axis], n_in: int) -> bool:
    """Whether the operands lie without gaps along the first axis; inputs may be repeated."""
    return all(
        axes[0].strides[k] == x.itemsize or (axes[0].strides[k] == 0 and k < n_in) if axes else True
        for k, x in enumerate(operands)
    )


def constant_inputs(operands: Sequence[Operand], axes: Sequence[Axis]) -> int:
    """A bit for each operand that is repeated along the first axis."""
    return sum(1 << k for k in range(len(operands)) if axes and axes[0].strides[k] == 0)


def is_packed(operands: Sequence[Operand], axes: Sequence[Axis], width: int) -> bool:
    """Whether packets of `width` elements are aligned in every operand that is not repeated along the first axis."""
    if axes[0].size % width:
        return False
    return all(
        axes[0].strides[k] == 0
        or (
            x.address % (width * x.itemsize) == 0
            and all(axis.strides[k] % (width * x.itemsize) == 0 for axis in axes[1:])
        )
        for k, x in enumerate(operands)
    )


def n_blocks(n_threads: int, max_blocks: int) -> int:
    """Blocks of MAP_THREADS for so many threads."""
    return max(1, min((n_threads + MAP_THREADS - 1) // MAP_THREADS, max_blocks))


def dense_launch(
    n: int, operands: Sequence[Operand], axes: Sequence[Axis], width: int, max_blocks: int, structs: type[MapStructs]
) -> Launch:
    """Everything lies without gaps; in packets of 16 bytes where all addresses are aligned."""
    constant = constant_inputs(operands, axes)
    arguments = structs.dense(n=n, constant=constant)
    is_aligned = all(constant >> k & 1 or x.address % (width * x.itemsize) == 0 for k, x in enumerate(operands))
    n_threads = (n + width - 1) // width if is_aligned else n
    grid = (n_blocks(n_threads, max_blocks), 1, 1)
    return Launch("packets" if is_aligned else "dense", grid, (MAP_THREADS, 1, 1), 0, (bytes(arguments),), True)


def strided_launch(
    variant: str,
    axes: Sequence[Axis],
    operands: Sequence[Operand],
    max_blocks: int,
    width: int,
    structs: type[MapStructs],
) -> Launch:
    """Any strides; `width` elements of the innermost axis at a time."""
    arguments = structs.strided(rank=len(axes), constant=constant_inputs(operands, axes))
    n = 1
    for i, axis in enumerate(axes):
        step = width if i == 0 else 1
        size = axis.size // step
        n *= size
        arguments.sizes[i] = size
        arguments.axes[i] = Divisor.of(size) if size < 2**31 else Divisor()
        for k, stride in enumerate(axis.strides):
            arguments.strides[k][i] = stride * step
    arguments.n = n
    if variant == "rows" and n >= 2**31:  # more packets than one multiplication can divide
        return strided_launch("wide", axes, operands, max_blocks, 1, structs)
    return Launch(variant, (n_blocks(n, max_blocks), 1, 1), (MAP_THREADS, 1, 1), 0, (bytes(arguments),), True)


def transposed_inputs(axes: Sequence[Axis], operands: Sequence[Operand], n_in: int) -> tuple[int, int] | None:
    """(axis, inputs as bits) that lie densely along one axis other than the first, where tiles pay; None elsewhere."""
    for i in range(1, len(axes)):
        transposed = sum(
            1 << k
            for k in range(n_in)
            if axes[i].strides[k] == operands[k].itemsize and abs(axes[0].strides[k]) > operands[k].itemsize
        )
        if transposed and min(axes[0].size, axes[i].size) >= 8:
            return i, transposed
    return None


def tiled_launch(
    axes: list[Axis],
    operands: Sequence[Operand],
    n_in: int,
    transposed: tuple[int, int],
    max_blocks: int,
) -> Launch | None:
    """Two axes in tiles, transposed in shared memory; None where the tiles would not fit into it."""
    other, inputs = transposed
    itemsize = max(x.itemsize for x in operands[:n_in])
    shared_bytes = inputs.bit_length() * TILE * (TILE + 1) * itemsize
    ordered = [axes[0], axes[other], *(axis for i, axis in enumerate(axes) if i not in (0, other))]
    n_tiles = prod(-(-axis.size // (TILE if i < 2 else 1)) for i, axis in enumerate(ordered))
    if shared_bytes > SHARED_BYTES or n_tiles >= 2**31:
        return None
    arguments = TiledArguments(n_tiles=n_tiles, transposed=inputs, rank=len(ordered))
    for i, axis in enumerate(ordered):
        if i < 2:
            arguments.sizes[i] = axis.size
        arguments.axes[i] = Divisor.of(-(-axis.size // TILE) if i < 2 else axis.size)
        for k, stride in enumerate(axis.strides):
            arguments.strides[k][i] = stride
    return Launch("tiled", (min(n_tiles, max_blocks), 1, 1), (TILE, TILE_ROWS, 1), shared_bytes, (bytes(arguments),))
