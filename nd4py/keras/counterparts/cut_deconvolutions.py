"""Transposed convolutions whose edges are cut off, or have zeros put on, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py import nn
from nd4py.nn import InputType
from nd4py.nn.activations import activated
from nd4py.nn.inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D


@dataclass(frozen=True)
class CutDeconvolution2D(nn.Deconvolution2D):
    """A transposed convolution, of whose (size - 1) * stride + span pixels along each axis some are left out.

    cuts: for each axis how many in front and behind, below 0 for as many zeros more; the bias is added behind that

    >>> from nd4py.keras.counterparts.cut_deconvolutions import CutDeconvolution2D
    >>> layer = CutDeconvolution2D(2, n_out=3, stride=2, cuts=((0, -1), (1, 0)))
    >>> layer.output_type(nn.InputType.convolutional(3, 3, 1)).shape
    (3, 7, 5)
    """

    cuts: tuple[Any, ...] = ((0, 0), (0, 0))

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cuts", tuple(tuple(each) for each in self.cuts))

    def output_type(self, given: InputType) -> InputType:
        whole = super().output_type(given)
        channels, *sizes = whole.shape
        rows = zip(sizes, self.cuts, strict=True)
        return InputType(whole.kind, (channels, *(None if n is None else n - sum(cut) for n, cut in rows)))

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
        convolve = nd.conv_transpose2d if self.wanted_input == CONVOLUTIONAL else nd.conv_transpose3d
        z = convolve(x, params["W"], stride=self.window.stride, dilation=self.window.dilation)
        zeros = [(0, 0), (0, 0), *(tuple(max(-each, 0) for each in cut) for cut in self.cuts)]
        z = nd.pad(z, zeros) if any(map(any, zeros)) else z
        kept = [slice(max(a, 0), z.shape[i] - max(b, 0)) for i, (a, b) in enumerate(self.cuts, 2)]
        z = z[(slice(None), slice(None), *kept)]
        if "b" in params:
            z = z + params["b"].reshape((-1, *(1,) * len(self.cuts)))
        return activated(self.activation, z, train=train, rng=rng)


@dataclass(frozen=True)
class CutDeconvolution3D(CutDeconvolution2D):
    """As `CutDeconvolution2D`, of volumes.

    >>> from nd4py.keras.counterparts.cut_deconvolutions import CutDeconvolution3D
    >>> layer = CutDeconvolution3D(2, n_out=3, stride=2, cuts=((0, 1),) * 3)
    >>> layer.output_type(nn.InputType.convolutional_3d(3, 3, 3, 1)).shape
    (3, 5, 5, 5)
    """

    cuts: tuple[Any, ...] = ((0, 0),) * 3

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
