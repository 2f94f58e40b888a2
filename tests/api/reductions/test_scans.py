"""Running sums, products, extrema and log-sum-exps: every row, dtype, layout and number of threads, against NumPy."""

import numpy as np
import pytest
from central_differences import check_gradient
from hypothesis import given
from hypothesis import strategies as st
from table import assert_close, dtypes_of, reference, sample

import nd4py as nd
from nd4py._spec import dtypes
from nd4py._spec.ops import OPS

SCANS = [op for op in OPS if op.family == "scan"]
CASES = [pytest.param(op, dtype, id=f"{op.name}-{dtype}") for op in SCANS for dtype in dtypes_of(op)]
every_scan = pytest.mark.parametrize("op", SCANS, ids=lambda op: op.name)
# Shorter than a run, a few runs, more than one block, more than one piece.
LENGTHS = (1, 7, 16, 33, 500, 1600, 40_003)


def values(op, dtype, shape, seed=0):
    """Inputs of a row whose results stay within the range of the dtype."""
    n = int(np.prod(shape))
    [x] = sample(op, dtype, n, seed)
    if op.name == "cumulative_prod" and x.dtype.kind in "fc":
        steps = np.random.default_rng(seed).normal(size=n) / max(n, 1) ** 0.5
        x = np.exp(steps if x.dtype.kind == "f" else steps * (1 + 1j)).astype(dtype)
    return x.reshape(shape)


def check(op, got, x, axis=0):
    """`got` is what NumPy says, within the rounding that the row allows."""
    if x.dtype.kind not in "fc":
        assert_close(got, reference(op, [x], axis=axis), x.dtype.name, 0.0, op.name)
        return
    assert got.dtype.name == x.dtype.name
    exact, eps = x.astype(np.result_type(x.dtype, np.longdouble)), float(np.finfo(x.dtype).eps)
    if op.name == "cumulative_sum":  # small where terms cancel
        want = np.cumsum(exact, axis)
        bound = (32 if x.dtype in (np.float64, np.complex128) else 2) * eps * np.cumsum(np.abs(exact), axis)
    else:
        want = reference(op, [x], axis=axis)
        bound = 8 * op.ulp * eps * np.maximum(np.abs(want), 1)
    assert np.all(np.abs(np.asarray(got) - want) <= bound), op.name


@pytest.mark.sampled(2)
@pytest.mark.parametrize("op, dtype", CASES)
@pytest.mark.parametrize("n", LENGTHS)
def test_line_matches_reference(op, dtype, n, instruction_set):
    n = min(n, 501) if dtype == "float16" else n  # longer sums leave its range
    x = values(op, dtype, (n,))
    check(op, getattr(nd, op.name)(nd.asarray(x)), x)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("op, dtype", CASES)
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_any_axis_and_layout(op, dtype, axis, instruction_set):
    x = values(op, dtype, (5, 37, 21))
    want = getattr(nd, op.name)(nd.asarray(x.copy()), axis=axis)
    check(op, want, x, axis)
    for layout in (np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], x[:, ::-1, ::-1].copy()[:, ::-1, ::-1]):
        got = getattr(nd, op.name)(nd.asarray(layout), axis=axis)
        check(op, got, x, axis)
    repeated = np.broadcast_to(x[:, :1], x.shape)
    check(op, getattr(nd, op.name)(nd.asarray(repeated), axis=axis), repeated, axis)


@every_scan
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
@pytest.mark.parametrize(
    "shape, axis", [((300_000,), 0), ((3, 90_000), 1), ((100_000, 3), 0), ((700, 500), 0), ((70, 20_000), 1)], ids=str
)
def test_bits_do_not_depend_on_threads(op, dtype, shape, axis):
    if dtype not in op.types:
        with pytest.raises(TypeError, match=f"no {dtype} loop"):
            getattr(nd, op.name)(nd.ones(3, dtype=dtype))
        return
    x = nd.asarray(values(op, dtype, shape))
    results = []
    for n in (1, 2, 3, 5):
        with nd.threads(n):
            results.append(bytes(memoryview(getattr(nd, op.name)(x, axis=axis))))
    assert results[1:] == results[:1] * 3
    check(op, getattr(nd, op.name)(x, axis=axis), np.asarray(x), axis)


@pytest.mark.parametrize("dtype", [row.name for row in dtypes.DTYPES])
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_result_dtype(name, dtype):
    """Integers widen to 64 bits as in sum; dtype= decides otherwise."""
    x = nd.ones(3, dtype=dtype)
    assert getattr(nd, name)(x).dtype == dtypes.BY_NAME[dtype].total
    others = ("int8", "uint16", "int64", "float32", "float64", "float16")
    for other in others if "complex" not in dtype else ("complex64", "complex128"):
        y = getattr(nd, name)(x, dtype=other)
        assert y.dtype == other
        assert y.tolist() == ([1, 2, 3] if name == "cumulative_sum" else [1, 1, 1])


