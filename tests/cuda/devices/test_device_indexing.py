"""Keys with arrays, masks, sorted lines and sets on simulated devices, against NumPy."""

import numpy as np
import pytest

import nd4py as nd
from nd4py._exec.drivers import index_drivers
from nd4py.cuda.driver.driver import RoutineMissing
from nd4py.cuda.sort import device_sort

pytestmark = pytest.mark.usefixtures("simulator")

VALUES = np.arange(60.0).reshape(3, 4, 5)
MASK = VALUES % 3 == 0
KEYS = {
    "two arrays": ([0, 2, 1], [1, -1, 3]),
    "arrays that broadcast": ([[0], [2]], [1, 3, 0]),
    "apart": ([0, 2], slice(None), [1, 4]),
    "an int beside an array": (1, slice(1, 3), [0, -1]),
    "behind an ellipsis": (..., [4, 0, 4]),
    "a new axis": (None, [1, 0], slice(None, None, 2)),
    "a mask of one axis": (slice(None), np.asarray([True, False, True, True])),
    "a mask of two axes": (MASK[:, :, 0],),
    "a mask of two axes behind one": (slice(None), MASK[0]),
    "a mask and an array": (np.asarray([True, False, True]), [1, 2]),
    "a whole mask": (MASK,),
    "an empty mask": (VALUES < 0,),
    "no indices": ([],),
    "three arrays": ([0, 1], [1, 2], [2, 3]),
    "one truth": (np.asarray(True),),
    "nothing true": (slice(1, 3), np.asarray(False)),
    "a truth beside an array": (np.asarray(True), [2, 0]),
    "an array of another integer dtype": (slice(None), np.asarray([3, 0], "uint8"), 1),
}


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def numpy_of(x):
    assert x.device.startswith("cuda:")
    return np.asarray(x.to_device("cpu"))


def on_device(key):
    """The key with its NumPy arrays on the device; lists stay lists."""
    items = tuple(on(item) if isinstance(item, np.ndarray) else item for item in key)
    return items[0] if len(items) == 1 else items


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("layout", ["dense", "transposed"])
def test_keys(name, layout):
    key = KEYS[name]
    x = on(VALUES) if layout == "dense" else on(VALUES.transpose(2, 0, 1).copy()).permute_dims((1, 2, 0))
    want = VALUES[tuple(np.asarray(i, int) if isinstance(i, list) else i for i in key)]
    got = numpy_of(x[on_device(key)])
    assert got.shape == want.shape
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", KEYS)
def test_assignment(name):
    key = tuple(np.asarray(i, int) if isinstance(i, list) else i for i in KEYS[name])
    want, x = VALUES.copy(), on(VALUES)
    want[key] = -1.0
    x[on_device(KEYS[name])] = -1.0
    np.testing.assert_array_equal(numpy_of(x), want)
    values = np.arange(want[key].size, dtype="float32").reshape(want[key].shape)
    want[key] = values
    x[on_device(KEYS[name])] = on(values)
    np.testing.assert_array_equal(numpy_of(x), want)


def test_assignment_to_views_and_of_equal_indices():
    want, x = VALUES.copy(), on(VALUES)
    want[:, ::2][[0, 0, 2]] = np.arange(3.0)[:, None, None]
    x[:, ::2][[0, 0, 2]] = on(np.arange(3.0)[:, None, None])
    np.testing.assert_array_equal(numpy_of(x), want)
    want.transpose(2, 1, 0)[MASK.transpose(2, 1, 0)] = 7.0
    x.permute_dims((2, 1, 0))[on(MASK.transpose(2, 1, 0).copy())] = on([7.0])
    np.testing.assert_array_equal(numpy_of(x), want)


def test_many_indices_are_not_compared_with_each_other(monkeypatch):
    monkeypatch.setattr(index_drivers, "FEW_INDICES", 3)
    index = np.random.default_rng(0).integers(-9, 9, 200)
    want, x = np.zeros((9, 2), "int32"), on(np.zeros((9, 2), "int32"))
    values = np.arange(400, dtype="int32").reshape(200, 2)
    want[index] = values
    x[on(index)] = on(values)
    np.testing.assert_array_equal(numpy_of(x), want)


