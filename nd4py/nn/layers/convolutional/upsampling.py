"""Upsampling of images."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...inputs import CONVOLUTIONAL, InputType
from ...numbers import pair
from ..layer import Layer


@dataclass(frozen=True)
class Upsampling2D(Layer):
    """Every pixel repeated: y[..., i, j] = x[..., i // height, j // width], of `size` (height, width) or one number.

    x: (batch, channels, height, width)
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.Upsampling2D(2).forward({}, nd.asarray([[[[1.0, 2.0]]]]))
    array([[[[1., 1., 2., 2.],
             [1., 1., 2., 2.]]]], dtype=float64)
    """

    size: tuple[int, int] = (2, 2)

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", pair(self.size, f"{self.title}: size"))

    def output_type(self, given: InputType) -> InputType:
        height, width = instance("given", given, InputType).spatial
        return InputType.convolutional(height * self.size[0], width * self.size[1], given.n_features)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        batch, channels, height, width = x.shape
        rows, columns = self.size
        cells = nd.broadcast_to(
            x.reshape((batch, channels, height, 1, width, 1)), (batch, channels, height, rows, width, columns)
        )
        return cells.reshape((batch, channels, height * rows, width * columns))
