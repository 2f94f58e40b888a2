"""NumPy's abstract kinds of dtypes, `nd.floating` and its like, and `issubdtype`.

Design: classes, so that `issubclass` knows their order and `isinstance` works; but nothing is made of them.  An array
without dimensions is an instance of its dtype's kinds, as NumPy's scalars are, since it is what stands for those here.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.dtype import DType, dtype_of

__all__ = [
    "complexfloating",
    "floating",
    "generic",
    "inexact",
    "integer",
    "issubdtype",
    "number",
    "signedinteger",
    "unsignedinteger",
]

ABSENT = (numpy.object_, numpy.flexible, numpy.datetime64, numpy.timedelta64)


class KindOfDType(type):
    """The class of the kinds: they hold dtypes, and elements of these."""

    def __instancecheck__(cls, item: Any) -> bool:
        dtype = getattr(item, "dtype", None)
        is_element = isinstance(dtype, DType | numpy.dtype) and getattr(item, "shape", None) == ()
        return is_element and dtype.kind in kinds_of(cls)  # type: ignore[union-attr]

    def __subclasscheck__(cls, other: Any) -> bool:
        if isinstance(other, DType):
            return other.kind in kinds_of(cls)
        if isinstance(other, KindOfDType):
            return type.__subclasscheck__(cls, other)
        return isinstance(other, type) and issubclass(other, getattr(numpy, cls.__name__))

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        raise TypeError(f"{cls.__name__}: a kind of dtypes, of which no array is made; call a dtype, nd.float64(3)")


def kinds_of(cls: Any) -> str:
    """The letters of the dtypes that belong to a kind."""
    letters: str = cls.kinds
    return letters


class generic(metaclass=KindOfDType):  # noqa: N801 - NumPy's name
    """All dtypes.  Raises TypeError when it is called.

    >>> isinstance(nd.sum([1, 2]), nd.generic)
    True
    """

    kinds = "biufc"


class number(generic):  # noqa: N801 - NumPy's name
    """Integers, real and complex floating numbers.  Raises TypeError when it is called.

    >>> isinstance(nd.float16(3), nd.number), isinstance(nd.bool(True), nd.number)
    (True, False)
    """

    kinds = "iufc"


class integer(number):  # noqa: N801 - NumPy's name
    """Integers with and without a sign.  Raises TypeError when it is called.

    >>> isinstance(nd.uint8(3), nd.integer)
    True
    """

    kinds = "iu"


class signedinteger(integer):  # noqa: N801 - NumPy's name
    """Integers with a sign.  Raises TypeError when it is called.

    >>> isinstance(nd.int8(3), nd.signedinteger)
    True
    """

    kinds = "i"


class unsignedinteger(integer):  # noqa: N801 - NumPy's name
    """Integers without a sign.  Raises TypeError when it is called.

    >>> isinstance(nd.uint8(3), nd.unsignedinteger)
    True
    """

    kinds = "u"


class inexact(number):  # noqa: N801 - NumPy's name
    """Real and complex floating numbers.  Raises TypeError when it is called.

    >>> isinstance(nd.complex64(1j), nd.inexact), isinstance(nd.int8(1), nd.inexact)
    (True, False)
    """

    kinds = "fc"


class floating(inexact):  # noqa: N801 - NumPy's name
    """Real floating numbers, bfloat16 among them.  Raises TypeError when it is called.

    >>> isinstance(nd.float32(1.5), nd.floating), issubclass(nd.floating, nd.inexact)
    (True, True)
    """

    kinds = "f"


class complexfloating(inexact):  # noqa: N801 - NumPy's name
    """Complex floating numbers.  Raises TypeError when it is called.

    >>> isinstance(nd.complex64(1j), nd.complexfloating)
    True
    """

    kinds = "c"


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether one dtype or kind belongs to another: `nd.issubdtype(x.dtype, nd.floating)`.

    arg1, arg2: a dtype, whatever names one, or a kind such as `floating` or `integer`, also NumPy's.  No dtype of
    nd4py is an object or a string.
    Raises TypeError for anything else.

    >>> nd.issubdtype(nd.float32, nd.floating), nd.issubdtype("int8", nd.inexact)
    (True, False)
    """
    low, high = kind_or_dtype(arg1), kind_or_dtype(arg2)
    if low is None or high is None:
        return False
    if isinstance(high, DType):
        return low is high
    return issubclass(low, high)


def kind_or_dtype(given: Any) -> Any:
    """The kind of that name, or the dtype; None for NumPy's dtypes that nd4py lacks."""
    if isinstance(given, KindOfDType | DType):
        return given
    if isinstance(given, type) and (given in (object, str, bytes) or issubclass(given, ABSENT)):
        return None
    if isinstance(given, type) and issubclass(given, numpy.generic):
        return KINDS.get(given.__name__) or dtype_of(given)
    return dtype_of(given)


KINDS = {
    "complexfloating": complexfloating,
    "floating": floating,
    "generic": generic,
    "inexact": inexact,
    "integer": integer,
    "number": number,
    "signedinteger": signedinteger,
    "unsignedinteger": unsignedinteger,
}