def test_dtype_converts_before_adding():
    x = nd.asarray(np.full(10, 100, "int8"))
    assert nd.cumulative_sum(x).tolist() == list(range(100, 1001, 100))
    np.testing.assert_array_equal(
        np.asarray(nd.cumulative_sum(x, dtype="int8")), np.cumsum(np.asarray(x), dtype="int8")
    )
    y = nd.asarray([0.6, 0.6, 0.6])
    assert nd.cumulative_sum(y, dtype=nd.int32).tolist() == [0, 0, 0]


@every_scan
@pytest.mark.parametrize("shape, axis", [((4,), 0), ((3, 4), 0), ((3, 4), -1), ((3, 0), 1), ((0, 4), 1), ((0,), None)])
def test_include_initial(op, shape, axis):
    x = values(op, "float64", shape)
    got = np.asarray(getattr(nd, op.name)(nd.asarray(x), axis=axis, include_initial=True))
    axis = axis or 0
    first = {"cumulative_sum": 0.0, "cumulative_prod": 1.0, "cumulative_min": np.inf}.get(op.name, -np.inf)
    np.testing.assert_array_equal(np.take(got, 0, axis), np.full_like(np.take(got, 0, axis), first))
    rest = np.take(got, np.arange(1, got.shape[axis]), axis)
    np.testing.assert_array_equal(rest, np.asarray(getattr(nd, op.name)(nd.asarray(x), axis=axis)))


@every_scan
def test_shapes(op):
    function = getattr(nd, op.name)
    assert function(nd.asarray(2.0)).shape == (1,)
    assert function(nd.asarray(2.0), axis=0).tolist() == function(nd.asarray([2.0])).tolist()
    assert function(nd.ones((0,))).shape == (0,)
    assert function(nd.ones((2, 0, 3)), axis=1).shape == (2, 0, 3)
    assert function(nd.ones((2, 0, 3)), axis=2).shape == (2, 0, 3)
    assert function(np.ones(3)).shape == function([1.0, 2.0, 3.0], 0).shape == (3,)


@every_scan
def test_refusals(op):
    function = getattr(nd, op.name)
    with pytest.raises(ValueError, match=r"array of shape \(2, 3\) needs an axis"):
        function(nd.ones((2, 3)))
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        function(nd.ones((2, 3)), axis=2)
    with pytest.raises(ValueError, match="axis 1 is out of range"):
        function(nd.asarray(1.0), axis=1)
    with pytest.raises(TypeError, match="axis must be an int"):
        function(nd.ones((2, 3)), axis=(0, 1))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("index", [0, 3, 20, 4000])
@every_scan
def test_nan_and_infinity_propagate(op, dtype, index, instruction_set):
    index = min(index, 100) if dtype == "float16" else index  # longer sums leave its range
    x = values(op, dtype, (index + 50,))
    for special in (np.nan, np.inf, -np.inf):
        x[index] = special
        got = np.asarray(getattr(nd, op.name)(nd.asarray(x))).astype(np.float64)
        with np.errstate(all="ignore"):
            want = np.asarray(reference(op, [x], axis=0))
        np.testing.assert_allclose(got, want, rtol=2e-3 if dtype == "float16" else 1e-5)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))


def test_a_product_stays_zero():
    """However large the elements behind the zero: they are not multiplied with each other first."""
    x = np.full(100_000, 1e300)
    x[:6] = 1.0, 2.0, 3.0, 4.0, 5.0, 0.0
    y = np.asarray(nd.cumulative_prod(nd.asarray(x)))
    assert not y[5:].any()
    tiny = np.where(np.arange(1000) < 500, 1e-3, 1e3)
    np.testing.assert_allclose(
        np.asarray(nd.cumulative_prod(nd.asarray(tiny)))[:200], np.cumprod(tiny)[:200], rtol=1e-12
    )


@pytest.mark.parametrize("dtype, bound", [("float32", 0.51), ("float64", 20.0)])
def test_long_sums_are_more_accurate_than_numpys(dtype, bound):
    x = np.random.default_rng(3).uniform(0, 1, 2_000_000).astype(dtype)
    exact = np.cumsum(x.astype(np.longdouble))
    ours = np.asarray(nd.cumulative_sum(nd.asarray(x)))
    error, other = (np.max(np.abs(y.astype(np.longdouble) - exact) / np.spacing(y)) for y in (ours, np.cumsum(x)))
    assert error <= bound
    assert error <= other


def test_integers_wrap():
    x = np.full(20_000, 2**62, "int64")
    np.testing.assert_array_equal(np.asarray(nd.cumulative_sum(nd.asarray(x))), np.cumsum(x))
    x = np.full(20_000, 3, "uint64")
    np.testing.assert_array_equal(np.asarray(nd.cumulative_prod(nd.asarray(x))), np.cumprod(x))


