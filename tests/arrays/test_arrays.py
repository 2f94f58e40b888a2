"""Arrays without arithmetic: layouts, views, indexing, assignment, conversions, and what is refused."""

import copy
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd
from nd4py._spec.dtypes import DTYPES, promote

NAMES = [row.name for row in DTYPES]


@st.composite
def view_chains(draw):
    """A NumPy array and the nd4py array over the same memory after the same random views."""
    shape = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    x = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    y = nd.asarray(x)
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["index", "permute", "reshape"]))
        if kind == "permute":
            axes = draw(st.permutations(range(x.ndim)))
            x, y = x.transpose(axes), y.permute_dims(axes)
        elif kind == "reshape":
            x, y = x.reshape(-1), y.reshape(-1)
        else:
            key = tuple(draw(st.slices(n) if n == 0 else st.slices(n) | st.integers(-n, n - 1)) for n in x.shape)
            key += draw(st.sampled_from([(), (None,), (...,)]))
            x, y = np.asarray(x[key]), y[key]
    return x, y


@given(view_chains())
def test_views_match_numpy(pair):
    x, y = pair
    assert y.shape == x.shape
    assert y.size == x.size
    np.testing.assert_array_equal(np.asarray(y), x)
    assert y.is_contiguous == (x.flags.c_contiguous or x.size == 0)


def test_views_share_memory():
    x = nd.asarray(np.arange(24.0).reshape(2, 3, 4), copy=True)
    view = x[:, ::-1].permute_dims((2, 0, 1))
    view[0, 0, 0] = 100.0
    assert float(x[0, 2, 0]) == 100.0
    assert x.reshape(6, 4).address == x.address


def test_equal_layouts_share_one_shape_info():
    nd.ones((7, 5))
    before = nd.memory.caches()["shape_info"]
    for _ in range(100):
        nd.ones((7, 5)).T  # noqa: B018
    assert nd.memory.caches()["shape_info"].misses - before.misses <= 1
    for n in range(2 * before.capacity):
        nd.empty(n)
    after = nd.memory.caches()["shape_info"]
    assert before.capacity // 2 < after.size <= after.capacity == before.capacity


@pytest.mark.parametrize("key", [5, -5, (0, 3), (0, 0, 0), (..., ...), "a", 1.5, [0, 7], (slice(None), [9])], ids=str)
def test_bad_indices(key):
    with pytest.raises(IndexError):
        nd.zeros((4, 3))[key]


@pytest.mark.parametrize(
    "shape, error, text",
    [
        (-1, ValueError, "must not be negative"),
        ((2, -3), ValueError, "must not be negative"),
        ((2**40, 2**40), ValueError, "more elements than memory can address"),
        ((2**62, 4, 0), ValueError, "more elements than memory can address"),
        (2**70, ValueError, "more elements than memory can address"),
        ((1,) * 33, ValueError, "at most 32 dimensions"),
        (2.5, TypeError, "an int or a sequence of ints"),
        ("ab", TypeError, "an int or a sequence of ints"),
    ],
)
def test_bad_shapes(shape, error, text):
    with pytest.raises(error, match=text):
        nd.zeros(shape)


def test_too_large_is_a_memory_error():
    with pytest.raises(MemoryError, match=r"cannot allocate \d+ bytes for an array of shape"):
        nd.empty((2**45,))


@pytest.mark.parametrize("shape", [(5,), (-1, 7), (-1, -1), (2, 2)])
def test_bad_reshape(shape):
    with pytest.raises(ValueError, match="reshape"):
        nd.zeros((2, 3)).reshape(shape)


def test_reshape_copy_false_refuses_to_copy():
    x = nd.asarray(np.arange(6).reshape(2, 3))
    with pytest.raises(ValueError, match="needs a copy"):
        x.T.reshape(6, copy=False)
    assert x.reshape(6, copy=True).address != x.address


@pytest.mark.parametrize("axes", [(0,), (0, 0), (0, 2), (1.5, 0)])
def test_bad_permutation(axes):
    with pytest.raises((ValueError, TypeError)):
        nd.zeros((2, 3)).permute_dims(axes)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (2, 1, 3, 4), (0, 2, 3)])
def test_t_reverses_the_axes(shape):
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    y = nd.asarray(x).T
    assert (y.shape, y.strides) == (x.T.shape, x.T.strides)
    assert (np.asarray(y) == x.T).all()
    assert y.address == nd.asarray(x).address or not x.size
    assert nd.grad(lambda a: nd.sum(a.T * nd.asarray(x.T * 2.0)))(nd.ones(shape)).tolist() == (x * 2.0).tolist()


