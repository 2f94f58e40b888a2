"""DType: the public face of a row of the dtype table."""

from typing import Any

from .._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT, DTYPES, NUMBER, letter

PYTHON_TYPES = {bool: "bool", int: DEFAULT_INT, float: DEFAULT_FLOAT, complex: DEFAULT_COMPLEX}


class DType:
    """An element type.  Compares equal to its name and to NumPy's dtype of that name.

    name: "float32" and so on; category: the array API's word, such as "real floating"; kind: NumPy's letter, one of
    b i u f c; itemsize: bytes of an element.
    """

    __slots__ = ("category", "itemsize", "kind", "name", "number")

    def __init__(self, number: int) -> None:
        row = DTYPES[number]
        self.name, self.category, self.itemsize, self.number = row.name, row.kind, row.itemsize, number
        self.kind = letter(row.kind)

    def __repr__(self) -> str:
        return f"nd4py.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self.number == other.number
        name = other if isinstance(other, str) else getattr(other, "name", None)
        return name == self.name if isinstance(name, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return dtype_of, (self.name,)

    @property
    def __numpy_dtype__(self) -> Any:
        """The NumPy dtype of the same name.  Raises TypeError for bfloat16, which NumPy lacks."""
        import numpy

        if self.name == "bfloat16":
            raise TypeError("NumPy has no bfloat16; convert first, x.astype('float32')")
        return numpy.dtype(self.name)


ALL_DTYPES = tuple(DType(number) for number in range(len(DTYPES)))


def dtype_of(given: Any) -> DType:
    """The DType meant by a DType, a name, a NumPy dtype or scalar type, or Python's bool, int and float.

    Raises TypeError for anything else.
    """
    if type(given) is DType:
        return given
    name: Any = PYTHON_TYPES.get(given) if isinstance(given, type) else given
    if not isinstance(name, str):
        name = getattr(given, "name", None) or getattr(given, "__name__", None)
    name = "bool" if name == "bool_" else name
    if not isinstance(name, str) or name not in NUMBER:
        raise TypeError(f"unknown dtype {given!r}; nd4py has {', '.join(NUMBER)}")
    return ALL_DTYPES[NUMBER[name]]