@given(st.lists(st.integers(-(2**40), 2**40), max_size=200), st.integers(1, 3), st.booleans())
def test_any_length_and_step(numbers, step, is_reversed):
    x = np.array(numbers, "int64")[::step]
    x = x[::-1] if is_reversed else x
    for op in SCANS[:4]:
        got = getattr(nd, op.name)(nd.asarray(x))
        np.testing.assert_array_equal(np.asarray(got), reference(op, [x], axis=0) if x.size else x)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_are_rounded_float32_results(dtype):
    x = nd.asarray(np.random.default_rng(0).uniform(0.5, 1.5, 300)).astype(dtype)
    for op in SCANS:
        got = getattr(nd, op.name)(x)
        assert got.dtype == dtype
        want = getattr(nd, op.name)(x.astype("float32")).astype(dtype)
        np.testing.assert_array_equal(np.asarray(got.astype("float32")), np.asarray(want.astype("float32")))


WEIGHTS = np.random.default_rng(7).normal(size=(4, 5, 6))


@every_scan
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("include_initial", [False, True])
def test_gradient(op, axis, include_initial):
    x = values(op, "float64", (3, 4, 5), seed=8)
    weights = nd.asarray(WEIGHTS)

    def function(x):
        y = getattr(nd, op.name)(x, axis=axis, include_initial=include_initial)
        y = y[tuple(slice(1, None) if include_initial and i == axis % 3 else slice(None) for i in range(3))]
        return nd.sum(nd.sin(y) * weights[:3, :4, :5])

    check_gradient(function, x, 1e-5, 1e-7)


def test_gradient_of_a_product_with_zeros():
    x = np.array([2.0, 0.0, 3.0, 0.0, 5.0, 7.0])
    check_gradient(lambda x: nd.sum(nd.cumulative_prod(x) * nd.asarray([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])), x)
    check_gradient(lambda x: nd.sum(nd.square(nd.cumulative_prod(x[:2]) - 3.0)), x)


def test_gradient_of_equal_extrema_goes_to_the_first():
    x = nd.asarray([1.0, 3.0, 3.0, 2.0, 4.0])
    weights = nd.asarray([1.0, 10.0, 100.0, 1000.0, 10000.0])
    assert nd.grad(lambda x: nd.sum(nd.cumulative_max(x) * weights))(x).tolist() == [1.0, 1110.0, 0.0, 0.0, 10000.0]
    assert nd.grad(lambda x: nd.sum(nd.cumulative_min(-x) * weights))(x).tolist() == [-1.0, -1110.0, 0.0, 0.0, -10000.0]
    g = nd.grad(lambda x: nd.sum(nd.cumulative_max(x) * weights))(nd.asarray([-np.inf, 1.0, np.nan, 5.0, np.nan]))
    assert g.tolist() == [1.0, 10.0, 11100.0, 0.0, 0.0]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@every_scan
def test_gradient_keeps_the_dtype(op, dtype):
    x = nd.asarray([0.5, 2.0, 1.0]).astype(dtype)
    g = nd.grad(lambda x: nd.sum(getattr(nd, op.name)(x).astype("float64")))(x)
    assert g.dtype == dtype
    want = nd.grad(lambda x: nd.sum(getattr(nd, op.name)(x)))(x.astype("float64"))
    np.testing.assert_allclose(np.asarray(g.astype("float64")), np.asarray(want), rtol=1e-2)


def test_gradient_through_dtype_and_scalar():
    assert float(nd.grad(lambda x: nd.sum(nd.cumulative_sum(x)))(nd.asarray(2.0))) == 1.0
    x = nd.asarray([1.0, 2.0], dtype="float32")
    g = nd.grad(lambda x: nd.sum(nd.cumulative_prod(x, dtype="float64")))(x)
    assert (g.dtype.name, g.tolist()) == ("float32", [3.0, 1.0])
    assert nd.grad(lambda x: nd.sum(nd.cumulative_sum(x, dtype="int32").astype("float64")))(x).tolist() == [0.0, 0.0]


@every_scan
def test_gradient_bits_do_not_depend_on_threads(op):
    x = nd.asarray(values(op, "float32", (200, 700)))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            g = nd.grad(lambda x: nd.sum(getattr(nd, op.name)(x, axis=0) * x))(x)
            results.append(bytes(memoryview(g)))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["cumulative_max", "cumulative_min", "cumulative_prod"])
def test_a_negative_zero_keeps_its_sign(name, dtype):
    x = np.full(300, -0.0, dtype)
    if name == "cumulative_prod":
        x[1:] = 1
    assert np.signbit(np.asarray(getattr(nd, name)(nd.asarray(x)))).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 7, 3000])
def test_sums_of_zeros_keep_their_sign(n, dtype):
    x = np.full((2, n), -0.0, dtype)
    if x.dtype.kind == "c":
        x.imag = -0.0
    x[1, n // 2] = 0.0
    for axis in (0, 1):
        got, want = np.asarray(nd.cumulative_sum(nd.asarray(x), axis=axis)), np.cumsum(x, axis=axis)
        for part in ("real", "imag"):
            np.testing.assert_array_equal(np.signbit(getattr(got, part)), np.signbit(getattr(want, part)))
    first = np.asarray(nd.cumulative_sum(nd.asarray(x), axis=1, include_initial=True))[:, 0]
    assert not np.signbit(first.real).any()