def test_mt_needs_two_axes():
    with pytest.raises(ValueError, match="mT needs at least 2"):
        nd.zeros(3).mT  # noqa: B018
    assert nd.zeros((2, 3, 4)).mT.shape == (2, 4, 3)


class TestTensorAlongDimension:
    """The rules of ND4J's tensorAlongDimension."""

    x = np.arange(24).reshape(2, 3, 4)

    @pytest.mark.parametrize("dimensions", [(0,), (1,), (2,), (0, 2), (2, 0), (-1,), (1, 2, 1)])
    def test_values(self, dimensions):
        kept = sorted({d % 3 for d in dimensions})
        others = [d for d in range(3) if d not in kept]
        moved = self.x.transpose(others + kept).reshape(-1, *[self.x.shape[d] for d in kept])
        for layout in (self.x, np.asfortranarray(self.x)):
            for i, want in enumerate(moved):
                got = nd.asarray(layout).tensor_along_dimension(i, *dimensions)
                np.testing.assert_array_equal(np.asarray(got), want)

    def test_all_dimensions_give_the_array(self):
        x = nd.asarray(self.x)
        assert x.tensor_along_dimension(0, 0, 1, 2) is x

    def test_is_a_view(self):
        x = nd.asarray(self.x.copy())
        x.tensor_along_dimension(1, 2)[...] = -1
        assert np.asarray(x)[0, 1].tolist() == [-1] * 4

    @pytest.mark.parametrize("index, dimensions", [(0, ()), (6, (2,)), (-1, (2,)), (0, (3,))])
    def test_refused(self, index, dimensions):
        with pytest.raises(ValueError, match="dimension|axis"):
            nd.asarray(self.x).tensor_along_dimension(index, *dimensions)

    def test_empty_array_is_refused(self):
        with pytest.raises(ValueError, match="no elements"):
            nd.zeros((2, 0)).tensor_along_dimension(0, 1)


@pytest.mark.parametrize("key", [0, -1, slice(None, None, -1), (..., 0), (slice(1, 3), None), slice(5, 2)], ids=str)
@pytest.mark.parametrize("value", [7, "array"])
def test_assignment_matches_numpy(key, value):
    x = np.arange(12).reshape(4, 3)
    y = nd.asarray(x, copy=True)
    if value == "array":
        value = np.arange(x[key].size).reshape(x[key].shape)
    x = x.copy()
    x[key] = value
    y[key] = nd.asarray(value) if isinstance(value, np.ndarray) else value
    np.testing.assert_array_equal(np.asarray(y), x)


def test_assignment_from_overlapping_view():
    x, y = np.arange(10), nd.asarray(np.arange(10), copy=True)
    x[1:] = x[:-1].copy()
    y[1:] = y[:-1]
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.parametrize("start", [0, 1, 3])
def test_in_place_operators_on_overlapping_views(start):
    x, y = np.arange(10.0), nd.asarray(np.arange(10.0), copy=True)
    x[start:] += x[: 10 - start].copy()
    y[start:] += y[: 10 - start]
    x[::-1] -= x.copy()
    y[::-1] -= y
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.parametrize("source", NAMES)
@pytest.mark.parametrize("target", NAMES)
def test_casts_match_numpy(source, target):
    import ml_dtypes

    numpy_dtype = {"bfloat16": ml_dtypes.bfloat16}
    values = np.array([0, 1, 2, 3, 100, 127], np.float64).astype(numpy_dtype.get(source, source))
    if "complex" in source and target != "bool" and "complex" not in target:
        with pytest.raises(TypeError, match="drop the imaginary parts"):
            nd.asarray(values).astype(target)
        return
    got = nd.asarray(values).astype(target)
    assert got.dtype == target
    np.testing.assert_array_equal(np.asarray(got), values.astype(numpy_dtype.get(target, target)))


