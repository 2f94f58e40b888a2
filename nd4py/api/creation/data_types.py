"""Dtypes by name, type promotion, and the limits of dtypes."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import numpy

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.array.array_type import is_subclassed
from ..._core.dtype import ALL_DTYPES, PYTHON_TYPES, DType, DTypeKindError, dtype_of
from ..._exec.autodiff.nodes import is_array
from ..._exec.dispatch.selection import may_cast
from ..._spec.dtypes import BY_NAME, DEFAULT_COMPLEX, DEFAULT_FLOAT, KINDS, promote

(
    bool,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
) = ALL_DTYPES

__all__ = [
    "DType",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]

Kind: TypeAlias = DTypeLike | tuple[DTypeLike, ...]
CATEGORIES = {kind: {kind} for kind in KINDS} | {
    "integral": {"signed integer", "unsigned integer"},
    "numeric": set(KINDS) - {"bool"},
}
# Bits of the significand without the leading one, and the largest exponent (IEEE 754-2019, table 3.5; bfloat16).
FLOATS = {"float16": (10, 15), "bfloat16": (7, 127), "float32": (23, 127), "float64": (52, 1023)}

# NumPy's further attributes of these, from the bits of the fraction, and the largest exponent.
FURTHER: dict[str, Callable[[int, int], Any]] = {
    "epsneg": lambda digits, exponent: 2.0 ** -(digits + 1),
    "smallest_subnormal": lambda digits, exponent: 2.0 ** (1 - exponent - digits),
    "precision": lambda digits, exponent: int(digits * 0.30103),
    "resolution": lambda digits, exponent: float(f"1e-{int(digits * 0.30103)}"),
    "nmant": lambda digits, exponent: digits,
    "machep": lambda digits, exponent: -digits,
    "negep": lambda digits, exponent: -digits - 1,
    "maxexp": lambda digits, exponent: exponent + 1,
    "minexp": lambda digits, exponent: 1 - exponent,
    "nexp": lambda digits, exponent: (exponent + 1).bit_length(),
    "iexp": lambda digits, exponent: (exponent + 1).bit_length(),
}


class Limits:
    """What a dtype can hold: attributes that stay as they are.

    No dataclass: its decorator compiles five functions for each class, half a millisecond of every import.
    """

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}: {name!r} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}: {name!r} cannot be deleted")

    def __eq__(self, other: object) -> builtins.bool:
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


class finfo(Limits):  # noqa: N801 - the array API's name
    """What a floating dtype, or the parts of a complex one, can hold, as Python numbers.

    type: a dtype, or an array.
    bits of one number; eps, the distance from 1 to the next number; max and min, the largest and the smallest finite
    number; smallest_normal, the smallest positive number of full precision; dtype, that of the parts.  NumPy's further
    attributes: epsneg, smallest_subnormal, precision, resolution, nmant, nexp and others.
    Raises TypeError for other dtypes, which is a ValueError too, as NumPy's is.

    >>> nd.finfo("float32").eps
    1.1920928955078125e-07
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType

    def __init__(self, type: NDArray | DTypeLike, /) -> None:
        given = dtype_given(type)
        if given.kind not in "fc":
            raise DTypeKindError(f"finfo: needs a floating dtype, given {given}; see iinfo for integers")
        dtype = dtype_of(BY_NAME[given.name].real)
        digits, exponent = FLOATS[dtype.name]
        largest = (2.0 - 2.0**-digits) * 2.0**exponent
        values = (8 * dtype.itemsize, 2.0**-digits, largest, -largest, 2.0 ** (1 - exponent), dtype)
        self.__dict__.update(zip(finfo.__annotations__, values, strict=True))

    @property
    def tiny(self) -> float:
        """NumPy's name for `smallest_normal`."""
        return self.smallest_normal

    def __getattr__(self, name: str) -> Any:
        """NumPy's further attributes."""
        if name not in FURTHER:
            raise AttributeError(f"finfo has no attribute {name!r}")
        digits, exponent = FLOATS[self.dtype.name]
        return FURTHER[name](digits, exponent)


