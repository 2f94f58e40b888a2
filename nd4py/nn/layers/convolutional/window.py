"""Sizes and padding of the windows of convolution and pooling, over sequences, images and volumes.

A dilated kernel of k elements spans k + (k - 1) * (dilation - 1) positions.  Four modes say what happens at the ends:
`truncate` drops positions where the window does not fit, `strict` refuses sizes where any would be dropped, `same`
pads so that the output has ceil(size / stride) positions, the odd padding element behind, and `causal`, of sequences
alone, pads as much as `same` and more, but only in front.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...inputs import AXES, RECURRENT, InputType, spatial_type
from ...names import look_up
from ...numbers import for_axes

CAUSAL = "causal"
MODES = {mode: mode for mode in ("truncate", "strict", "same")}
SEQUENCE_MODES = MODES | {CAUSAL: CAUSAL}

Sizes = int | tuple[int, ...]  # one number, or one for each axis


@dataclass(frozen=True)
class Window:
    """The sizes of a window over inputs of one `kind`, each with one number for each axis."""

    kind: str
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    mode: str

    @property
    def spans(self) -> tuple[int, ...]:
        """Positions that a window reaches over."""
        return tuple(k + (k - 1) * (d - 1) for k, d in zip(self.kernel, self.dilation, strict=True))

    def output_type(self, given: InputType, n_features: int, *, is_transposed: bool = False) -> InputType:
        """The type of `n_features` results at each position, of a transposed convolution or of what others make.

        Raises ValueError, with the numbers, where the window does not fit, TypeError for anything but an `InputType`.
        """
        if given.kind != self.kind:
            raise ValueError(f"{self.kind} input is needed, given {given.kind} input {given}")
        if self.kind == RECURRENT and given.length is None:
            return spatial_type(self.kind, n_features, (None,))
        sizes = self.transposed_size(given.spatial) if is_transposed else self.output_size(given.spatial)
        return spatial_type(self.kind, n_features, sizes)

    def output_size(self, size: tuple[int, ...]) -> tuple[int, ...]:
        """Positions per axis on an input of `size`.  Raises ValueError, with the numbers, where it does not fit."""
        return tuple(self._positions(n, axis) for axis, n in enumerate(size))

    def transposed_size(self, size: tuple[int, ...]) -> tuple[int, ...]:
        """Sizes of what a transposed convolution makes of an input of `size`: of `same` mode, stride times as large.

        Raises ValueError, with the numbers, where nothing is left.
        """
        if self.mode == "same":
            return tuple(n * stride for n, stride in zip(size, self.stride, strict=True))
        sizes = tuple(
            (n - 1) * stride + span - 2 * padding
            for n, stride, span, padding in zip(size, self.stride, self.spans, self.padding, strict=True)
        )
        if min(sizes) < 1:
            raise ValueError(
                f"(input - 1) * stride + kernel - 2 * padding leaves {sizes} of {size}, with stride {self.stride}, "
                f"kernel {self.spans} and padding {self.padding}; take less padding"
            )
        return sizes

    def edges(self, size: tuple[int, ...]) -> tuple[int, ...]:
        """Padding elements in front of and behind each axis in turn, on an input of `size`."""
        return tuple(n for axis, length in enumerate(size) for n in self._edges(length, axis))

    def transposed_edges(self, size: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What a transposed convolution of an input of `size` cuts off, as `edges`, and zeros that it adds behind."""
        sizes = self.transposed_size(size)
        edges = self.edges(sizes)
        reached = [(n - 1) * stride + span for n, stride, span in zip(size, self.stride, self.spans, strict=True)]
        cut = [before + after for before, after in zip(edges[::2], edges[1::2], strict=True)]
        return edges, tuple(n - reach + less for n, reach, less in zip(sizes, reached, cut, strict=True))

    def _edges(self, size: int, axis: int) -> tuple[int, int]:
        stride, span = self.stride[axis], self.spans[axis]
        if self.mode == CAUSAL:
            return span - 1, 0
        if self.mode != "same":
            return self.padding[axis], self.padding[axis]
        total = max(0, (-(-size // stride) - 1) * stride + span - size)
        return total // 2, total - total // 2

    def _positions(self, size: int, axis: int) -> int:
        stride, padding, span = self.stride[axis], self.padding[axis], self.spans[axis]
        if self.mode in ("same", CAUSAL):
            return -(-size // stride)
        room = size - span + 2 * padding
        numbers = f"along the {AXES[self.kind][axis]}: input {size}, kernel {span}, padding {padding}, stride {stride}"
        if room < 0:
            raise ValueError(
                f"the kernel is larger than the padded input ({numbers}); "
                "take a smaller kernel, more padding or convolution_mode='same'"
            )
        if self.mode == "strict" and room % stride:
            raise ValueError(
                "convolution_mode 'strict' needs (input - kernel + 2 * padding) / stride to be whole, but "
                f"({size} - {span} + 2 * {padding}) / {stride} + 1 = {room / stride + 1:g} ({numbers}); "
                "change one of them or use convolution_mode='truncate' or 'same'"
            )
        return room // stride + 1


def window(
    who: str, kind: str, kernel: object, stride: object, padding: object, dilation: object, mode: object
) -> Window:
    """A checked `Window`.  Raises ValueError naming `who` and the field that is wrong."""
    axes = AXES[kind]
    checked = Window(
        kind,
        for_axes(kernel, f"{who}: kernel_size", axes),
        for_axes(stride, f"{who}: stride", axes),
        for_axes(padding, f"{who}: padding", axes, least=0),
        for_axes(dilation, f"{who}: dilation", axes),
        look_up(SEQUENCE_MODES if kind == RECURRENT else MODES, mode, f"{who} convolution_mode"),
    )
    if checked.mode in ("same", CAUSAL) and any(checked.padding):
        raise ValueError(f"{who}: convolution_mode {mode!r} computes its padding, given padding={padding}")
    return checked
