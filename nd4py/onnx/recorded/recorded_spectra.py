"""Fourier transforms as nodes, and operations on complex numbers, which ONNX has as their two parts.

Design: a complex value has two names in the graph, of its real and its imaginary part; what treats elements alike is
written once for each.  Only arrays of real numbers are inputs and outputs of files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nd4py import api as nd

from .function_writer import Call, FunctionWriter, NoCounterpart, Value

Write = Callable[[FunctionWriter, Call], "list[str] | None"]
Parts = tuple[str, str | None]  # without an imaginary part: real numbers
PART = {"complex64": nd.float32, "complex128": nd.float64}
# Operations that move elements or add them up, each part by itself.
BY_PART = {
    ("driver", "taken_along"), ("function", "framed"), ("function", "rolled"), ("index", "indexing"),
    ("join", "concat"), ("reduction", "mean"), ("reduction", "sum"), ("view", "broadcast_to"), ("view", "getitem"),
    ("view", "permute_dims"), ("view", "reshape"),
}  # fmt: skip


def is_complex(x: Any) -> bool:
    """Whether an operand or a result holds complex numbers."""
    if isinstance(x, list):
        return any(map(is_complex, x))
    return isinstance(x, complex) or str(getattr(x, "dtype", "")) in PART


def takes(call: Call) -> bool:
    """Whether a call has to do with complex numbers, and is written here."""
    if call.name != "fourier_transforms" and not any(map(is_complex, (*call.operands, *call.results))):
        return False
    if call.kind == "row":
        return call.name in vars(Rows) and call.name not in SHARED
    return (call.kind, call.name) in BY_PART or (call.kind, call.name) in FUNCTIONS


def write_parts(writer: FunctionWriter, call: Call, write: Write) -> list[str] | None:
    """The names of real results; None where complex ones got the names of their parts.

    write: writes a call of real operands    Raises NoCounterpart where ONNX cannot say it.
    """
    if (call.kind, call.name) in BY_PART:
        found: Any = part_by_part(writer, call, write)
    elif call.kind == "row":
        found = getattr(Rows(writer, call), call.name)()
    else:
        found = FUNCTIONS[call.kind, call.name](writer, call)
    if isinstance(found, str):
        return [found]
    (y,) = call.results
    writer.name_value(y, "")
    writer.parts[id(y)] = found
    return None


def parts_of(writer: FunctionWriter, x: Any, dtype: Any) -> Parts:
    """The parts of an operand, as a real dtype."""
    if not hasattr(x, "dtype"):
        number = complex(x)
        imaginary = writer.number(number.imag, dtype) if isinstance(x, complex) else None
        return writer.number(number.real, dtype), imaginary
    if not is_complex(x):
        return writer.operand(x, dtype), None
    if not isinstance(x, Value):
        return writer.operand(nd.real(x).copy(), dtype), writer.operand(nd.imag(x).copy(), dtype)
    if id(x) not in writer.parts:
        raise NoCounterpart("complex numbers")  # of inputs, or of what was refused before
    real, imaginary = writer.parts[id(x)]
    if PART[str(x.dtype)] == dtype:
        return real, imaginary
    return writer.cast(real, dtype), writer.cast(imaginary, dtype)


def zeros_like(writer: FunctionWriter, x: str) -> str:
    return writer.node("Sub", x, x)


def part_by_part(writer: FunctionWriter, call: Call, write: Write) -> list[str]:
    """The same operation for both parts; of real arrays that are joined with complex ones the second is 0."""
    found = []
    for k in (0, 1):
        dtype = PART[str(call.results[0].dtype)]

        def part(x: Any, k: int = k, dtype: Any = dtype) -> Any:
            if isinstance(x, list):
                return [part(each) for each in x]
            if not is_complex(x) and (k == 0 or call.kind != "join"):
                return x
            y, name = Value(x.shape, dtype), parts_of(writer, x, dtype)[k]
            writer.name_value(y, zeros_like(writer, parts_of(writer, x, dtype)[0]) if name is None else name)
            return y

        results = tuple(Value(y.shape, dtype) for y in call.results)
        names = write(writer, replace(call, operands=tuple(map(part, call.operands)), results=results))
        found.append(writer.names[id(results[0])] if names is None else names[0])
    return found


# Rows of elements.


class Rows:
    """A method for each row: the name of a real result, or both parts."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer = writer
        self.dtype = PART[str(call.settings["dtype"])]
        self.operands = call.operands

    def given(self) -> list[Parts]:
        return [parts_of(self.writer, x, self.dtype) for x in self.operands]

    def of(self, operator: str, *names: str) -> str:
        return self.writer.node(operator, *names)

    def abs(self) -> str:
        ((real, imaginary),) = self.given()
        return self.of("Sqrt", self.of("Add", *(self.of("Mul", x, x) for x in (real, self.second(real, imaginary)))))

    def add(self) -> Any:
        return self.joined("Add")

    def conj(self) -> Any:
        ((real, imaginary),) = self.given()
        return real, self.of("Neg", self.second(real, imaginary))

    def divide(self) -> Any:
        (a, b), (c, d) = self.given()
        if d is None:
            return self.of("Div", a, c), self.of("Div", self.second(a, b), c)
        size = self.of("Add", self.of("Mul", c, c), self.of("Mul", d, d))
        return tuple(self.of("Div", x, size) for x in self.product((a, b), (c, self.of("Neg", d))))

    def exp(self) -> Any:
        ((real, imaginary),) = self.given()
        size, turn = self.of("Exp", real), self.second(real, imaginary)
        return tuple(self.of("Mul", size, self.of(operator, turn)) for operator in ("Cos", "Sin"))

    def imag(self) -> str:
        ((real, imaginary),) = self.given()
        return self.of("Identity", self.second(real, imaginary))

    def multiply(self) -> Any:
        return self.product(*self.given())

    def negative(self) -> Any:
        ((real, imaginary),) = self.given()
        return self.of("Neg", real), self.of("Neg", self.second(real, imaginary))

    def pow(self) -> Any:
        if self.operands[1] != 2:
            raise NoCounterpart("powers of complex numbers but the second")
        (x, _) = self.given()
        return self.product(x, x)

    def real(self) -> str:
        return self.of("Identity", self.given()[0][0])

    def square(self) -> Any:
        (x,) = self.given()
        return self.product(x, x)

    def subtract(self) -> Any:
        return self.joined("Sub")

    # What they are made of.

    def second(self, real: str, imaginary: str | None) -> str:
        return zeros_like(self.writer, real) if imaginary is None else imaginary

    def joined(self, operator: str) -> Any:
        (a, b), (c, d) = self.given()
        return self.of(operator, a, c), self.of(operator, self.second(a, b), self.second(c, d))

    def product(self, left: Parts, right: Parts) -> Any:
        (a, b), (c, d) = left, right
        if d is None or b is None:
            (a, b), c = ((a, b), c) if d is None else ((c, d), a)
            return self.of("Mul", a, c), self.of("Mul", self.second(a, b), c)
        real = self.of("Sub", self.of("Mul", a, c), self.of("Mul", b, d))
        return real, self.of("Add", self.of("Mul", a, d), self.of("Mul", b, c))


