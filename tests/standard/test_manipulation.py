"""Manipulation: joining, moving, repeating and reshaping, for every dtype, shape and layout."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, parts_of, seeds, shapes
from .subject import DTYPES, assert_array, numpy_of, xp

every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])


def axis_of(ndim):
    return st.integers(-ndim, ndim - 1)


def axes_of(ndim, **sizes):
    """Tuples of different axes, some counted from the end."""
    signed = st.booleans()
    unique = st.lists(st.integers(0, ndim - 1), unique=True, **sizes)
    return st.tuples(unique, signed).map(lambda pair: tuple(a - ndim if pair[1] and a % 2 == 0 else a for a in pair[0]))


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_broadcasting(dtype, data):
    whole = data.draw(shapes())
    values, x = data.draw(arrays(dtype, parts_of(whole)))
    other, y = data.draw(arrays("int8", parts_of(whole)))
    assert_array(xp.broadcast_to(x, whole), np.broadcast_to(values, whole))
    both = xp.broadcast_arrays(x, y)
    assert type(both) is tuple
    for got, want in zip(both, np.broadcast_arrays(values, other), strict=True):
        assert_array(got, np.asarray(want))
    shape = xp.broadcast_shapes(values.shape, other.shape)
    assert type(shape) is tuple
    assert shape == np.broadcast_shapes(values.shape, other.shape)


def test_broadcasting_by_hand():
    assert xp.broadcast_shapes() == ()
    assert xp.broadcast_shapes((3, 1), (1, 4), (4,)) == (3, 4)
    assert xp.broadcast_shapes((0, 1), (1,)) == (0, 1)
    assert xp.broadcast_arrays() == ()
    for call in (
        lambda: xp.broadcast_shapes((2,), (3,)),
        lambda: xp.broadcast_to(xp.ones(3), (4,)),
        lambda: xp.broadcast_to(xp.ones((2, 3)), (3,)),
        lambda: xp.broadcast_arrays(xp.ones(2), xp.ones(3)),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_concat(dtype, data):
    shape = list(data.draw(shapes(min_dims=1)))
    axis = data.draw(axis_of(len(shape)) | st.none())
    pairs = []
    for _ in range(data.draw(st.integers(1, 3))):
        shape[axis or 0] = data.draw(st.integers(0, 4))
        pairs.append(data.draw(arrays(dtype, st.just(tuple(shape)))))
    wanted = np.concatenate([values for values, _ in pairs], axis=axis)
    assert_array(xp.concat([x for _, x in pairs], axis=axis), wanted)
    assert_array(xp.concat(tuple(x for _, x in pairs), axis=axis), wanted)
    if axis == 0:
        assert_array(xp.concat([x for _, x in pairs]), wanted)


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_stack_and_unstack(dtype, data):
    shape = data.draw(shapes())
    pairs = [data.draw(arrays(dtype, st.just(shape))) for _ in range(data.draw(st.integers(1, 3)))]
    axis = data.draw(axis_of(len(shape) + 1))
    stacked = xp.stack([x for _, x in pairs], axis=axis)
    assert_array(stacked, np.stack([values for values, _ in pairs], axis=axis))
    assert_array(xp.stack(tuple(x for _, x in pairs)), np.stack([values for values, _ in pairs]))
    parts = xp.unstack(stacked, axis=axis)
    assert type(parts) is tuple
    for got, (want, _) in zip(parts, pairs, strict=True):
        assert_array(got, want)
    assert len(xp.unstack(stacked)) == stacked.shape[0]


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_expand_and_squeeze(dtype, data):
    values, x = data.draw(arrays(dtype, shapes(max_dims=3)))
    axis = data.draw(axis_of(values.ndim + 1))
    assert_array(xp.expand_dims(x, axis), np.expand_dims(values, axis))
    assert_array(xp.expand_dims(x, axis=axis), np.expand_dims(values, axis))
    assert_array(xp.squeeze(xp.expand_dims(x, axis), axis), values)
    n_new = data.draw(st.integers(0, 2))
    axes = data.draw(axes_of(values.ndim + n_new, min_size=n_new, max_size=n_new)) if n_new else ()
    assert_array(xp.expand_dims(x, axes), np.expand_dims(values, axes))
    assert_array(xp.squeeze(xp.expand_dims(x, axes), axes), values)


def test_expand_and_squeeze_refuse():
    x = xp.ones((2, 1))
    for axis in (3, -4, (0, 4), (1, 1), (0, -4)):
        with pytest.raises((IndexError, ValueError)):
            xp.expand_dims(x, axis)
    for axis in (0, (0, 1)):
        with pytest.raises(ValueError, match=r"\w"):
            xp.squeeze(x, axis)
    for axis in (2, -3):
        with pytest.raises((IndexError, ValueError)):
            xp.squeeze(x, axis)


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_flip(dtype, data):
    values, x = data.draw(arrays(dtype))
    assert_array(xp.flip(x), np.flip(values))
    if values.ndim:
        axis = data.draw(axis_of(values.ndim) | axes_of(values.ndim))
        assert_array(xp.flip(x, axis=axis), np.flip(values, axis))


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_axes_move(dtype, data):
    values, x = data.draw(arrays(dtype))
    order = tuple(data.draw(st.permutations(range(values.ndim))))
    signed = tuple(axis - values.ndim if data.draw(st.booleans()) else axis for axis in order)
    for axes in (order, signed):
        assert_array(xp.permute_dims(x, axes), np.transpose(values, axes))
    if values.ndim:
        source, target = data.draw(axis_of(values.ndim)), data.draw(axis_of(values.ndim))
        assert_array(xp.moveaxis(x, source, target), np.moveaxis(values, source, target))
        sources = data.draw(axes_of(values.ndim))
        targets = tuple(data.draw(st.permutations(range(values.ndim))))[: len(sources)]
        assert_array(xp.moveaxis(x, sources, targets), np.moveaxis(values, sources, targets))
    if values.ndim >= 2:
        assert_array(xp.matrix_transpose(x), np.swapaxes(values, -1, -2))
        assert_array(x.mT, np.swapaxes(values, -1, -2))
    if values.ndim == 2:
        assert_array(x.T, values.T)


def test_moving_axes_refuses():
    x = xp.ones((2, 3))
    for call in (
        lambda: xp.permute_dims(x, (0,)),
        lambda: xp.permute_dims(x, (0, 0)),
        lambda: xp.permute_dims(x, (0, 2)),
        lambda: xp.moveaxis(x, 2, 0),
        lambda: xp.moveaxis(x, (0, 1), (0, 0)),
        lambda: xp.moveaxis(x, (0, 1), (0,)),
        lambda: xp.ones(3).mT,
        lambda: xp.matrix_transpose(xp.ones(3)),
    ):
        with pytest.raises((IndexError, ValueError)):
            call()


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_repeat(dtype, data):
    values, x = data.draw(arrays(dtype, shapes(min_dims=1)))
    axis = data.draw(axis_of(values.ndim) | st.none())
    count = data.draw(st.integers(0, 3))
    assert_array(xp.repeat(x, count, axis=axis), np.repeat(values, count, axis))
    n = values.size if axis is None else values.shape[axis]
    counts = np.random.default_rng(data.draw(seeds)).integers(0, 3, data.draw(st.sampled_from([(n,), (1,)])))
    assert_array(xp.repeat(x, xp.asarray(counts), axis=axis), np.repeat(values, counts, axis))


def test_repeat_of_rank_zero():
    assert_array(xp.repeat(xp.asarray(2.0), 3), np.full(3, 2.0))
    with pytest.raises(ValueError, match=r"\w"):
        xp.repeat(xp.ones(3), xp.asarray([1, 2]))


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_reshape(dtype, data):
    values, x = data.draw(arrays(dtype))
    shape = data.draw(factors(values.size))
    want = values.reshape(shape)
    copied = xp.reshape(x, shape, copy=True)
    for got in (xp.reshape(x, shape), xp.reshape(x, shape=shape), copied):
        assert_array(got, want)
    if values.size and shape:
        open_end = list(shape)
        open_end[data.draw(st.integers(0, len(shape) - 1))] = -1
        assert_array(xp.reshape(x, tuple(open_end)), want)
    copied[...] = xp.logical_not(copied) if dtype == "bool" else copied + 1
    assert_array(x, values)


@st.composite
def factors(draw, size):
    """A shape of this many elements."""
    if size == 0:
        return (*draw(st.lists(st.integers(0, 3), max_size=2)), 0)
    sides = []
    while size > 1:
        side = draw(st.sampled_from([n for n in range(2, size + 1) if size % n == 0]))
        sides.append(side)
        size //= side
    return tuple(draw(st.permutations(sides))) if draw(st.booleans()) else (*sides, 1)


def test_reshape_without_a_copy():
    """A view where there is one, else ValueError."""
    x = xp.arange(6)
    view = xp.reshape(x, (2, 3), copy=False)
    view[0, 0] = 9
    assert numpy_of(x)[0] == 9
    with pytest.raises(ValueError, match=r"\w"):
        xp.reshape(xp.permute_dims(view, (1, 0)), (6,), copy=False)
    for shape in ((4,), (-1, -1), (-1, 4), (2, -3)):
        with pytest.raises(ValueError, match=r"\w"):
            xp.reshape(x, shape)
    assert_array(xp.reshape(xp.ones((0, 3)), (3, -1)), np.ones((3, 0)))
    with pytest.raises(ValueError, match=r"\w"):
        xp.reshape(xp.ones((0, 3)), (0, -1))


@every_dtype
@EXAMPLES
@given(data=st.data(), shift=st.integers(-7, 7) | st.sampled_from([10**6, -(10**12)]))
def test_roll(dtype, data, shift):
    values, x = data.draw(arrays(dtype))
    assert_array(xp.roll(x, shift), np.roll(values, shift))
    if values.ndim:
        axis = data.draw(axis_of(values.ndim))
        assert_array(xp.roll(x, shift, axis=axis), np.roll(values, shift, axis))
        axes = data.draw(axes_of(values.ndim))
        assert_array(xp.roll(x, shift, axis=axes), np.roll(values, shift, axes))
        moves = tuple(data.draw(st.integers(-9, 9)) for _ in axes)
        assert_array(xp.roll(x, shift=moves, axis=axes), np.roll(values, moves, axes))


@every_dtype
@EXAMPLES
@given(data=st.data(), repetitions=st.lists(st.integers(0, 3), max_size=4).map(tuple))
def test_tile(dtype, data, repetitions):
    values, x = data.draw(arrays(dtype, shapes(max_dims=3, max_side=3)))
    assert_array(xp.tile(x, repetitions), np.tile(values, repetitions))


def test_joining_and_repeating_make_new_arrays():
    """Also of one array, once."""
    x = xp.arange(4)
    for y in (
        xp.concat([x]),
        xp.stack([x]),
        xp.repeat(x, 1),
        xp.tile(x, (1,)),
        xp.roll(x, 0),
        xp.concat([x], axis=None),
    ):
        y[...] = 9
    assert_array(x, np.arange(4))


def test_axes_out_of_range_are_refused():
    x = xp.ones((2, 3))
    for call in (
        lambda axis: xp.concat([x, x], axis=axis),
        lambda axis: xp.stack([x, x], axis=2 * axis),
        lambda axis: xp.unstack(x, axis=axis),
        lambda axis: xp.flip(x, axis=axis),
        lambda axis: xp.roll(x, 1, axis=axis),
        lambda axis: xp.repeat(x, 2, axis=axis),
    ):
        for axis in (2, -3):
            with pytest.raises((IndexError, ValueError)):
                call(axis)
    for arrays_of_other_shapes in ([x, xp.ones((2, 4))], [x, xp.ones(3)], []):
        with pytest.raises(ValueError, match=r"\w"):
            xp.concat(arrays_of_other_shapes)
        with pytest.raises(ValueError, match=r"\w"):
            xp.stack(arrays_of_other_shapes)
