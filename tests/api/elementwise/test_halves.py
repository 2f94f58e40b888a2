"""float16 and bfloat16: every loop rounds once what float32 gives, wherever an element stands and whatever it meets."""

import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.ops import OPS

HALVES = ["float16", "bfloat16"]
EXACT = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "copysign", "less", "equal", "logical_and"]
ROWS = [op for op in OPS if op.has_half_loop and len(op.args) <= 2]
LENGTHS = (1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100)

pytestmark = pytest.mark.usefixtures("instruction_set")


def random_halves(dtype, n, seed=0):
    """Every bit by chance, NaN, infinities and subnormal numbers among them."""
    patterns = np.random.default_rng(seed).integers(0, 65536, n, np.uint16)
    if dtype == "float16":
        return nd.asarray(patterns.view(np.float16))
    return nd.asarray((patterns.astype(np.uint32) << 16).view(np.float32)).astype("bfloat16")


def assert_same(got, want, label=""):
    """Equal values and signs; NaN may have any bits."""
    got, want = (np.asarray(x.astype("float32")) for x in (got, want))
    np.testing.assert_array_equal(got, want, label)
    is_number = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(got[is_number]), np.signbit(want[is_number]), label)


def run(op, operands):
    params = {name: 0.5 if default is None else default for name, default in op.params}
    function = {"clip": nd.clip, "isclose": nd.isclose}.get(op.name) or getattr(nd, op.name)
    return function(*operands, **params)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", EXACT)
def test_arithmetic_is_rounded_once(name, dtype):
    x1, x2 = random_halves(dtype, 5000), random_halves(dtype, 5000, 1)
    want = getattr(nd, name)(x1.astype("float32"), x2.astype("float32"))
    got = getattr(nd, name)(x1, x2)
    assert_same(got, want if want.dtype == nd.bool else want.astype(dtype))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_an_element_has_one_result(op, dtype):
    """In a block or its tail, strided, reversed or alone, and beside one value instead of an array of it."""
    operands = [random_halves(dtype, 300, seed) for seed in range(len(op.args))]
    whole = run(op, operands)
    for n in LENGTHS:
        assert_same(run(op, [x[7 : 7 + n] for x in operands]), whole[7 : 7 + n], f"{n} elements")
    assert_same(run(op, [x[::3] for x in operands]), whole[::3], "strided")
    assert_same(run(op, [x[::-1] for x in operands]), whole[::-1], "reversed")
    for i in (0, 5, 299):
        assert_same(run(op, [x[i] for x in operands]), whole[i], "alone")
    if len(operands) == 2:
        x1, x2 = operands
        repeated = nd.zeros_like(x1) + x2[3]
        assert_same(run(op, [x1, x2[3]]), run(op, [x1, repeated]), "one value on the right")
        assert_same(run(op, [x2[3], x1]), run(op, [repeated, x1]), "one value on the left")


@pytest.mark.parametrize("dtype", HALVES)
def test_a_python_scalar_becomes_a_half(dtype):
    x = random_halves(dtype, 100)
    tenth = nd.full(100, 0.1, dtype=dtype)
    assert_same(x * 0.1, x * tenth)
    assert_same(0.1 - x, tenth - x)
    assert_same(nd.remainder(x, 0.1), nd.remainder(x, tenth))


@pytest.mark.parametrize("dtype", HALVES)
def test_a_result_may_lie_over_an_operand(dtype):
    for n in (5, 32, 1000, 100_000):
        x, y = random_halves(dtype, n), random_halves(dtype, n, 1)
        want = x + y
        nd.add(x, y, out=y)
        assert_same(y, want)
        x += 1
        want = -x
        nd.negative(x[::-1], out=x)
        assert_same(x, want[::-1])


@pytest.mark.parametrize("dtype", HALVES)
def test_large_arrays_have_the_bits_of_small_ones(dtype):
    """Tiles, threads and stores past the caches change nothing."""
    part = random_halves(dtype, 1 << 16)
    x = nd.tile(part, (160,))
    for name in ("exp", "square", "isnan"):
        want = getattr(nd, name)(part)
        for n_threads in (1, 2):
            with nd.threads(n_threads):
                got = getattr(nd, name)(x)
            assert_same(got[: 1 << 16], want)
            assert_same(got[-(1 << 16) :], want)


@pytest.mark.parametrize("dtype", HALVES)
def test_the_next_half_is_the_neighbour_in_order(dtype):
    """Of every half, both ways: through zero, subnormal numbers, and to infinity and back."""
    patterns = np.arange(65536, dtype=np.uint16)
    wide = patterns.view(np.float16) if dtype == "float16" else (patterns.astype(np.uint32) << 16).view(np.float32)
    order = np.unique(wide[~np.isnan(wide)].astype(np.float32))
    order[order == 0] = 0.0  # -0.0 and 0.0 are one
    x = nd.asarray(order).astype(dtype)
    assert_same(nd.nextafter(x[:-1], x[-1]), nd.where(x[1:] == 0, -x[1:], x[1:]))  # zero keeps the sign it came from
    assert_same(nd.nextafter(x[1:], x[0]), x[:-1])
    assert_same(nd.nextafter(x, x), x)
    nan = nd.full(len(x), nd.nan, dtype=dtype)
    assert nd.all(nd.isnan(nd.nextafter(x, nan)))
    assert nd.all(nd.isnan(nd.nextafter(nan, x)))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["add", "multiply", "logaddexp", "hypot", "exp", "tanh", "sqrt", "sigmoid", "erf"])
def test_a_wider_out_holds_the_halves_that_are_computed_without_it(name, dtype):
    function = getattr(nd, name)
    operands = [nd.linspace(0.1, 1.7, 40, dtype=dtype), nd.linspace(2.3, 0.2, 40, dtype=dtype)]
    operands = operands[: 2 if name in ("add", "multiply", "logaddexp", "hypot") else 1]
    out = nd.zeros(40)
    assert function(*operands, out=out) is out
    assert nd.all(out == function(*operands).astype(out.dtype))