@pytest.mark.parametrize(
    ("key", "text"),
    [(([3, 0],), "index 3 is out of range for .*axis .*of size 3"), (([0], [0, -5]), "index -5 .* axis 1 of size 4"),
     ((0.5,), "indices must be integers or bools"), (([0], [0], [0], [0]), "too many indices"),
     ((np.asarray([True, False]),), "the mask has shape"), (([0, 1], [0, 1, 2]), "do not broadcast")],
    ids=str,
)  # fmt: skip
def test_wrong_keys(key, text):
    with pytest.raises(IndexError, match=text):
        numpy_of(on(VALUES)[on_device(key)])
    x = on(VALUES)
    with pytest.raises(IndexError, match=text):
        x[on_device(key)] = 1.0
    np.testing.assert_array_equal(numpy_of(x), VALUES)


def test_wrong_values():
    x = on(np.arange(6))
    with pytest.raises(TypeError, match="complex128 values do not fit int64"):
        x[on([0])] = on([0.5j])
    with pytest.raises(ValueError, match=r"cannot broadcast shape \(2,\) to \(3,\)"):
        x[x > 2] = on([1, 2])
    with pytest.raises(ValueError, match="different devices"):
        x[on([0])] = nd.asarray([1])
    np.testing.assert_array_equal(numpy_of(x), np.arange(6))


def test_nonzero():
    for values in (VALUES % 4, MASK, np.zeros((0, 3)), np.zeros(5), np.ones((2, 0, 2)), np.arange(3000) % 7):
        got = nd.nonzero(on(values))
        for index, want in zip(got, np.nonzero(values), strict=True):
            np.testing.assert_array_equal(numpy_of(index), want)
        np.testing.assert_array_equal(numpy_of(nd.flatnonzero(on(values))), np.flatnonzero(values))


@pytest.mark.parametrize("axis", [0, 1, 2, None])
def test_indices_along_an_axis(axis):
    index = np.random.default_rng(0).integers(-3, 3, VALUES.size if axis is None else (3, 4, 5))
    got = nd.take_along_axis(on(VALUES), on(index), axis=axis)
    np.testing.assert_array_equal(numpy_of(got), np.take_along_axis(VALUES, index, axis))
    if axis is not None:
        want, x = VALUES.copy(), on(VALUES)
        np.put_along_axis(want, index, -VALUES, axis)
        nd.put_along_axis(x, on(index), on(-VALUES), axis)
        np.testing.assert_array_equal(numpy_of(x), want)


def test_adding_by_index():
    index, values = np.asarray([0, 2, 0, -1]), np.arange(48.0).reshape(4, 4, 3)
    for dtype in ("float32", "int16"):
        want = np.zeros((3, 4, 3), dtype)
        np.add.at(want, index, values.astype(dtype))
        got = nd.index_add(on(np.zeros((3, 4, 3), dtype)), on(index), on(values.astype(dtype)))
        np.testing.assert_array_equal(numpy_of(got), want)
    many = np.random.default_rng(1).integers(-50, 50, 40_000)
    sums = numpy_of(nd.index_add(on(np.zeros(50)), on(many), on(np.ones(40_000))))
    np.testing.assert_array_equal(sums, np.bincount(many % 50, minlength=50))
    with pytest.raises(IndexError, match="index_add: index 3 is out of range for an axis of size 3"):
        nd.index_add(on(np.zeros(3)), on(np.asarray([0, 3])), on(np.ones(2)))


# Order.


def unordered(dtype, shape):
    """Values of a dtype with equal ones among them, and NaN and zeros of both signs where there are some."""
    rng = np.random.default_rng(5)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith("float"):
        return rng.choice(np.asarray([np.nan, -np.inf, np.inf, -0.0, 0.0, 1.5, -2.0, 3.25], dtype), shape)
    info = np.iinfo(dtype)
    return rng.choice(np.asarray([info.min, info.max, 0, 1, 2, 5, 77], dtype), shape)


@pytest.fixture(params=["library", "kernels"])
def sorter(request, monkeypatch):
    """Lines of two elements and more are sorted by the device's library, or none."""
    monkeypatch.setattr(device_sort, "LIBRARY_FROM", 2 if request.param == "library" else 2**62)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float64"])
@pytest.mark.parametrize("shape", [(1,), (31,), (33,), (1000,), (7, 70), (3, 0), (4, 33, 2)], ids=str)
def test_sorting(sorter, dtype, shape):
    values = unordered(dtype, shape)
    for axis in {0, len(shape) - 1}:
        for descending in (False, True):
            host, device = nd.asarray(values), on(values)
            for function in (nd.sort, nd.argsort):
                want = np.asarray(function(host, axis=axis, descending=descending))
                got = numpy_of(function(device, axis=axis, descending=descending))
                assert got.tobytes() == want.tobytes()
                assert got.dtype == want.dtype


