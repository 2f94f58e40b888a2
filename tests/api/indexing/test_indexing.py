"""x[key] and x[key] = value against NumPy, for random arrays and keys; and the functions of positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd


@st.composite
def arrays(draw, dtype="int32"):
    """A NumPy array of up to four dimensions, of any layout, with distinct elements."""
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    steps = draw(st.lists(st.sampled_from([1, 2, -1]), min_size=len(shape), max_size=len(shape)))
    sizes = [n * abs(step) for n, step in zip(shape, steps, strict=True)]
    x = np.arange(int(np.prod(sizes)), dtype=dtype).reshape(sizes)
    x = np.asarray(x[tuple(slice(None, None, step) for step in steps)])
    return np.asarray(x).transpose(draw(st.permutations(range(x.ndim))))


@st.composite
def index_arrays(draw, size, shape):
    """An integer array of a shape that broadcasts to `shape`; now and then an index is out of range."""
    shape = shape[draw(st.integers(0, len(shape))) :]
    shape = tuple(draw(st.sampled_from([n, n, 1])) for n in shape)
    low, high = (-size, size - 1) if size and draw(st.integers(0, 30)) else (-size - 1, size)
    values = draw(st.lists(st.integers(low, high), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    dtype = draw(st.sampled_from(["int64", "int64", "int32", "int8"]))
    return np.array(values, dtype).reshape(shape)


@st.composite
def keys(draw, shape):
    """A key of any items for an array of this shape, a tuple or a single item."""
    common = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    items, axis = [], 0
    kinds = st.sampled_from(["slice", "int", "array", "array", "mask", "new", "scalar mask"])
    while axis < len(shape) and (not items or draw(st.integers(0, 5))):
        kind = draw(kinds)
        n_axes = draw(st.integers(1, len(shape) - axis)) if kind == "mask" else kind in ("slice", "int", "array")
        size = shape[axis]
        if kind == "slice":
            items.append(draw(st.slices(size)))
        elif kind == "int":
            items.append(draw(st.integers(-size, size - 1) if size else st.just(0)))
        elif kind == "array":
            array = draw(index_arrays(size, common))
            items.append(draw(st.sampled_from([array, array.tolist() if array.ndim else array])))
        elif kind == "mask":
            sizes = shape[axis : axis + n_axes]
            count = int(np.prod(sizes))
            items.append(np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)), bool).reshape(sizes))
        else:
            items.append(None if kind == "new" else draw(st.sampled_from([True, False, np.array(True)])))
        axis += n_axes
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), Ellipsis)
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


def ours(key):
    """The key with nd4py arrays in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(map(ours, key))
    return nd.asarray(key) if isinstance(key, np.ndarray) else key


def has_empty_mask(key):
    """Whether a key holds a mask without elements; NumPy lets one pass whose shape does not fit."""
    items = key if isinstance(key, tuple) else (key,)
    return any(isinstance(item, np.ndarray) and item.dtype == bool and item.size == 0 for item in items)


def outcome(call):
    """What a call returns, or IndexError or ValueError as a word."""
    try:
        return call()
    except IndexError:
        return "IndexError"
    except (ValueError, TypeError):
        return "ValueError"


@given(st.data(), st.booleans())
def test_any_key_reads_what_numpy_reads(data, is_numpy_key):
    x = data.draw(arrays())
    key = data.draw(keys(x.shape))
    want = outcome(lambda: np.asarray(x[key]))
    got = outcome(lambda: nd.asarray(x)[key if is_numpy_key else ours(key)])
    if isinstance(want, str) or isinstance(got, str):
        assert got == want if isinstance(want, str) else has_empty_mask(key)
    else:
        assert got.shape == want.shape
        assert got.dtype == "int32"
        np.testing.assert_array_equal(np.asarray(got), want)


@given(st.data())
def test_any_key_writes_what_numpy_writes(data):
    x = data.draw(arrays())
    key = data.draw(keys(x.shape))
    selected = outcome(lambda: np.asarray(x[key]))
    shape = () if isinstance(selected, str) else selected.shape
    shape = shape[data.draw(st.integers(0, len(shape))) :]
    shape = tuple(data.draw(st.sampled_from([n, n, 1])) for n in shape)
    values = -1 - np.arange(int(np.prod(shape)), dtype=data.draw(st.sampled_from(["int32", "int8"]))).reshape(shape)
    a, b = x.copy(order="K"), x.copy(order="K")
    y = nd.asarray(b)

    def write(target, key, values):
        target[key] = values

    want = outcome(lambda: write(a, key, values))
    got = outcome(lambda: write(y, ours(key), nd.asarray(values)))
    assert got == want or has_empty_mask(key)
    np.testing.assert_array_equal(b, a if got == want else x)


