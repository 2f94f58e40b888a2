"""WindowedLayer: the base class of convolutions over images."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..layer import WeightedLayer
from .window import Window, window


@dataclass(frozen=True, kw_only=True)
class WindowedLayer(WeightedLayer):
    """A layer with weights and the fields `kernel_size`, `stride`, `padding`, `dilation` and `convolution_mode`."""

    if TYPE_CHECKING:  # fields of the subclasses, which say where they stand among the others
        kernel_size: Any
        stride: Any
        padding: Any
        dilation: Any
        convolution_mode: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        checked = self.window
        for field in ("kernel", "stride", "padding", "dilation"):
            object.__setattr__(self, "kernel_size" if field == "kernel" else field, getattr(checked, field))

    @cached_property
    def window(self) -> Window:
        return window(self.title, self.kernel_size, self.stride, self.padding, self.dilation, self.convolution_mode)
