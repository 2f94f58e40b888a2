"""Launches of scans and of the functions of `nd4py._spec.render.cuda_functors`.

Where work is cut follows from shapes alone, so that results repeat bit for bit on every device.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ..._spec.render.cuda_functors import GATHER_THREADS, MASK_THREADS, POOL_THREADS, RANDOM_THREADS, SCAN_THREADS
from .geometry import MAX_BLOCKS, Launch
from .kernel_arguments import (
    MAX_RANK,
    Divisor,
    GatherArguments,
    MaskArguments,
    NormalizeArguments,
    ProductArguments,
    RandomArguments,
    ScanArguments,
    ScanGradientArguments,
    WindowArguments,
)

PRODUCT_SIDE, PRODUCT_TILE = 16, 64
SHORT_LINE = 1024  # elements of a line that one warp normalizes
SCAN_PIECE = 16384  # elements of a piece of a long line; a multiple of what a block steps through at once
ENOUGH_LINES = 128  # lines beyond which each is one piece
MASK_BLOCK = 1024  # elements of a mask that one block counts


def linear(
    variant: str, n: int, threads: int, arguments: object, max_blocks: int = MAX_BLOCKS, is_elastic: bool = True
) -> Launch:
    """One thread for each of n pieces of work, as far as `max_blocks` allows."""
    grid = (max(1, min(-(-n // threads), max_blocks)), 1, 1)
    return Launch(variant, grid, (threads, 1, 1), 0, (bytes(arguments),), is_elastic)  # type: ignore[call-overload]


@dataclass(frozen=True)
class Scan:
    """A scan of lines (outer, n, inner): strides in bytes for x and y along each."""

    outer: int
    n: int
    inner: int
    x_strides: tuple[int, int, int]
    y_strides: tuple[int, int, int]
    merges: bool
    has_initial: bool = False

    @property
    def n_pieces(self) -> int:
        """Pieces of a line: one, unless there are few long lines whose accumulators merge."""
        if not self.merges or self.inner > 1 or self.outer >= ENOUGH_LINES:
            return 1
        return max(1, -(-self.n // SCAN_PIECE))

    @property
    def n_totals(self) -> int:
        """Accumulators of scratch memory; 0 where lines are not cut."""
        return self.outer * self.inner * self.n_pieces if self.n_pieces > 1 else 0

    def launches(self, x: int, y: int, scratch: int = 0, max_blocks: int = MAX_BLOCKS) -> tuple[Launch, ...]:
        """What to launch, one after the other."""
        n_lines = self.outer * self.inner
        if n_lines == 0 or (self.n == 0 and not self.has_initial):
            return ()
        piece = SCAN_PIECE if self.n_pieces > 1 else max(self.n, 1)
        arguments = ScanArguments(
            x=x, y=y, totals=scratch or None, n_lines=n_lines, n=self.n, inner=self.inner,
            x_outer=self.x_strides[0], x_stride=self.x_strides[1], x_inner=self.x_strides[2],
            y_outer=self.y_strides[0], y_stride=self.y_strides[1], y_inner=self.y_strides[2],
            piece=piece, n_pieces=self.n_pieces, has_initial=self.has_initial,
        )  # fmt: skip
        if not self.merges or self.inner > 1 or self.n < SCAN_THREADS:
            return (linear("each", n_lines, SCAN_THREADS, arguments, max_blocks),)
        blocks = linear("blocks", n_lines * self.n_pieces * SCAN_THREADS, SCAN_THREADS, arguments, max_blocks, False)
        if self.n_pieces == 1:
            return (blocks,)
        totals = linear("totals", n_lines * self.n_pieces * SCAN_THREADS, SCAN_THREADS, arguments, max_blocks, False)
        return totals, linear("carry", n_lines, SCAN_THREADS, arguments, max_blocks), blocks


def scan_gradient_launch(
    g: int, x: int, y: int, dx: int, outer: int, n: int, inner: int, max_blocks: int = MAX_BLOCKS
) -> Launch:
    """The gradient of a scan; all arrays are dense (outer, n, inner)."""
    arguments = ScanGradientArguments(g=g, x=x, y=y, dx=dx, n_lines=outer * inner, n=n, inner=inner)
    return linear("pull", outer * inner, SCAN_THREADS, arguments, max_blocks)


def gather_launch(
    variant: str,
    x: int,
    indices: int,
    y: int,
    sizes: tuple[int, int, int, int],
    fault: int = 0,
    max_blocks: int = MAX_BLOCKS,
    order: int = 0,
) -> Launch:
    """variant: take, take_along, put, put_apart, numbers or add_at; sizes: (outer, n, n_indices, inner), dense; indices
    int64.

    fault: address of an unsigned 64-bit 0 that becomes 2**64 - 1 - i for the first index i out of range
    order: of add_at, whose indices count from the front: where they stand in the order of their values
    """
    outer, n, n_indices, inner = sizes
    arguments = GatherArguments(
        x=x, indices=indices, y=y, order=order or None, fault=fault or None,
        outer=outer, n=n, n_indices=n_indices, inner=inner,
    )  # fmt: skip
    return linear(variant, outer * n_indices * inner, GATHER_THREADS, arguments, max_blocks)


def mask_count_bytes(n: int) -> int:
    """Scratch memory for the counts of a mask of n elements; the last 8 bytes receive how many are chosen."""
    return 8 * (-(-n // MASK_BLOCK) + 1)


def mask_launches(
    variant: str, x: int, mask: int, y: int, counts: int, n: int, max_blocks: int = MAX_BLOCKS
) -> tuple[Launch, ...]:
    """variant: count alone, then indices, compress or expand with the counts that are there; all arrays dense."""
    n_blocks = -(-n // MASK_BLOCK)
    arguments = MaskArguments(x=x or None, mask=mask, y=y or None, counts=counts, n=n, n_blocks=n_blocks)
    each = linear(variant, n_blocks * MASK_THREADS, MASK_THREADS, arguments, max_blocks, False)
    return (each, linear("sum", 1, MASK_THREADS, arguments, is_elastic=False)) if variant == "count" else (each,)


def random_launch(variant: str, arguments: RandomArguments, lanes: int, max_blocks: int = MAX_BLOCKS) -> Launch:
    """lanes: elements made of one block of random bits: 16 bytes of uniform and normal, 4 of bernoulli and narrow
    integers (spans to 2**32), 2 of wide integers, categories and what has a location and a scale, 1 of the others."""
    return linear(variant, -(-arguments.n // lanes), RANDOM_THREADS, arguments, max_blocks)


@dataclass(frozen=True)
class Matrices:
    """A batch of matrices: strides in elements of rows, columns, and each axis of the batch (0: repeated)."""

    address: int
    row: int
    column: int
    batch: tuple[int, ...] = ()


def product_launch(
    a: Matrices,
    b: Matrices,
    c: int,
    sizes: tuple[int, int, int],
    batch: tuple[int, ...] = (),
    max_blocks: int = MAX_BLOCKS,
) -> Launch | None:
    """Dense C = A B; sizes: (rows, columns, depth), batch: sizes of its axes in C order; None where C is empty.

    Raises ValueError for more than 8 axes of a batch, or for 2**31 matrices and more.
    """
    rows, columns, depth = sizes
    n = prod(batch)
    if len(batch) > MAX_RANK or n >= 2**31:
        raise ValueError(f"a batch of shape {batch} is more than a kernel takes: 8 axes and 2**31 - 1 matrices")
    if rows * columns * n == 0:
        return None
    arguments = ProductArguments(
        a=a.address, b=b.address, c=c, rows=rows, columns=columns, depth=depth, a_row=a.row, a_column=a.column,
        b_row=b.row, b_column=b.column, c_row=columns, c_batch=rows * columns, batch=n, batch_rank=len(batch),
    )  # fmt: skip
    for i, size in enumerate(reversed(batch)):
        arguments.batch_axes[i] = Divisor.of(size)
        arguments.a_batch[i], arguments.b_batch[i] = a.batch[-1 - i], b.batch[-1 - i]
    tiles = -(-rows // PRODUCT_TILE) * -(-columns // PRODUCT_TILE) * n
    return Launch("tiles", (min(tiles, max_blocks), 1, 1), (PRODUCT_SIDE, PRODUCT_SIDE, 1), 0, (bytes(arguments),))


def convolution_launch(variant: str, arguments: WindowArguments, max_blocks: int = MAX_BLOCKS) -> Launch:
    """variant: conv_forward (x, w, bias or null, y), conv_input_gradient (x: dy, w, y: dx), conv_weight_gradient
    (x, w: dy, y: dw) or image_to_columns (x, y: columns)."""
    s = arguments
    taps, pixels = s.channels * s.kernel_d * s.kernel_h * s.kernel_w, s.out_d * s.out_h * s.out_w
    parts = s.images * s.groups
    if variant == "image_to_columns":
        return linear(variant, parts * taps * pixels, 256, arguments, max_blocks)
    rows, columns, n = {
        "conv_forward": (s.filters, pixels, parts),
        "conv_input_gradient": (s.channels, s.depth * s.height * s.width, parts),
        "conv_weight_gradient": (s.filters, taps, s.groups),
    }[variant]
    tiles = -(-rows // PRODUCT_TILE) * -(-columns // PRODUCT_TILE) * n
    grid = (max(1, min(tiles, max_blocks)), 1, 1)
    return Launch(variant, grid, (PRODUCT_SIDE, PRODUCT_SIDE, 1), 0, (bytes(arguments),))


def pooling_launch(variant: str, arguments: WindowArguments, max_blocks: int = MAX_BLOCKS) -> Launch:
    """variant: max_pool or average_pool (x, y), or their gradients (x, w: dy, y: dx; average: x may be null)."""
    s = arguments
    size = s.height * s.width if variant.endswith("gradient") else s.out_h * s.out_w
    return linear(variant, s.images * s.channels * size, POOL_THREADS, arguments, max_blocks)


def normalize_launch(
    name: str,
    x: int,
    y: int,
    n_lines: int,
    n: int,
    scale: int = 0,
    bias: int = 0,
    epsilon: float = 0.0,
    max_blocks: int = MAX_BLOCKS,
) -> Launch:
    """name: softmax, log_softmax or standardize, of dense lines; scale, bias and epsilon are standardize's."""
    arguments = NormalizeArguments(
        x=x, y=y, scale=scale or None, bias=bias or None, n_lines=n_lines, n=n, epsilon=epsilon
    )
    size, threads = ("short", 32) if n <= SHORT_LINE else ("long", 256)
    grid = (max(1, min(n_lines, max_blocks)), 1, 1)
    return Launch(f"{name}_{size}", grid, (threads, 1, 1), 0, (bytes(arguments),))