def converted(writer: FunctionWriter, call: Call) -> Any:
    """Numbers as complex ones.  Raises NoCounterpart for the reverse."""
    y = call.results[0]
    if not is_complex(y):
        raise NoCounterpart("complex numbers as others")
    real, imaginary = parts_of(writer, call.operands[0], PART[str(y.dtype)])
    return real, zeros_like(writer, real) if imaginary is None else imaginary


def constant(writer: FunctionWriter, call: Call) -> Any:
    return parts_of(writer, call.operands[0], PART[str(call.results[0].dtype)])


def filled(writer: FunctionWriter, call: Call) -> Any:
    y, value = call.results[0], complex(call.settings["value"])
    shape = writer.integers(list(y.shape), "shape")
    return [writer.node("Expand", writer.number(x, PART[str(y.dtype)]), shape) for x in (value.real, value.imag)]


# Transforms.


def transforms(writer: FunctionWriter, call: Call) -> Any:
    """One transform after the other, in double precision, as nd4py computes them."""
    x, steps, norm = call.operands
    y, shape = parts_of(writer, x, nd.float64), list(x.shape)
    for kind, n, axis in steps:
        half = kind == "rfft"
        y = whole_spectrum(writer, y, axis, shape[axis], n) if kind == "irfft" else y
        size = n if kind == "irfft" else shape[axis]
        found = discrete(writer, y, axis, n if n != size else None, inverse=int(kind[0] == "i"), onesided=int(half))
        shape[axis] = n // 2 + 1 if half else n
        scale = n ** {"backward": 0.0, "ortho": -0.5, "forward": -1.0}[norm]
        if kind[0] == "i":
            scale = n ** {"backward": 0.0, "ortho": 0.5, "forward": 1.0}[norm]
        if norm != "backward":
            found = [writer.node("Mul", part, writer.number(scale, nd.float64)) for part in found]
        y = (found[0], None) if kind == "irfft" else (found[0], found[1])
    result = call.results[0]
    real, imaginary = y
    if not is_complex(result):
        return writer.cast(real, result.dtype)
    dtype = PART[str(result.dtype)]
    return writer.cast(real, dtype), writer.cast(imaginary or zeros_like(writer, real), dtype)


