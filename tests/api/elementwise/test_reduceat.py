"""`reduceat`: the values of NumPy, to the bits of each slice reduced alone."""

import numpy as np
import numpy.testing as npt
import pytest
from numpy_comparison import sample

import nd4py as nd

NAMES = ("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_or", "logical_and")
DTYPES = ("bool", "int8", "int64", "uint16", "float16", "float32", "float64", "complex64")
# (shape, axis): short lines, lines that are cut in pieces, rows of several elements, more columns than one strip has.
CUTS = [((50,), 0), ((150_000,), 0), ((2, 90_000), 1), ((50_000, 3), 0), ((4, 9, 5), -2), ((5, 3000), 0)]


def starts_of(n):
    """Indices of an axis: in order and not, equal ones, the same size for all, one alone."""
    rng = np.random.default_rng(n)
    return [[0], [n - 1], [0, 0, n - 1, n // 2, n // 2, 0], list(range(0, n, max(n // 40, 3))),
            sorted(rng.integers(0, n, 40).tolist()), rng.integers(0, n, 40).tolist()]  # fmt: skip


def by_slices(function, x, starts, axis):
    lines = nd.moveaxis(x, axis, 0)
    parts = [
        function.reduce(lines[i : max(j, i + 1)]) for i, j in zip(starts, [*starts[1:], lines.shape[0]], strict=True)
    ]
    return nd.moveaxis(nd.stack(parts), 0, axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_the_bits_of_each_slice_alone(name, dtype):
    function = getattr(nd, name)
    if dtype == "complex64" and name not in ("add", "multiply", "logical_or", "logical_and"):
        pytest.skip("complex numbers have no order")
    for shape, axis in CUTS:
        x = nd.asarray(sample(dtype, shape, special=False))
        x = x != 0 if name.startswith("logical_") else x
        for starts in starts_of(shape[axis]):
            with np.errstate(all="ignore"):
                got, want = function.reduceat(x, starts, axis=axis), by_slices(function, x, starts, axis)
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            assert np.asarray(got).tobytes() == np.asarray(want).tobytes(), f"{shape} axis={axis} {starts[:6]}"


@pytest.mark.parametrize("dtype", ["int16", "float64"])
def test_values_of_numpy_from_any_layout(dtype):
    x = sample(dtype, (30, 40), special=False)
    for view in (lambda x: x.T, lambda x: x[::2, 5:], lambda x: x[::-1, ::-3], lambda x: x[:, 3], lambda x: x[:1]):
        for axis in range(view(x).ndim):
            n = view(x).shape[axis]
            for starts in starts_of(n):
                got = nd.add.reduceat(view(nd.asarray(x)), nd.asarray(starts), axis=axis)
                npt.assert_allclose(np.asarray(got), np.add.reduceat(view(x), starts, axis=axis), rtol=1e-13)


def test_no_segments_and_no_elements():
    assert nd.add.reduceat(nd.ones((3, 2)), []).shape == (0, 2)
    assert nd.maximum.reduceat(nd.ones((2, 3)), nd.asarray([], dtype="int64"), axis=1).shape == (2, 0)
    assert nd.add.reduceat(nd.ones((3, 0)), [0, 2]).shape == (2, 0)
    with pytest.raises(IndexError, match=r"add\.reduceat: indices must be from 0 to -1, given 0"):
        nd.add.reduceat(nd.ones((0, 3)), [0])


def test_indices_of_any_integer_dtype_and_no_others():
    x = nd.arange(6.0)
    for dtype in ("uint8", "int32", "uint64"):
        assert nd.add.reduceat(x, nd.asarray([0, 4, 2], dtype=dtype)).tolist() == [6.0, 4.0, 14.0]
    for wrong in ([-1], [0, 6], [0.0], [True]):
        with pytest.raises(IndexError, match="indices must be from 0 to 5"):
            nd.add.reduceat(x, wrong)


def test_a_zero_makes_a_product_zero_though_others_overflow():
    x = nd.asarray([1e200, 1e200, 0.0, 1e200, 1e200, 2.0, 3.0] * 3)
    assert nd.multiply.reduceat(x, [0, 5]).tolist() == [0.0, 0.0]
    assert np.isinf(nd.multiply.reduceat(x[:2], [0]).tolist())


def test_out_and_dtype():
    x, out = nd.asarray([1, 2, 3, 4], dtype="int8"), nd.zeros(2)
    assert nd.add.reduceat(x, [0, 2], out=out) is out
    assert out.tolist() == [3.0, 7.0]
    assert nd.add.reduceat(x, [0, 2], dtype="float32").dtype == "float32"
    with pytest.raises(ValueError, match="out has shape"):
        nd.add.reduceat(x, [0], out=out)


def test_gradients_batches_and_pending_operands():
    x = nd.arange(1.0, 7.0)
    g = nd.grad(lambda x: nd.sum(nd.multiply.reduceat(x, [0, 2, 1])))(x)
    assert g.tolist() == [2.0, 1.0 + 360.0, 1.0 + 240.0, 180.0, 144.0, 120.0]
    rows = nd.arange(12.0).reshape(3, 4)
    assert nd.vmap(lambda x: nd.add.reduceat(x, [0, 3]))(rows).tolist() == [[3.0, 3.0], [15.0, 7.0], [27.0, 11.0]]
    wide = nd.arange(100_000.0)
    assert nd.add.reduceat(wide * 2 + 1, [0, 3]).tolist() == [9.0, 1e10 - 9.0]
