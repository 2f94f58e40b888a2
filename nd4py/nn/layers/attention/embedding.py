"""Embeddings: whole numbers as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, is_traced

from ...activations import activation
from ...inputs import FEED_FORWARD, RECURRENT, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..layer import State, WeightedLayer, checked_outputs, weights


@dataclass(frozen=True)
class EmbeddingLayer(WeightedLayer):
    """y = activation(W[x] + b): for each whole number a row of a table.

    x: (batch, 1) or (batch,), whole numbers from 0 to n_in - 1 in any dtype    W: (n_in, n_out)    b: (n_out,)
    n_in: the numbers that there are    n_out: outputs    activation: a name of `ACTIVATIONS`
    has_bias: whether b is added
    Raises ValueError for a setting out of its range or an unknown name; `forward` IndexError for a number that is not
    in the table.

    >>> layer = nn.EmbeddingLayer(3, 2)
    >>> layer.forward({"W": nd.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])}, nd.asarray([[2.0], [0.0]]))
    array([[5., 6.],
           [1., 2.]], dtype=float64)
    """

    n_in: int
    n_out: int
    activation: str = "identity"
    has_bias: bool = field(default=False, kw_only=True)

    takes_indices: ClassVar[bool] = True
    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.n_in, f"{self.title}: n_in, how many numbers there are,")
        checked_outputs(self)

    def output_type(self, given: InputType) -> InputType:
        if given.kind != FEED_FORWARD or given.size != 1:
            raise ValueError(
                f"{self.title}: one number for each example is needed, given {given}; "
                "take an EmbeddingSequenceLayer for sequences of numbers"
            )
        return InputType.feed_forward(self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        table = Parameter("W", (self.n_in, self.n_out), self.n_in, self.n_out)
        return (table, Parameter("b", (self.n_out,), is_bias=True)) if self.has_bias else (table,)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        return self._looked_up(params, x.reshape((-1,)))

    def _looked_up(self, params: Any, numbers: nd.NDArray) -> nd.NDArray:
        """(..., n_out): the rows of the table.  Raises IndexError for a number that is not in it."""
        z = nd.take(weights(params)["W"], indices_of(self.title, numbers, self.n_in), axis=0)
        return activation(self.activation)(z + params["b"] if self.has_bias else z)


@dataclass(frozen=True)
class EmbeddingSequenceLayer(EmbeddingLayer):
    """y = activation(W[x] + b) at every step: sequences of whole numbers as sequences of rows of a table.

    x: (batch, length) or (batch, length, 1), whole numbers from 0 to n_in - 1 in any dtype    W: (n_in, n_out)
    b: (n_out,)    y: (batch, length, n_out)
    n_in: the numbers that there are    n_out: outputs    activation: a name of `ACTIVATIONS`
    has_bias: whether b is added
    mask_zero: whether steps whose number is 0 are padding: the layers behind then see a mask of them
    Where the mask is 0 any number will do, and y is 0.
    Raises ValueError for a setting out of its range or an unknown name; `forward` IndexError for a number that is not
    in the table.

    >>> layer = nn.EmbeddingSequenceLayer(3, 1)
    >>> layer.forward({"W": nd.asarray([[1.0], [3.0], [5.0]])}, nd.asarray([[2, 0, 1, 1]]))[0, :, 0]
    array([5., 1., 3., 3.], dtype=float64)
    """

    mask_zero: bool = field(default=False, kw_only=True)

    takes_indices: ClassVar[bool] = True
    wanted_input: ClassVar[str] = "any"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "makes_mask", bool(self.mask_zero))

    def made_mask(self, x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        seen = nd.reshape(array("made_mask: x", x), x.shape[:2]) != 0
        return seen if mask is None else nd.astype(seen, array("made_mask: mask", mask).dtype) * mask

    def output_type(self, given: InputType) -> InputType:
        kind = given.kind
        if kind == RECURRENT and given.n_features == 1:
            return InputType.recurrent(self.n_out, given.length)
        if kind == FEED_FORWARD:
            return InputType.recurrent(self.n_out, given.size)
        raise ValueError(
            f"{self.title}: one number for each step is needed, InputType.recurrent(1, length) or "
            f"InputType.feed_forward(length), given {given}"
        )

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        numbers = x.reshape(x.shape[:2])
        if mask is None:
            return self._looked_up(params, numbers)
        seen = mask != 0
        return nd.where(nd.expand_dims(seen, -1), self._looked_up(params, nd.where(seen, numbers, 0)), 0.0)


def indices_of(title: str, numbers: nd.NDArray, n_in: int) -> nd.NDArray:
    """`numbers` as int64.  Raises IndexError for one that is not whole or not from 0 to n_in - 1."""
    indices = nd.astype(nd.stop_gradient(numbers), "int64", copy=False)
    if not numbers.size or is_traced(numbers):  # those of nd.vmap and of exported functions cannot be seen
        return indices
    if numbers.dtype.kind == "f" and bool(nd.any(nd.astype(indices, numbers.dtype) != numbers)):
        raise IndexError(f"{title}: the input must be whole numbers, given one that is not")
    lowest, highest = int(nd.min(indices)), int(nd.max(indices))
    if lowest < 0 or highest >= n_in:
        raise IndexError(f"{title}: the input must be numbers from 0 to {n_in - 1}, given {lowest} to {highest}")
    return indices
