"""Functions of positions against NumPy; what indexing refuses; and gradients through indices."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd
from nd4py._spec.dtypes import DTYPES
from nd4py._spec.ops import OPS

NAMES = [row.name for row in DTYPES]
INTEGERS = [row.name for row in DTYPES if "integer" in row.kind]


def array(values, dtype="int64"):
    """An nd4py array of these values."""
    return nd.asarray(values).astype(dtype)


@pytest.mark.parametrize("dtype", NAMES)
def test_every_dtype_is_read_and_written(dtype):
    x = array([[0, 1, 2], [3, 4, 5]]).astype(dtype)
    taken = array([[2, 0], [5, 3]]).astype(dtype)
    mask = nd.asarray([[True, False, True], [False, True, False]])
    for got, want in ((x[:, [2, 0]], taken), (nd.take(x, array([-1, 0]), axis=1), taken)):
        assert got.dtype == dtype
        assert got.tolist() == want.tolist()
    assert x[mask].tolist() == array([0, 2, 4]).astype(dtype).tolist()
    assert nd.take_along_axis(x, array([[1], [0]])).tolist() == array([[1], [3]]).astype(dtype).tolist()
    x[mask] = True
    x[[1], [0]] = x[0, 1]
    assert x.dtype == dtype
    assert x.tolist() == array([[1, 1, 1], [1, 1, 5]]).astype(dtype).tolist()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_every_integer_dtype_is_an_index(dtype):
    x = nd.asarray(np.arange(10.0))
    indices = np.array([3, 0, 9, 3], dtype)
    for index in (indices, nd.asarray(indices), nd.asarray(np.repeat(indices, 2))[::2]):
        assert x[index].tolist() == [3.0, 0.0, 9.0, 3.0]
    assert float(x[nd.asarray(indices)[1]]) == 0.0
    assert float(x[np.asarray(indices)[2]]) == 9.0


class Third:
    """Something that is an int where an index is needed."""

    def __index__(self):
        return 2


def test_what_stands_for_an_int_or_a_bool():
    x = nd.asarray(np.arange(12.0).reshape(3, 4))
    for two in (2, np.int8(2), np.uint64(2), np.array(2), nd.asarray(2), Third()):
        assert x[two].tolist() == [8.0, 9.0, 10.0, 11.0]
        assert x[:, two].tolist() == [2.0, 6.0, 10.0]
        assert x[[0, 1], two].tolist() == [2.0, 6.0]
    for true in (True, np.True_, np.array(True), nd.asarray(True)):
        assert x[true].shape == (1, 3, 4)
        assert x[0, true].shape == (1, 4)
    for rows in ([0, 2], (0, 2), range(0, 3, 2), np.array([0, 2]), nd.asarray([0, 2]), [nd.asarray(0), 2]):
        assert x[rows, :].tolist() == [[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0]]
    for rows in ([True, False, True], [nd.asarray(True), False, True]):
        assert x[rows].tolist() == [[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0]]
    assert x[[]].shape == (0, 4)
    assert x[[[], []]].shape == (2, 0, 4)


def test_an_unsigned_index_does_not_count_from_the_end():
    with pytest.raises(IndexError, match="18446744073709551615 is out of range"):
        nd.ones(3)[nd.asarray(np.array([2**64 - 1], np.uint64))]


def test_the_last_of_repeated_indices_is_written():
    x = nd.zeros(4)
    x[[1, 1, 1, 2]] = nd.asarray([5.0, 6.0, 7.0, 8.0])
    assert x.tolist() == [0.0, 7.0, 8.0, 0.0]
    x = nd.zeros((3, 400))
    with nd.threads(3):
        x[np.zeros(1000, int)] = nd.asarray(np.arange(1000.0)).reshape(1000, 1)
    assert set(x[0].tolist()) == {999.0}


@pytest.mark.parametrize(
    "write",
    [
        lambda to, x: to.__setitem__(slice(1, None), x[:-1]),
        lambda to, x: to.__setitem__([3, 2, 1, 0], x),
        lambda to, x: to.__setitem__(x[::-1], x),
        lambda to, x: to.__setitem__(x > 1, x[x > 1][::-1]),
        lambda to, x: to.__setitem__(x, 0),
        lambda to, x: to.__setitem__(slice(None, None, -1), x),
        lambda to, x: to.__setitem__(x == x, x[::-1]),
    ],
)
def test_assignment_reads_before_it_writes(write):
    x, want, got = np.array([1, 3, 0, 2]), np.array([1, 3, 0, 2]), array([1, 3, 0, 2])
    write(want, x)
    write(got, got)
    assert got.tolist() == want.tolist()


def test_assignment_converts_within_a_kind():
    x = nd.zeros(2, dtype="float32")
    x[[0, 1]] = nd.asarray([0.1, 0.2])
    np.testing.assert_array_equal(np.asarray(x), np.array([0.1, 0.2], np.float32))
    with pytest.raises(OverflowError, match="outside the range of int8"):
        nd.zeros(2, dtype="int8")[[0]] = 300


FLOATS = nd.asarray([1.0])
MASK = nd.asarray([True, False])


@pytest.mark.parametrize(
    "key, text",
    [
        (4, "index 4 is out of range for axis 0 of size 4"),
        ((0, -4), "index -4 is out of range for axis 1 of size 3"),
        ((0, 0, 0), "too many indices: 3"),
        ((..., [0], ...), "one Ellipsis at most"),
        ((..., ...), "one Ellipsis at most"),
        (([0], 0, 0), "too many indices: 3"),
        ([0, 7], "index 7 is out of range for axis 0 of size 4"),
        ((slice(None), [0, -4]), "index -4 is out of range for axis 1 of size 3"),
        ((None, slice(None), [9]), "index 9 is out of range for axis 1 of size 3"),
        (([0, 1], [0, 1, 2]), r"shapes \(2,\) and \(3,\), which do not broadcast"),
        (MASK, r"the mask has shape \(2,\)"),
        ((0, MASK), r"the mask has shape \(2,\)"),
        (nd.ones((4, 3, 1), dtype="bool"), "too many indices"),
        (1.5, r"integers or bools, given float64; convert first"),
        (np.float32(1), r"integers or bools, given float32; convert first"),
        (FLOATS, r"integers or bools, given float64; convert first"),
        (FLOATS[0], r"integers or bools, given float64; convert first"),
        ([0.5], r"integers or bools, given float64; convert first"),
        ("a", "given str"),
        ({}, "given dict"),
        (2**70, f"index {2**70} is out of range for axis 0 of size 4"),
        ([2**70], f"index {2**70} is out of range"),
        ((None,) * 40, "at most 32 dimensions"),
        ((None,) * 31 + ([0],), "at most 32 dimensions"),
        (0, None),
    ],
    ids=str,
)
def test_bad_keys_are_index_errors_and_write_nothing(key, text):
    x = nd.zeros((4, 3))
    if text is None:
        assert x[key].shape == (3,)
        return
    with pytest.raises(IndexError, match=text):
        x[key]
    with pytest.raises(IndexError, match=text):
        x[key] = 1.0
    assert not bool(nd.any(x))


def test_one_bad_index_among_many_writes_nothing():
    x = nd.zeros(300_000)
    indices = np.arange(300_000)
    indices[250_000] = 300_000
    for n_threads in (1, 3):
        with nd.threads(n_threads):
            with pytest.raises(IndexError, match="index 300000 is out of range"):
                x[indices] = 1.0
            with pytest.raises(IndexError, match="index 300000 is out of range"):
                nd.take(x, indices)
            with pytest.raises(IndexError, match="index 300000 is out of range"):
                nd.put_along_axis(x, indices, 1.0)
    assert not bool(nd.any(x))


@pytest.mark.parametrize("key, values", [([0, 1], [1.0, 2.0, 3.0]), (MASK, [1.0, 2.0]), (slice(None), [1.0] * 3)])
def test_values_that_do_not_fit(key, values):
    x = nd.zeros(2)
    with pytest.raises(ValueError, match="cannot broadcast"):
        x[key] = nd.asarray(values)
    assert x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("key", [0, [0], nd.asarray([True, False, False]), (0, None)], ids=str)
def test_read_only_arrays_refuse(key):
    x = nd.broadcast_to(nd.zeros(()), (3,))
    with pytest.raises(ValueError, match="read-only"):
        x[key] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        nd.put_along_axis(x, nd.asarray([0]), 1.0)


# Functions.


@st.composite
def arrays_and_axes(draw, min_size=0):
    """A NumPy array of one to four dimensions and one of its axes."""
    shape = draw(st.lists(st.integers(min_size, 4), min_size=1, max_size=4))
    x = np.arange(int(np.prod(shape)), dtype="float32").reshape(shape)
    return x.transpose(draw(st.permutations(range(x.ndim)))), draw(st.integers(-x.ndim, x.ndim - 1))


def integers_below(draw, size, shape):
    """Random indices of an axis of `size`, from both ends."""
    n = int(np.prod(shape))
    return np.array(draw(st.lists(st.integers(-size, size - 1), min_size=n, max_size=n)), "int64").reshape(shape)


@given(st.data())
def test_take(data):
    x, axis = data.draw(arrays_and_axes(min_size=1))
    indices = integers_below(data.draw, x.shape[axis], data.draw(st.lists(st.integers(0, 3), max_size=3)))
    for given_indices in (nd.asarray(indices), indices, indices.tolist() if indices.size else indices):
        got = nd.take(nd.asarray(x), given_indices, axis=axis)
        np.testing.assert_array_equal(np.asarray(got), np.take(x, indices, axis=axis), strict=True)


def test_take_without_an_axis_takes_elements_in_c_order():
    assert nd.take(nd.asarray([1, 2, 3]), [2, 0]).tolist() == [3, 1]
    assert nd.take(nd.asarray([[1, 2], [3, 4]]), [1], 1).tolist() == [[2], [4]]
    assert nd.take(nd.asarray([[1, 2], [3, 4]]).T, [[1], [-1]]).tolist() == [[3], [4]]
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        nd.take(nd.ones((2, 2)), [0], axis=2)
    with pytest.raises(IndexError, match="integers, given bools"):
        nd.take(nd.ones(2), [True])


@given(st.data())
def test_take_and_put_along_axis(data):
    x, axis = data.draw(arrays_and_axes(min_size=1))
    shape = [data.draw(st.sampled_from([n, 1])) for n in x.shape]
    shape[axis] = data.draw(st.integers(0, 4))
    indices = integers_below(data.draw, x.shape[axis], shape)
    want = np.take_along_axis(x, indices, axis)
    got = nd.take_along_axis(nd.asarray(x), nd.asarray(indices), axis=axis)
    np.testing.assert_array_equal(np.asarray(got), want, strict=True)
    values = -1 - np.arange(want.size, dtype="float32").reshape(want.shape)
    written, y = x.copy(), nd.asarray(x.copy())
    np.put_along_axis(written, indices, values, axis)
    assert nd.put_along_axis(y, nd.asarray(indices), nd.asarray(values), axis=axis) is None
    np.testing.assert_array_equal(np.asarray(y), written)


def test_along_axis_broadcasts_and_flattens():
    x = nd.asarray(np.arange(6.0).reshape(1, 2, 3))
    indices = np.array([[[2], [0]], [[-1], [1]]])
    assert nd.take_along_axis(x, indices).tolist() == [[[2.0], [3.0]], [[2.0], [4.0]]]
    assert nd.take_along_axis(x, [5, 0], axis=None).tolist() == [5.0, 0.0]
    nd.put_along_axis(x, [5, 0], 9, axis=None)
    assert x.reshape(-1).tolist() == [9.0, 1.0, 2.0, 3.0, 4.0, 9.0]
    with pytest.raises(ValueError, match="needs a copy"):
        nd.put_along_axis(x.mT, [5, 0], 9, axis=None)
    with pytest.raises(ValueError, match="same number of dimensions"):
        nd.take_along_axis(x, [0])
    with pytest.raises(ValueError, match="do not broadcast outside axis 2"):
        nd.take_along_axis(x, np.zeros((1, 3, 1), int))
    with pytest.raises(IndexError, match="index 3 is out of range for axis 2 of size 3"):
        nd.take_along_axis(x, np.full((1, 2, 1), 3))


@pytest.mark.parametrize("axis", [0, None])
def test_put_along_axis_of_a_deferred_array(axis):
    x = nd.arange(200_000.0) * 2
    assert nd.explain(x) is not None
    nd.put_along_axis(x, nd.arange(3) * 2, -nd.ones(200_000)[:3], axis=axis)
    assert x[:6].tolist() == [-1.0, 2.0, -1.0, 6.0, -1.0, 10.0]


def test_along_axis_of_large_arrays():
    random = np.random.default_rng(5)
    x = random.standard_normal((400, 500))
    for axis, y in ((1, x), (0, x), (1, x.T)):
        indices = random.integers(0, y.shape[axis], y.shape)
        got = nd.take_along_axis(nd.asarray(y), nd.asarray(indices), axis=axis)
        np.testing.assert_array_equal(np.asarray(got), np.take_along_axis(y, indices, axis))


@given(arrays_and_axes(), st.sampled_from(NAMES), st.booleans())
def test_positions_of_what_is_not_zero(pair, dtype, is_reversed):
    x = (pair[0] % 3).astype("int8")
    x = x[::-1] if is_reversed else x
    y = nd.asarray(x).astype(dtype)
    for got, want in zip(nd.nonzero(y), np.nonzero(x.astype(bool) if dtype == "bool" else x), strict=True):
        assert got.dtype == "int64"
        np.testing.assert_array_equal(np.asarray(got), want)
    np.testing.assert_array_equal(np.asarray(nd.argwhere(y)), np.argwhere(x), strict=True)
    np.testing.assert_array_equal(np.asarray(nd.flatnonzero(y)), np.flatnonzero(x), strict=True)


def test_positions_of_large_and_of_no_dimensions():
    x = np.random.default_rng(6).random((70, 50, 60)) < 0.2
    for n_threads in (1, 3):
        with nd.threads(n_threads):
            for got, want in zip(nd.nonzero(nd.asarray(x)), np.nonzero(x), strict=True):
                np.testing.assert_array_equal(np.asarray(got), want)
    with pytest.raises(ValueError, match="no dimensions"):
        nd.nonzero(nd.asarray(1))
    assert nd.argwhere(nd.asarray(3.0)).shape == (1, 0)
    assert nd.argwhere(nd.asarray(0.0)).shape == (0, 0)
    assert nd.flatnonzero(nd.asarray(3.0)).tolist() == [0]
    assert nd.nonzero(nd.asarray([0.0, float("nan"), -0.0]))[0].tolist() == [1]


def test_extract_and_compress():
    x = np.arange(12.0).reshape(3, 4)
    y = nd.asarray(x)
    for condition in (x > 4, x % 3, x.T > 4):
        np.testing.assert_array_equal(np.asarray(nd.extract(nd.asarray(condition), y)), np.extract(condition, x))
    for axis in (0, 1, -1, None):
        condition = [True, False, True]
        got = nd.compress(condition, y, axis=axis)
        np.testing.assert_array_equal(np.asarray(got), np.compress(condition, x, axis=axis))
    with pytest.raises(IndexError, match="out of range"):
        nd.compress([True] * 5, y, axis=0)
    with pytest.raises(IndexError, match="mask"):
        nd.extract(nd.asarray([True]), y)


@pytest.mark.parametrize("dtype", [row.name for row in DTYPES if row.name != "bool"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_index_add(dtype, axis):
    random = np.random.default_rng(7)
    x, indices = random.integers(0, 9, (3, 4, 5)), random.integers(-3, 3, 40)
    values = np.moveaxis(random.integers(0, 3, (40, *np.delete(x.shape, axis))), 0, axis)
    want = np.moveaxis(x.copy(), axis, 0)
    np.add.at(want, indices, np.moveaxis(values, axis, 0))
    y = array(x).astype(dtype)
    got = nd.index_add(y, nd.asarray(indices), array(values).astype(dtype), axis=axis)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.asarray(got.astype("complex128")), np.moveaxis(want, 0, axis))
    assert y.real.tolist() == x.tolist()


def test_index_add_sums_in_order_on_any_number_of_threads():
    random = np.random.default_rng(8)
    x, values = np.zeros((7, 600), "float32"), random.standard_normal((5000, 600)).astype("float32")
    indices = random.integers(0, 7, 5000)
    want = x.copy()
    np.add.at(want, indices, values)
    for n_threads in (1, 3):
        with nd.threads(n_threads):
            got = nd.index_add(nd.asarray(x), nd.asarray(indices), nd.asarray(values))
        np.testing.assert_array_equal(np.asarray(got), want)
    assert nd.index_add(nd.ones(3), [0, 0, 2], 2).tolist() == [5.0, 1.0, 3.0]


INPUTS = {
    "take": ([[0, 1, 2], [3, 4, 5]], [[2, 0]], 1),
    "take_along_axis": ([[0, 1, 2], [3, 4, 5]], [[2], [0]], -1),
    "index_add": ([[0, 1, 2], [3, 4, 5]], [2, 2], [[1, 2], [3, 4]], 1),
    "nonzero": ([[0, 1, 2], [3, 0, 5]],),
    "argwhere": ([[0, 1, 2], [3, 0, 5]],),
    "flatnonzero": ([[0, 1, 2], [3, 0, 5]],),
}


@pytest.mark.parametrize("name", INPUTS)
def test_rows_say_what_the_functions_do(name):
    [row] = [op for op in OPS if op.name == name]
    values = dict(zip([*row.args, "axis"], map(np.asarray, INPUTS[name]), strict=False))
    axis = {"axis": int(values.pop("axis"))} if row.params else {}
    got = getattr(nd, name)(*map(nd.asarray, values.values()), **axis)
    want = eval(row.ref, {"np": np, **values, **axis})
    np.testing.assert_array_equal(np.asarray([np.asarray(x) for x in got]), np.asarray(want))


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: nd.index_add(nd.ones(3), [3], 1.0), IndexError, "index 3 is out of range"),
        (lambda: nd.index_add(nd.ones(3), [1.0], 1.0), IndexError, "integers or bools"),
        (lambda: nd.index_add(nd.ones(3, dtype="int8"), [1], 1.5), TypeError, "convert first"),
        (lambda: nd.index_add(nd.ones(3, dtype="int8"), [1], nd.ones(1)), TypeError, "convert first"),
        (lambda: nd.index_add(nd.ones(3, dtype="bool"), [1], True), TypeError, "convert first"),
        (lambda: nd.index_add(nd.ones(3), [1, 2], nd.ones(3)), ValueError, "cannot broadcast"),
        (lambda: nd.one_hot([0, 3], 3), IndexError, "index 3 is out of range"),
        (lambda: nd.one_hot([0, -1], 3), IndexError, "given a negative one"),
        (lambda: nd.one_hot([0.5], 3), IndexError, "integers or bools"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool"])
def test_one_hot(dtype):
    got = nd.one_hot(nd.asarray([[2, 0], [1, 1]]), 3, dtype=dtype)
    np.testing.assert_array_equal(np.asarray(got), np.eye(3, dtype=dtype)[[[2, 0], [1, 1]]], strict=True)
    assert nd.one_hot(nd.asarray(np.zeros((0, 2), "uint8")), 3).shape == (0, 2, 3)


# Gradients.

ROWS = nd.asarray([[0, 1], [1, 0]])
PICKED = nd.asarray(np.arange(24).reshape(2, 3, 4) % 5 == 0)


@pytest.mark.parametrize(
    "name, function",
    [
        ("array", lambda x: x[nd.asarray([1, 0, 1])]),
        ("arrays", lambda x: x[ROWS, [2, 0]]),
        ("array after a slice", lambda x: x[:, [2, 0, 2], 1:]),
        ("arrays apart", lambda x: x[[1, 0], :, [3, 3]]),
        ("int and array", lambda x: x[1, :, [3, 3, 0]]),
        ("array and new axis", lambda x: x[..., None, [3, 1]]),
        ("mask", lambda x: x[PICKED]),
        ("mask of leading axes", lambda x: x[PICKED[:, :, 0]]),
        ("mask beside a slice", lambda x: x[::-1, PICKED[0, :, 0]]),
        ("mask without dimensions", lambda x: x[True, 0]),
        ("take", lambda x: nd.take(x, ROWS, axis=2)),
        ("take_along_axis", lambda x: nd.take_along_axis(x, nd.asarray([[[0], [2], [2]]]), axis=-1)),
        ("take_along_axis of broadcast", lambda x: nd.take_along_axis(x[:1], ROWS.reshape(2, 2, 1), axis=1)),
        ("index_add to", lambda x: nd.index_add(x, [1, 1], 2.0, axis=1)),
        ("index_add of", lambda x: nd.index_add(nd.ones((2, 3, 4)), [2, 0, 2], x, axis=1)),
        ("index_add of repeated", lambda x: nd.index_add(nd.ones((5, 3, 4)), [2, 0, 2], x[:1])),
        ("extract", lambda x: nd.extract(PICKED, x)),
        ("compress", lambda x: nd.compress([False, True], x, axis=1)),
    ],
)
def test_gradient(name, function):
    x = np.random.default_rng(1).uniform(0.3, 1.3, (2, 3, 4))
    weights = np.random.default_rng(2).uniform(0.5, 1.5, function(nd.asarray(x)).shape)
    check_gradient(lambda x: nd.sum(nd.square(function(x)) * nd.asarray(weights)), x, 1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_gradient_of_repeated_indices_keeps_the_dtype(dtype):
    x = nd.ones(2, dtype=dtype)
    for function in (
        lambda x: nd.sum(x[np.zeros(3000, int)]),
        lambda x: nd.sum(nd.take(x, np.zeros(3000, int))),
        lambda x: nd.sum(nd.take_along_axis(x, np.zeros(3000, int))),
    ):
        g = nd.grad(function)(x)
        assert g.dtype == dtype
        np.testing.assert_allclose(g.astype("float64").tolist(), [3000.0, 0.0], rtol=0.005)


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.__setitem__([0], 1.0),
        lambda x: x.__setitem__(x > 0.0, 1.0),
        lambda x: nd.zeros(3).__setitem__([0, 1, 2], x),
        lambda x: nd.put_along_axis(x, [0], 1.0),
        lambda x: nd.put_along_axis(nd.zeros(3), [0, 1, 2], x),
    ],
)
def test_writing_what_is_differentiated_is_refused(write):
    with pytest.raises(ValueError, match="gradients do not flow"):
        nd.grad(lambda x: write(x) or nd.sum(x))(nd.ones(3))


def test_an_index_written_after_its_use_is_an_error():
    index = nd.asarray([0, 1])

    def function(x):
        y = nd.sum(x[index])
        index[0] = 1
        return y

    with pytest.raises(ValueError, match="written in place after its use"):
        nd.grad(function)(nd.ones(3))
