"""The loops of matrix products on every instruction set: accuracy, layouts, bits that depend on no border."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py.cpu.isa.isa import supported

REAL = ["float16", "bfloat16", "float32", "float64"]
# Half the distance from 1 to the next number: the error of one rounding.
ROUNDING = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53}
SUM_ROUNDING = {"float16": 2.0**-24, "bfloat16": 2.0**-24, "float32": 2.0**-24, "float64": 2.0**-53}
LAYOUTS = {
    "plain": lambda x: x,
    "transposed": lambda x: nd.asarray(x.mT, copy=True).mT,
    "every other": lambda x: nd.repeat(nd.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda x: nd.flip(x)[::-1, ::-1],
}


def numbers(shape, dtype, seed):
    return nd.asarray(np.random.default_rng(seed).standard_normal(shape)).astype(dtype)


def values(x):
    return np.asarray(x.astype("float64"))


def bits(x):
    return np.asarray(x.astype("float64")).tobytes()


def assert_rounded_once(got, a, b, dtype):
    """Within one rounding to the result, and those of the sums in the compute type."""
    a, b = values(a), values(b)
    want, sums = a @ b, np.abs(a) @ np.abs(b)
    allowed = 1.01 * ROUNDING[dtype] * np.abs(want) + (a.shape[-1] + 2) * SUM_ROUNDING[dtype] * sums + 1e-7
    assert np.all(np.abs(values(got) - want) <= allowed)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("m, k, n", [
    (97, 300, 130), (13, 700, 65), (400, 33, 48), (7, 4, 5), (1, 50, 70), (90, 600, 1), (1, 33, 1), (25, 1, 64),
    (600, 64, 600), (500, 400, 7), (1000, 600, 3), (64, 2000, 31), (40, 20_000, 2),
], ids=str)  # fmt: skip
def test_accuracy(instruction_set, m, k, n, dtype):
    a, b = numbers((m, k), dtype, 1), numbers((k, n), dtype, 2)
    assert_rounded_once(a @ b, a, b, dtype)


@settings(max_examples=150)
@given(
    m=st.integers(1, 150), k=st.integers(1, 300), n=st.integers(1, 150), dtype=st.sampled_from(REAL),
    layouts=st.tuples(st.sampled_from(list(LAYOUTS)), st.sampled_from(list(LAYOUTS))),
)  # fmt: skip
def test_every_layout(m, k, n, dtype, layouts):
    a, b = (LAYOUTS[layout](numbers(shape, dtype, 1)) for layout, shape in zip(layouts, [(m, k), (k, n)], strict=True))
    assert_rounded_once(a @ b, a, b, dtype)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("m, k, n", [
    (300, 500, 200), (2000, 64, 64), (100, 300, 1500), (70, 70, 1), (1000, 600, 3), (200, 800, 12),
], ids=str)  # fmt: skip
def test_threads_change_no_bit(instruction_set, m, k, n, dtype):
    a, b = numbers((m, k), dtype, 1), numbers((k, n), dtype, 2)
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(bits(a @ b))
    assert results[0] == results[1] == results[2]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("m, k, n", [(32, 20_000, 32), (7, 40_001, 33), (150, 8_000, 200)], ids=str)
@pytest.mark.parametrize("is_transposed", [False, True])
def test_long_sums(m, k, n, dtype, is_transposed):
    """Their runs are shared by threads: as accurate as others, and no bit depends on how many there are."""
    a, b = numbers((k, m) if is_transposed else (m, k), dtype, 1), numbers((k, n), dtype, 2)
    a = a.mT if is_transposed else a
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(a @ b)
    assert_rounded_once(results[0], a, b, dtype)
    assert bits(results[0]) == bits(results[1]) == bits(results[2])


@pytest.mark.parametrize("dtype", REAL)
def test_bits_depend_on_no_border(instruction_set, dtype):
    a, b = numbers((301, 517), dtype, 1), numbers((517, 333), dtype, 2)
    whole = a @ b
    for rows, columns in [((0, 200), (0, 333)), ((5, 290), (17, 330)), ((0, 301), (1, 160)), ((101, 300), (0, 150))]:
        part = nd.asarray(a[slice(*rows)], copy=True) @ nd.asarray(b[:, slice(*columns)], copy=True)
        assert bits(part) == bits(whole[slice(*rows), slice(*columns)])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_many_long_rows_are_worked_on_in_blocks(dtype):
    a, b = numbers((1200, 5000), dtype, 1), numbers((2, 5000, 320), dtype, 2)
    whole = a @ b
    for first in (0, 300, 800):
        assert bits(a[first : first + 400] @ b) == bits(whole[:, first : first + 400])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("m, k, n", [(300, 70, 400), (517, 261, 640), (1200, 300, 300), (300, 3, 900)], ids=str)
@pytest.mark.parametrize("stack", [(), (3,)], ids=str)
def test_a_transposed_left_operand_changes_no_bit(instruction_set, stack, m, k, n, dtype):
    a, b = numbers((k, m), dtype, 1).mT, numbers((*stack, k, n), dtype, 2)
    rows = nd.asarray(a, copy=True)
    assert_rounded_once(a @ b, rows, b, dtype)
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(bits(a @ b))
    assert results[0] == results[1] == results[2]
    if n >= 384:
        assert results[0] == bits(rows @ b)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_stacks_of_half_types(instruction_set, dtype):
    a, b = numbers((5, 1, 9, 20), dtype, 1), numbers((3, 20, 33), dtype, 2)
    assert (a @ b).shape == (5, 3, 9, 33)
    assert (a @ b).dtype == dtype
    assert_rounded_once(a @ b, a, b, dtype)
    tall = numbers((4, 6, 20), dtype, 3)
    assert_rounded_once(tall @ b[0], tall, b[0], dtype)


def test_special_values_of_half_types(instruction_set):
    a = nd.asarray([[np.inf, 1.0], [np.nan, 1.0], [60000.0, 60000.0], [0.0, 0.0]], dtype="float16")
    b = nd.asarray([[1.0, -1.0, 0.0], [1.0, 1.0, 1.0]], dtype="float16")
    want = [[np.inf, -np.inf, np.nan], [np.nan] * 3, [np.inf, 0.0, 60000.0], [0.0, 0.0, 0.0]]
    np.testing.assert_array_equal(values(a @ b), want)


def test_half_types_are_added_up_in_single():
    """In half precision the sum would stay at 2048, where adding 1 rounds to no change."""
    assert (nd.ones((1, 5000), dtype="float16") @ nd.ones((5000, 2), dtype="float16"))[0, 0] == 5000
    assert (nd.ones((3, 5000), dtype="float16") @ nd.ones(5000, dtype="float16"))[0] == 5000


def has_bfloat16_pairs():
    """Whether the processor multiplies bfloat16 itself (AVX512_BF16), where Linux says so."""
    try:
        with open("/proc/cpuinfo") as file:
            return "avx512_bf16" in file.read()
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not has_bfloat16_pairs() or "v4" not in supported(), reason="needs AVX512_BF16")
def test_the_processors_bfloat16_takes_subnormal_numbers_for_zero(instruction_set):
    tiny, least_normal = 2.0**-130, 2.0**-126
    a = nd.asarray([[tiny, 1.0], [least_normal, 0.0]]).astype("bfloat16")
    b = nd.asarray([[1.0, 2.0**-3], [0.0, 0.0]]).astype("bfloat16")
    is_exact = instruction_set != "v4"
    want = [[tiny * is_exact, tiny / 8 * is_exact], [least_normal, least_normal / 8 * is_exact]]
    np.testing.assert_array_equal(values(a @ b), want)


def test_special_values_of_bfloat16(instruction_set):
    a = nd.asarray([[np.inf, 1.0, 0.0], [np.nan, 1.0, 0.0], [3e38, 3e38, 0.0], [-1.0, 1.0, np.inf]], dtype="bfloat16")
    b = nd.asarray([[1.0, -1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]], dtype="bfloat16")
    got = values(a @ b)
    big = float(values(a[2, 1:2])[0])
    want = [[np.inf, -np.inf, np.nan], [np.nan] * 3, [np.inf, 0.0, big], [np.inf, np.inf, np.nan]]
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("k", [1, 2, 3, 511, 512, 513, 1025])
def test_odd_sums_of_bfloat16(instruction_set, k):
    a, b = numbers((29, k), "bfloat16", 1), numbers((k, 75), "bfloat16", 2)
    assert_rounded_once(a @ b, a, b, "bfloat16")
    assert_rounded_once(nd.asarray(a.mT, copy=True).mT @ b, a, b, "bfloat16")
    assert bits(a @ nd.asarray(b.mT, copy=True).mT) == bits(a @ b)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("n", [257, 385, 513])
def test_a_last_column_by_itself_has_memory_for_long_sums(n, dtype):
    """Panels of columns may leave one column, whose copy is as long as the sums."""
    a, b = nd.ones((300, 1), dtype=dtype), nd.ones((1, n), dtype=dtype)
    k = 70_000 if dtype != "float16" else 30_000
    c = nd.broadcast_to(a, (300, k)).copy() @ nd.broadcast_to(b, (k, n)).copy()
    assert bool(nd.all(c == k)), nd.unique_values(c)
