"""Random programs of operations on arrays that share memory, for the tests of op combination.

A program is a list of choices (ints), so that it can be run twice, on fresh copies of the same arrays, and shrunk.
"""

import math
import random
import warnings

import numpy as np

import nd4py as nd

DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "int64", "bool", "uint8", "complex64")
UNARY = ("abs", "negative", "square", "sign", "floor", "exp", "tanh", "sqrt", "logical_not", "sin", "isnan", "conj",
         "reciprocal", "relu", "round", "positive")  # fmt: skip
BINARY = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "equal",
    "less",
    "greater_equal",
    "floor_divide",
    "remainder",
    "logical_and",
    "atan2",
    "bitwise_xor",
    "hypot",
    "pow",
)  # fmt: skip; copysign shows the sign of NaN
SCALARS = (True, 0, 1, -3, 2, 0.5, -0.0, float("nan"), 1e300, 2j)
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "any", "all", "sum_of_squares", "std", "argmax", "count_nonzero")
VIEWS = {
    "reversed": lambda x: x[::-1],
    "transposed": lambda x: x.T,
    "strided": lambda x: x[..., ::2],
    "shifted": lambda x: x[1:],
    "cut": lambda x: x[:-1],
    "row": lambda x: x[:1],
    "column": lambda x: x[..., :1],
    "flat": lambda x: x.reshape(-1),
    "whole": lambda x: x[...],
    "backwards": lambda x: x[..., ::-1],
}
EXPECTED = (TypeError, ValueError, OverflowError, IndexError)  # a program goes on after these


