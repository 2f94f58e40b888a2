"""Elementary functions are within 1 unit in last place for float32 and 2 for float64, everywhere and at every place.

The bounds hold where the processor has fused multiply-add; elsewhere the C library's functions are called.
`python tests/support/accuracy_exhaustive.py sin` tries every float32.
"""

import numpy as np
import pytest
from accuracy_reference import BFLOAT16, FUNCTIONS, IS_EXACT_ENOUGH, dense, edges, random_bits, ulps, wanted

import nd4py as nd
from nd4py.cpu.isa.isa import supported

LIMITS = {"float32": 1.0, "float64": 2.0}
HALF_LIMIT = 0.51
WITHOUT_FUSED_MULTIPLY_ADD = {"v2", "generic"}
FUSED = [name for name in supported() if name not in WITHOUT_FUSED_MULTIPLY_ADD]
N_POINTS = 10000
LENGTHS = (1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 64, 100)

each_fused = pytest.mark.parametrize("instruction_set", FUSED, indirect=True)
pytestmark = [
    pytest.mark.skipif(not IS_EXACT_ENOUGH, reason="long double has no more bits than double"),
    pytest.mark.skipif(not FUSED, reason="no instruction set with fused multiply-add"),
]


def compute(name, operands):
    """The function's result as a NumPy array."""
    return np.asarray(getattr(nd, name)(*[nd.asarray(x) for x in operands]))


def operands_of(name, dtype):
    """Dense points, random bits and edges, one array for each operand."""
    function = FUNCTIONS[name]
    parts = [dense(function, dtype, N_POINTS), random_bits(function, dtype, N_POINTS), edges(function, dtype)]
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


@each_fused
@pytest.mark.parametrize("dtype", LIMITS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_error_is_small(name, dtype, instruction_set):
    operands = operands_of(name, dtype)
    error = ulps(compute(name, operands), wanted(FUNCTIONS[name], operands))
    worst = int(error.argmax())
    where = [x[worst] for x in operands]
    assert error[worst] <= LIMITS[dtype], f"{name} is {error[worst]} units off at {where}"


@each_fused
@pytest.mark.parametrize("dtype", LIMITS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_do_not_depend_on_the_position(name, dtype, instruction_set):
    """Alone, in a vector's body or its tail, dense, strided or reversed: an element has one result."""
    function = FUNCTIONS[name]
    parts = zip(dense(function, dtype, 700), random_bits(function, dtype, 300), strict=True)
    operands = [np.concatenate(arrays) for arrays in parts]
    whole = compute(name, operands).view(f"u{operands[0].itemsize}")
    is_number = ~np.isnan(compute(name, operands))

    def check(choice, label):
        got = compute(name, [x[choice] for x in operands]).view(whole.dtype)
        same = (got == whole[choice]) | ~is_number[choice]
        assert np.all(same), f"{name} {label}: {np.atleast_1d(got)[~np.atleast_1d(same)][:3]}"

    for n in LENGTHS:
        for start in (0, 1, 700 - n // 2):
            check(slice(start, start + n), f"{n} elements from {start}")
    check(slice(None, None, 3), "strided")
    check(slice(None, None, -1), "reversed")
    for i in range(0, 1000, 37):
        check(i, f"element {i} alone")


def every_half(dtype):
    """All 65536 of them."""
    patterns = np.arange(65536, dtype=np.uint16)
    if dtype == "float16":
        return nd.asarray(patterns.view(np.float16))
    return nd.asarray((patterns.astype(np.uint32) << 16).view(np.float32)).astype("bfloat16")


@pytest.mark.sampled(3)
@each_fused
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [name for name, function in FUNCTIONS.items() if len(function.dense) == 1])
def test_every_half_is_rounded_well(name, dtype, instruction_set):
    """The result is the nearest half, or, where the exact one lies close to the middle of two, one of them."""
    x = every_half(dtype)
    got = np.asarray(getattr(nd, name)(x).astype("float32"))
    limits = np.finfo(np.float16) if dtype == "float16" else BFLOAT16
    error = ulps(got, wanted(FUNCTIONS[name], [np.asarray(x.astype("float32"))]), limits)
    worst = int(error.argmax())
    assert error[worst] <= HALF_LIMIT, f"{name} is {error[worst]} units off at {x[worst]}"


@each_fused
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_a_far_angle_leaves_its_neighbours_their_bits(name, instruction_set):
    """Blocks of bfloat16 without far angles, of nothing but these, and of both."""
    x = every_half("bfloat16")
    order = nd.asarray(np.random.default_rng(7).permutation(65536))
    compute_bits = lambda angles: np.asarray(getattr(nd, name)(angles).astype("float32")).view(np.uint32)  # noqa: E731
    assert np.array_equal(compute_bits(x)[np.asarray(order)], compute_bits(x[order]))


@each_fused
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_far_angles_leave_their_neighbours_alone(name, instruction_set):
    """Blocks of bfloat16 without far angles, of nothing but these, and of both: an element has one result."""
    x, order = every_half("bfloat16"), np.random.default_rng(7).permutation(65536)
    in_order = np.asarray(getattr(nd, name)(x).astype("float32")).view(np.uint32)
    mixed = np.asarray(getattr(nd, name)(x[nd.asarray(order)]).astype("float32")).view(np.uint32)
    assert np.array_equal(in_order[order], mixed)


@each_fused
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [name for name, function in FUNCTIONS.items() if len(function.dense) == 2])
def test_pairs_of_halves_are_rounded_well(name, dtype, instruction_set):
    """A grid over both operands, neighbours in size, zeros, infinities, NaN and the least and greatest numbers."""
    bits = np.random.default_rng(5).integers(0, 65536, 40000)
    grid, near = np.arange(0, 65536, 257), (bits + np.random.default_rng(6).integers(-900, 900, bits.size)) % 65536
    infinity = 0x7C00 if dtype == "float16" else 0x7F80
    ends = np.array([0, 1, 2, infinity - 1, infinity, infinity + 1])
    special = np.concatenate([ends, ends | 0x8000, grid])
    pairs = np.concatenate([np.stack([bits, near]), np.stack(np.meshgrid(special, special)).reshape(2, -1)], axis=1)
    every = every_half(dtype)
    operands = [every[nd.asarray(row)] for row in pairs]
    got = np.asarray(getattr(nd, name)(*operands).astype("float32"))
    limits = np.finfo(np.float16) if dtype == "float16" else BFLOAT16
    error = ulps(got, wanted(FUNCTIONS[name], [np.asarray(x.astype("float32")) for x in operands]), limits)
    worst = int(error.argmax())
    assert error[worst] <= HALF_LIMIT, f"{name} is {error[worst]} units off at {[x[worst] for x in operands]}"


def test_a_wrong_result_is_noticed():
    x = np.array([1.0, 2.0, np.inf, 0.0], np.float32)
    exact = x.astype(np.longdouble)
    assert ulps(x, exact).max() == 0
    assert ulps(np.nextafter(x[:2], np.float32(9)), exact[:2]).tolist() == [1, 1]
    assert np.isinf(ulps(-x, exact)).all()
    assert np.isinf(ulps(np.full(4, np.nan, np.float32), exact)).all()
    assert ulps(np.array([np.inf], np.float32), np.array([2.0**128 * 1.5], np.longdouble)) == 0
