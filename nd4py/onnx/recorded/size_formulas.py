"""Formulas of sizes that are open: what numbers and arrays of several runs are made of, as nodes.

Numbers are whole multiples of sizes and of their products, added up, or a number by a product of sizes.  Arrays are
made of such numbers, or of one part that is repeated, of a line of numbers with equal steps, or of two values on either
side of a diagonal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy
from onnx import helper

from .function_writer import FunctionWriter

Sizes = Mapping[str, int]
Arrays = list[numpy.ndarray]
Coefficients = dict[tuple[str, ...], Any]
MOST = 2**63
COMPARISONS: dict[str, Any] = {"LessOrEqual": numpy.less_equal, "Equal": numpy.equal}


class Formulas:
    """What is found for arrays of several runs.

    writer: of the nodes    nodes: the values of the graph that are the sizes, (1,)
    runs: the sizes of each run; the first ones are all pairs of two sizes of each name, the last name's changing first
    """

    def __init__(self, writer: FunctionWriter, nodes: Mapping[str, str], runs: Sequence[Sizes]) -> None:
        self.writer, self.runs = writer, runs
        self.names = list(nodes)
        self.products: dict[tuple[str, ...], str] = {(name,): node for name, node in nodes.items()}
        self.lines: dict[str, str] = {}

    def of(self, values: Arrays) -> str | None:
        """The name of the array in the graph; None where no formula gives it in all runs."""
        if len({value.shape for value in values}) == 1:
            return self.whole(values) or self.share(values)
        if len({value.ndim for value in values}) != 1 or any(value.size == 0 for value in values):
            return None
        return self.repeated(values) or self.line(values) or self.diagonal(values)

    # Numbers.

    def whole(self, values: Arrays) -> str | None:
        """Whole multiples of sizes and of their products, added up."""
        dtype, whole = values[0].dtype, [whole_numbers(value) for value in values]
        if any(each is None for each in whole):
            return None
        found = self.coefficients(whole[: 2 ** len(self.names)], self.names)
        if found is None or any(
            (sum(each * prod(sizes[name] for name in names) for names, each in found.items()) != value).any()
            for sizes, value in zip(self.runs, whole, strict=True)
        ):
            return None
        writer, y = self.writer, writer_integers(self.writer, found.pop(()))
        for names, each in found.items():
            if numpy.any(each != 0):
                term = writer.node("Mul", self.size(names, values[0].ndim), writer_integers(writer, each))
                y = writer.node("Add", y, term)
        return y if dtype == numpy.int64 else writer.node("Cast", y, to=helper.np_dtype_to_tensor_dtype(dtype))

    def coefficients(self, values: Sequence[Any], names: Sequence[str]) -> Coefficients | None:
        """What each product of sizes is multiplied with; None where that is no whole number."""
        if not names:
            return {(): values[0]}
        half = len(values) // 2
        low, high = (self.coefficients(each, names[1:]) for each in (values[:half], values[half:]))
        if low is None or high is None:
            return None
        start = self.runs[0][names[0]]
        step = self.runs[2 ** (len(names) - 1)][names[0]] - start
        found: Coefficients = {}
        for others, first in low.items():
            rise = high[others] - first
            if numpy.any(rise % step != 0):
                return None
            found[others] = first - rise // step * start
            found[names[0], *others] = rise // step
            if any(numpy.any(abs(each) >= MOST) for each in (found[others], rise)):
                return None
        return found

    def size(self, names: tuple[str, ...], n_axes: int) -> str:
        """A product of sizes, (1,), or a number for numbers."""
        if names not in self.products:
            one, *others = names
            self.products[names] = self.writer.node("Mul", self.products[one,], self.size(tuple(others), 1))
        found = self.products[names]
        return found if n_axes else self.writer.node("Squeeze", found)

    def share(self, values: Arrays) -> str | None:
        """Floats by a product of sizes, as means are computed."""
        dtype, writer = values[0].dtype, self.writer
        if dtype not in (numpy.float32, numpy.float64) or not all(numpy.isfinite(value).all() for value in values):
            return None
        for n in range(1, len(self.names) + 1):
            for names in combinations(self.names, n):
                counts = [prod(sizes[name] for name in names) for sizes in self.runs]
                found = [value.astype(float) * count for count, value in zip(counts, values, strict=True)]
                if any((abs(x - found[0]) > 2 * numpy.finfo(dtype).eps * abs(x)).any() for x in found):
                    continue
                given = self.size(names, values[0].ndim)
                count = writer.node("Cast", given, to=helper.np_dtype_to_tensor_dtype(dtype))
                return writer.node("Div", writer._held(found[0].astype(dtype), "numerators"), count)
        return None

    # Arrays.

    def repeated(self, values: Arrays) -> str | None:
        """One part, repeated along the axes whose sizes are open."""
        opened = open_axes_of(values)
        part = values[0][tuple(slice(0, 1) if i in opened else slice(None) for i in range(values[0].ndim))]
        if any(numpy.broadcast_to(part, value.shape).tobytes() != value.tobytes() for value in values):
            return None
        shape = self.whole([numpy.array(value.shape) for value in values])
        return None if shape is None else self.writer.node("Expand", self.writer._held(part, "part"), shape)

    def line(self, values: Arrays) -> str | None:
        """Numbers with equal steps along one axis: positions, for instance."""
        opened, dtype = open_axes_of(values), values[0].dtype
        if len(opened) != 1 or dtype.kind not in "iuf":
            return None
        (axis,), longest = opened, values[-1]
        start, after = (numpy.take(longest, [i], axis) for i in (0, min(1, longest.shape[axis] - 1)))
        with numpy.errstate(all="ignore"):
            step = after - start
            for value in values:
                shape = [-1 if i == axis else 1 for i in range(value.ndim)]
                numbers = numpy.arange(value.shape[axis]).astype(dtype).reshape(shape)
                if (start + step * numbers).astype(dtype).tobytes() != value.tobytes():
                    return None
        places = self.numbers(values, axis)
        if places is None:
            return None
        writer = self.writer
        if dtype != numpy.int64:
            places = writer.node("Cast", places, to=helper.np_dtype_to_tensor_dtype(dtype))
        product = writer.node("Mul", places, writer._held(step.astype(dtype), "step"))
        return writer.node("Add", product, writer._held(start, "start"))

    def diagonal(self, values: Arrays) -> str | None:
        """Two values on either side of a diagonal, or on it and beside: what causal attention sees, for instance."""
        opened, writer = open_axes_of(values), self.writer
        if len(opened) != 2 or any(n != 1 for i, n in enumerate(values[0].shape) if i not in opened):
            return None
        matrices = [value.reshape([value.shape[i] for i in opened]) for value in values]
        row, column = (self.numbers(values, axis) for axis in opened)
        if row is None or column is None:
            return None
        for operator, edges, sides in diagonals(matrices):
            if (edge := self.whole([numpy.array(each) for each in edges])) is None:
                continue
            is_inside = writer.node(operator, column, writer.node("Add", row, edge))
            if values[0].dtype == bool:
                return is_inside if sides[0] else writer.node("Not", is_inside)
            return writer.node("Where", is_inside, *(writer._held(numpy.asarray(x), "side") for x in sides))
        return None

    def numbers(self, values: Arrays, axis: int) -> str | None:
        """0, 1, ... along an axis of arrays."""
        length = self.whole([numpy.array(value.shape[axis]) for value in values])
        if length is None:
            return None
        writer = self.writer
        line = writer.node("Range", writer.integers(0), length, writer.integers(1))
        return writer.node("Reshape", line, writer.integers([-1 if i == axis else 1 for i in range(values[0].ndim)]))


def diagonals(matrices: Arrays) -> Iterator[tuple[str, list[int], tuple[Any, Any]]]:
    """Ways to see matrices as two values: (how a column compares with a row and the matrix's edge where the first one
    stands, these edges, the values).  The edge is the same for all, or as far from the last column."""
    first = matrices[0]
    for operator, compare in COMPARISONS.items():
        inside, outside = first[0 if operator == "Equal" else -1, 0], first[0, -1]
        edge = 0 if operator == "Equal" else int(numpy.sum(first[0] == inside)) - 1
        beyond = edge - (first.shape[1] - first.shape[0])
        for edges in ([edge] * len(matrices), [beyond + each.shape[1] - each.shape[0] for each in matrices]):
            if inside != outside and all(
                numpy.where(compare(*columns_and_rows(each, k)), inside, outside).tobytes() == each.tobytes()
                for each, k in zip(matrices, edges, strict=True)
            ):
                yield operator, edges, (inside, outside)


def columns_and_rows(matrix: numpy.ndarray, edge: int) -> tuple[Any, Any]:
    """The numbers of columns, and those of rows and an edge."""
    return numpy.arange(matrix.shape[1]), numpy.arange(matrix.shape[0])[:, None] + edge


def open_axes_of(values: Arrays) -> list[int]:
    """The axes whose sizes differ."""
    return [i for i, sizes in enumerate(zip(*(value.shape for value in values), strict=True)) if len(set(sizes)) > 1]


def whole_numbers(value: numpy.ndarray) -> Any:
    """An array as Python's ints; None where an element is no whole number."""
    if value.dtype.kind in "iu":
        return value.astype(object)
    if value.dtype.kind != "f" or not numpy.isfinite(value).all() or (value != numpy.rint(value)).any():
        return None
    return numpy.array([int(x) for x in value.reshape(-1)], dtype=object).reshape(value.shape)


def writer_integers(writer: FunctionWriter, x: Any) -> str:
    """Whole numbers as an array of the graph."""
    return writer.integers(numpy.asarray(x).astype(numpy.int64), "coefficients")
