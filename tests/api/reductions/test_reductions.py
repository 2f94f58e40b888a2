"""Reductions of every shape and layout against NumPy in double precision: short and long lines, narrow and wide rows,
positions with ties and NaN, pieces, and the same bits on every number of threads."""

import numpy as np
import pytest

import nd4py as nd

RNG = np.random.default_rng(11)
# Lengths around the borders of vectors, lanes, blocks and tiles.
LENGTHS = (1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, 1023, 1025, 4100)
SHAPES = (
    *((5, n) for n in LENGTHS),
    *((n, 5) for n in LENGTHS),
    (40, 64),
    (70, 300),
    (3, 130, 37),
    (9000, 3),
    (2100, 2),
)
NAMES = ("sum", "mean", "prod", "max", "min", "sum_of_squares", "max_of_absolutes", "count_nonzero", "any", "all")
CASES = [(name, dtype) for name in NAMES for dtype in ("float32", "float64", "int8", "float16")]
CASES += [(name, "bool") for name in NAMES if name not in ("sum_of_squares", "max_of_absolutes")]
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
LAYOUTS = ("plain", "transposed", "reversed", "every other", "broadcast")


def laid_out(x, layout):
    """The numbers of `x` in memory of another layout; for "broadcast" its first row over and over."""
    if layout == "transposed":
        return np.asfortranarray(x)
    if layout == "reversed":
        return np.ascontiguousarray(np.flip(x))[tuple(slice(None, None, -1) for _ in x.shape)]
    if layout == "every other":
        holder = np.zeros([2 * size for size in x.shape], x.dtype)
        holder[tuple(slice(None, None, 2) for _ in x.shape)] = x
        return holder[tuple(slice(None, None, 2) for _ in x.shape)]
    return np.broadcast_to(x[:1], x.shape) if layout == "broadcast" else x


def sample(name, shape, dtype):
    if np.dtype(dtype).kind in "bui":
        high = 2 if dtype == "bool" else 3 if name == "prod" else 100
        return RNG.integers(0, high, shape).astype(dtype)
    if name == "prod":
        return (1 + RNG.uniform(-1, 1, shape) / 1024).astype(dtype)
    return np.where(RNG.random(shape) < 0.1, 0, RNG.uniform(-1, 3, shape)).astype(dtype)


