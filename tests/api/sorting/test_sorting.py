"""sort, argsort and topk against NumPy: every dtype, every path through the loops, equal elements in their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd
from nd4py._spec.dtypes import DTYPES

DTYPES_WITH_ORDER = [row.name for row in DTYPES if "complex" not in row.name]
NUMPY_DTYPES = [name for name in DTYPES_WITH_ORDER if name != "bfloat16"]
# Around the borders of vectors, networks, partitions, counting and buckets.
SIZES = (1, 2, 3, 8, 9, 17, 33, 64, 65, 129, 257, 300, 513, 1000, 5000, 60_000, 140_000)


def drawn(kind, dtype, n, seed=0):
    """n elements of a kind: spread over the dtype, few different, ascending, descending, mostly equal."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    if "float" in dtype:
        values = {
            "spread": rng.standard_normal(n),
            "few": rng.choice([0.0, -0.0, 0.1, np.nan, -np.nan, np.inf, -np.inf], n),
            "ascending": np.arange(n) / 8,
            "descending": np.arange(n)[::-1] / 8,
            "skewed": np.where(rng.random(n) < 0.01, rng.standard_normal(n) * 1e4, 0.3),
        }[kind]
        with np.errstate(over="ignore"):
            return values.astype(dtype)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    spread = rng.integers(low, high, n, dtype=dtype, endpoint=True)
    return {
        "spread": spread,
        "few": rng.integers(0, 5, n).astype(dtype),
        "ascending": np.arange(n).astype(dtype),
        "descending": np.arange(n)[::-1].astype(dtype),
        "skewed": np.where(rng.random(n) < 0.01, spread, 7).astype(dtype),
    }[kind]


def stable_order(x, descending):
    """NumPy's stable argsort along the last axis; descending: the reverse, but equal elements as they stand."""
    if not descending:
        return np.argsort(x, axis=-1, kind="stable")
    return x.shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def assert_sorted(x, descending):
    """sort, argsort and topk agree with NumPy, bit for bit."""
    a, order = nd.asarray(x), stable_order(x, descending)
    sorted_x = np.take_along_axis(x, order, -1)
    assert np.asarray(nd.sort(a, descending=descending)).tobytes() == sorted_x.tobytes()
    np.testing.assert_array_equal(nd.argsort(a, descending=descending), order)
    n = x.shape[-1]
    for k in {0, min(1, n), n // 3, n}:
        values, indices = nd.topk(a, k, largest=descending)
        np.testing.assert_array_equal(indices, order[..., :k])
        assert np.asarray(values).tobytes() == np.ascontiguousarray(sorted_x[..., :k]).tobytes()


@pytest.mark.parametrize("descending", [False, True], ids=["ascending", "descending"])
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_lines_of_every_length(dtype, descending):
    for n in SIZES:
        for kind in ("spread", "few", "ascending", "descending", "skewed"):
            assert_sorted(drawn(kind, dtype, n), descending)


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_many_short_lines(dtype):
    for n in (1, 3, 10, 16, 31, 60, 100):
        for descending in (False, True):
            assert_sorted(drawn("few", dtype, 300 * n).reshape(300, n), descending)
            assert_sorted(drawn("spread", dtype, 30 * n).reshape(5, 6, n), descending)


@pytest.mark.parametrize("descending", [False, True], ids=["ascending", "descending"])
def test_bfloat16_is_sorted_as_the_floats_it_stands_for(descending):
    for n in SIZES:
        x = nd.asarray(drawn("few" if n % 2 else "spread", "float32", n)).astype("bfloat16")
        order = stable_order(np.asarray(x.astype("float32")), descending)
        np.testing.assert_array_equal(nd.argsort(x, descending=descending), order)
        got = nd.sort(x, descending=descending)
        assert got.dtype == "bfloat16"
        np.testing.assert_array_equal(got.astype("float32"), np.asarray(x.astype("float32"))[order])


LAYOUTS = {
    "C": lambda x: x,
    "transposed": lambda x: x.T,
    "strided": lambda x: x[::2, 1::3],
    "reversed": lambda x: x[::-1, ::-1],
    "repeated": lambda x: np.broadcast_to(x[:, :1], x.shape),
    "no lines": lambda x: x[:0],
    "no elements": lambda x: x[:, :0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1, -1, -2, None])
def test_layouts_and_axes(layout, axis):
    x = LAYOUTS[layout](np.random.default_rng(0).integers(0, 50, (40, 60)))
    a = nd.asarray(x)
    np.testing.assert_array_equal(nd.sort(a, axis=axis), np.sort(x, axis=axis))
    np.testing.assert_array_equal(nd.argsort(a, axis=axis), np.argsort(x, axis=axis, kind="stable"))
    assert nd.sort(a, axis=axis).is_contiguous


def test_middle_axis_of_three():
    x = np.random.default_rng(1).standard_normal((5, 7, 6)).astype("float32")
    np.testing.assert_array_equal(nd.sort(nd.asarray(x), axis=1), np.sort(x, axis=1))
    values, indices = nd.topk(nd.asarray(x), 3, axis=1)
    np.testing.assert_array_equal(values, -np.sort(-x, axis=1)[:, :3])
    np.testing.assert_array_equal(indices, np.argsort(-x, axis=1, kind="stable")[:, :3])


@given(st.lists(st.floats(width=32), max_size=300), st.booleans())
def test_any_floats(values, descending):
    x = np.array(values, "float32").reshape(1, -1)
    np.testing.assert_array_equal(nd.argsort(nd.asarray(x), descending=descending), stable_order(x, descending))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=300), st.booleans())
