"""Vertices that are functions of arrays, whose axes are in Keras's order, and sequences of examples as single ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Parameter, Vertex
from nd4py.nn.vertices.vertex import Arrays, Masks

from .array_functions import FUNCTIONS, PLAIN
from .axis_vertices import type_of_shape

LENGTHS = (5, 7)  # of sequences of any length, to find what becomes of their axes
MOST_ELEMENTS = 1 << 26  # of an array that is made to find a shape


def frozen(value: Any) -> Any:
    """Lists in tuples, as a network is told them, and as a file of one has them."""
    return tuple(frozen(each) for each in value) if isinstance(value, list | tuple) else value


def n_made(function: str, shapes: Sequence[tuple[int, ...]], settings: Mapping[str, Any]) -> int:
    """How many elements a function makes of arrays of these shapes, at most; a file may ask for any number."""
    first, n = shapes[0], prod(shapes[0])
    if function == "Matmul" and len(shapes) == 2:
        a, b = shapes
        return prod(nd.broadcast_shapes(a[:-2], b[:-2])) * a[-2] * b[-1]
    if function == "Einsum":
        *terms, made = settings["subscripts"].replace(" ", "").replace("->", ",").split(",")
        pairs = [pair for term, shape in zip(terms, shapes, strict=True) for pair in zip(term, shape, strict=True)]
        sizes = dict(pairs)
        return prod(sizes[name] for name in made)
    if function in ("Stack", *PLAIN):
        return prod(nd.broadcast_shapes(*shapes)) * len(shapes)
    if function == "resize":
        return first[0] * first[-1] * prod(map(max, settings["size"], first[1:3]))
    if function == "Pad":
        return prod(size + sum(pair) for size, pair in zip(first, settings["pad_width"], strict=True))
    if function == "mel spectrogram":
        n_frames = first[1] // settings["step"] + 1
        return max(first[0] * n_frames, settings["n_bands"]) * (settings["fft_length"] + settings["n_bands"])
    if function == "adaptive pooling":
        return n if max(settings["sizes"]) <= max(first) else MOST_ELEMENTS + 1
    grows = {"Tile": "repeats", "Repeat": "repeats", "OneHot": "num_classes", "encoding": "num_tokens"}.get(function)
    times = settings[grows] if grows else 1
    return n * (prod(times) if isinstance(times, tuple) else times)


@dataclass(frozen=True)
class FunctionVertex(Vertex):
    """A function of one or more tensors.

    function: a name of `array_functions.FUNCTIONS`    settings: pairs (name, value)
    numbers: for each argument None for the next input, or the number or tuples of numbers that it is; without them all
        are inputs
    Raises ValueError for a function that there is none of, and one that does not treat example by example.

    >>> from nd4py.keras.counterparts.function_vertices import FunctionVertex
    >>> FunctionVertex("Sum", (("axis", -1), ("keepdims", True))).forward({}, [nd.asarray([[1.0, 2.0]])])
    array([[3.]], dtype=float64)
    """

    function: str
    settings: tuple[Any, ...] = ()
    numbers: tuple[Any, ...] = ()

    most: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", frozen(self.settings))
        object.__setattr__(self, "numbers", frozen(self.numbers))
        if self.function not in FUNCTIONS:
            raise ValueError(f"{self.title}: {self.function!r} is no function of these")

    def output_type(self, *given: InputType) -> InputType:
        """Found by computing zeros: of a few examples and of others, of short sequences and of longer ones."""
        shapes = [
            self._shape_of_zeros(self._types(given), n, length) for n, length in zip((2, 3), LENGTHS, strict=True)
        ]
        if len(shapes[0]) != len(shapes[1]) or [shape[:1] for shape in shapes] != [(2,), (3,)]:
            raise ValueError(f"{self.title}: {self.function} does not give a result for each example of {given}")
        pairs = zip(*(shape[1:] for shape in shapes), strict=True)
        return type_of_shape(tuple(size if size == other else None for size, other in pairs))

    def _shape_of_zeros(self, given: Sequence[InputType], n: int, length: int) -> tuple[int, ...]:
        shapes = [(n, *(length if size is None else size for size in each.shape)) for each in given]
        try:
            if max(n_made(self.function, shapes, dict(self.settings)), *map(prod, shapes)) > MOST_ELEMENTS:
                raise ValueError("that is too large")
            return self._computed([nd.zeros(shape, dtype="float32") for shape in shapes], ()).shape
        except (TypeError, IndexError, KeyError, ValueError) as error:
            raise ValueError(f"{self.title}: {self.function} of {given}: {error}") from None

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> None:
        return None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        rest = iter(inputs)
        arguments = [next(rest) if each is None else self._constant(each, inputs[0]) for each in self.numbers]
        arguments = arguments if self.numbers else list(inputs)
        return FUNCTIONS[self.function](*arguments, **dict(self.settings))

    @staticmethod
    def _constant(value: Any, like: nd.NDArray) -> Any:
        return nd.asarray(value, dtype=like.dtype, device=like.device) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class EinsumVertex(Vertex):
    """activation(einsum(equation, x, W) + b)

    equation: with letters for the axes of x, the batch first, and of W    kernel: the shape of W
    bias: the shape of b, which broadcasts to what is made; empty for none

    >>> from nd4py.keras.counterparts.function_vertices import EinsumVertex
    >>> EinsumVertex("ab,bcd->acd", (3, 2, 4)).output_type(nn.InputType.feed_forward(3)).shape
    (2, 4)
    """

    equation: str
    kernel: tuple[int, ...]
    bias: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "kernel", tuple(self.kernel))
        object.__setattr__(self, "bias", tuple(self.bias))

    def output_type(self, *given: InputType) -> InputType:
        of_x, of_kernel, made = self.equation.replace("->", ",").split(",")
        (x,) = self._types(given)
        sizes = dict(zip(of_kernel, self.kernel, strict=True)) | dict(zip(of_x[1:], x.shape, strict=True))
        if any(sizes[name] != size for name, size in zip(of_kernel, self.kernel, strict=True)):
            raise ValueError(f"{self.title}: a kernel of shape {self.kernel} does not fit {x} in {self.equation}")
        return type_of_shape(tuple(sizes[name] for name in made[1:]))

    def parameters(self, *given: InputType) -> tuple[Parameter, ...]:
        n_out = self.kernel[-1]
        bias = (Parameter("b", self.bias, is_bias=True),) if self.bias else ()
        return (Parameter("W", self.kernel, prod(self.kernel) // n_out, n_out), *bias)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[nd.NDArray | None] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        (x,) = self._operands(inputs)
        made = nd.einsum(self.equation, x, params["W"])
        return made + params["b"] if self.bias else made


@dataclass(frozen=True)
class StepsToExamples(Vertex):
    """The steps of sequences as examples: (batch, length, ...) as (batch * length, ...).

    >>> from nd4py.keras.counterparts.function_vertices import StepsToExamples
    >>> StepsToExamples().forward({}, [nd.ones((2, 3, 4))]).shape
    (6, 4)
    """

    def output_type(self, *given: InputType) -> InputType:
        return type_of_shape(self._types(given)[0].shape[1:])

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> None:
        return None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return inputs[0].reshape((-1, *inputs[0].shape[2:]))


@dataclass(frozen=True)
class ExamplesToSteps(Vertex):
    """Examples as the steps that they were: (batch * length, ...) as (batch, length, ...), for the first input; the
    second one is the sequences that the steps were taken from.

    >>> from nd4py.keras.counterparts.function_vertices import ExamplesToSteps
    >>> ExamplesToSteps().forward({}, [nd.ones((6, 5)), nd.ones((2, 3, 4))]).shape
    (2, 3, 5)
    """

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 2

    def output_type(self, *given: InputType) -> InputType:
        examples, sequences = self._types(given)
        return type_of_shape((sequences.shape[0], *examples.shape))

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        return self._masks(masks)[1] if len(self.output_type(*given).shape) == 2 else None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        examples, sequences = inputs
        return examples.reshape((*sequences.shape[:2], *examples.shape[1:]))