def discrete(writer: FunctionWriter, x: Parts, axis: int, n: int | None, *, inverse: int, onesided: int) -> list[str]:
    """Both parts of a transform of one axis, of `n` elements where that is another number."""
    last = writer.integers([-1], "axes")
    parts = [writer.node("Unsqueeze", part, last) for part in x if part is not None]
    given = parts[0] if len(parts) == 1 else writer.node("Concat", *parts, axis=-1)
    given = writer.node("Unsqueeze", given, writer.integers([0], "axes"))
    length = [] if n is None else [writer.integers(n, "length")]
    y = writer.node("DFT", given, *length, axis=axis + 1, inverse=inverse, onesided=onesided)
    y = writer.node("Squeeze", y, writer.integers([0], "axes"))
    return [writer.node("Gather", y, writer.integers(k, "part"), axis=-1) for k in (0, 1)]


def whole_spectrum(writer: FunctionWriter, x: Parts, axis: int, size: int, n: int) -> Parts:
    """The n numbers whose transform is real, of the first half of them."""
    half, found = n // 2 + 1, []
    for k, part in enumerate(x):
        y = zeros_like(writer, x[0]) if part is None else part
        if size > half:
            y = writer.part(y, 0, half, axis)
        elif size < half:
            edges, axes = writer.integers([0, half - size], "pads"), writer.integers([axis], "axes")
            y = writer.node("Pad", y, edges, writer.number(0, nd.float64), axes)
        if (start := (n + 1) // 2 - 1) > 0:
            ends = [writer.integers([each], "edges") for each in (start, 0, axis, -1)]
            rest = writer.node("Slice", y, *ends)
            y = writer.node("Concat", y, rest if k == 0 else writer.node("Neg", rest), axis=axis)
        found.append(y)
    return found[0], found[1]


SHARED = ("given", "of", "second", "joined", "product")  # methods of `Rows` that are no rows
FUNCTIONS: dict[tuple[str, str], Callable[[FunctionWriter, Call], Any]] = {
    ("constant", "constant"): constant,
    ("conversion", "astype"): converted,
    ("driver", "fourier_transforms"): transforms,
    ("filled", "full"): filled,
}