@pytest.mark.parametrize("target", ["float16", "bfloat16"])
def test_every_half_survives_and_rounds_to_even(target):
    import ml_dtypes

    dtype = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}[target]
    bits = np.arange(65536, dtype=np.uint16).view(dtype)
    wide = nd.asarray(bits).astype("float32")
    np.testing.assert_array_equal(np.asarray(wide), bits.astype(np.float32))
    back, number = np.asarray(wide.astype(target)), ~np.isnan(np.asarray(wide))
    np.testing.assert_array_equal(back.view(np.uint16)[number], bits.view(np.uint16)[number])
    x = np.random.default_rng(0).integers(0, 2**32, 1_000_000, dtype=np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        want = x.astype(dtype)
    got = np.asarray(nd.asarray(x).astype(target))
    number = ~np.isnan(x)
    np.testing.assert_array_equal(got[number].view(np.uint16), want[number].view(np.uint16))
    assert np.isnan(got[~number].astype(np.float32)).all()


def test_floats_outside_an_integer_range_saturate():
    x = nd.asarray([1e30, -1e30, float("nan"), float("inf"), 255.9, -0.9])
    assert x.astype("uint8").tolist() == [255, 0, 0, 255, 255, 0]
    assert x.astype("int64").tolist() == [2**63 - 1, -(2**63), 0, 2**63 - 1, 255, 0]


@pytest.mark.parametrize("source", ["float32", "float64"])
@pytest.mark.parametrize("target", [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)])
def test_floats_around_the_ends_of_an_integer_range(source, target):
    """In a vector or alone, they are cut off toward 0 and held inside."""
    limits = np.iinfo(target)
    ends = np.array([0, limits.min, limits.max, -(2.0**31), 2.0**31, 2.0**63], source)
    near = [np.nextafter(ends, np.array(to, source)) for to in (-np.inf, np.inf)]
    x = np.concatenate([ends, *near, ends - 0.75, ends + 0.75, [np.inf, -np.inf, np.nan, -0.0, 2.5, -2.5]]).astype(
        source
    )
    want = [
        0 if np.isnan(v) else limits.max if v >= limits.max else max(int(v), limits.min) if v > -np.inf else limits.min
        for v in x.tolist()
    ]
    got = nd.asarray(np.tile(x, 5)).astype(target)
    assert got.tolist() == want * 5
    assert [nd.asarray(v).astype(target).item() for v in x] == want


def test_promotion_table_is_numpys():
    for left in NAMES:
        for right in NAMES:
            if "bfloat16" in (left, right):
                continue
            kinds = {np.dtype(left).kind, np.dtype(right).kind}
            loses_digits = kinds == {"i", "u"} and "uint64" in (left, right)
            assert promote(left, right) == (None if loses_digits else np.promote_types(left, right).name)


@pytest.mark.parametrize("dtype", [name for name in NAMES if name != "bool"])
def test_python_scalars_are_weak(dtype):
    x = nd.ones(3, dtype=dtype)
    assert (x + 1).dtype == dtype
    assert (1 + x).dtype == dtype
    assert (x * 2.5).dtype == (dtype if "int" not in dtype else "float64")
    wide = {"complex64": "complex64", "float32": "complex64", "float16": "complex64", "bfloat16": "complex64"}
    assert (x * 2.5j).dtype == wide.get(dtype, "complex128")


def test_scalar_out_of_range():
    with pytest.raises(OverflowError, match="outside the range of int8"):
        nd.ones(3, dtype="int8") + 300


def test_scalar_conversions():
    assert float(nd.asarray(2.5)) == 2.5
    assert int(nd.asarray(7)) == 7
    assert bool(nd.asarray(True)) is True
    assert [10, 20, 30][nd.asarray(1)] == 20
    assert nd.asarray(2**64 - 1).item() == 2**64 - 1
    for bad in (nd.asarray(1.0), nd.asarray([1])):
        with pytest.raises(TypeError):
            [10, 20][bad]
    with pytest.raises(ValueError, match="only an array of one element"):
        nd.ones(2).item()