def expected(name, x, axis):
    if name == "sum_of_squares":
        return (x * x).sum(axis)
    if name == "max_of_absolutes":
        return np.abs(x).max(axis)
    return getattr(np, name)(x, axis=axis)


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_values(name, dtype, instruction_set):
    """All shapes in all layouts: every path of the loops and of the driver."""
    for i, shape in enumerate(SHAPES):
        x = laid_out(sample(name, shape, dtype), LAYOUTS[i % len(LAYOUTS)])
        if dtype == "int8" and name == "prod":
            x = x[:3]
        wide = x.astype("int64" if x.dtype.kind in "bi" else "float64")
        for axis in (None, *range(x.ndim), (0, x.ndim - 1)):
            got = np.asarray(getattr(nd, name)(nd.asarray(x), axis=axis)).astype("float64")
            tolerance = {"float16": 2e-3, "float32": 3e-6}.get(dtype, 4e-12)  # 27,000 roundings of 1e-16
            want = expected(name, wide, axis)
            if dtype == "float16":
                want = np.where(np.abs(want) > 65504, np.inf, want)
            np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=f"{shape} {axis} {x.strides}")


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", *INTEGERS])
@pytest.mark.parametrize("has_nan", [False, True])
def test_positions(name, dtype, has_nan, instruction_set):
    """The first of equal elements, and the first NaN; lines that are found together, with and without one."""
    for i, shape in enumerate((*SHAPES, (70, 3), (150, 33), (90, 200))):
        x = RNG.integers(0, 6, shape).astype(dtype)
        if has_nan:
            if np.dtype(dtype).kind != "f":
                return
            x = np.where(RNG.random(shape) < 0.02, np.nan, x).astype(dtype)
        x = laid_out(x, LAYOUTS[i % len(LAYOUTS)])
        for axis in (None, *range(x.ndim)):
            got = getattr(nd, name)(nd.asarray(x), axis=axis)
            np.testing.assert_array_equal(np.asarray(got), getattr(np, name)(x, axis=axis), err_msg=f"{shape} {axis}")


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("width", [3, 18, 90, 600])
def test_positions_of_signed_zeros_and_extremes(axis, width, instruction_set):
    x = np.array([[-0.0, 0.0, -np.inf] * (width // 3), [0.0, -0.0, -np.inf] * (width // 3)] * 20, "float32")
    for name in ("argmax", "argmin"):
        got = getattr(nd, name)(nd.asarray(x), axis=axis)
        np.testing.assert_array_equal(np.asarray(got), getattr(np, name)(x, axis=axis))
    for dtype in INTEGERS:
        for limit in (np.iinfo(dtype).min, np.iinfo(dtype).max):
            same = nd.asarray(np.full((70, width), limit, dtype))
            assert np.asarray(nd.argmax(same, axis=axis)).max() == np.asarray(nd.argmin(same, axis=axis)).max() == 0


@pytest.mark.parametrize("name", ["max", "min", "sum"])
def test_nan_wins(name):
    for shape in ((6, 40), (6, 700), (700, 6), (90, 90)):
        x = RNG.normal(size=shape).astype("float32")
        x[3, 5] = np.nan
        for axis in (0, 1):
            got = np.asarray(getattr(nd, name)(nd.asarray(x), axis=axis))
            assert np.isnan(got).sum() == 1
            assert np.isnan(got[5 if axis == 0 else 3])


@pytest.mark.parametrize("shape", [(1_000_003,), (3, 400_001), (300_000, 5), (2000, 700), (70_001, 16)])
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "var", "logsumexp", "argmax", "max"])
def test_bits_do_not_depend_on_threads(shape, name):
    x = nd.asarray((1 + RNG.normal(size=shape) / 1000).astype("float32"))
    for axis in (None, *range(x.ndim)):
        results = []
        for n in (1, 2, 3):
            with nd.threads(n):
                results.append(np.asarray(getattr(nd, name)(x, axis=axis)).tobytes())
        assert len(set(results)) == 1, axis


def test_sum_is_accurate():
    """Blocks in float32, doubles across them."""
    x = RNG.uniform(0, 1, 4_000_000).astype("float32")
    exact = x.astype("float64").sum()
    assert abs(float(nd.sum(nd.asarray(x))) - exact) <= 1e-7 * exact
    columns = x.reshape(-1, 4)
    got, exact = np.asarray(nd.sum(nd.asarray(columns), axis=0)), columns.astype("float64").sum(0)
    np.testing.assert_allclose(got, exact, rtol=1e-7)


def test_product_of_floats_passes_through_large_numbers():
    # Past the range of float32, in any order within that of double, in which they are multiplied.
    x = nd.asarray(np.array([1e30, 1e30, 1e-30, 1e-30] * 4, "float32"))
    assert float(nd.prod(x)) == pytest.approx(1.0, rel=1e-6)
    assert float(nd.prod(x.reshape((4, 4)), axis=1)[0]) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("n", [1, 1000, 100_000, 3_000_000])
@pytest.mark.parametrize("index", [0, -1])
def test_any_and_all_see_one_element(n, index):
    x = np.zeros(n, bool)
    assert not nd.any(nd.asarray(x))
    assert nd.all(nd.asarray(~x))
    x[index] = True
    assert nd.any(nd.asarray(x))
    assert not nd.all(nd.asarray(~x))


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0,), (3, 0, 2)])
def test_no_elements(shape):
    x = nd.zeros(shape, dtype="float32")
    for axis in (None, *range(len(shape))):
        want = np.zeros(shape, "float32").sum(axis)
        got = np.asarray(nd.sum(x, axis=axis))
        assert got.shape == want.shape
        assert (got == want).all()
        assert (np.asarray(nd.all(x, axis=axis)) == np.ones(shape, bool).all(axis)).all()


