"""How arrays are printed: set_printoptions, array2string and their like.

NumPy writes the text of arrays, so its settings hold: those of `numpy.set_printoptions` and of these functions are the
same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy

from ..._core.whole_numbers import real, whole
from ..._exec.autodiff.nodes import is_array
from ..creation.basic_creation import asarray
from ..interop.printing import in_named_dtype, shown

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "printoptions",
    "set_printoptions",
]


@contextmanager
def worded(name: str) -> Iterator[None]:
    """Errors of NumPy for arguments that it was given, as a TypeError or ValueError that names the function."""
    try:
        yield
    except (AttributeError, KeyError, IndexError, OverflowError, TypeError) as error:
        if "keyword argument" in str(error):  # this is the function that NumPy names
            raise TypeError(str(error)) from None
        raise TypeError(
            f"{name}: an argument is of a type or value that NumPy refuses ({type(error).__name__})"
        ) from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


NEVER = 2**62  # elements, from which on a text leaves some out


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: float | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    formatter: Any = None,
    sign: str | None = None,
    floatmode: str | None = None,
    **options: Any,
) -> None:
    """Change how arrays are printed, with the arguments of NumPy's function of this name; None leaves a setting.

    Raises TypeError for other keywords or values of other types, ValueError for values that it does not know.

    >>> before = nd.get_printoptions()
    >>> nd.set_printoptions(precision=2)
    >>> nd.asarray([nd.pi])
    array([3.14], dtype=float64)
    >>> nd.set_printoptions(**before)
    """
    if threshold == float("inf"):
        threshold = NEVER
    if linewidth == float("inf"):
        linewidth = NEVER
    given: Any = (precision, threshold, edgeitems, linewidth, suppress, nanstr, infstr, formatter, sign, floatmode)
    for text in (nanstr, infstr, sign, floatmode):
        if not isinstance(text, str | None):
            raise TypeError("set_printoptions: nanstr, infstr, sign and floatmode must be texts")
    for size in (precision, threshold, edgeitems, linewidth):
        if size is not None and not (real("set_printoptions: a size", size) >= 0 and size <= sys.maxsize):
            raise ValueError(f"set_printoptions: a size must lie in [0, {sys.maxsize}], given {size}")
    with worded("set_printoptions"):
        numpy.set_printoptions(*given, **options)


def get_printoptions() -> dict[str, Any]:
    """How arrays are printed: a dict with the keywords of `set_printoptions`.  Raises nothing.

    >>> nd.get_printoptions()["precision"]
    8
    """
    return dict(numpy.get_printoptions())


def printoptions(*args: Any, **options: Any) -> AbstractContextManager[Any]:
    """A context in which arrays are printed so, with the arguments of `set_printoptions`.  Raises as that does.

    >>> with nd.printoptions(precision=2):
    ...     print(nd.asarray([1 / 3]))
    [0.33]
    """
    return printing_so(args, options)


@contextmanager
def printing_so(args: tuple[Any, ...], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The context of `printoptions`."""
    before = get_printoptions()
    set_printoptions(*args, **options)
    try:
        yield get_printoptions()
    finally:
        numpy.set_printoptions(**before)


def array2string(
    a: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    **options: Any,
) -> str:
    """The values of an array as text, with the arguments of NumPy's function of this name.

    Raises TypeError for other keywords or values, and for what cannot become an array.

    >>> nd.array2string(nd.asarray([1.0, 2.5]), separator=", ")
    '[1. , 2.5]'
    """
    x = seen(a)
    with worded("array2string"):
        return str(numpy.array2string(x, max_line_width, precision, suppress_small, separator, prefix, **options))


def array_repr(
    arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """An array as NumPy shows it, `array([...])`, with its dtype where that is not plain from the values.

    max_line_width, precision, suppress_small: as NumPy's `array_repr` has them; None takes what `set_printoptions` set.
    Raises TypeError for widths that are no integers, and for what cannot become an array.

    >>> nd.array_repr(nd.asarray([1, 2]))
    'array([1, 2])'
    """
    x = seen(arr)
    with worded("array_repr"):
        return str(numpy.array_repr(x, max_line_width, precision, suppress_small))


def array_str(
    a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """The values of an array as text, as `print` shows them.

    max_line_width, precision, suppress_small: as NumPy's `array_str` has them; None takes what `set_printoptions` set.
    Raises TypeError for widths that are no integers, and for what cannot become an array.

    >>> nd.array_str(nd.asarray([1, 2]))
    '[1 2]'
    """
    x = seen(a)
    with worded("array_str"):
        return str(numpy.array_str(x, max_line_width, precision, suppress_small))


def seen(a: Any) -> Any:
    """The NumPy array that is printed for an array, or for what becomes one."""
    x = a if is_array(a) or hasattr(a, "is_attached") else asarray(a)
    return in_named_dtype(shown(x.to_device("cpu")))


def number(name: str, x: Any) -> Any:
    """One floating number, of NumPy's type for its dtype, so that it is written with its own precision."""
    if is_array(x):
        if x.size != 1:
            raise ValueError(f"{name}: needs one number, given shape {x.shape}")
        return shown(x).reshape(())[()]
    if isinstance(x, numpy.generic):
        return x
    return real(f"{name}: x", x)


def format_float_positional(x: Any, precision: int | None = None, **options: Any) -> str:
    """One floating number as text without an exponent, with the keywords of NumPy's function of this name.

    precision: the largest number of digits behind the point; None for as many as tell the number from all others.
    Raises TypeError for other keywords or values, ValueError for more than one number.

    >>> nd.format_float_positional(0.1)
    '0.1'
    """
    given = number("format_float_positional", x)
    with worded("format_float_positional"):
        return str(numpy.format_float_positional(given, digits("format_float_positional", precision), **options))


def format_float_scientific(x: Any, precision: int | None = None, **options: Any) -> str:
    """One floating number as text with an exponent, with the keywords of NumPy's function of this name.

    precision: the largest number of digits behind the point; None for as many as tell the number from all others.
    Raises TypeError for other keywords or values, ValueError for more than one number.

    >>> nd.format_float_scientific(1500.0)
    '1.5e+03'
    """
    given = number("format_float_scientific", x)
    with worded("format_float_scientific"):
        return str(numpy.format_float_scientific(given, digits("format_float_scientific", precision), **options))


def digits(name: str, precision: int | None) -> int | None:
    """A number of digits.  Raises TypeError for one that is not whole, ValueError for more than floats have."""
    if precision is None:
        return None
    n = whole(f"{name}: precision", precision)
    if not 0 <= n <= 1074:
        raise ValueError(f"{name}: precision must lie in [0, 1074], given {n}")
    return n
