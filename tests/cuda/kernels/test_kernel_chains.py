"""Chains of steps as one kernel: the bits of the steps one by one, for any mixture of dtypes and layouts."""

import numpy as np
import pytest
from kernel_bench import SCHEDULES, Bench, grouped, numpy_dtype

from nd4py._spec.ops import BY_NAME
from nd4py._spec.render import cuda_kernels
from nd4py._spec.render.cuda_chains import Chain, NotCombinableError, Step, chain_reduce_text, chain_text
from nd4py.cuda.compile.kernel_catalogue import chain_kernels, chain_reduce_kernels


@pytest.fixture(scope="module")
def bench():
    return Bench()


def of_one_dtype(dtype, n_in, *steps):
    """A chain whose steps (row, operands) all take one dtype; its last value is written."""
    made = tuple(Step(row, dtype, operands) for row, operands in steps)
    return Chain((dtype,) * n_in, (), made, (n_in + len(made) - 1,))


def words(*numbers):
    """The words of real scalars."""
    return np.array(numbers, np.float64).tobytes()


def chains(dtype):
    """name: (chain, scalars of its rows)"""
    product = of_one_dtype(dtype, 3, ("multiply", (0, 1)), ("add", (3, 2)))
    activated = of_one_dtype(dtype, 2, ("add", (0, 1)), ("leaky_relu", (2,)), ("multiply", (3, 3)))
    five = of_one_dtype(dtype, 2, ("subtract", (0, 1)), ("square", (2,)), ("elu", (3,)), ("add", (4, 0)), ("exp", (5,)))
    scalars = of_one_dtype(dtype, 1, ("leaky_relu", (0,)), ("elu", (1,)))
    return {
        "product and sum": (product, ()),
        "activated": (activated, (0.25,)),
        "five": (five, (0.5,)),
        "two scalars": (scalars, (0.125, 0.75)),
    }


def chain_and_steps(dtype):
    """The kernels of all chains, and of their steps one by one."""
    texts = [chain_text(chain, ("packets",)) for chain, _ in chains(dtype).values()]
    rows = sorted({step.row for chain, _ in chains(dtype).values() for step in chain.steps})
    own = [cuda_kernels.map_text(BY_NAME[name], dtype, ("packets",)) for name in rows]
    return grouped(f"chains_{dtype}", texts), grouped(f"steps_{dtype}", own)


@pytest.mark.parametrize("name", chains("float32"))
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_chain_gives_the_bits_of_its_steps(bench, name, dtype):
    chain, params = chains(dtype)[name]
    rng = np.random.default_rng(3)
    values = [rng.normal(size=517).astype(numpy_dtype(dtype)) for _ in chain.leaves]
    if dtype == "bfloat16":
        values = [rng.integers(0x3E00, 0x4100, 517).astype(np.uint16) for _ in chain.leaves]
    kernels, of_rows = chain_and_steps(dtype)
    (got,) = bench.run_map(kernels[chain_text(chain).name], values, [values[0].dtype], values=words(*params))
    left = list(params)
    for step in chain.steps:
        own = [left.pop(0) for _ in BY_NAME[step.row].params]
        operands = [values[k] for k in step.operands]
        values += bench.run_map(of_rows[f"{step.row}_{dtype}"], operands, [values[0].dtype], own)
    np.testing.assert_array_equal(got.view(np.uint8), values[-1].view(np.uint8))


def test_a_chain_runs_on_any_layout(bench):
    chain, _ = chains("int64")["product and sum"]
    x, y, z = np.arange(1200).reshape(40, 30).T, np.arange(40), np.arange(30)[:, None]
    (got,) = bench.run_map(chain_kernels(chain), (x, y, z), [np.int64], values=b"")
    np.testing.assert_array_equal(got, x * y + z)


def test_a_chain_of_many_dtypes_with_several_results(bench):
    """Comparisons, a choice, conversions, and a scalar of 16 bytes beside one of 4."""
    steps = (
        Step("multiply", "float32", (0, 3)),  # 5
        Step("less", "float32", (5, 0)),  # 6
        Step("where", "float32", (6, 5, 0)),  # 7
        Step("", "float32", (7,), "complex128"),  # 8
        Step("add", "complex128", (8, 4)),  # 9
        Step("", "int16", (1,), "float32"),  # 10
        Step("add", "float32", (10, 5)),  # 11
        Step("logical_and", "bool", (2, 6)),  # 12
    )
    chain = Chain(("float32", "int16", "bool"), ("float32", "complex128"), steps, (9, 11, 12))
    rng = np.random.default_rng(5)
    x = rng.normal(size=(30, 7)).astype(np.float32)
    n, mask = rng.integers(-9, 9, (30, 7), np.int16), rng.random((30, 7)) > 0.5
    three = np.array([3, 0], np.float32)
    values = three.tobytes() + np.array([2 - 1j], np.complex128).tobytes()
    want_product = x * np.float32(3)
    wanted = [
        np.where(want_product < x, want_product, x).astype(np.complex128) + (2 - 1j),
        n.astype(np.float32) + want_product,
        mask & (want_product < x),
    ]
    for shift in (0, 8):
        for inputs in ((x, n, mask), (x, n[:1], mask.T.copy().T)):
            wanted[1] = inputs[1].astype(np.float32) + want_product
            got = bench.run_map(
                chain_kernels(chain), inputs, [np.complex128, np.float32, np.bool_], values=values, shift=shift
            )
            for y, want in zip(got, wanted, strict=True):
                assert y.tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_choice_of_halves_keeps_every_bit(bench, dtype):
    """All patterns, quiet and signalling NaN among them: a choice moves words, it computes nothing."""
    chain = Chain(
        (dtype, dtype, "bool"), (), (Step("logical_not", "bool", (2,)), Step("where", dtype, (3, 0, 1))), (4,)
    )
    x = np.arange(1 << 16, dtype=np.uint16)
    mask = x % 3 == 0
    (got,) = bench.run_map(chain_kernels(chain, "packets"), (x, x[::-1].copy(), mask), [np.uint16], values=b"")
    np.testing.assert_array_equal(got, np.where(~mask, x, x[::-1]))


