"""Reshaping, joining, repeating, moving and framing arrays, against NumPy."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd
from nd4py._spec.dtypes import DTYPES

NAMES = [row.name for row in DTYPES if row.name != "bfloat16"]


@st.composite
def arrays(draw, min_ndim=0, max_ndim=4, max_side=5, dtypes=("int32", "uint8", "float64", "bool", "int16")):
    """A NumPy array of any layout: transposed, reversed, strided, broadcast, empty."""
    shape = draw(st.lists(st.integers(0, max_side), min_size=min_ndim, max_size=max_ndim))
    dtype = draw(st.sampled_from(dtypes))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
    x = np.arange(int(np.prod([n * abs(step) for n, step in zip(shape, steps, strict=True)])))
    x = (x * 7 % 120).astype(dtype).reshape([n * abs(step) for n, step in zip(shape, steps, strict=True)])
    x = x[tuple(slice(None, None, step) for step in steps)]
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    if x.ndim and x.shape[0] == 1 and draw(st.booleans()):
        x = np.broadcast_to(x, (3, *x.shape[1:]))
    return x


def same(got, want):
    """`got` equals the NumPy array `want` in shape, dtype and every element."""
    want = np.asarray(want)
    assert isinstance(got, nd.NDArray)
    assert (got.shape, got.dtype.name) == (want.shape, want.dtype.name)
    np.testing.assert_array_equal(np.asarray(got), want)


def axis_of(data, x):
    return data.draw(st.integers(-x.ndim, x.ndim - 1))


@given(st.data(), arrays(min_ndim=1))
def test_concat_and_stack(data, x):
    axis = axis_of(data, x)
    sizes = data.draw(st.lists(st.integers(0, 3), min_size=0, max_size=3))
    others = [np.take(x, np.arange(n) % max(x.shape[axis], 1), axis) if x.shape[axis] else x for n in sizes]
    same(nd.concat([nd.asarray(x), *map(nd.asarray, others)], axis=axis), np.concatenate([x, *others], axis))
    same(nd.concat([nd.asarray(x), *map(nd.asarray, others)], axis=None), np.concatenate([x, *others], None))
    axis = data.draw(st.integers(-x.ndim - 1, x.ndim))
    same(nd.stack([nd.asarray(x)] * (len(sizes) + 1), axis=axis), np.stack([x] * (len(sizes) + 1), axis))


@pytest.mark.parametrize("left, right", [("int8", "uint8"), ("float32", "float64"), ("int16", "int64"), ("bool",) * 2])
def test_joining_promotes(left, right):
    x, y = np.ones((2, 3), left), np.zeros((2, 3), right)
    same(nd.concat([nd.asarray(x), nd.asarray(y)]), np.concatenate([x, y]))
    same(nd.stack((nd.asarray(x), nd.asarray(y)), axis=1), np.stack((x, y), 1))


def test_joining_one_array_copies():
    x = nd.ones((2, 3))
    for y in (nd.concat([x]), nd.concat([x], axis=None), nd.stack([x])):
        assert not np.shares_memory(np.asarray(y), np.asarray(x))
        assert y.is_writable


def test_joining_takes_numpy_arrays_lists_and_iterators():
    same(nd.concat([np.ones(2), nd.zeros(2), [3.0]]), [1.0, 1.0, 0.0, 0.0, 3.0])
    same(nd.stack(iter([np.ones(2), [2.0, 3.0]])), [[1.0, 1.0], [2.0, 3.0]])
    same(nd.concat(nd.ones((2, 3))), np.ones(6))


def test_many_pieces_and_threads_join_alike():
    x = np.random.default_rng(0).normal(size=(300, 1000)).astype("float32")
    for axis in (0, 1):
        want = np.concatenate([x, x[:, ::-1], x], axis)
        for n in (1, 2, 3):
            with nd.threads(n):
                same(nd.concat([nd.asarray(x), nd.asarray(x[:, ::-1]), nd.asarray(x)], axis=axis), want)
                same(nd.stack(list(nd.asarray(x)), axis=axis), np.stack(list(x), axis))


@given(st.data(), arrays(min_ndim=1))
def test_repeat(data, x):
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    count = data.draw(st.integers(0, 4))
    same(nd.repeat(nd.asarray(x), count, axis=axis), np.repeat(x, count, axis))
    size = x.size if axis is None else x.shape[axis]
    counts = np.array(data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), "int64")
    for given_counts in (nd.asarray(counts), counts.tolist(), nd.asarray(counts.astype("uint8"))):
        if size:
            same(nd.repeat(nd.asarray(x), given_counts, axis=axis), np.repeat(x, counts, axis))


@pytest.mark.parametrize("dtype", NAMES)
def test_repeat_every_dtype_on_any_number_of_threads(dtype):
    x = (np.arange(60_000) % 100).astype(dtype)
    counts = np.random.default_rng(0).integers(0, 7, x.size)
    for n in (1, 2, 3):
        with nd.threads(n):
            same(nd.repeat(nd.asarray(x), nd.asarray(counts)), np.repeat(x, counts))
            same(nd.repeat(nd.asarray(x.reshape(-1, 3)), 10, axis=1), np.repeat(x.reshape(-1, 3), 10, 1))


@given(st.data(), arrays(max_ndim=3))
def test_tile(data, x):
    counts = data.draw(st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=4).map(tuple))
    same(nd.tile(nd.asarray(x), counts), np.tile(x, counts))


@given(st.data(), arrays(min_ndim=1))
def test_roll(data, x):
    shifts = st.integers(-12, 12)
    shift, axis = data.draw(shifts), axis_of(data, x)
    same(nd.roll(nd.asarray(x), shift), np.roll(x, shift))
    same(nd.roll(nd.asarray(x), shift, axis=axis), np.roll(x, shift, axis))
    axes = tuple(data.draw(st.lists(st.integers(-x.ndim, x.ndim - 1), min_size=1, max_size=4)))
    several = tuple(data.draw(st.lists(shifts, min_size=len(axes), max_size=len(axes))))
    same(nd.roll(nd.asarray(x), several, axis=axes), np.roll(x, several, axes))
    same(nd.roll(nd.asarray(x), shift, axis=axes), np.roll(x, shift, axes))
    same(nd.roll(nd.asarray(x), several, axis=axis), np.roll(x, several, axis))


def test_roll_of_no_axes_copies():
    x = nd.asarray(5)
    y = nd.roll(x, 3)
    assert (y.shape, int(y), y.address == x.address) == ((), 5, False)


@given(st.data(), arrays(max_ndim=3))
def test_axes_views(data, x):
    y = nd.asarray(x)
    order = data.draw(st.permutations(range(x.ndim)))
    signed = tuple(axis - x.ndim * data.draw(st.booleans()) for axis in order)
    same(nd.permute_dims(y, signed), x.transpose(order))
    same(nd.transpose(y), x.T)
    same(nd.transpose(y, signed), x.transpose(order))
    same(nd.ravel(y), x.ravel())
    same(nd.moveaxis(y, tuple(range(x.ndim)), signed), np.moveaxis(x, range(x.ndim), signed))
    same(nd.atleast_1d(y), np.atleast_1d(x))
    same(nd.atleast_2d(y), np.atleast_2d(x))
    same(nd.atleast_3d(y), np.atleast_3d(x))
    for i in range(-x.ndim, x.ndim):
        same(nd.flip(y, axis=i), np.flip(x, i))
        for j in range(-x.ndim, x.ndim):
            same(nd.swapaxes(y, i, j), np.swapaxes(x, i, j))
            same(nd.moveaxis(y, i, j), np.moveaxis(x, i, j))
            if (i - j) % x.ndim:
                same(nd.flip(y, axis=(i, j)), np.flip(x, (i, j)))
                for k in range(-5, 5):
                    same(nd.rot90(y, k, (i, j)), np.rot90(x, k, (i, j)))
    same(nd.flip(y), np.flip(x))


@given(st.data(), arrays(max_ndim=3))
def test_new_and_dropped_axes(data, x):
    ndim = x.ndim + data.draw(st.integers(1, 3))
    added = data.draw(st.permutations(range(-ndim, 0)))[: ndim - x.ndim]
    added = tuple(axis + ndim * data.draw(st.booleans()) for axis in added)
    wide = nd.expand_dims(nd.asarray(x), added)
    same(wide, np.expand_dims(x, added))
    same(nd.expand_dims(nd.asarray(x), axis=added[0] if len(added) == 1 else added), np.expand_dims(x, added))
    same(nd.squeeze(wide, added), x)
    same(nd.squeeze(wide), np.squeeze(x))


@given(st.data(), arrays(min_ndim=1))
def test_pieces(data, x):
    axis = axis_of(data, x)
    n = data.draw(st.integers(1, 7))
    cuts = sorted(data.draw(st.lists(st.integers(-6, 6), max_size=3)))
    for way in (n, cuts):
        for got, want in zip(nd.array_split(nd.asarray(x), way, axis), np.array_split(x, way, axis), strict=True):
            same(got, want)
    got = nd.unstack(nd.asarray(x), axis=axis)
    assert isinstance(got, tuple)
    for one, want in zip(got, np.unstack(x, axis=axis), strict=True):
        same(one, want)


def test_split_into_equal_pieces():
    x = np.arange(12).reshape(2, 6)
    pieces = nd.split(nd.asarray(x), 3, axis=1)
    assert isinstance(pieces, list)
    for got, want in zip(pieces, np.split(x, 3, 1), strict=True):
        same(got, want)
    same(nd.split(nd.asarray(x), [1, 4], 1)[1], x[:, 1:4])


@given(arrays(max_ndim=3), arrays(max_ndim=2))
def test_side_by_side(x, y):
    for ours, theirs in ((nd.hstack, np.hstack), (nd.vstack, np.vstack)):
        try:
            want = theirs([x, y.astype(x.dtype), x])
        except ValueError:
            with pytest.raises(ValueError, match=ours.__name__):
                ours([nd.asarray(x), nd.asarray(y.astype(x.dtype)), nd.asarray(x)])
        else:
            same(ours([nd.asarray(x), nd.asarray(y.astype(x.dtype)), nd.asarray(x)]), want)


@given(arrays(min_ndim=2), st.integers(-6, 6))
def test_triangles(x, k):
    same(nd.tril(nd.asarray(x), k=k), np.tril(x, k))
    same(nd.triu(nd.asarray(x), k=k), np.triu(x, k))


@given(arrays(min_ndim=1, max_ndim=2), st.integers(-6, 6))
def test_diag(x, k):
    same(nd.diag(nd.asarray(x), k), np.diag(x, k))


@given(st.lists(arrays(max_ndim=1), max_size=3), st.sampled_from(["xy", "ij"]))
def test_meshgrid(vectors, indexing):
    got, want = nd.meshgrid(*map(nd.asarray, vectors), indexing=indexing), np.meshgrid(*vectors, indexing=indexing)
    assert isinstance(got, tuple)
    for one, expected in zip(got, want, strict=True):
        same(one, expected)
        assert one.is_writable


@given(st.data(), arrays(min_ndim=1, max_ndim=3))
def test_pad(data, x):
    width = st.integers(0, 9)
    pair = st.tuples(width, width)
    widths = data.draw(width | pair | st.lists(pair, min_size=x.ndim, max_size=x.ndim))
    if not x.size:
        widths = 0
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        got = nd.pad(nd.asarray(x), widths, mode)
        same(got, np.pad(x, widths, mode))
        assert got.address != nd.asarray(x).address
    value = data.draw(st.integers(0, 1) | st.tuples(st.integers(0, 1), st.integers(0, 1)))
    same(nd.pad(nd.asarray(x), widths, constant_values=value), np.pad(x, widths, constant_values=value))


@given(st.data(), arrays(min_ndim=1))
def test_diff(data, x):
    axis, n = axis_of(data, x), data.draw(st.integers(0, 3))
    same(nd.diff(nd.asarray(x), axis=axis, n=n), np.diff(x, n, axis))
    same(nd.diff(nd.asarray(x), n, axis), np.diff(x, n, axis))
    side = np.take(x, [0, 0], axis) if x.shape[axis] else x
    got = nd.diff(nd.asarray(x), prepend=nd.asarray(side), append=nd.asarray(x), axis=axis)
    same(got, np.diff(x, axis=axis, prepend=side, append=x))
    edge = np.zeros((), x.dtype)
    if n:
        same(nd.diff(nd.asarray(x), n=n, prepend=nd.asarray(edge)), np.diff(x, n, prepend=edge))
        same(nd.diff(nd.asarray(x), n=n, append=0), np.diff(x, n, append=edge))


def test_broadcasting():
    for shapes in ((), ((2, 1), (3,)), ((), (0, 1)), ((1, 4, 1), (3, 1, 5)), (3, (2, 1)), ([2, 1], [3])):
        assert nd.broadcast_shapes(*shapes) == np.broadcast_shapes(*(tuple(np.atleast_1d(s)) for s in shapes))
    assert nd.broadcast_arrays() == ()
    got = nd.broadcast_arrays(nd.ones((3, 1)), nd.zeros(4), nd.asarray(2))
    assert isinstance(got, tuple)
    assert [x.shape for x in got] == [(3, 4)] * 3
    same(nd.broadcast_to(nd.arange(3), [2, 3]), np.broadcast_to(np.arange(3), (2, 3)))


def test_reshape_by_keyword_list_and_number():
    x = nd.arange(6)
    assert nd.reshape(x, shape=(2, 3)).shape == nd.reshape(x, [2, 3]).shape == nd.reshape(x, (-1, 3)).shape == (2, 3)
    assert nd.reshape(x.reshape(2, 3), 6).shape == (6,)
    same(nd.reshape(x.reshape(2, 3).T, (6,)), np.arange(6).reshape(2, 3).T.reshape(6))
    assert nd.reshape(x, (2, 3), copy=False).address == x.address
    assert nd.reshape(x, (2, 3), copy=True).address != x.address
    assert nd.reshape(nd.ones((0, 3)), (-1,)).shape == (0,)
    assert nd.reshape(nd.ones(()), ()).shape == ()
    with pytest.raises(ValueError, match="needs a copy"):
        nd.reshape(x.reshape(2, 3).T, (6,), copy=False)


def test_numpy_arrays_become_ours():
    for got in (nd.flip(np.ones(2)), nd.reshape([1, 2], (2, 1)), nd.tile(np.ones(2), 2), nd.roll([1, 2], 1),
                nd.pad([1], 1), nd.diff([1, 3]), nd.tril(np.ones((2, 2))), nd.squeeze(np.ones((1, 1)))):  # fmt: skip
        assert isinstance(got, nd.NDArray)


# Copies of every layout: the loops go by the element's size, and have a way of their own for short rows, repeated rows,
# repeated elements and transposed pieces.
LAYOUTS = [
    lambda x: x.T,
    lambda x: x[:, ::-1].T,
    lambda x: x[::-1, ::2],
    lambda x: np.broadcast_to(x[:1], (50, x.shape[1])),
    lambda x: np.broadcast_to(x[:, :1], (x.shape[0], 40)),
    lambda x: np.broadcast_to(x[:, None, :5], (x.shape[0], 7, 5)),
    lambda x: np.broadcast_to(x[:, :, None], (*x.shape, 3)),
    lambda x: x[:, ::-3],
    lambda x: x[:, 1::4],
    lambda x: x.reshape(-1)[::-1],
    lambda x: x.reshape(-1)[1::2],
    lambda x: x.reshape(-1)[-2::-4],
    lambda x: x[:, :4],
    lambda x: x[:, :4].T,
    lambda x: x.reshape(x.shape[0], -1, 3).transpose(2, 1, 0),
    lambda x: x.reshape(x.shape[0], -1, 3).transpose(1, 0, 2),
    lambda x: x.reshape(x.shape[0], -1, 3).transpose(1, 2, 0),
    lambda x: x.reshape(-1, 3, x.shape[1]).transpose(2, 1, 0)[::-1, :, ::-1],
]


@pytest.mark.parametrize("dtype", NAMES)
@pytest.mark.parametrize("shape", [(3, 6), (48, 96), (333, 129), (1026, 33)], ids=str)
def test_copies_of_any_layout(dtype, shape):
    x = (np.arange(shape[0] * shape[1]) % 251).astype(dtype).reshape(shape)
    for i, layout in enumerate(LAYOUTS):
        view = layout(x)
        for n in (1, 3):
            with nd.threads(n):
                got = nd.asarray(view).copy()
                same(got, view)
                into = nd.zeros((2, *view.shape), dtype=dtype)[:, ..., ::-1]
                into[1] = nd.asarray(view)
                np.testing.assert_array_equal(np.asarray(into[1]), view, err_msg=str(i))
                assert not np.asarray(into[0]).any()


@pytest.mark.parametrize("call, error, text", [
    (lambda: nd.concat([]), ValueError, "concat: needs one array at least"),
    (lambda: nd.stack([]), ValueError, "stack: needs one array at least"),
    (lambda: nd.concat([nd.ones(()), nd.ones(())]), ValueError, "axis 0 is out of range"),
    (lambda: nd.concat([nd.ones((2, 3)), nd.ones((3, 3))], axis=1), ValueError, r"concat: shapes .* outside axis 1"),
    (lambda: nd.concat([nd.ones((2, 3)), nd.ones(3)]), ValueError, "concat: shapes .* differ"),
    (lambda: nd.concat(nd.ones(2), nd.ones(2)), TypeError, r"the arrays are one argument, .* concat\(\[x, y\]\)"),
    (lambda: nd.stack([1, 2], [3, 4]), TypeError, r"the arrays are one argument, .* stack\(\[x, y\]\)"),
    (lambda: nd.stack([nd.ones(2), nd.ones(3)]), ValueError, r"stack: shapes \(2,\) and \(3,\) differ"),
    (lambda: nd.stack([nd.ones(2)], axis=2), ValueError, "axis 2 is out of range"),
    (lambda: nd.unstack(nd.ones(())), ValueError, "out of range"),
    (lambda: nd.expand_dims(nd.ones(2), 2), ValueError, "axis 2 is out of range"),
    (lambda: nd.expand_dims(nd.ones(2), (0, -3)), ValueError, "names one axis twice"),
    (lambda: nd.expand_dims(nd.ones(2)), TypeError, "axis"),
    (lambda: nd.squeeze(nd.ones((1, 2)), 1), ValueError, "axis 1 has size 2, not 1"),
    (lambda: nd.moveaxis(nd.ones((1, 2)), (0, 1), 0), ValueError, "2 axes cannot move to 1"),
    (lambda: nd.moveaxis(nd.ones((1, 2)), (0, 0), (0, 1)), ValueError, "names one axis twice"),
    (lambda: nd.flip(nd.ones(2), axis=1), ValueError, "out of range"),
    (lambda: nd.permute_dims(nd.ones((1, 2)), (0, -2)), ValueError, "each of the 2 axes once"),
    (lambda: nd.repeat(nd.ones(3), -1), ValueError, "must not be negative"),
    (lambda: nd.repeat(nd.ones(3), [1, -1, 2]), ValueError, "must not be negative"),
    (lambda: nd.repeat(nd.ones(3), [1, 2]), ValueError, "one count or 3 integers"),
    (lambda: nd.repeat(nd.ones(3), [1.0, 2.0, 3.0]), ValueError, "one count or 3 integers"),
    (lambda: nd.repeat(nd.ones(3), 1.5), TypeError, "counts must be an integer"),
    (lambda: nd.tile(nd.ones(3), -1), ValueError, "must not be negative"),
    (lambda: nd.roll(nd.ones((2, 2)), (1, 2, 3), axis=(0, 1)), ValueError, "3 shifts do not fit 2 axes"),
    (lambda: nd.split(nd.ones(7), 2), ValueError, "use array_split"),
    (lambda: nd.array_split(nd.ones(7), 0), ValueError, "at least 1"),
    (lambda: nd.rot90(nd.ones((2, 2)), 1, (0, 0)), ValueError, "twice"),
    (lambda: nd.meshgrid(nd.ones(2), indexing="yx"), ValueError, "'xy' or 'ij'"),
    (lambda: nd.tril(nd.ones(3)), ValueError, "tril: needs 2 dimensions"),
    (lambda: nd.diag(nd.ones((2, 2, 2))), ValueError, "1 or 2 dimensions"),
    (lambda: nd.pad(nd.ones(3), -1), ValueError, "must not be negative"),
    (lambda: nd.pad(nd.ones(3), 1, "mirror"), ValueError, "mode must be one of"),
    (lambda: nd.pad(nd.ones((3, 0)), 1, "edge"), ValueError, "axis 1 has no elements to repeat"),
    (lambda: nd.pad(nd.ones((3, 3)), ((1, 1),) * 3), ValueError, "for each of 2 axes"),
    (lambda: nd.diff(nd.ones(3), n=-1), ValueError, "n must not be negative"),
    (lambda: nd.diff(nd.ones(())), ValueError, "at least one axis"),
    (lambda: nd.broadcast_shapes((2,), (3,)), ValueError, "do not broadcast"),
    (lambda: nd.broadcast_to(nd.ones(2), (3,)), ValueError, "cannot broadcast"),
])  # fmt: skip
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


def weighted(x):
    """A number that depends on every element of `x` in its own way."""
    return nd.sum(nd.square(x) * nd.cos(nd.arange(x.size).astype("float64")).reshape(x.shape))


@pytest.mark.parametrize("function", [
    lambda x: nd.concat([x, x[:, :1] * 2.0, nd.flip(x)], axis=1),
    lambda x: nd.concat([x, nd.ones(3)], axis=None),
    lambda x: nd.stack([x, nd.square(x)], axis=1),
    lambda x: nd.hstack([x, x]) * nd.vstack([x.reshape(-1), x.reshape(-1)])[:, 0].reshape(2, 1, 1),
    lambda x: nd.unstack(x, axis=1)[2],
    lambda x: nd.array_split(x, 2, axis=2)[0] * nd.split(x, 2, axis=2)[1],
    lambda x: nd.repeat(x, 3, axis=1),
    lambda x: nd.repeat(x, 2),
    lambda x: nd.repeat(x, nd.asarray([2, 0, 3]), axis=1),
    lambda x: nd.tile(x, (2, 1, 3, 2)),
    lambda x: nd.roll(x, 5),
    lambda x: nd.roll(x, (1, -2), axis=(0, 2)),
    lambda x: nd.pad(x, 1, constant_values=2.0),
    lambda x: nd.pad(x, ((0, 0), (4, 2), (1, 5)), "edge"),
    lambda x: nd.pad(x, ((1, 0), (4, 2), (1, 5)), "reflect"),
    lambda x: nd.pad(x, ((1, 0), (4, 2), (1, 5)), "symmetric"),
    lambda x: nd.pad(x, ((1, 3), (4, 2), (1, 5)), "wrap"),
    lambda x: nd.tril(x, k=1) + nd.triu(x, k=-1),
    lambda x: nd.diag(x[0, 0], 2) + nd.diag(nd.diag(x[1, :, :3], 1), -1).T[0, 0],
    lambda x: nd.rot90(nd.moveaxis(nd.swapaxes(x, 0, 2), 0, 1)),
    lambda x: nd.atleast_3d(nd.ravel(x)) * nd.squeeze(nd.expand_dims(x, (0, 2)), 0)[0, 0, 0, 0],
    lambda x: nd.meshgrid(x[0, 0], x[1, 1])[0] * nd.meshgrid(x[0, 0], x[1, 1])[1],
    lambda x: nd.diff(x, n=2, axis=1, prepend=0.5, append=x[:, :1]),
    lambda x: nd.broadcast_arrays(x[0], x)[0],
])  # fmt: skip
def test_gradients(function):
    x = np.random.default_rng(2).uniform(0.5, 1.5, (2, 3, 4))
    check_gradient(lambda value: weighted(function(value)), x, 1e-5, 1e-7)


@pytest.mark.parametrize("shape", [(1,), (1, 1), (1, 3), (2, 1, 1)])
def test_squeeze_is_a_view_even_where_no_axis_is_left(shape):
    x = nd.zeros(shape)
    view = nd.squeeze(x)
    view[...] = 5
    assert np.array_equal(np.asarray(x), np.full(shape, 5.0))
    view += 1
    assert np.array_equal(np.asarray(x), np.full(shape, 6.0))
