"""Sizes and padding of the windows of convolution and pooling.

A dilated kernel of k elements spans k + (k - 1) * (dilation - 1) positions.  Three modes say what happens at the end:
`truncate` drops positions where the window does not fit, `strict` refuses sizes where any would be dropped, and `same`
pads so that the output has ceil(size / stride) positions, the odd padding element at the bottom or right.
"""

from dataclasses import dataclass

from ...names import look_up
from ...numbers import pair

MODES = {mode: mode for mode in ("truncate", "strict", "same")}
AXES = ("height", "width")


@dataclass(frozen=True)
class Window:
    """The sizes of a window, each (height, width)."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    dilation: tuple[int, int]
    mode: str

    def output_size(self, size: tuple[int, ...]) -> tuple[int, int]:
        """Positions per axis on an image of `size`.  Raises ValueError, with the numbers, where it does not fit."""
        return self._positions(size, 0), self._positions(size, 1)

    def edges(self, size: tuple[int, ...]) -> tuple[int, int, int, int]:
        """Padding elements (top, bottom, left, right) on an image of `size`."""
        return (*self._edges(size, 0), *self._edges(size, 1))

    def _span(self, axis: int) -> int:
        return self.kernel[axis] + (self.kernel[axis] - 1) * (self.dilation[axis] - 1)

    def _edges(self, sizes: tuple[int, ...], axis: int) -> tuple[int, int]:
        if self.mode != "same":
            return self.padding[axis], self.padding[axis]
        stride = self.stride[axis]
        total = max(0, (-(-sizes[axis] // stride) - 1) * stride + self._span(axis) - sizes[axis])
        return total // 2, total - total // 2

    def _positions(self, sizes: tuple[int, ...], axis: int) -> int:
        size, stride, padding, span = sizes[axis], self.stride[axis], self.padding[axis], self._span(axis)
        if self.mode == "same":
            return -(-size // stride)
        room = size - span + 2 * padding
        numbers = f"along the {AXES[axis]}: input {size}, kernel {span}, padding {padding}, stride {stride}"
        if room < 0:
            raise ValueError(
                f"the kernel is larger than the padded image ({numbers}); "
                "take a smaller kernel, more padding or convolution_mode='same'"
            )
        if self.mode == "strict" and room % stride:
            raise ValueError(
                "convolution_mode 'strict' needs (input - kernel + 2 * padding) / stride to be whole, but "
                f"({size} - {span} + 2 * {padding}) / {stride} + 1 = {room / stride + 1:g} ({numbers}); "
                "change one of them or use convolution_mode='truncate' or 'same'"
            )
        return room // stride + 1


def window(who: str, kernel: object, stride: object, padding: object, dilation: object, mode: object) -> Window:
    """A checked `Window`.  Raises ValueError naming `who` and the field that is wrong."""
    checked = Window(
        pair(kernel, f"{who}: kernel_size"),
        pair(stride, f"{who}: stride"),
        pair(padding, f"{who}: padding", least=0),
        pair(dilation, f"{who}: dilation"),
        look_up(MODES, mode, f"{who} convolution_mode"),
    )
    if checked.mode == "same" and checked.padding != (0, 0):
        raise ValueError(f"{who}: convolution_mode 'same' computes its padding, given padding={checked.padding}")
    return checked
