"""DType: the public face of a row of the dtype table."""

from __future__ import annotations

import builtins
import typing
from types import GenericAlias
from typing import TYPE_CHECKING, Any, ClassVar

import numpy

from .._mem.sizes import shortened
from .._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER, letter

EITHER: Any = typing.Union  # of dtypes, which are objects
PYTHON_TYPES = {bool: "bool", int: DEFAULT_INT, float: DEFAULT_FLOAT, complex: DEFAULT_COMPLEX}


class DType:
    """An element type.  Compares equal to its name and to NumPy's dtype of that name.

    Called with a number or nested lists it makes an array: `nd4py.float32([1, 2])`.  An array without dimensions is an
    instance of its dtype, as NumPy's scalars are of theirs.

    given: a dtype's number in the table, or whatever names a dtype, such as "float32", `float`, or NumPy's dtypes.
    name: "float32" and so on; category: the array API's word, such as "real floating"; kind: NumPy's letter, one of
    b i u f c; itemsize: bytes of an element.
    Raises ValueError for a number that no dtype has, TypeError for anything else that names none.

    >>> nd.float32.name, nd.float32.itemsize, nd.float32 == "float32"
    ('float32', 4, True)
    """

    __slots__ = ("category", "itemsize", "kind", "name", "number")
    _convert: ClassVar[Any]  # an upcall: makes an array of (a value, a dtype)
    name: builtins.str
    category: builtins.str
    kind: builtins.str
    itemsize: int
    number: int

    def __new__(cls, given: Any) -> DType:  # noqa: PYI034 - no dtype is made anew
        if not isinstance(given, int):
            return dtype_of(given)
        if not 0 <= given < len(DTYPES):
            raise ValueError(f"DType: number must be below {len(DTYPES)}, given {shortened(given)}")
        return ALL_DTYPES[given]

    def __call__(self, value: Any = False, imaginary: Any = None, /) -> Any:
        if imaginary is not None:
            if self.kind != "c":
                raise TypeError(f"{self.name}: takes one value, and only complex dtypes an imaginary part beside")
            value = complex(value, imaginary)
        return DType._convert(value, self)

    def __instancecheck__(self, item: Any) -> bool:
        return getattr(item, "shape", None) == () and getattr(item, "dtype", None) == self

    def __repr__(self) -> str:
        return f"nd4py.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self.number == other.number
        name = other if isinstance(other, str) else getattr(other, "name", None)
        if isinstance(other, str) and other not in NUMBER:  # "f", "<f4" and what else NumPy reads
            name = numpy_name(other)
        elif isinstance(other, type):
            name = PYTHON_TYPES.get(other) or numpy_name(other)
        return name == self.name if isinstance(name, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return dtype_of, (self.name,)

    # What annotations are made of: `nd.dtype[nd.float64]`, `nd.float64 | float`.
    def __class_getitem__(cls, item: Any) -> Any:
        return GenericAlias(cls, item)

    def __or__(self, other: Any) -> Any:
        return EITHER[self, other]

    def __ror__(self, other: Any) -> Any:
        return EITHER[other, self]

    # What libraries that know NumPy's dtypes alone ask of one; numbers have no fields and no metadata.
    fields = metadata = names = subdtype = None
    hasobject = False
    isnative = True

    if not TYPE_CHECKING:

        @property
        def __class__(self):
            """What `isinstance(x, numpy.dtype)` asks after: xarray and others take no dtype without it."""
            return numpy.dtype

        def __getattr__(self, name):
            """NumPy's attribute of that name, such as `alignment`.  Raises AttributeError where it has none."""
            if name == "__numpy_dtype__":  # a property, which raised
                numpy_bfloat16()
            if name.startswith("_"):
                raise AttributeError(f"'DType' object has no attribute {name!r}")
            return getattr(self.__numpy_dtype__, name)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype, for versions of NumPy that look for it here."""
        return self.__numpy_dtype__

    @property
    def type(self) -> Any:
        """NumPy's scalar type."""
        return self.__numpy_dtype__.type

    @property
    def str(self) -> Any:
        """NumPy's name with byte order, such as "<f4"."""
        return self.__numpy_dtype__.str

    @property
    def char(self) -> Any:
        """NumPy's letter for the exact type."""
        return self.__numpy_dtype__.char

    @property
    def __numpy_dtype__(self) -> Any:
        """The NumPy dtype of the same name; bfloat16 is that of the package ml_dtypes.

        Raises NoNumPyDTypeError without it.
        """
        return numpy_bfloat16() if self.name == "bfloat16" else numpy.dtype(self.name)


class DTypeKindError(TypeError, ValueError):
    """A dtype is of another kind than a function asks for: a TypeError, as elsewhere, and NumPy's ValueError."""


class NoNumPyDTypeError(AttributeError, TypeError):
    """NumPy knows no such dtype; `hasattr` says so without an error."""


def numpy_bfloat16() -> Any:
    """NumPy's dtype of bfloat16.  Raises NoNumPyDTypeError where the package that has it is missing."""
    try:
        import ml_dtypes
    except ImportError:
        raise NoNumPyDTypeError(
            "NumPy has no bfloat16; install ml_dtypes, or convert first, x.astype('float32')"
        ) from None
    return numpy.dtype(ml_dtypes.bfloat16)


def made(number: int) -> DType:
    """The dtype of a row of the table."""
    dtype, row = object.__new__(DType), DTYPES[number]
    dtype.name, dtype.category, dtype.itemsize, dtype.number = row.name, row.kind, row.itemsize, number
    dtype.kind = letter(row.kind)
    return dtype


ALL_DTYPES = tuple(map(made, range(len(DTYPES))))
# The dtypes by their names, and by the other names and the types that NumPy was asked for: it takes microseconds.
by_spelling: dict[Any, DType] = {dtype.name: dtype for dtype in ALL_DTYPES}


def dtype_of(given: Any) -> DType:
    """The DType meant by a DType, a name, whatever NumPy reads as one of its dtypes, or Python's bool, int, float and
    complex.

    Raises TypeError for anything else.
    """
    if type(given) is DType:
        return given
    is_name = type(given) is str or isinstance(given, type)
    if is_name and (found := by_spelling.get(given)) is not None:
        return found
    name = PYTHON_TYPES.get(given) if isinstance(given, type) else None
    name = numpy_name(given) if name is None else name
    if name not in NUMBER:
        hint = f"sizes are one argument, such as zeros((2, {given}))" if isinstance(given, int) else ""
        raise TypeError(f"unknown dtype {given!r}; {hint or 'nd4py has ' + ', '.join(NUMBER)}")
    if is_name:
        by_spelling[given] = ALL_DTYPES[NUMBER[name]]
    return ALL_DTYPES[NUMBER[name]]


def numpy_name(given: Any) -> str:
    """The name of NumPy's dtype for `given`, "" where it has none in this machine's byte order."""
    if given is None:
        return ""
    try:
        dtype = numpy.dtype(given)
    except TypeError:
        return ""
    return dtype.name if dtype.isnative else ""
