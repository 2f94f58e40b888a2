"""Recurrence over images: the products of an LSTM are convolutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Layer, Parameter
from nd4py.nn.activations import activation
from nd4py.nn.layers.calls import output_and_state

from .recurrence_vertices import STATES, StatefulVertex

MODES = ("same", "truncate")


@dataclass(frozen=True)
class ConvolutionalLSTM(Layer):
    """An LSTM whose steps are images.

    i, f, g, o = conv(x_t, W) + conv(h, RW) + b;  c' = f * c + i * g;  h' = o * activation(c')
    Shi et al. 2015, https://arxiv.org/abs/1506.04214, without peepholes.
    x: (batch, channels, length, height, width)    W: (4 * n_out, channels, rows, columns)
    n_out: channels that it makes    kernel_size, stride, dilation: (height, width), of the convolution of x
    convolution_mode: "same" or "truncate", what happens at the edges of x; h keeps its size
    activation, gate_activation: of g and c', and of i, f and o
    returns_steps: whether all images are made, or the last one    goes_back: whether the last image is read first
    `forward` returns (y, state), the state being {"h": image, "c": image}.
    Raises ValueError for another convolution_mode.

    >>> from nd4py.keras.counterparts.convolutional_recurrence import ConvolutionalLSTM
    >>> ConvolutionalLSTM(3, (2, 2)).output_type(nn.InputType.convolutional_3d(5, 8, 6, 1)).shape
    (3, 7, 5)
    """

    n_out: int = 0
    kernel_size: tuple[int, ...] = (3, 3)
    stride: tuple[int, ...] = (1, 1)
    dilation: tuple[int, ...] = (1, 1)
    convolution_mode: str = "truncate"
    activation: Any = "tanh"
    gate_activation: Any = "sigmoid"
    has_bias: bool = True
    returns_steps: bool = False
    goes_back: bool = False

    wanted_input: ClassVar[str] = "convolutional_3d"
    is_recurrent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.convolution_mode not in MODES:
            raise ValueError(f"{self.title}: convolution_mode must be one of {', '.join(MODES)}")

    def output_type(self, given: InputType) -> InputType:
        length = given.spatial[0] or 1
        height, width = (
            (size + sum(edges) - span) // step + 1
            for size, edges, span, step in zip(
                given.spatial[1:], self._edges(given.spatial[1:]), self._spans, self.stride, strict=True
            )
        )
        if self.returns_steps:
            return InputType.convolutional_3d(length, height, width, self.n_out)
        return InputType.convolutional(height, width, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in, n_weights = given.shape[0] or 1, self.kernel_size[0] * self.kernel_size[1]
        n_out, rows, columns = self.n_out, *self.kernel_size
        bias = (Parameter("b", (4 * n_out,), is_bias=True),) if self.has_bias else ()
        return (
            Parameter("W", (4 * n_out, n_in, rows, columns), n_in * n_weights, n_out * n_weights),
            Parameter("RW", (4 * n_out, n_out, rows, columns), n_out * n_weights, n_out * n_weights),
            *bias,
        )

    @property
    def _spans(self) -> tuple[int, ...]:
        return tuple((k - 1) * d + 1 for k, d in zip(self.kernel_size, self.dilation, strict=True))

    def _edges(self, sizes: Any) -> list[tuple[int, int]]:
        """Zeros in front of and behind each axis of x; of an odd number the larger part is behind."""
        if self.convolution_mode == "truncate":
            return [(0, 0)] * 2
        rows = zip(sizes, self._spans, self.stride, strict=True)
        totals = [max((-(-(size or 1) // step) - 1) * step + span - (size or 1), 0) for size, span, step in rows]
        return [(total // 2, total - total // 2) for total in totals]

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> tuple[nd.NDArray, Mapping[str, nd.NDArray]]:
        batch, channels, length, *sizes = x.shape
        (top, bottom), (left, right) = self._edges(sizes)
        images = nd.moveaxis(x, 2, 0).reshape(length * batch, channels, *sizes)
        given = nd.conv2d(
            images, params["W"], params.get("b"), stride=self.stride, dilation=self.dilation,
            padding=(top, bottom, left, right),
        )  # fmt: skip
        given = given.reshape(length, batch, *given.shape[1:])
        around = [n for k in self.kernel_size for n in ((k - 1) // 2, k // 2)]
        bent, gate = activation(self.activation), activation(self.gate_activation)
        h, c = (None, None) if state is None else (state["h"], state["c"])
        made: list[nd.NDArray] = []
        for t in reversed(range(length)) if self.goes_back else range(length):
            total = given[t]
            if h is not None:
                total = total + nd.conv2d(h, params["RW"], padding=tuple(around))
            i, f, g, o = (total[:, n * self.n_out : (n + 1) * self.n_out] for n in range(4))
            c = gate(i) * bent(g) if c is None else gate(f) * c + gate(i) * bent(g)
            h = gate(o) * bent(c)
            made.append(h)
        assert c is not None
        return (nd.stack(made, axis=2) if self.returns_steps else made[-1]), {"h": made[-1], "c": c}


@dataclass(frozen=True)
class ConvolutionalRecurrence(StatefulVertex):
    """A ConvolutionalLSTM that starts from states that are given, or makes those that it ends with.

    layer: the layer    part: what is made: "steps", what the layer makes, or the state "h" or "c" behind the last one
    is_kept: whether training leaves the parameters as they are
    Raises ValueError for another part.

    >>> from nd4py.keras.counterparts.convolutional_recurrence import ConvolutionalLSTM, ConvolutionalRecurrence
    >>> vertex = ConvolutionalRecurrence(ConvolutionalLSTM(3, (2, 2)), "c")
    >>> vertex.output_type(nn.InputType.convolutional_3d(5, 8, 6, 1)).shape
    (3, 7, 5)
    """

    def output_type(self, *given: InputType) -> InputType:
        made = self.layer.output_type(self._types(given)[0])
        height, width = made.spatial[-2:]
        state = InputType.convolutional(height, width, made.n_features)
        if any(each.shape != state.shape for each in given[1:]):
            raise ValueError(f"{self.title}: states must be images {state.shape}, channels first, given {given[1:]}")
        return made if self.part == "steps" else state

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[nd.NDArray | None] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        x, *states = self._operands(inputs)
        before = dict(zip(STATES, states, strict=True)) if states else None
        y, after = output_and_state(self.layer.forward(params, x, train=train, rng=rng, state=before))
        found: nd.NDArray = y if self.part == "steps" else after[self.part]
        return found