def test_any_integers(values, descending):
    assert_sorted(np.array(values, "int64"), descending)


def test_keys_that_differ_only_where_the_position_is_packed():
    """Doubles one unit in the last place apart lose those bits to the positions, and are put in order all the same."""
    rng = np.random.default_rng(2)
    x = 1.0 + rng.integers(0, 2000, 5000) * np.finfo("float64").eps
    x[::7] *= -1e300
    assert_sorted(x, False)
    assert_sorted(np.concatenate([x] * 30), True)


PATTERNS = {
    "organ pipe": lambda i: np.minimum(i, i[::-1]),
    "sawtooth": lambda i: i % 1000,
    "two runs": lambda i: (i + i.size // 2) % i.size,
    "last comes first": lambda i: np.roll(i, -1),
    "interleaved": lambda i: np.where(i % 2, i, -i),
    "stairs": lambda i: i // 5000,
    "one peak": lambda i: np.where(i == i.size // 3, 1, 0),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_that_hurt_quicksorts(pattern):
    for n in (1000, 20_000, 300_000):
        x = PATTERNS[pattern](np.arange(n))
        for dtype in ("int32", "int64", "float64"):
            assert_sorted(x.astype(dtype), False)


@pytest.mark.parametrize("dtype", ["int32", "float64", "int16"])
def test_result_does_not_depend_on_the_threads(dtype):
    x = nd.asarray(drawn("skewed", dtype, 400_000) if dtype == "int16" else drawn("spread", dtype, 400_000))
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append([np.asarray(nd.sort(x)).tobytes(), np.asarray(nd.argsort(x, descending=True)).tobytes()])
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("kind", ["spread", "few", "skewed", "descending"])
def test_long_lines_on_two_threads(kind):
    for dtype in ("int32", "uint64", "float32", "float64", "int8"):
        with nd.threads(2):
            assert_sorted(drawn(kind, dtype, 3 * 140_000).reshape(3, -1), True)


def test_views_of_the_input_stay_as_they_are():
    x = nd.asarray(np.array([3, 1, 2]))
    nd.sort(x)
    nd.argsort(x)
    nd.topk(x, 2)
    assert x.tolist() == [3, 1, 2]


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="axis -1 is out of range for an array of 0 dimensions"):
        nd.sort(nd.asarray(1.0))
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        nd.argsort(nd.zeros((2, 3)), axis=2)
    with pytest.raises(ValueError, match="topk: k must lie between 0 and the size of the axis, 3; given 4"):
        nd.topk(nd.zeros((2, 3)), 4)
    with pytest.raises(TypeError):
        nd.topk(nd.zeros(3), 1.5)


def test_gradients_go_back_to_where_the_elements_came_from():
    x = np.random.default_rng(4).permutation(24).reshape(4, 6) / 7
    weights = np.arange(24.0).reshape(4, 6)
    for axis in (0, 1):
        g = nd.grad(lambda a, i=axis: nd.sum(nd.sort(a, axis=i, descending=True) * nd.asarray(weights)))(nd.asarray(x))
        want = np.empty_like(x)
        np.put_along_axis(want, np.argsort(-x, axis=axis), weights, axis)
        np.testing.assert_array_equal(g, want)


def test_gradient_of_topk():
    x = nd.asarray(np.array([[3.0, 1.0, 4.0, 1.5], [5.0, 9.0, 2.0, 6.0]]))
    g = nd.grad(lambda a: nd.sum(nd.topk(a, 2)[0] * nd.asarray([[1.0, 2.0]])))(x)
    assert g.tolist() == [[2, 0, 1, 0], [0, 1, 0, 2]]
    g = nd.grad(lambda a: nd.sum(nd.topk(a, 1, axis=0, largest=False).values))(x)
    assert g.tolist() == [[1, 1, 0, 1], [0, 0, 1, 0]]


@pytest.mark.parametrize("kind", ["quick", "Quicksort", "q", "heap", "merge", "m", "stable", "S"])
def test_kinds_are_known_by_their_first_letters(kind):
    x = nd.asarray([3, 1, 2])
    assert nd.sort(x, kind=kind).tolist() == [1, 2, 3]
    assert nd.argsort(x, kind=kind).tolist() == [1, 2, 0]
    with pytest.raises(ValueError, match="kind must be one of"):
        nd.sort(x, kind="bubble")