@pytest.mark.parametrize("order", ["reverse", "random"])
def test_sorting_does_not_depend_on_the_order_of_threads(simulator, order):
    values = unordered("float32", (3, 500))
    want = numpy_of(nd.argsort(on(values)))
    before = nd.cuda.config.maximum_grid_size
    simulator.schedule(order, 3)
    nd.cuda.config.maximum_grid_size = 2
    try:
        np.testing.assert_array_equal(numpy_of(nd.argsort(on(values))), want)
    finally:
        nd.cuda.config.maximum_grid_size = before
        simulator.schedule("forward")


def test_zeros_and_nan_of_either_sign_keep_their_order(sorter):
    values = np.float32([0.0, -0.0, np.nan, -np.nan, -1.0, 1.0, -0.0, 0.0, np.inf, -np.inf, np.nan] * 9)
    for descending in (False, True):
        for function in (nd.sort, nd.argsort):
            want = np.asarray(function(nd.asarray(values), descending=descending))
            assert numpy_of(function(on(values), descending=descending)).tobytes() == want.tobytes()


def test_who_sorts(stub):
    """Long lines are the library's, but in a graph's step, and where it lacks the dtype, for which it is asked once."""
    stub.is_recording = True

    def asked(x, function=nd.sort):
        stub.calls.clear()
        function(x).block()
        return [call[1] for call in stub.calls if call[0] == "run_routine"]

    long, short = (nd.zeros((2, n), device="cuda:0") for n in (device_sort.LIBRARY_FROM, 100))
    assert asked(long) == ["sort"]
    assert asked(long, nd.argsort) == ["argsort"]
    assert asked(short) == asked(long.astype("bfloat16")) == []
    nd.cuda.Graph(lambda: nd.sort(long)).close()
    assert "run_routine" not in {call[0] for call in stub.calls}
    stub.faults["run_routine"] = [RoutineMissing("no Thrust")]
    assert [asked(long), asked(long)] == [["sort"], []]
    assert asked(long, nd.argsort) == ["argsort"]


def test_what_is_made_of_sorted_lines(sorter):
    values = unordered("float64", (9, 11))
    host, device = nd.asarray(values), on(values)
    for function in (nd.unique_all, nd.unique_counts, nd.unique_inverse):
        for got, want in zip(function(device), function(host), strict=True):
            np.testing.assert_array_equal(numpy_of(got), np.asarray(want))
    for k in (0, 3, 11):
        for got, want in zip(nd.topk(device, k), nd.topk(host, k), strict=True):
            assert numpy_of(got).tobytes() == np.asarray(want).tobytes()
    ordered = np.sort(values, axis=None)
    for side in ("left", "right"):
        np.testing.assert_array_equal(
            numpy_of(nd.searchsorted(on(ordered), device, side=side)), np.searchsorted(ordered, values, side=side)
        )
    np.testing.assert_array_equal(numpy_of(nd.isin(device, on([1.5, 0.0]))), np.isin(values, [1.5, 0.0]))
    np.testing.assert_array_equal(numpy_of(nd.isin(device, on(np.zeros(0)), invert=True)), np.ones((9, 11), bool))
    whole = values.astype("complex128") + 1j * (values == 0)
    for got, want in zip(nd.unique_all(on(whole)), nd.unique_all(nd.asarray(whole)), strict=True):
        np.testing.assert_array_equal(numpy_of(got), np.asarray(want))
    np.testing.assert_array_equal(numpy_of(nd.sort(on(whole))), np.sort(whole))


def test_counting_with_weights():
    values, weights = np.asarray([0, 3, 1, 3, 3]), np.arange(5.0)
    np.testing.assert_array_equal(numpy_of(nd.bincount(on(values), on(weights))), np.bincount(values, weights))
    numbers = np.asarray([0.1, 2.0, 0.9, 1.5, 3.0])
    for keywords in ({}, {"weights": weights}, {"density": True}, {"range": (0.5, 2.0)}):
        on_host = np.histogram(numbers, 4, **keywords)
        given = {key: on(value) if key == "weights" else value for key, value in keywords.items()}
        for got, want in zip(nd.histogram(on(numbers), 4, **given), on_host, strict=True):
            np.testing.assert_allclose(numpy_of(got), want)


def test_letters_that_occur_twice_in_an_operand_are_its_diagonal():
    x = np.arange(12.0).reshape(3, 4)[:, :3]
    for subscripts in ("ii->i", "ii", "ii,ij->j"):
        operands = [x] * (subscripts.count(",") + 1)
        got = nd.einsum(subscripts, *map(on, operands))
        np.testing.assert_allclose(numpy_of(got), np.einsum(subscripts, *operands))
