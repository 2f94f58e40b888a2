"""Launch geometry of reductions: the record of their lines, and the pieces of long lines.

Design: which variant runs, and where lines are cut, follows from the shape alone: the same lines give the same bits on
every device and under every limit of the grid.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod

from ..._spec.render.cuda_kernels import REDUCE_THREADS
from ..launch.geometry import MAX_BLOCKS, PACKET_BYTES, Launch
from ..launch.kernel_arguments import MAX_RANK, Divisor, ReduceArguments, Tad, TadAxis

WARP = 32
SHORT_LINE = 1024  # elements up to which one warp works on a line
ENOUGH_BLOCKS = 512  # beyond which lines are not cut in pieces
PIECE = 8192  # elements of a piece, at least; a multiple of what a block reads at once
COLUMN_PIECE = 256  # the same of lines side by side


@dataclass(frozen=True)
class ChainOperands:
    """The arrays of a chain that a reduction ends: addresses, of which those with a bit in `constant` are one element
    and all others lie without gaps in the order that is reduced; and the words of its scalars."""

    addresses: tuple[int, ...]
    constant: int = 0
    values: bytes = b""


@dataclass(frozen=True)
class Reduction:
    """A reduction ready to be launched.

    record: bytes of the `Tad`, equal for equal layouts
    scratch_bytes: of accumulators between the two launches; 0 where there is one
    """

    record: bytes
    n_lines: int
    variant: str
    width: int
    piece: int
    n_pieces: int
    scratch_bytes: int

    def launches(
        self,
        x: int,
        y: int,
        scratch: int = 0,
        max_blocks: int = MAX_BLOCKS,
        chain: ChainOperands | None = None,
    ) -> tuple[Launch, ...]:
        """What to launch, one after the other: addresses of operand, result and scratch.

        chain: what is reduced in place of x, which is 0 then
        """
        arguments = ReduceArguments(
            x=x or None, y=y, accumulators=scratch or None, piece=self.piece, n_pieces=self.n_pieces, width=self.width,
            tad=Tad.from_buffer_copy(self.record),
        )  # fmt: skip
        if chain is not None:
            arguments.operands[: len(chain.addresses)] = chain.addresses
            ctypes.memmove(arguments.values, chain.values, len(chain.values))
            arguments.constant = chain.constant
        packed = (bytes(arguments),)
        if self.variant == "lines":
            lines_of_block = REDUCE_THREADS // self.width
            blocks, block = -(-self.n_lines // lines_of_block), (REDUCE_THREADS, 1, 1)
        elif self.variant == "blocks":
            blocks, block = self.n_lines * self.n_pieces, (REDUCE_THREADS, 1, 1)
        else:
            blocks, block = -(-self.n_lines // WARP) * self.n_pieces, (WARP, REDUCE_THREADS // WARP, 1)
        first = Launch(self.variant, (min(blocks, max_blocks), 1, 1), block, 0, packed)
        if not self.scratch_bytes:
            return (first,)
        blocks = -(-self.n_lines // (REDUCE_THREADS // WARP))
        return first, Launch("merge", (min(blocks, max_blocks), 1, 1), (REDUCE_THREADS, 1, 1), 0, packed)


def plan_reduction(
    shape: Sequence[int], strides: Sequence[int], axes: Collection[int], itemsize: int, accumulator_bytes: int
) -> Reduction | None:
    """Reduce an array along `axes` into dense results in C order; None where there is no result.

    strides: in bytes
    accumulator_bytes: size of the accumulator of the row and dtype (`accumulator_bytes` of
    nd4py.cuda.compile.kernel_catalogue)
    Raises ValueError for lines of 2**31 elements and more along several axes, or more than 8 axes that do not join.
    """
    kept = [(n, s) for i, (n, s) in enumerate(zip(shape, strides, strict=True)) if i not in axes]
    reduced = [(n, s) for i, (n, s) in enumerate(zip(shape, strides, strict=True)) if i in axes]
    tad = Tad(n_lines=prod(n for n, _ in kept), length=prod(n for n, _ in reduced))
    if tad.n_lines == 0:
        return None
    # Lines are numbered in C order, so the order of kept axes stands; elements may be met in any fixed order.
    tad.line_rank = set_axes(tad.line_axes, joined(kept))
    tad.element_rank = set_axes(tad.element_axes, joined(sorted(reduced, key=lambda axis: -abs(axis[1]))))
    least_kept = min((abs(s) for n, s in kept if n > 1), default=0)
    least_reduced = min((abs(s) for n, s in reduced if n > 1), default=0)
    width, piece, n_pieces = 1, max(tad.length, 1), 1
    if least_reduced > least_kept > 0 and tad.n_lines >= WARP:
        variant = "columns"
        groups = -(-tad.n_lines // WARP)
        n_pieces = max(1, min(ENOUGH_BLOCKS // groups, tad.length // COLUMN_PIECE))
        piece = -(-tad.length // n_pieces) if tad.length else 1
    elif tad.length <= SHORT_LINE:
        variant = "lines"
        n_packets = -(-tad.length // (PACKET_BYTES // itemsize))
        width = min(WARP, 1 << max(n_packets - 1, 0).bit_length())
    else:
        variant = "blocks"
        n_pieces = max(1, min(ENOUGH_BLOCKS // tad.n_lines, tad.length // PIECE))
        piece = PIECE * -(-tad.length // (n_pieces * PIECE))
    n_pieces = -(-tad.length // piece) if tad.length else 1
    scratch_bytes = tad.n_lines * n_pieces * accumulator_bytes if n_pieces > 1 else 0
    return Reduction(bytes(tad), tad.n_lines, variant, width, piece, n_pieces, scratch_bytes)


def joined(axes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """(size, stride) of axes in C order, neighbours joined where they can be, innermost first."""
    result: list[tuple[int, int]] = []
    for size, stride in reversed(axes):
        if size == 1:
            continue
        if result and stride == result[-1][0] * result[-1][1]:
            result[-1] = (result[-1][0] * size, result[-1][1])
        else:
            result.append((size, stride))
    return result or [(1, 0)]


def set_axes(into: ctypes.Array[TadAxis], axes: Sequence[tuple[int, int]]) -> int:
    """Fill the axes of a record; their number.  Raises ValueError where a record cannot hold them."""
    n = prod(size for size, _ in axes)
    if len(axes) > MAX_RANK or (len(axes) > 1 and n >= 2**31):
        raise ValueError(f"{len(axes)} axes of {n} elements cannot be joined: copy the array to a dense one first")
    for i, (size, stride) in enumerate(axes):
        into[i] = TadAxis(stride=stride, divisor=Divisor.of(max(size, 1)) if size < 2**31 else Divisor())
    return len(axes)
