"""NumPy's other names: of dtypes, after the types of C, and of the classes of arrays and dtypes."""

from ..._core.array.array import NDArray
from ..._core.dtype import DType
from .data_types import (
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

__all__ = [
    "bool_",
    "byte",
    "cdouble",
    "csingle",
    "double",
    "dtype",
    "half",
    "int_",
    "intc",
    "intp",
    "long",
    "longlong",
    "ndarray",
    "short",
    "single",
    "ubyte",
    "uint",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "ushort",
]

ndarray = NDArray
dtype = DType
bool_ = bool
half, single, double = float16, float32, float64
csingle, cdouble = complex64, complex128
byte, short, intc = int8, int16, int32
ubyte, ushort, uintc = uint8, uint16, uint32
int_ = intp = long = longlong = int64
uint = uintp = ulong = ulonglong = uint64
