"""Values of another kind are converted where they are assigned, as in NumPy; what has no value there is refused."""

import itertools

import numpy as np
import pytest

import nd4py as nd

TYPES = ["bool", "int8", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64"]
VALUES = np.array([0.0, 1.0, 2.7, 100.5, 3.0, 0.25, 5.5, 1.0])  # every dtype holds what is left of them


def each(lib, x, values):
    """Assignments of eight values by every kind of key."""
    y = x.copy()
    y[:] = values
    yield y
    y = x.copy()
    y[::2] = values[1::2]
    yield y
    y = x.copy()
    y[lib.asarray([3, 1, 7])] = values[2:5]
    yield y
    y = x.copy()
    y[lib.asarray(list(range(8))) % 2 == 0] = values[4:]
    yield y
    y = x.copy().reshape(2, 4)
    y[1] = values[:4]
    y[0, 2] = values[3]
    y[:, -1] = values[6]
    yield y
    y = x.copy()
    lib.put_along_axis(y, lib.asarray([6, 2]), values[2:4], 0)
    lib.put(y, [0, 1], values[2:4])
    yield y
    y = x.copy()
    lib.place(
        y, lib.asarray([True] * 3 + [False] * 5), values[1:4].tolist()
    )  # NumPy takes no array of another kind here
    yield y
    y = x.copy().reshape(2, 4)
    lib.fill_diagonal(y, values[2:4])
    yield y


@pytest.mark.parametrize("given", TYPES)
@pytest.mark.parametrize("dtype", [name for name in TYPES if name != "complex64"])
def test_arrays_are_converted_as_numpy_converts_them(dtype, given):
    values, x = VALUES.astype(given), np.zeros(8, dtype)
    if given == "complex64" and dtype != "bool":
        with pytest.raises(TypeError, match=f"complex64 values do not fit {dtype}; take values.real"):
            nd.asarray(x)[:] = nd.asarray(values)
        return
    with np.errstate(all="ignore"):
        theirs = list(each(np, x, values))
    for ours, expected in zip(each(nd, nd.array(x), nd.array(values)), theirs, strict=True):
        assert ours.dtype == dtype
        np.testing.assert_array_equal(np.asarray(ours), expected)


@pytest.mark.parametrize("key", [2, slice(1, 3), [0, 3], np.array([True, False, True, False]), ...], ids=str)
@pytest.mark.parametrize("value", [1.7, -1.7, 0.2, 3, True, np.float32(2.5), np.int16(3), np.array(2.9)], ids=repr)
@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32"])
def test_scalars_are_converted_as_numpy_converts_them(dtype, value, key):
    ours, theirs = nd.zeros(4, dtype=dtype), np.zeros(4, dtype)
    ours[key] = theirs[key] = value
    np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_values_written_over_their_own_memory():
    """A view of the same bytes as another dtype takes the values, not the bytes that were written before."""
    x = nd.asarray([1.5, 2.5, 99.9, -3.2], dtype="float32")
    y = x.view("int32")
    y[:] = x
    assert y.tolist() == [1, 2, 99, -3]
    x = nd.asarray([1.5, 2.5, 99.9, -3.2], dtype="float64")
    y = x.view("int32")
    y[:4] = x
    assert y[:4].tolist() == [1, 2, 99, -3]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (float("nan"), ValueError, "NaN is no "),
        (float("inf"), OverflowError, "inf is outside the range of "),
        (1e30, OverflowError, "outside the range of "),
        (1j, TypeError, r"the scalar 1j does not fit .*; take its real part"),
    ],
)
@pytest.mark.parametrize("key", [0, slice(None), [1]], ids=str)
def test_scalars_without_a_value_among_integers_are_refused(dtype, value, error, message, key):
    x = nd.arange(3).astype(dtype)
    with pytest.raises(error, match=message):
        x[key] = value
    assert x.tolist() == [0, 1, 2]
    with pytest.raises(error, match=message):
        nd.full(3, value, dtype=dtype)


TEXTS = ["3", " 1.5 ", "1e2", "nan", "abc", "", None, ["1", "2.5", "3"], [None, 1, 2.5], [["4"], [5]], ["x", "1", "2"]]


@pytest.mark.parametrize("value", TEXTS, ids=repr)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
def test_texts_that_hold_numbers_and_none_are_read_where_they_are_assigned(dtype, value):
    key = (0, 1) if value is None or isinstance(value, str) else (slice(2), slice(len(np.atleast_1d(value).T)))
    ours, theirs = nd.zeros((2, 3), dtype=dtype), np.zeros((2, 3), dtype=dtype)
    try:
        theirs[key] = value
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            ours[key] = value
        assert not nd.any(ours)
    else:
        ours[key] = value
        np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_sums_of_a_higher_kind_are_refused():
    for add in (nd.index_add, nd.add.at):
        with pytest.raises(TypeError):
            add(nd.zeros(3, dtype="int64"), [0], 1.5)
        with pytest.raises(TypeError):
            add(nd.zeros(3, dtype="int64"), [0], nd.asarray([1.5]))


def test_values_are_converted_in_functions_of_examples():
    def written(x):
        y = nd.zeros(3, dtype="int64")
        y = y + nd.zeros_like(x, dtype="int64")
        y[0], y[1:] = 1.7, x[1:]
        return y

    x = nd.asarray([[1.5, 2.5, -3.5], [4.9, -0.2, 7.0]])
    assert nd.vmap(written)(x).tolist() == [written(row).tolist() for row in x] == [[1, 2, -3], [1, 0, 7]]


def test_captured_assignments_convert():
    def written(x):
        y = nd.zeros(3, dtype="int64")
        y[...] = x
        y[0] = 2.5
        return y

    x = nd.asarray([1.5, 2.5, -3.5])
    graph = nd.capture(written, x)
    for shift in (0.0, 1.0):
        assert graph(x + shift).tolist() == written(x + shift).tolist()


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
@pytest.mark.parametrize(
    "shape", [(4, 1, 3), (1, 4, 1), (3, 1, 1), (1, 1, 1), (2, 3, 1), (1, 2, 3), (2, 3, 4)], ids=str
)
def test_values_whose_axes_are_turned_are_written_through_index_arrays(shape, order):
    """Axes with one element have any stride."""
    values = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    turned, own = values.transpose(order), nd.asarray(values).permute_dims(order)
    places = np.ix_(*(np.arange(n)[::-1] for n in turned.shape))
    for n_indexed in range(1, 4):
        key = tuple(place.reshape(place.shape[:n_indexed]) for place in places[:n_indexed])
        for source in (own, own.copy(), nd.asarray(values * 1).permute_dims(order)):
            wanted, found = np.zeros(turned.shape), nd.zeros(turned.shape)
            wanted[key] = turned
            found[tuple(map(nd.asarray, key))] = source
            assert np.array_equal(np.asarray(found), wanted)
            nd.add.at(found, tuple(map(nd.asarray, key)), source)
            assert np.array_equal(np.asarray(found), 2 * wanted)