def test_small_arrays_take_the_short_path():
    x = np.arange(10.0)
    array = nd.asarray(x)
    for name in ("sum", "prod", "mean", "max", "min", "any", "all"):
        for got in (getattr(nd, name)(array), getattr(array, name)(), getattr(array[::-1], name)(axis=0)):
            assert got.shape == ()
            assert float(got) == float(getattr(x, name)())
    assert float(array.sum(dtype="float32", keepdims=True)[0]) == 45.0
    assert nd.max(nd.asarray(True)).dtype == "bool"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [700, 2048, 40_001])
def test_long_lines_find_a_single_nan_wherever_it_stands(dtype, n, instruction_set):
    x = RNG.standard_normal(n).astype(dtype)
    ours = nd.asarray(x)
    for index in {0, 1, 15, 16, 127, 128, 640, 699, n // 2, n - 1}:
        number = x[index]
        x[index] = np.nan
        for name in ("max", "min"):
            assert np.isnan(float(getattr(nd, name)(ours)))
            assert int(getattr(nd, f"arg{name}")(ours)) == index
        x[index] = number
    for name in ("max", "min", "argmax", "argmin"):
        assert float(getattr(nd, name)(ours)) == getattr(np, name)(x)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("direction", [1, -1])
def test_long_lines_of_rising_falling_and_equal_elements(dtype, direction, instruction_set):
    x = np.arange(40_001)[::direction].astype(dtype)
    equal = np.full(40_001, direction, dtype)
    for name in ("argmax", "argmin"):
        assert int(getattr(nd, name)(nd.asarray(x))) == getattr(np, name)(x)
        assert int(getattr(nd, name)(nd.asarray(equal))) == 0


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16"])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 319, 1023, 1024, 1087, 5000, 70_001])
def test_counts_of_bytes_in_lines_of_any_length(n, dtype):
    x = np.random.default_rng(n).integers(-1, 2, (2, 2 * n)).astype(dtype)
    for view in (lambda x: x[0, :n], lambda x: x[0, ::2], lambda x: x[1, ::-1], lambda x: x):
        assert int(nd.count_nonzero(view(nd.asarray(x)))) == np.count_nonzero(view(x))
    full = nd.full((3, 70_001), 255, dtype="uint8")
    assert nd.count_nonzero(full, axis=1).tolist() == [70_001] * 3


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(65, 1), (65, 2), (200, 3), (4097, 5), (9000, 2), (130, 8), (130, 9), (2, 300, 3)])
def test_positions_in_tables_of_few_columns(dtype, shape):
    rng = np.random.default_rng(len(shape) + shape[0])
    for most in (2, 100):
        a = rng.integers(0, most, shape).astype(dtype)
        for b in (a, a[::-1], a.swapaxes(0, -1), a[::2], a[..., ::-1]):
            for axis in (None, *range(b.ndim)):
                np.testing.assert_array_equal(nd.argmax(nd.asarray(b), axis=axis), np.argmax(b, axis=axis))
                np.testing.assert_array_equal(nd.argmin(nd.asarray(b), axis=axis), np.argmin(b, axis=axis))


@pytest.mark.parametrize("n", [1, 7, 31, 32, 33, 64, 1000])
def test_the_first_true_is_found_wherever_it_is(n):
    for place in {0, n // 3, n // 2, n - 1}:
        a = np.zeros((3, n), bool)
        a[1, place:] = a[2] = True
        for b in (a, ~a):
            for found, wanted in ((nd.argmax, np.argmax), (nd.argmin, np.argmin)):
                np.testing.assert_array_equal(found(nd.array(b), axis=1), wanted(b, axis=1))
                np.testing.assert_array_equal(found(nd.array(b), axis=1, keepdims=True), wanted(b, axis=1)[:, None])
                assert [int(found(row)) for row in nd.array(b)] == [int(wanted(row)) for row in b]
                assert int(found(nd.array(b))) == int(wanted(b))
    x = nd.array(a)
    graph = nd.capture(lambda x: nd.argmax(x, axis=1), x)
    np.testing.assert_array_equal(graph(~x), np.argmax(~a, axis=1))


def test_every_byte_but_0_is_true_where_the_first_true_is_looked_for():
    x = nd.asarray(np.frombuffer(bytes([0, 0, 2, 1] * 20), dtype=bool))
    assert int(nd.argmax(x)) == 2
    assert int(nd.argmin(x[2:])) == 2
