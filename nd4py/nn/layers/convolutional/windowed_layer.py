"""What layers with windows share, and WindowedLayer, the base class of convolutions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ...parameters import Parameter
from ..layer import WeightedLayer
from .window import Window, window


class Windowed:
    """A layer with the fields `kernel_size`, `stride`, `padding`, `convolution_mode`, and `dilation` where it has one.

    What the windows move over follows from the kind of input that it wants.
    """

    if TYPE_CHECKING:
        kernel_size: Any
        stride: Any
        padding: Any
        convolution_mode: Any
        title: str
        wanted_input: ClassVar[str]
        # Of convolutions.
        dilation: Any
        activation: Any
        has_bias: bool

    @cached_property
    def window(self) -> Window:
        return window(
            self.title, self.wanted_input, self.kernel_size, self.stride, self.padding, getattr(self, "dilation", 1),
            self.convolution_mode,
        )  # fmt: skip

    def _check_window(self) -> None:
        """Let each size be a number per axis, or a number where there is one axis.

        Raises ValueError naming the layer and the field that is wrong.
        """
        checked = self.window
        sizes = {"kernel_size": checked.kernel, "stride": checked.stride, "padding": checked.padding}
        for field, numbers in {**sizes, "dilation": checked.dilation}.items():
            if hasattr(self, field):
                object.__setattr__(self, field, numbers if len(numbers) > 1 else numbers[0])


@dataclass(frozen=True, kw_only=True)
class WindowedLayer(Windowed, WeightedLayer):
    """A convolution: a layer with windows, weights W and, where `has_bias` is true, a bias b."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_window()

    def _with_bias(self, *parameters: Parameter, n_out: int) -> tuple[Parameter, ...]:
        """The parameters, and the bias where there is one."""
        return (*parameters, Parameter("b", (n_out,), is_bias=True)) if self.has_bias else parameters