class iinfo(Limits):  # noqa: N801 - the array API's name
    """What an integer dtype can hold: bits, max and min as Python ints, and the dtype.

    type: a dtype, or an array.
    Raises TypeError for other dtypes, which is a ValueError too, as NumPy's is.

    >>> nd.iinfo("int8").max
    127
    """

    bits: int
    max: int
    min: int
    dtype: DType

    def __init__(self, type: NDArray | DTypeLike, /) -> None:
        dtype = dtype_given(type)
        if dtype.kind not in "iu":
            raise DTypeKindError(f"iinfo: needs an integer dtype, given {dtype}; see finfo for floating dtypes")
        bits = 8 * dtype.itemsize
        limits = (2**bits - 1, 0) if dtype.kind == "u" else (2 ** (bits - 1) - 1, -(2 ** (bits - 1)))
        self.__dict__.update(zip(iinfo.__annotations__, (bits, *limits, dtype), strict=True))


def dtype_given(item: NDArray | DTypeLike) -> DType:
    """The dtype of an array, or the one that is named."""
    given: Any = item
    if is_array(given) or is_subclassed(given):
        dtype: DType = given.dtype
        return dtype
    return dtype_of(given.dtype if isinstance(given, numpy.ndarray) else given)


def isdtype(dtype: DTypeLike, kind: Kind) -> builtins.bool:
    """Whether `dtype` is of a kind: a dtype, one of "bool", "signed integer", "unsigned integer", "integral",
    "real floating", "complex floating", "numeric", or a tuple of kinds, of which one must hold.

    Raises TypeError for an unknown dtype, ValueError for an unknown kind.

    >>> nd.isdtype(nd.float32, "real floating"), nd.isdtype(nd.float32, ("integral", "bool"))
    (True, False)
    """
    dtype = dtype_of(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind in CATEGORIES:
            return dtype.category in CATEGORIES[kind]
        if kind not in BY_NAME:
            raise ValueError(f"unknown kind {kind!r}; the kinds are {', '.join(CATEGORIES)}")
    return dtype == dtype_of(kind)


def can_cast(from_: NDArray | DTypeLike, to: DTypeLike, casting: str = "safe") -> builtins.bool:
    """Whether elements of one dtype, or of an array's, may become another one.

    from_, to: dtypes; `from_` may also be an array.
    casting: "safe" where every value is kept, as in promotion; "same_kind" also within a kind, and from integers to
    floats to complex numbers; "no" and "equiv" for equal dtypes alone; "unsafe" always.
    Raises TypeError for an unknown dtype, ValueError for another rule.

    >>> nd.can_cast("int32", "float64"), nd.can_cast("float64", "int32")
    (True, False)
    """
    return may_cast(dtype_given(from_), dtype_of(to), casting)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that arrays, dtypes and Python scalars promote to together; scalars are weak.

    arrays_and_dtypes: any number of arrays, dtypes and Python scalars.
    Raises ValueError for none at all, TypeError for uint64 with signed integers, which have no common dtype.

    >>> nd.result_type("int32", nd.float32), nd.result_type(nd.ones(2, dtype="float32"), 1.5)
    (nd4py.float64, nd4py.float32)
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: needs one array, dtype or scalar at least")
    scalars = [PYTHON_TYPES[type(item)] for item in arrays_and_dtypes if type(item) in PYTHON_TYPES]
    names = [dtype_given(item).name for item in arrays_and_dtypes if type(item) not in PYTHON_TYPES]
    highest = max(scalars, key=rank) if scalars else "bool"
    if not names:
        return dtype_of(highest)
    name = functools.reduce(promoted, names)
    if rank(highest) <= rank(name):
        return dtype_of(name)
    if highest == DEFAULT_COMPLEX and BY_NAME[name].kind == "real floating":
        return complex128 if name == DEFAULT_FLOAT else complex64
    return dtype_of(highest)


def rank(name: str) -> int:
    """How high the kind of a dtype stands: bools, integers, floats, complex numbers."""
    return "biufc".index(dtype_of(name).kind.replace("u", "i"))


def promoted(left: str, right: str) -> str:
    """The common dtype of two names.  Raises TypeError without one."""
    name = promote(left, right)
    if name is None:
        raise TypeError(f"{left} and {right} have no common dtype; convert one of them with astype")
    return name
