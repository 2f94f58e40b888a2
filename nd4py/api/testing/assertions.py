"""NumPy's assertions, given NumPy's views of our arrays."""

from __future__ import annotations

from typing import Any

import numpy.testing

from ..._exec.autodiff.nodes import is_array
from ..interop.printing import in_named_dtype, to_numpy

__all__: list[str] = []


def seen(item: Any) -> Any:
    """Arrays as NumPy's, also inside of lists, tuples and dicts; other things as they are."""
    if is_array(item) or hasattr(item, "is_attached"):
        return in_named_dtype(to_numpy(item.to_device("cpu")))
    if type(item) in (list, tuple):
        return type(item)(map(seen, item))
    if type(item) is dict:
        return {name: seen(value) for name, value in item.items()}
    return item


def checked(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What NumPy's assertion of a name says of arguments."""
    given = {key: seen(item) for key, item in keywords.items()}
    return getattr(numpy.testing, name)(*map(seen, args), **given)


def assert_(*args: Any, **keywords: Any) -> Any:
    """Something is true.

    Takes the arguments of `numpy.testing.assert_`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_(nd.sum([1, 2]) == 3)
    """
    return checked("assert_", args, keywords)


def assert_allclose(*args: Any, **keywords: Any) -> Any:
    """Two arrays are equal within a relative and an absolute tolerance.

    Takes the arguments of `numpy.testing.assert_allclose`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_allclose(nd.sqrt([4.0, 9.0]), [2.0, 3.0])
    """
    return checked("assert_allclose", args, keywords)


def assert_almost_equal(*args: Any, **keywords: Any) -> Any:
    """Two numbers or arrays are equal to a number of decimals.

    Takes the arguments of `numpy.testing.assert_almost_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_almost_equal(nd.asarray(1 / 3), 0.333333333)
    """
    return checked("assert_almost_equal", args, keywords)


def assert_approx_equal(*args: Any, **keywords: Any) -> Any:
    """Two numbers are equal to a number of digits.

    Takes the arguments of `numpy.testing.assert_approx_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_approx_equal(1.23456789, 1.23456788)
    """
    return checked("assert_approx_equal", args, keywords)


def assert_array_almost_equal(*args: Any, **keywords: Any) -> Any:
    """Two arrays are equal to a number of decimals.

    Takes the arguments of `numpy.testing.assert_array_almost_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_array_almost_equal(nd.asarray([1.0, 2.0]), [1.0, 2.0000001])
    """
    return checked("assert_array_almost_equal", args, keywords)


def assert_array_almost_equal_nulp(*args: Any, **keywords: Any) -> Any:
    """Two arrays are equal to a number of spacings between floating numbers.

    Takes the arguments of `numpy.testing.assert_array_almost_equal_nulp`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_array_almost_equal_nulp(nd.asarray([1.0]), nd.nextafter([1.0], 2.0))
    """
    return checked("assert_array_almost_equal_nulp", args, keywords)


def assert_array_equal(*args: Any, **keywords: Any) -> Any:
    """Two arrays have one shape and equal elements; NaN equals NaN.

    Takes the arguments of `numpy.testing.assert_array_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_array_equal(nd.arange(3), [0, 1, 2])
    """
    return checked("assert_array_equal", args, keywords)


def assert_array_less(*args: Any, **keywords: Any) -> Any:
    """Every element of one array is less than that of the other.

    Takes the arguments of `numpy.testing.assert_array_less`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_array_less(nd.arange(3), [1, 2, 3])
    """
    return checked("assert_array_less", args, keywords)


def assert_array_max_ulp(*args: Any, **keywords: Any) -> Any:
    """Two arrays differ by a number of units in the last place at most.

    Takes the arguments of `numpy.testing.assert_array_max_ulp`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> ulps = nd.testing.assert_array_max_ulp(nd.asarray([1.0]), nd.nextafter([1.0], 2.0), maxulp=1)
    """
    return checked("assert_array_max_ulp", args, keywords)


def assert_equal(*args: Any, **keywords: Any) -> Any:
    """Two objects are equal: arrays, numbers, lists, dicts; NaN equals NaN.

    Takes the arguments of `numpy.testing.assert_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_equal(nd.arange(3), [0, 1, 2])
    """
    return checked("assert_equal", args, keywords)


def assert_raises(*args: Any, **keywords: Any) -> Any:
    """A call, or the block of a context, raises an error of a class.

    Takes the arguments of `numpy.testing.assert_raises`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> with nd.testing.assert_raises(ValueError):
    ...     nd.ones(2) + nd.ones(3)
    """
    return checked("assert_raises", args, keywords)


def assert_raises_regex(*args: Any, **keywords: Any) -> Any:
    """A call, or the block of a context, raises an error of a class whose text fits a pattern.

    Takes the arguments of `numpy.testing.assert_raises_regex`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> with nd.testing.assert_raises_regex(ValueError, "shapes|broadcast"):
    ...     nd.ones(2) + nd.ones(3)
    """
    return checked("assert_raises_regex", args, keywords)


def assert_string_equal(*args: Any, **keywords: Any) -> Any:
    """Two texts are equal.

    Takes the arguments of `numpy.testing.assert_string_equal`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> nd.testing.assert_string_equal("abc", "abc")
    """
    return checked("assert_string_equal", args, keywords)


def assert_warns(*args: Any, **keywords: Any) -> Any:
    """A call, or the block of a context, warns.

    Takes the arguments of `numpy.testing.assert_warns`, and returns what that returns.
    Raises AssertionError where it does not hold, TypeError for an array that is being differentiated.

    >>> import warnings
    >>> warnings.simplefilter("ignore", DeprecationWarning)  # NumPy 2.4 deprecates this function
    >>> with nd.testing.assert_warns(UserWarning):
    ...     warnings.warn("careful", UserWarning)
    """
    return checked("assert_warns", args, keywords)