class Program:
    """Arrays in numbered slots, changed by steps; `shown` has the values that were read in between."""

    ACTIONS = (
        *("unary", "unary", "binary", "binary", "binary", "binary", "with_scalar", "with_scalar", "convert", "choose"),
        *("in_place", "in_place", "in_place_scalar", "assign", "out", "view", "view", "drop", "look", "reduce", "clip"),
        *("reduce", "multiply_add", "export"),
    )

    def __init__(self, seed, shape):
        self.random = random.Random(seed)
        self.shape = shape
        self.slots = [self.source(i) for i in range(4)]
        self.shown = []

    def source(self, number):
        """An array of the program's shape with values of all kinds."""
        name = self.random.choice(DTYPES[:6] if number < 3 else DTYPES)
        values = np.random.default_rng(self.random.randrange(1000)).normal(0, 2, self.shape)
        if name == "bool":
            return nd.array(values > 0, copy=True)
        if name in ("int32", "int64", "uint8"):
            return nd.array(np.abs(values * 3).astype(name), copy=True)
        return nd.astype(nd.array(values, copy=True), name)

    def run(self, n_steps):
        """Returns everything seen, as bytes, after `n_steps`."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(n_steps):
                action = self.random.choice(self.ACTIONS)
                try:
                    getattr(self, action)()
                except EXPECTED as error:
                    self.shown.append((action, type(error).__name__, str(error)))
            for x in self.slots:
                self.show("end", x)
        return self.shown

    def show(self, action, x):
        values = np.asarray(nd.ascontiguous(x)) if x.dtype != nd.bfloat16 else np.asarray(x.astype("float32"))
        self.shown.append((action, str(x.dtype), x.shape, self.bits(values)))

    def bits(self, values):
        """NaN is always the same one: which of two an operation keeps is left open."""
        if values.dtype.kind in "fc":
            values = np.where(np.isnan(values), np.asarray(np.nan, values.dtype), values)
        return values.tobytes()

    def pick(self):
        return self.random.choice(self.slots)

    def pick_several(self, n):
        return [self.pick() for _ in range(n)]

    def keep(self, x):
        """In a new slot, or over an old one, whose array is dropped then."""
        if len(self.slots) < 8:
            self.slots.append(x)
        else:
            self.slots[self.random.randrange(len(self.slots))] = x

    # Steps.

    def unary(self):
        self.keep(getattr(nd, self.random.choice(UNARY))(self.pick()))

    def binary(self):
        self.keep(getattr(nd, self.random.choice(BINARY))(*self.pick_several(2)))

    def with_scalar(self):
        operands = [self.pick(), self.random.choice(SCALARS)]
        self.random.shuffle(operands)
        self.keep(getattr(nd, self.random.choice(BINARY))(*operands))

    def convert(self):
        self.keep(nd.astype(self.pick(), self.random.choice(DTYPES)))

    def choose(self):
        condition, x, y = self.pick_several(3)
        self.keep(nd.where(condition > 0, x, self.random.choice((y, 0, 1.5))))

    def clip(self):
        self.keep(nd.clip(self.pick(), -1, self.random.choice((2, 3))))

    def multiply_add(self):
        self.keep(nd.multiply_add(self.pick(), self.pick(), self.pick()))

    def in_place(self):
        x, other = self.pick(), self.pick()
        name = self.random.choice(("__iadd__", "__imul__", "__isub__", "__itruediv__"))
        if getattr(x, name)(other) is not x:
            raise TypeError(name)

    def in_place_scalar(self):
        x = self.pick()
        x += self.random.choice(SCALARS)

    def assign(self):
        x, value = self.pick(), self.random.choice((self.pick(), 3, self.pick()))
        key = self.random.choice((..., slice(None, None, -1), slice(1, None), slice(0, 1)))
        x[key] = value if isinstance(value, int) or key is not slice(0, 1) else value[:1]

    def out(self):
        out = self.pick()
        getattr(nd, self.random.choice(("add", "multiply", "maximum")))(self.pick(), self.pick(), out=out)

    def view(self):
        self.keep(self.random.choice(list(VIEWS.values()))(self.pick()))

    def drop(self):
        if len(self.slots) > 2:
            del self.slots[self.random.randrange(len(self.slots))]

    def look(self):
        self.show("look", self.pick())

    def export(self):
        x = self.pick()
        if x.dtype != nd.bfloat16:
            values = np.asarray(x)
            self.shown.append(("export", values.shape, self.bits(values)))

    def reduce(self):
        x = self.pick()
        choices = [None, *range(x.ndim), -1, *([(0, 1), ()] if x.ndim > 1 else [])]
        name, axis = self.random.choice(REDUCTIONS), self.random.choice(choices)
        keepdims = self.random.random() < 0.3
        if self.random.random() < 0.5:
            x = x * 2 + x  # an array without other references
        self.show(f"{name} {axis}", getattr(nd, name)(x, axis=axis, keepdims=keepdims))


class RowProgram(Program):
    """One whose steps often reduce some axes of an array and go on with what that comes to."""

    ACTIONS = (
        *("row_value", "row_value", "row_value", "reduce_and_keep", "unary", "binary", "with_scalar", "convert"),
        *("choose", "in_place", "view", "drop", "look", "reduce"),
    )

    def pick_several(self, n):
        """Arrays that fit each other without making a much larger one; else one of them, several times."""
        picked = super().pick_several(n)
        try:
            size = math.prod(np.broadcast_shapes(*[x.shape for x in picked]))
        except ValueError:
            return picked[:1] * n
        return picked if size <= 4 * math.prod(self.shape) else picked[:1] * n

    def axes_of(self, x):
        """An axis, or several beside each other."""
        first = self.random.randrange(x.ndim)
        end = self.random.choice((first + 1, first + 1, self.random.randint(first + 1, x.ndim)))
        return first if end == first + 1 else tuple(range(first, end))

    def row_value(self):
        x = self.pick()
        axis, name = self.axes_of(x), self.random.choice(("sum", "mean", "max", "min", "any"))
        value = getattr(nd, name)(x, axis=axis, keepdims=True)
        if self.random.random() < 0.3:
            value = nd.sqrt(nd.abs(value)) + 1
        name = self.random.choice(("add", "subtract", "multiply", "divide", "maximum"))
        self.keep(getattr(nd, name)(x, value))

    def reduce_and_keep(self):
        x = self.pick()
        name, keepdims = self.random.choice(("sum", "mean", "max", "min", "all")), self.random.random() < 0.5
        self.keep(getattr(nd, name)(x, axis=self.axes_of(x), keepdims=keepdims))


def check(seed, n_steps, shape, kind=Program):
    """Run a program with and without combination.  Raises AssertionError where a bit differs."""
    combined = kind(seed, shape).run(n_steps)
    with nd.combine(False):
        plain = kind(seed, shape).run(n_steps)
    for i, (got, wanted) in enumerate(zip(combined, plain, strict=True)):
        assert got[:-1] == wanted[:-1], (seed, i, got[:-1], wanted[:-1])
        assert got[-1] == wanted[-1], (seed, n_steps, shape, i, got[:-1])
