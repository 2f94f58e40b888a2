"""Layers that make masks from what they see, and take them away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Layer


@dataclass(frozen=True)
class WithoutMask(Layer):
    """y = x, and the layers behind see no mask.

    >>> from nd4py.keras.counterparts.mask_layers import WithoutMask
    >>> WithoutMask().output_mask(nd.ones((1, 2)), nn.InputType.recurrent(3)) is None
    True
    """

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> None:
        return None


@dataclass(frozen=True)
class MaskingLayer(Layer):
    """Zeros at steps whose numbers all are `value`, the rest as it is; the layers behind see a mask of these steps.

    value: what a step is filled with that is not there

    >>> from nd4py.keras.counterparts.mask_layers import MaskingLayer
    >>> MaskingLayer(9.0).made_mask(nd.asarray([[[9.0, 9.0], [9.0, 1.0]]]), None).tolist()
    [[False, True]]
    """

    value: float = 0.0

    wanted_input: ClassVar[str] = "recurrent"
    makes_mask: ClassVar[bool] = True

    def made_mask(self, x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        return nd.any(x != self.value, axis=2)

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
        return nd.where(nd.any(x != self.value, axis=2, keepdims=True), x, 0.0)
