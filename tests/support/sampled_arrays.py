"""Arrays of any shape and layout for hypothesis, and the comparison with NumPy."""

import contextlib
import warnings

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import nd4py as nd

SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)


def numbers(low=-100.0, high=100.0, *, has_nan=False):
    """Floating numbers that cancel in no surprising way: multiples of 1/8, and NaN if asked for."""
    eighths = st.integers(int(low * 8), int(high * 8)).map(lambda i: i / 8)
    return eighths | st.just(np.nan) if has_nan else eighths


@st.composite
def arrays(draw, elements, dtype="float64", shapes=SHAPES):
    """A NumPy array over contiguous, reversed, transposed, strided or broadcast memory."""
    x = draw(hnp.arrays(dtype, shapes, elements=elements))
    layout = draw(st.sampled_from(["plain", "reversed", "transposed", "strided", "broadcast"]))
    if layout == "reversed":
        return np.ascontiguousarray(np.flip(x))[tuple(slice(None, None, -1) for _ in x.shape)].reshape(x.shape)
    if layout == "transposed":
        return np.asfortranarray(x)
    if layout == "strided":
        holder = np.zeros([2 * size for size in x.shape], dtype)
        holder[tuple(slice(None, None, 2) for _ in x.shape)] = x
        return holder[tuple(slice(None, None, 2) for _ in x.shape)].reshape(x.shape)
    if layout == "broadcast" and x.ndim and x.shape[0]:
        return np.broadcast_to(x[:1], x.shape)
    return x


@st.composite
def axes(draw, ndim):
    """None, one axis or several of an array, counted from either end."""
    if ndim == 0:
        return draw(st.sampled_from([None, ()]))
    one = st.integers(-ndim, ndim - 1)
    some = st.lists(one, max_size=ndim, unique_by=lambda i: i % ndim).map(tuple)
    return draw(st.none() | one | some)


@contextlib.contextmanager
def silent_numpy():
    """NumPy warns of what nd4py answers with NaN."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def check(got, want, rtol=1e-12, atol=1e-12):
    """`got` is an nd4py array, or a tuple of them, of NumPy's shape and numbers."""
    if isinstance(want, tuple | list):
        assert len(got) == len(want)
        for one, expected in zip(got, want, strict=True):
            check(one, expected, rtol, atol)
        return
    assert isinstance(got, nd.NDArray)
    want = np.asarray(want)
    assert got.shape == want.shape, f"shape {got.shape} instead of {want.shape}"
    assert (got.dtype == "bool") == (want.dtype == "bool")
    np.testing.assert_allclose(np.asarray(got), want, rtol=rtol, atol=atol)


def check_gradient(function, *inputs, rtol=1e-5, atol=1e-7, step=1e-6):
    """nd.grad of sum(function(*inputs) * weights) for every input, against central differences."""
    inputs = [np.asarray(x, "float64") for x in inputs]
    shape = function(*map(nd.asarray, inputs)).shape
    weights = nd.asarray(np.random.default_rng(3).uniform(0.5, 1.5, shape))

    def total(*operands):
        return nd.sum(function(*operands) * weights)

    found = nd.grad(total, tuple(range(len(inputs))))(*map(nd.asarray, inputs))
    for k, x in enumerate(inputs):
        want = np.empty_like(x)
        for i in np.ndindex(x.shape):
            moved = []
            for distance in (-step, step):
                near = [value.copy() for value in inputs]
                near[k][i] += distance
                moved.append(float(total(*map(nd.asarray, near))))
            want[i] = (moved[1] - moved[0]) / (2 * step)
        np.testing.assert_allclose(np.asarray(found[k]), want, rtol=rtol, atol=atol, err_msg=f"input {k}")
