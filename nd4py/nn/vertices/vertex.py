"""Vertex: the base class of vertices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, instance, items

from ..inputs import RECURRENT, InputType
from ..names import Settings
from ..parameters import Parameter

Arrays = Sequence[nd.NDArray]
Masks = Sequence[nd.NDArray | None]


@dataclass(frozen=True, kw_only=True)
class Vertex(Settings):
    """The base class of what a `ComputationGraph` does with one or more arrays.  Subclasses override what differs.

    name: how error messages call it; the class name when empty
    Raises nothing.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Difference(nn.Vertex):
    ...     def forward(self, params, inputs, *, masks=None, train=False, rng=None):
    ...         return inputs[0] - inputs[1]
    >>> Difference().forward({}, [nd.asarray([3.0]), nd.asarray([1.0])])
    array([2.], dtype=float64)
    """

    name: str = ""

    fewest: ClassVar[int] = 1  # inputs
    most: ClassVar[int | None] = 1
    needs_whole_sequences: ClassVar[bool] = False  # as of layers

    @property
    def is_frozen(self) -> bool:
        """Whether training leaves its parameters as they are."""
        return False

    @property
    def title(self) -> str:
        return self.name or type(self).__name__

    def output_type(self, *given: InputType) -> InputType:
        """The type of the output for the types of the inputs.  Raises ValueError where they do not fit."""
        return self._types(given)[0]

    def parameters(self, *given: InputType) -> tuple[Parameter, ...]:
        """The parameters for these types, in the order they have in the flat vector.

        Raises TypeError for anything but an `InputType`.
        """
        return ()

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        """The mask of the output for those of the inputs: the first there is, where the output is a sequence.

        Raises ValueError where they do not fit each other.
        """
        if self.output_type(*self._types(given)).kind != RECURRENT:
            return None
        return next((mask for mask in self._masks(masks) if mask is not None), None)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[nd.NDArray | None] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        """The output for batches `inputs`.

        masks: of each input, None where it has none; rng: drawn from only when `train` is true
        Raises TypeError for an argument that is not an array, ValueError for shapes that do not fit.
        """
        return self._computed(self._operands(inputs), self._masks(masks))

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        """The output for checked inputs; `forward` of the vertices here."""
        return inputs[0]

    def _types(self, given: Sequence[InputType]) -> tuple[InputType, ...]:
        """The types of the inputs.  Raises TypeError for anything else, ValueError where there are too many or few."""
        found = items(f"{self.title}: types of inputs", given)
        for each in found:
            instance(f"{self.title}: each type of input", each, InputType)
        self._count(len(found))
        return found

    def _operands(self, inputs: Sequence[nd.NDArray]) -> tuple[nd.NDArray, ...]:
        """The inputs.  Raises TypeError for what is no array, ValueError where there are too many or few."""
        found = items(f"{self.title}: inputs", inputs)
        for each in found:
            array(f"{self.title}: each of inputs", each)
        self._count(len(found))
        return found

    def _masks(self, masks: Sequence[nd.NDArray | None] | None) -> tuple[nd.NDArray | None, ...]:
        """A mask or None for each input.  Raises TypeError for anything else."""
        found = items(f"{self.title}: masks", masks or ())
        for each in found:
            if each is not None:
                array(f"{self.title}: each of masks", each)
        return (*found, None, None, None)[: max(len(found), 3)]

    def _count(self, n: int) -> None:
        if n < self.fewest or (self.most is not None and n > self.most):
            wanted = (
                str(self.fewest) if self.most == self.fewest else f"{self.fewest} to {self.most or 'any number of'}"
            )
            raise ValueError(f"{self.title}: {wanted} inputs are needed, given {n}")
