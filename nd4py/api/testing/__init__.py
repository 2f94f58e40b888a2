"""Assertions about arrays for tests: NumPy's, which compare and word their errors, on nd4py's arrays.

The files, as the build lists them:

- assertions.py: NumPy's assertions, given NumPy's views of our arrays.
"""

from .assertions import (
    assert_,
    assert_allclose,
    assert_almost_equal,
    assert_approx_equal,
    assert_array_almost_equal,
    assert_array_almost_equal_nulp,
    assert_array_equal,
    assert_array_less,
    assert_array_max_ulp,
    assert_equal,
    assert_raises,
    assert_raises_regex,
    assert_string_equal,
    assert_warns,
)

__all__ = [
    "assert_",
    "assert_allclose",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_max_ulp",
    "assert_equal",
    "assert_raises",
    "assert_raises_regex",
    "assert_string_equal",
    "assert_warns",
]
