"""Getting and setting by integers, slices, ellipsis, newaxis, masks and integer arrays; take and take_along_axis."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, draw_values, lay_out, layouts, seeds, shapes
from .subject import DTYPES, assert_array, dtype_of, numpy_of, xp
from .tables.promotion import PROMOTION

every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])
# Shapes of at least one axis; some axes are empty.
INDEXED = shapes(min_dims=1)


@st.composite
def slices(draw, n):
    """A slice within the bounds the standard demands for an axis of n elements."""
    step = draw(st.none() | st.integers(-n - 1, n + 1).filter(bool))
    start = draw(st.none() | st.integers(-n, n))
    last = (-n, n) if step is None or step > 0 else (-n - 1, max(0, n - 1))
    return slice(start, draw(st.none() | st.integers(*last)), step)


@st.composite
def keys(draw, shape):
    """A basic index: an integer or slice for each axis, perhaps an ellipsis for some, newaxes between them."""
    parts = [draw(slices(n) | (st.integers(-n, n - 1) if n else slices(n))) for n in shape]
    if draw(st.booleans()):
        start = draw(st.integers(0, len(parts)))
        parts[start : draw(st.integers(start, len(parts)))] = [...]
    for _ in range(draw(st.integers(0, 2))):
        parts.insert(draw(st.integers(0, len(parts))), None)
    return parts[0] if len(parts) == 1 and draw(st.booleans()) else tuple(parts)


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_get(dtype, data):
    values, x = data.draw(arrays(dtype))
    key = data.draw(keys(values.shape))
    assert_array(x[key], values[key])


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_set(dtype, data):
    """Scalars and arrays that broadcast; nothing outside the index changes."""
    whole = data.draw(shapes())
    rng = np.random.default_rng(data.draw(seeds))
    key = data.draw(keys(whole).filter(lambda key: None not in np.atleast_1d(np.asarray(key, object))))
    before = draw_values(rng, dtype, whole)
    _, x = lay_out(before, data.draw(st.sampled_from(["contiguous", "strided", "reversed", "permuted"])))
    part = before[key].shape
    if data.draw(st.booleans()):
        value = draw_values(rng, dtype, ()).item()
        x[key] = value
    else:
        shape = tuple(n if data.draw(st.booleans()) else 1 for n in part)[data.draw(st.integers(0, len(part))) :]
        value, given_value = lay_out(draw_values(rng, dtype, shape), data.draw(layouts))
        x[key] = given_value
    want = before.copy()
    want[key] = value
    assert_array(x, want)


def test_every_slice_of_a_short_axis():
    """All starts, stops and steps the standard demands, for axes of 0 to 4 elements."""
    for n in range(5):
        values = np.arange(n)
        x = xp.asarray(values)
        for step in (None, *range(-n - 1, 0), *range(1, n + 2)):
            is_forward = step is None or step > 0
            for start in (None, *range(-n, n + 1)):
                for stop in (None, *(range(-n, n + 1) if is_forward else range(-n - 1, max(1, n)))):
                    assert_array(x[start:stop:step], values[start:stop:step], label=f"{n}: {start}:{stop}:{step}")


def test_indices_are_anything_with_index():
    x, values = xp.asarray(np.arange(12).reshape(3, 4)), np.arange(12).reshape(3, 4)
    assert_array(x[xp.asarray(1), 2], values[1, 2])
    assert_array(x[xp.asarray(2, dtype=xp.uint8) : xp.asarray(0) : -1, :], values[2:0:-1, :])
    assert_array(x[np.int64(-1), :], values[-1])


def test_rank_zero():
    x = xp.asarray(np.asarray(3.5))
    assert_array(x[()], np.asarray(3.5))
    assert_array(x[...], np.asarray(3.5))
    assert_array(x[None, ...], np.asarray([3.5]))
    x[()] = 4.0
    assert_array(x, np.asarray(4.0))
    x[...] = 5
    assert_array(x, np.asarray(5.0))
    with pytest.raises(IndexError):
        x[0]


def test_wrong_indices_are_refused():
    x = xp.zeros((3, 4))
    keys = [(0, 0, 0), (..., 0, ...), (0, 0, 0, ...), (slice(None),) * 3]
    for key in [*keys, (3, 0), (0, -5)]:
        with pytest.raises(IndexError):
            x[key]
        with pytest.raises(IndexError):
            x[key] = 1.0
    for key in ((xp.asarray([0, 3]), 0), (0, xp.asarray([[-5]])), (xp.asarray([0, 1]), xp.asarray([0, 1, 2]))):
        with pytest.raises(IndexError):
            bool(xp.any(x[key] != 0))  # devices say so when elements are read
    for key in (1.5, "a", (0, 2.0), slice(0.5, None)):
        with pytest.raises((IndexError, TypeError)):
            x[key]
    with pytest.raises(ValueError, match=r"\w"):
        x[::0, :]
    for value in (xp.ones(3), xp.ones((2, 4)), xp.ones((1, 3, 3, 4))):
        with pytest.raises(ValueError, match=r"\w"):
            x[...] = value


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_masks(dtype, data):
    """A mask of the first axes, all of them, or none; getting and setting."""
    values, x = data.draw(arrays(dtype))
    mask, x_mask = data.draw(arrays("bool", st.just(values.shape[: data.draw(st.integers(0, values.ndim))])))
    assert_array(x[x_mask], values[mask])
    value = True if dtype == "bool" else 1
    want, target = values.copy(), xp.asarray(x, copy=True)
    want[mask] = value
    target[x_mask] = value
    assert_array(target, want)
    selected = np.ones(values[mask].shape, dtype)
    target, want = xp.asarray(x, copy=True), values.copy()
    target[x_mask] = xp.asarray(selected)
    want[mask] = selected
    assert_array(target, want)


def test_masks_of_another_shape_are_refused():
    x = xp.zeros((3, 4))
    for shape in ((4,), (3, 3), (3, 4, 1), (1, 4), (2, 4)):
        with pytest.raises(IndexError):
            x[xp.ones(shape, dtype=xp.bool)]
    with pytest.raises(IndexError):
        xp.zeros(())[xp.ones(1, dtype=xp.bool)]


def test_masks_of_rank_zero_and_empty_masks():
    values = np.arange(6.0).reshape(2, 3)
    x = xp.asarray(values)
    for flag in (True, False):
        assert_array(x[xp.asarray(flag)], values[np.asarray(flag)])
        assert_array(xp.asarray(2.0)[xp.asarray(flag)], np.asarray(2.0)[np.asarray(flag)])
    assert_array(x[xp.zeros((2, 3), dtype=xp.bool)], np.zeros(0))
    assert_array(xp.zeros((0, 3))[xp.zeros(0, dtype=xp.bool)], np.zeros((0, 3)))
    # A side of the mask may be 0 whatever the array's is.
    assert_array(x[xp.zeros((0,), dtype=xp.bool)], np.zeros((0, 3)))
    assert_array(x[xp.zeros((2, 0), dtype=xp.bool)], np.zeros(0))


@st.composite
def integer_keys(draw, shape):
    """An index array or integer for every axis, shapes that broadcast together; not all are integers."""
    rng = np.random.default_rng(draw(seeds))
    whole = draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    parts = []
    for n in shape:
        ones = tuple(side if draw(st.booleans()) else 1 for side in whole)
        parts.append(rng.integers(-n, n, ones) if draw(st.booleans()) else int(rng.integers(-n, n)))
    parts[draw(st.integers(0, len(parts) - 1))] = rng.integers(-shape[0], shape[0], whole) % min(shape)
    return tuple(parts)


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_integer_arrays(dtype, data):
    """Index arrays for all axes, mixed with integers: they broadcast together."""
    sides = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
    values, x = data.draw(arrays(dtype, sides))
    key = data.draw(integer_keys(values.shape))
    index_dtype = data.draw(st.sampled_from(["int64", "int32", "int8"]))
    parts = [xp.asarray(part.astype(index_dtype)) if isinstance(part, np.ndarray) else part for part in key]
    assert_array(x[tuple(parts)], values[key])


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_take(dtype, data):
    values, x = data.draw(arrays(dtype, st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    n = values.shape[axis]
    indices = np.asarray(data.draw(st.lists(st.integers(-n, n - 1), max_size=5)), "int64")
    assert_array(xp.take(x, xp.asarray(indices), axis=axis), np.take(values, indices, axis))
    assert_array(xp.take(x, xp.asarray(indices.astype("int8")), axis=axis), np.take(values, indices, axis))
    if values.ndim == 1:
        assert_array(xp.take(x, xp.asarray(indices)), np.take(values, indices))


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_take_along_axis(dtype, data):
    """The indices broadcast against x but for the axis."""
    values, x = data.draw(arrays(dtype, st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)))
    axis = data.draw(st.integers(-values.ndim, values.ndim - 1))
    n = values.shape[axis]
    shape = [side if data.draw(st.booleans()) else 1 for side in values.shape]
    shape[axis] = data.draw(st.integers(0, 5))
    indices = np.random.default_rng(data.draw(seeds)).integers(-n, n, shape)
    want = np.take_along_axis(values, np.broadcast_to(indices, along(values.shape, axis, shape[axis])), axis)
    assert_array(xp.take_along_axis(x, xp.asarray(indices), axis=axis), want)
    if axis in (-1, values.ndim - 1):
        assert_array(xp.take_along_axis(x, xp.asarray(indices)), want)


def along(shape, axis, side):
    """The shape with another side at the axis."""
    sides = list(shape)
    sides[axis] = side
    return tuple(sides)


def test_take_refuses_axes_out_of_range():
    """Without an axis, where the standard asks for one, elements are taken in C order, as NumPy does."""
    x = xp.ones((2, 3))
    assert xp.take(x, xp.asarray([0, 5])).shape == (2,)
    for axis in (2, -3):
        with pytest.raises((IndexError, ValueError)):
            xp.take(x, xp.asarray([0]), axis=axis)
        with pytest.raises((IndexError, ValueError)):
            xp.take_along_axis(x, xp.asarray([[0]]), axis=axis)


def test_setting_promotes_the_value():
    """The value is cast to the array's dtype where the table leads there; the dtype never changes."""
    for (a, b), common in PROMOTION.items():
        if common != a:
            continue
        x = xp.zeros((2, 3), dtype=dtype_of(a))
        x[:, 1] = xp.asarray(np.asarray([1, 1]).astype(b))
        x[0, 0] = xp.asarray(np.asarray(1).astype(b))
        assert_array(x, np.asarray([[1, 1, 0], [0, 1, 0]]).astype(a))


@every_dtype
def test_setting_a_scalar_of_the_dtypes_kind(dtype):
    x = xp.zeros(3, dtype=dtype_of(dtype))
    kinds = {"b": [True], "i": [2], "u": [2], "f": [2, 1.5, math.inf], "c": [2, 1.5, 1 + 2j]}
    for scalar in kinds[np.dtype(dtype).kind]:
        x[1] = scalar
        assert_array(x, np.asarray([0, scalar, 0]).astype(dtype))


def test_setting_overlapping_memory():
    """The value is read before anything is written."""
    x = xp.arange(6)
    x[1:] = x[:-1]
    assert_array(x, np.asarray([0, 0, 1, 2, 3, 4]))
    x[...] = x[::-1]
    assert_array(x, np.asarray([4, 3, 2, 1, 0, 0]))


def test_iterating_a_vector_gives_arrays_of_rank_zero():
    for i, element in enumerate(xp.asarray(np.asarray([1.5, 2.5]))):
        assert_array(element, np.asarray([1.5, 2.5][i]))
    assert numpy_of(xp.asarray([3, 4])[0]) == 3