REDUCED = [((40, 33), (1,)), ((3, 2500), (1,)), ((30000,), (0,)), ((600, 40), (0,)), ((5, 6, 7), (0, 2))]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize(
    "dtype, total", [("float16", "sum"), ("float32", "mean"), ("float64", "max"), ("int32", "sum")]
)
def test_a_reduced_chain_gives_the_bits_of_its_steps(bench, dtype, total, schedule):
    """What a chain makes is not stored; half types are rounded all the same."""
    bench.driver.schedule(*schedule)
    chain, _ = chains(dtype)["product and sum"]
    reduction, rng = BY_NAME[total], np.random.default_rng(9)
    whole, parts = chain_reduce_text(chain, reduction), chain_text(chain, ("packets", "strided"))
    of_parts = grouped(f"parts_{dtype}", [parts])[parts.name]
    kernels = grouped(f"reduced_{dtype}", [whole, cuda_kernels.reduce_text(reduction, dtype)])
    own, size = kernels[f"{total}_{dtype}"], cuda_kernels.accumulator_bytes(reduction, dtype)
    result = "int64" if dtype == "int32" else dtype
    for shape, axes in REDUCED:
        x, y = ((rng.normal(size=shape) * 3).astype(dtype) for _ in range(2))
        operands = (x, y, x[(slice(1),) * x.ndim])
        (stored,) = bench.run_map(of_parts, operands, [np.empty_like(x)], values=b"")
        want, _ = bench.run_reduction(own, stored, axes, result, size)
        for shift, most in ((0, 2**31 - 1), (stored.itemsize, 1)):
            got, _ = bench.run_reduction(
                kernels[whole.name], stored, axes, result, size, operands=operands, shift=shift, max_blocks=most
            )
            assert got.tobytes() == want.tobytes(), f"{shape} along {axes}, shifted by {shift}"


def test_a_reduction_of_what_other_dtypes_make(bench):
    steps = (Step("", "int8", (0,), "float32"), Step("multiply", "float32", (2, 1)), Step("less", "float32", (3, 1)))
    chain = Chain(("int8", "float32"), (), (*steps, Step("", "bool", (4,), "uint8")), (5,))
    rng = np.random.default_rng(2)
    n, x = rng.integers(-9, 9, (50, 70), np.int8), rng.normal(size=(50, 70)).astype(np.float32)
    for axes, most in (((1,), 2**31 - 1), ((0,), 3), ((0, 1), 2**31 - 1)):
        like = np.empty((50, 70), np.uint8)
        kernels = chain_reduce_kernels(chain, "sum")
        got, _ = bench.run_reduction(kernels, like, axes, "uint64", 8, operands=(n, x), max_blocks=most)
        np.testing.assert_array_equal(got, (n * x < x).sum(axis=axes))


def test_scalars_of_a_reduced_chain(bench):
    chain, params = chains("float64")["two scalars"]
    kernels = chain_reduce_kernels(chain, "max", "lines")
    x = np.random.default_rng(10).normal(size=(7, 20))
    got, _ = bench.run_reduction(kernels, x, (1,), np.float64, 8, operands=(x,), values=words(*params))
    y = np.where(x > 0, x, params[0] * x)
    np.testing.assert_allclose(got, np.where(y > 0, y, params[1] * np.expm1(y)).max(1))


def test_only_a_reduction_ends_a_chain():
    for name in ("add", "argmax", "cumulative_sum"):
        with pytest.raises(NotCombinableError, match=f"{name} of float32 cannot end a chain"):
            chain_reduce_kernels(of_one_dtype("float32", 1, ("exp", (0,))), name)


@pytest.mark.parametrize(
    "n_in, steps, words",
    [
        (1, [("sum", (0,))], "step 0, sum: only elementwise rows"),
        (2, [("add", (0, 5))], "operands .0, 5. are not 2 of the 2 values"),
        (2, [("bitwise_and", (0, 1))], "it does not take float32"),
        (1, [], "a chain has 1 to 64 steps"),
        (1, [("leaky_relu", (0,))] * 40, "40 words of scalars"),
    ],
)
def test_what_does_not_combine_says_why(n_in, steps, words):
    with pytest.raises(NotCombinableError, match=words):
        chain_kernels(of_one_dtype("float32", n_in, *steps))
