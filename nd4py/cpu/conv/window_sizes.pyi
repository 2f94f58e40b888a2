# Made from nd4py/cpu/conv/window_sizes.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import Shape

class Window:
    def __init__(
        self,
        who: str,
        x_shape: Shape,
        filters: int,
        kernel: Shape,
        stride: Shape,
        padding: Shape,
        dilation: Shape,
        groups: int = 1,
    ) -> None: ...
    @property
    def sizes(self) -> dict[str, int]: ...
    @property
    def x_shape(self) -> Shape: ...
    @property
    def w_shape(self) -> Shape: ...
    @property
    def y_shape(self) -> Shape: ...
