"""Inputs and checks of linear algebra."""

import numpy as np
from hypothesis import strategies as st

from .arrays import draw_values, lay_out, layouts, seeds
from .subject import WIDE, assert_array, numpy_of

BATCHES = st.sampled_from([(), (), (2,), (0,), (2, 1, 3)])
SIDES = st.integers(0, 6)
# Errors are counted in units of the dtype's precision times the matrix's size and norm.
ULP = 200


@st.composite
def stacks(draw, dtype, shape=None):
    """(NumPy array, subject's array): a stack of matrices of the given last two sides, or any."""
    sides = (draw(SIDES), draw(SIDES)) if shape is None else shape
    rng = np.random.default_rng(draw(seeds))
    return lay_out(draw_values(rng, dtype, draw(BATCHES) + sides, (-3, 3)), draw(layouts))


@st.composite
def regular(draw, dtype, kind="square"):
    """A stack of square matrices far from singular; Hermitian and positive definite if `kind` is "positive"."""
    n = draw(SIDES)
    rng = np.random.default_rng(draw(seeds))
    values = draw_values(rng, dtype, draw(BATCHES) + (n, n), (-1, 1))
    if kind == "square":
        values = values + (2 * n * np.eye(n)).astype(dtype)
    else:
        values = values @ adjoint(values) + np.eye(n).astype(dtype)
    if kind == "hermitian":
        values = values - (2 * np.eye(n)).astype(dtype)
    layout = draw(st.sampled_from(["contiguous", "strided", "permuted", "reversed"]))
    return lay_out(values.astype(dtype), layout)


def adjoint(values):
    return np.conj(np.swapaxes(values, -1, -2))


def wide(x):
    """The elements of an array in the widest dtype, in which products are formed to check them."""
    values = numpy_of(x) if not isinstance(x, np.ndarray) else x
    return values.astype(WIDE[values.dtype.kind])


def norm_of(values):
    """The size that errors are relative to."""
    return max(1.0, float(np.abs(values).max(initial=0))) * max(1, *values.shape[-2:])


def assert_equal_matrices(got, want, like=None, ulp=ULP):
    """Wide arrays that agree to the precision of `like`."""
    eps = np.finfo(numpy_of(like).dtype).eps if like is not None else np.finfo(got.dtype).eps
    assert got.shape == want.shape
    assert not np.isnan(got).any()
    assert np.abs(got - want).max(initial=0) <= ulp * eps * norm_of(want)


def assert_unitary(x):
    """Columns of each matrix are orthonormal."""
    values = wide(x)
    n = values.shape[-1]
    assert_equal_matrices(adjoint(values) @ values, np.broadcast_to(np.eye(n), (*values.shape[:-2], n, n)), like=x)


def assert_is(x, shape, dtype):
    """Shape and dtype."""
    assert_array(x, np.broadcast_to(numpy_of(x), shape), dtype)
