"""The table of everything the standard names, revision 2025.12.

FUNCTIONS: every function with its signature, the dtypes it must accept, its result's dtypes and a sample call
(`Entry`, in `entry.py`).  The rest: constants, dtypes, and the array's attributes, methods and operators.
"""

import operator

from .names_arrays import ARRAY_FUNCTIONS
from .names_elementwise import ELEMENTWISE
from .names_extensions import FFT, LINALG, LINEAR_ALGEBRA

VERSION = "2025.12"
FUNCTIONS = (*ARRAY_FUNCTIONS, *ELEMENTWISE, *LINEAR_ALGEBRA, *LINALG, *FFT)

CONSTANTS = {"e": 2.718281828459045, "inf": float("inf"), "nan": float("nan"), "newaxis": None, "pi": 3.141592653589793}

# Inspection: the function of the main namespace, and the methods of what it returns.
INSPECTION = {
    "capabilities": "()",
    "default_device": "()",
    "default_dtypes": "(*, device=None)",
    "devices": "()",
    "dtypes": "(*, device=None, kind=None)",
}

ATTRIBUTES = ("dtype", "device", "mT", "ndim", "shape", "size", "T")

METHODS = {
    "__array_namespace__": "(self, /, *, api_version=None)",
    "__bool__": "(self, /)",
    "__complex__": "(self, /)",
    "__dlpack__": "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)",
    "__dlpack_device__": "(self, /)",
    "__float__": "(self, /)",
    "__getitem__": "(self, key, /)",
    "__index__": "(self, /)",
    "__int__": "(self, /)",
    "__setitem__": "(self, key, value, /)",
    "to_device": "(self, device, /, *, stream=None)",
}

# Operators of one operand: method -> (Python's operator, the function it must equal).
UNARY_OPERATORS = {
    "__abs__": (abs, "abs"),
    "__invert__": (operator.invert, "bitwise_invert"),
    "__neg__": (operator.neg, "negative"),
    "__pos__": (operator.pos, "positive"),
}

# Operators of two operands with a reflected and an in-place form.
ARITHMETIC_OPERATORS = {
    "add": (operator.add, operator.iadd, "add"),
    "sub": (operator.sub, operator.isub, "subtract"),
    "mul": (operator.mul, operator.imul, "multiply"),
    "truediv": (operator.truediv, operator.itruediv, "divide"),
    "floordiv": (operator.floordiv, operator.ifloordiv, "floor_divide"),
    "mod": (operator.mod, operator.imod, "remainder"),
    "pow": (operator.pow, operator.ipow, "pow"),
    "and": (operator.and_, operator.iand, "bitwise_and"),
    "or": (operator.or_, operator.ior, "bitwise_or"),
    "xor": (operator.xor, operator.ixor, "bitwise_xor"),
    "lshift": (operator.lshift, operator.ilshift, "bitwise_left_shift"),
    "rshift": (operator.rshift, operator.irshift, "bitwise_right_shift"),
}

COMPARISONS = {
    "__eq__": (operator.eq, "equal"),
    "__ne__": (operator.ne, "not_equal"),
    "__lt__": (operator.lt, "less"),
    "__le__": (operator.le, "less_equal"),
    "__gt__": (operator.gt, "greater"),
    "__ge__": (operator.ge, "greater_equal"),
}


def operator_methods():
    """The names of all operator methods of an array."""
    both = [*ARITHMETIC_OPERATORS, "matmul"]
    binary = [f"__{prefix}{name}__" for name in both for prefix in ("", "r", "i")]
    return [*UNARY_OPERATORS, *COMPARISONS, *binary]