def test_sequences():
    assert nd.asarray([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert nd.asarray([True, False]).dtype == "bool"
    assert nd.asarray([1, 2.5]).dtype == "float64"
    assert nd.asarray([nd.ones(2), nd.zeros(2)]).shape == (2, 2)
    assert nd.asarray([]).shape == (0,)
    assert nd.asarray(range(3)).tolist() == [0, 1, 2]
    for ragged in ([[1, 2], [3]], [1, [2]], [[1], 2]):
        with pytest.raises(ValueError, match="ragged"):
            nd.asarray(ragged)
    with pytest.raises(TypeError, match="cannot make an array of str"):
        nd.asarray(["a"])
    with pytest.raises(TypeError):
        nd.asarray(object())


def test_creation_matches_numpy():
    for args in ((5,), (2, 7), (7, 2, -2), (0,), (3, 3), (0.0, 1.0, 0.3), (1, 0, -0.25)):
        np.testing.assert_allclose(np.asarray(nd.arange(*args)), np.arange(*args))
    np.testing.assert_allclose(np.asarray(nd.linspace(0, 1, 7)), np.linspace(0, 1, 7))
    np.testing.assert_allclose(np.asarray(nd.linspace(0, 1, 7, endpoint=False)), np.linspace(0, 1, 7, endpoint=False))
    for k in (-1, 0, 2):
        np.testing.assert_array_equal(np.asarray(nd.eye(3, 4, k=k)), np.eye(3, 4, k))
    assert nd.full((2, 2), 7).dtype == "int64"
    assert nd.zeros_like(nd.ones(3, dtype="int8")).dtype == "int8"
    with pytest.raises(ValueError, match="device 'moon:0' is not available"):
        nd.zeros(3, device="moon:0")
    with pytest.raises(TypeError, match="unknown dtype"):
        nd.zeros(3, dtype="complex256")
    with pytest.raises(ValueError, match="step must not be 0"):
        nd.arange(0, 1, 0)


def test_manipulation_matches_numpy():
    x, y = np.arange(6).reshape(2, 3), np.arange(6, 12).reshape(2, 3)
    a, b = nd.asarray(x), nd.asarray(y)
    for axis in (0, 1, -1, None):
        np.testing.assert_array_equal(np.asarray(nd.concat([a, b], axis=axis)), np.concatenate([x, y], axis))
    for axis in (0, 1, 2, -1):
        np.testing.assert_array_equal(np.asarray(nd.stack([a, b], axis=axis)), np.stack([x, y], axis))
        assert nd.expand_dims(a, axis).shape == np.expand_dims(x, axis).shape
    for axis in (None, 0, 1, (0, 1)):
        np.testing.assert_array_equal(np.asarray(nd.flip(a, axis=axis)), np.flip(x, axis))
    assert nd.concat([a, a.astype("int8")]).dtype == "int64"
    assert nd.squeeze(nd.ones((1, 3, 1)), (0, 2)).shape == (3,)
    assert [z.shape for z in nd.broadcast_arrays(nd.ones((3, 1)), nd.ones(4))] == [(3, 4), (3, 4)]
    with pytest.raises(ValueError, match="not 1"):
        nd.squeeze(nd.ones((1, 3)), 1)
    with pytest.raises(ValueError, match="differ outside axis"):
        nd.concat([a, nd.ones((3, 2), dtype="int64")])
    with pytest.raises(ValueError, match="needs one array"):
        nd.concat([])


def test_broadcast_views_are_read_only():
    view = nd.broadcast_to(nd.ones(3), (2, 3))
    with pytest.raises(ValueError, match="read-only"):
        view[0, 0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        view += 1.0
    with pytest.raises(ValueError, match="cannot broadcast"):
        nd.broadcast_to(nd.ones(3), (2, 4))


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: nd.ones((2, 3)) + nd.ones((4, 3)), ValueError, r"add: shapes \(2, 3\) and \(4, 3\) do not broadcast"),
        (
            lambda: nd.ones(3, dtype="int64") + nd.ones(3, dtype="uint64"),
            TypeError,
            "add: int64 and uint64 have no common dtype",
        ),
        (lambda: nd.ones(3, dtype="bool") - nd.ones(3, dtype="bool"), TypeError, "subtract: no bool loop.*x.astype"),
        (lambda: nd.floor(1j), TypeError, "floor: no complex128 loop.*real"),
        (lambda: nd.fmod(nd.ones(3), 1j), TypeError, "fmod: no complex128 loop.*no order"),
        (lambda: nd.exp({1: 2}), TypeError, "x must be an nd4py array or a Python scalar, given dict"),
        (lambda: nd.ones(3) + "a", TypeError, "unsupported operand"),
        (lambda: nd.sum(nd.ones((2, 3)), axis=2), ValueError, "axis 2 is out of range"),
        (lambda: nd.sum(nd.ones((2, 3)), axis=(0, 0)), ValueError, "names one axis twice"),
        (lambda: nd.sum(nd.ones((2, 3)), axis=0.5), TypeError, "axis must be an int"),
        (lambda: nd.max(nd.ones((2, 0)), axis=1), ValueError, "no elements along axis 1"),
        (lambda: nd.argmax(nd.ones(0)), ValueError, "no elements"),
        (lambda: nd.sum({1: 2}), TypeError, "x must be an nd4py array"),
        (lambda: nd.exp(nd.ones(3), out=nd.ones(4)), ValueError, r"the result has shape \(3,\), out has \(4,\)"),
        (lambda: nd.exp(nd.ones(3), out=nd.ones(3, dtype="int8")), TypeError, "the result is float64, out is int8"),
        (lambda: nd.leaky_relu(nd.ones(3), alpha="a"), TypeError, "alpha must be a number"),
        (lambda: len(nd.asarray(1.0)), TypeError, "without dimensions"),
        (lambda: iter(nd.asarray(1.0)), TypeError, "without dimensions"),
        (lambda: hash(nd.ones(3)), TypeError, "unhashable"),
        (lambda: nd.NDArray(), TypeError, "make arrays with"),
        (lambda: nd.ones(3).__array_namespace__(api_version="1999.01"), ValueError, "follows the array API"),
    ],
)
def test_errors_say_what_was_wrong(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_copies_and_pickles():
    for dtype in NAMES:
        x = nd.asarray([[0, 1], [1, 0]]).astype(dtype)
        for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(x.T))):
            assert twin.dtype == dtype
            assert twin.address != x.address
            assert sorted(sum(twin.real.astype("int64").tolist(), [])) == [0, 0, 1, 1]
            twin[0, 0] = True