LARGE = {
    "points": ((300_000,), lambda r: (r.integers(-300_000, 300_000, 200_001),)),
    "rows": ((3000, 50), lambda r: (r.integers(0, 3000, 4000),)),
    "rows of three": ((40_000, 3), lambda r: (r.integers(0, 40_000, 60_000),)),
    "rows of two": ((40_000, 2), lambda r: (r.integers(0, 40_000, 70_000),)),
    "columns": ((3000, 50), lambda r: (slice(None), r.integers(0, 50, 70))),
    "few columns": ((60_000, 5), lambda r: (slice(None), r.integers(0, 5, 3))),
    "long rows": ((7, 30_000), lambda r: (r.integers(0, 7, 9),)),
    "middle": ((30, 200, 40), lambda r: (slice(None), r.integers(0, 200, 300))),
    "pairs": ((500, 600), lambda r: (r.integers(0, 500, 150_000), r.integers(-600, 600, 150_000))),
    "table": ((500, 600), lambda r: (r.integers(0, 500, (400, 1)), r.integers(0, 600, 500))),
    "apart": ((40, 50, 60), lambda r: (r.integers(0, 40, 2000), slice(None), r.integers(0, 60, 2000))),
    "small integers": ((100, 2000), lambda r: (r.integers(0, 100, 300).astype("uint8"), slice(None, None, -1))),
    "mask of rows": ((3000, 50), lambda r: (r.random(3000) < 0.7,)),
    "mask of two axes": ((300, 50, 20), lambda r: (r.random((300, 50)) < 0.3,)),
    "mask and ints": ((20, 5000, 3), lambda r: (1, r.random(5000) < 0.6)),
}


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
@pytest.mark.parametrize("name", LARGE)
def test_large_keys_on_any_number_of_threads(name, dtype, is_transposed):
    shape, make = LARGE[name]
    random = np.random.default_rng(3)
    x = random.integers(0, 200, shape).astype(dtype)
    x = np.asfortranarray(x) if is_transposed else x
    key = make(random)
    values = random.integers(0, 200, x[key].shape).astype(dtype)
    written = x.copy(order="K")
    written[key] = values
    for n_threads in (1, 3):
        y = nd.asarray(x.copy(order="K"))
        with nd.threads(n_threads):
            np.testing.assert_array_equal(np.asarray(y[ours(key)]), x[key])
            y[ours(key)] = nd.asarray(values)
            np.testing.assert_array_equal(np.asarray(y), written)


LAYOUTS = {
    "one axis": lambda x: x[:200_003],
    "matrix": lambda x: x.reshape(-1, 120),
    "transposed": lambda x: x.reshape(-1, 120).T,
    "short lines": lambda x: x.reshape(-1, 3)[:, :2],
    "reversed": lambda x: x.reshape(-1, 120)[::-1, ::-1],
}


@pytest.mark.parametrize("density", [0.0, 0.01, 0.3, 0.6, 0.99, 1.0])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_masks_of_any_density(density, dtype, layout):
    whole = (np.arange(200_040) % 1999).astype(dtype)
    x = LAYOUTS[layout](whole)
    mask = np.random.default_rng(4).random(x.shape) < density
    for order, n_threads in (("C", 1), ("F", 3)):
        memory = whole.copy()
        y, flags = nd.asarray(LAYOUTS[layout](memory)), nd.asarray(np.asarray(mask, order=order))
        written = x.copy()
        written[mask] = 1
        with nd.threads(n_threads):
            np.testing.assert_array_equal(np.asarray(y[flags]), x[mask])
            y[flags] = 1
            np.testing.assert_array_equal(np.asarray(y), written)
            written[mask] = x[mask][::-1]
            y[flags] = nd.asarray(x[mask][::-1])
            np.testing.assert_array_equal(np.asarray(y), written)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int64", "uint64", "bool", "float16", "complex64"])
def test_numbers_written_to_one_element_obey_the_rules_of_assignment(dtype):
    x = nd.zeros((3, 4), dtype=dtype)
    x[1, 2] = 1
    assert (
        np.asarray(x).tolist() == np.pad(np.ones((1, 1), dtype if dtype != "bool" else bool), ((1, 1), (2, 1))).tolist()
    )
    if x.dtype.kind in "iub":
        x[0, 0] = 1.5
        assert x[0, 0] == 1
        x[0, 0] = 0.5
    if x.dtype.kind in "iu":
        with pytest.raises(OverflowError, match="outside the range"):
            x[0, 0] = 2**70
    if x.dtype != "bool":
        assert x[0, 0] == 0
    frozen = nd.broadcast_to(x, (2, 3, 4))
    with pytest.raises(ValueError, match="read-only"):
        frozen[0, 0, 0] = 1


def test_an_element_is_written_after_what_waits_to_read_it():
    x = nd.ones(1_000_000)
    y = x + 1
    x[3] = 5.0
    assert nd.explain(y) is None
    assert (float(y[3]), float(x[3])) == (2.0, 5.0)


def test_one_size_of_a_reshape_may_be_left_out():
    x = nd.arange(24).reshape(2, 3, 4)
    for shape, expected in (
        (-1, (24,)),
        ((-1,), (24,)),
        ((6, -1), (6, 4)),
        ((-1, 2, 3), (4, 2, 3)),
        ((2, -1, 1), (2, 12, 1)),
    ):
        assert x.reshape(shape).shape == expected
        assert nd.zeros((0, 3)).reshape((-1, 3)).shape == (0, 3)
    for shape in ((-1, -1), (5, -1), (-2, 12), (-1, 0)):
        with pytest.raises(ValueError, match="reshape|must not be negative"):
            x.reshape(shape)
