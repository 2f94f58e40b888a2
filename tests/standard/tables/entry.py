"""One row of the table of names, and the small arrays its sample calls are made of."""

from collections.abc import Callable
from dataclasses import dataclass

from ..subject import DTYPES, PART, WHOLE

ACCUMULATED = {name: name if "float" in name or "complex" in name else "int64" for name in DTYPES["numeric"]}
ACCUMULATED |= dict.fromkeys(DTYPES["unsigned integer"], "uint64")
# What the result's dtype is, given the input's.
RESULTS = {
    "same": lambda name: name,
    "bool": lambda name: "bool",
    "index": lambda name: "int64",
    "real part": lambda name: PART.get(name, name),
    "complex": lambda name: WHOLE.get(name, name),
    "accumulated": ACCUMULATED.get,
    "default real": lambda name: "float64",
}


@dataclass(frozen=True)
class Entry:
    """A function of the standard.

    signature: as the standard writes it.
    category: the dtypes it must accept, a key of `DTYPES`; "none" where no dtype takes part.
    result: a key of `RESULTS`, a tuple of keys for a named tuple, "same*" for a tuple of any length,
        or "no array" where the result is not one.
    sample: (xp, dtype name) -> (positional, keyword) arguments of a valid call.
    fields: names of a named tuple's fields.
    """

    name: str
    signature: str
    category: str
    result: str | tuple
    sample: Callable
    where: str = ""
    fields: tuple = ()

    @property
    def dtypes(self):
        return DTYPES.get(self.category, ())

    def result_dtypes(self, dtype):
        """The dtypes of the result, or of each of the results."""
        rules = self.result if isinstance(self.result, tuple) else (self.result,)
        return tuple(RESULTS[rule.rstrip("*")](dtype) for rule in rules)


def numbers(xp, dtype, values):
    """An array of the subject's dtype named `dtype` with about these values (their size where it is unsigned)."""
    return xp.asarray(convert(dtype, values), dtype=getattr(xp, dtype))


def convert(dtype, values):
    """Nested lists of Python scalars of the dtype's kind."""
    if isinstance(values, list | tuple):
        return [convert(dtype, value) for value in values]
    if dtype == "bool":
        return values > 0
    if dtype.startswith("uint"):
        return abs(int(values))
    if dtype.startswith("int"):
        return int(values)
    return complex(values, values / 2) if dtype.startswith("complex") else float(values)


def vector(xp, dtype):
    return numbers(xp, dtype, [3, 1, -2, 4, 0, 1])


def matrix(xp, dtype):
    return numbers(xp, dtype, [[3, 1, -2], [4, 0, 1]])


def square(xp, dtype):
    """Of full rank, so that there is an inverse."""
    return numbers(xp, dtype, [[4, 1, -2], [1, 5, 0], [2, 0, 3]])


def positive(xp, dtype):
    """Symmetric (Hermitian) and positive definite."""
    x = square(xp, dtype)
    return xp.matmul(xp.conj(xp.matrix_transpose(x)), x)


def indices(xp, values):
    return xp.asarray(values, dtype=xp.int64)


def of(*makers, **keywords):
    """A sample whose positional arguments are made by `makers` of (xp, dtype); other values stand for themselves."""
    return lambda xp, dtype: ([make(xp, dtype) if callable(make) else make for make in makers], keywords)