def test_memory_goes_with_the_last_reference():
    x = nd.ones(1000)
    view, watcher = x[5:], weakref.ref(x)
    del x
    assert float(view[0]) == 1.0
    assert watcher() is not None
    del view
    assert watcher() is None


def test_repr_is_short():
    assert repr(nd.asarray([1, 2])) == "array([1, 2], dtype=int64)"
    assert len(repr(nd.zeros(1_000_000))) < 200
    assert "shape=(1000000,)" in repr(nd.zeros(1_000_000))
    for n in range(10, 25):  # lines end where NumPy ends them
        assert repr(nd.arange(n, dtype="int16")) == repr(np.arange(n, dtype="int16"))
    assert "bfloat16" in repr(nd.ones(2, dtype="bfloat16"))


def test_namespace():
    assert nd.ones(1).__array_namespace__() is nd
    assert nd.ones(1).device == "cpu"


@pytest.mark.parametrize(("dtype", "bits"), [("float16", 0x7C00), ("bfloat16", 0x7F80)])
def test_halves_of_doubles_are_rounded_once(dtype, bits):
    patterns = np.arange(bits, dtype="uint16")
    plain = patterns.view("float16") if dtype == "float16" else (patterns.astype("uint32") << 16).view("float32")
    exact = plain.astype("float64")
    low, high, is_even = exact[:-1], exact[1:], np.arange(exact.size - 1) % 2 == 0
    between = 0.5 * (low + high)
    for values in (low, between, np.nextafter(between, np.inf), np.nextafter(between, -np.inf)):
        rounded = np.where((values < between) | ((values == between) & is_even), low, high)
        for sign in (1.0, -1.0):
            x = nd.asarray(sign * values)
            for y in (x, nd.repeat(x, 2)[::2]):
                np.testing.assert_array_equal(y.astype(dtype).astype("float64"), sign * rounded)
    special = nd.asarray([np.nan, np.inf, -np.inf, 1e300, -1e300, 5e-324, -0.0]).astype(dtype)
    assert str(special.tolist()) == "[nan, inf, -inf, inf, -inf, 0.0, -0.0]"


def test_derived_classes_have_another_base():
    mine = type("Mine", (nd.NDArray,), {})
    assert nd.NDArray not in mine.__mro__
    assert issubclass(mine, nd.NDArray)


@pytest.mark.parametrize("name", ["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"])
def test_whole_numbers_without_a_common_dtype_are_compared(name):
    signed = np.array([-5, -1, 0, 1, 2**62, 2**63 - 1, -(2**63)])
    unsigned = np.array([0, 2**64 - 1, 0, 2, 2**62, 2**63, 2**63], "uint64")
    compare = getattr(np, name)
    for x, y in ((signed, unsigned), (unsigned, signed), (unsigned[:, None], signed[:4].astype("int8"))):
        np.testing.assert_array_equal(getattr(nd, name)(nd.asarray(x), nd.asarray(y)), compare(x, y))
    out = nd.zeros(7, dtype="bool")
    getattr(nd, name)(nd.asarray(signed), nd.asarray(unsigned), out=out)
    np.testing.assert_array_equal(out, compare(signed, unsigned))
