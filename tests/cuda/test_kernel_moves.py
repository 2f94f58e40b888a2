"""Casts, copies, fills and chains of rows: the other bodies of map.cu."""

import itertools

import numpy as np
import pytest
from kernel_bench import SCHEDULES, Bench, grouped, numpy_dtype
from row_cases import from_cpu, to_cpu
from simulator.compiler import QUICK

import nd4py as nd
from nd4py._spec import dtypes, render_cuda
from nd4py._spec.render_cuda import NotCombinableError, Step
from nd4py.cuda.kernels import Kernels, chain_kernels, chain_reduce_kernels, copy_kernels, fill_kernels, kernels_of

NAMES = [row.name for row in dtypes.DTYPES]
VALUES = np.array([0, 1, -1, 2.5, -3.75, 127, 128, -129, 255, 300, 65504, 7e4, -4e9, 3e38, np.nan, np.inf, -np.inf])


@pytest.fixture(scope="module")
def bench():
    return Bench()


def values_of(dtype):
    """Numbers around every limit, as a dtype; no NaN for integers."""
    drawn = np.nan_to_num(VALUES, nan=0, posinf=9, neginf=-9) if numpy_dtype(dtype).kind in "biu" else VALUES
    drawn = drawn if dtype != "bfloat16" else VALUES
    return from_cpu(nd.astype(nd.asarray(drawn), getattr(nd, dtype)))


def canonical(x):
    """Equal numbers as equal arrays: what stands for NaN in bfloat16 has many forms."""
    if x.dtype == np.uint16:
        return np.where((x & 0x7F80 == 0x7F80) & (x & 0x7F != 0), 0x7FC0, x)
    return x


def test_casts_between_all_dtypes():
    bench = Bench(flags=QUICK)
    texts = tuple(render_cuda.cast_text(a, b, ("packets",)) for a, b in itertools.product(NAMES, NAMES))
    module = kernels_of("casts", texts).module
    for a in NAMES:
        x = values_of(a)
        for b in NAMES:
            drops = x.dtype.kind == "c" and b != "bool" and numpy_dtype(b).kind != "c"  # the CPU asks for real()
            want = from_cpu(nd.astype(nd.asarray(x.real) if drops else to_cpu(x, a), getattr(nd, b)))
            (got,) = bench.run_map(Kernels(module, {"packets": f"cast_{a}_{b}_packets"}), (x,), [want.dtype])
            np.testing.assert_array_equal(canonical(got), canonical(want), err_msg=f"{a} to {b}")


@pytest.mark.parametrize("itemsize", [1, 2, 4, 8, 16])
def test_copies_and_fills(bench, itemsize):
    word = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "complex128"}[itemsize]
    x = (np.arange(30 * 50) % 251).reshape(30, 50).astype(word)
    for laid in (x, x.T, x[:, ::2], np.broadcast_to(x[:1], (4, 50))):
        (got,) = bench.run_map(copy_kernels(itemsize), (laid,), [word])
        np.testing.assert_array_equal(got, laid)
    value = np.array([7], word)
    params = np.frombuffer(value.tobytes().ljust(16, b"\0"), np.float64)
    for y in (np.zeros(1000, word), np.zeros((30, 50), word)[::2, ::3]):
        (got,) = bench.run_map(fill_kernels(itemsize), (), [y], params)
        np.testing.assert_array_equal(got, np.full(y.shape, value))


CHAINS = {
    "product and sum": ((Step("multiply", (0, 1)), Step("add", (3, 2))), 3, ()),
    "activated": ((Step("add", (0, 1)), Step("leaky_relu", (2,)), Step("multiply", (3, 3))), 2, (0.25,)),
    "five": (
        (Step("subtract", (0, 1)), Step("square", (2,)), Step("elu", (3,)), Step("add", (4, 0)), Step("exp", (5,))),
        2, (0.5,),
    ),
    "two scalars": ((Step("leaky_relu", (0,)), Step("elu", (1,))), 1, (0.125, 0.75)),
}  # fmt: skip


def chain_and_steps(dtype):
    """The kernels of all chains, and of their steps one by one."""
    chains = [render_cuda.chain_text(steps, n_in, dtype, ("packets",)) for steps, n_in, _ in CHAINS.values()]
    rows = sorted({step.row for steps, _, _ in CHAINS.values() for step in steps})
    texts = [render_cuda.map_text(render_cuda.BY_NAME[name], dtype, ("packets",)) for name in rows]
    return grouped(f"chains_{dtype}", chains + texts)


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_chain_gives_the_bits_of_its_steps(bench, chain, dtype):
    steps, n_in, params = CHAINS[chain]
    rng = np.random.default_rng(3)
    values = [rng.normal(size=517).astype(numpy_dtype(dtype)) for _ in range(n_in)]
    if dtype == "bfloat16":
        values = [rng.integers(0x3E00, 0x4100, 517).astype(np.uint16) for _ in range(n_in)]
    kernels = chain_and_steps(dtype)
    own_name = render_cuda.chain_text(steps, n_in, dtype).name
    (got,) = bench.run_map(kernels[own_name], values, [values[0].dtype], params)
    left = list(params)
    for step in steps:
        own = [left.pop(0) for _ in render_cuda.BY_NAME[step.row].params]
        operands = [values[k] for k in step.operands]
        values += bench.run_map(kernels[f"{step.row}_{dtype}"], operands, [values[0].dtype], own)
    np.testing.assert_array_equal(got.view(np.uint8), values[-1].view(np.uint8))


def test_a_chain_runs_on_any_layout(bench):
    steps, n_in, _ = CHAINS["product and sum"]
    x, y, z = np.arange(1200).reshape(40, 30).T, np.arange(40), np.arange(30)[:, None]
    (got,) = bench.run_map(chain_kernels(steps, n_in, "int64"), (x, y, z), [np.int64])
    np.testing.assert_array_equal(got, x * y + z)


REDUCED = [((40, 33), (1,)), ((3, 2500), (1,)), ((30000,), (0,)), ((600, 40), (0,)), ((5, 6, 7), (0, 2))]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize(
    "dtype, total", [("float16", "sum"), ("float32", "mean"), ("float64", "max"), ("int32", "sum")]
)
def test_a_reduced_chain_gives_the_bits_of_its_steps(bench, dtype, total, schedule):
    """What a chain makes is not stored; half types are rounded all the same."""
    bench.driver.schedule(*schedule)
    steps, n_in, _ = CHAINS["product and sum"]
    reduction, rng = render_cuda.BY_NAME[total], np.random.default_rng(9)
    whole = render_cuda.chain_reduce_text(steps, n_in, reduction, dtype)
    parts = (
        render_cuda.chain_text(steps, n_in, dtype, ("packets", "strided")),
        render_cuda.reduce_text(reduction, dtype),
    )
    kernels = grouped(f"reduced_{dtype}", [whole, *parts])
    size, result = render_cuda.accumulator_bytes(reduction, dtype), "int64" if dtype == "int32" else dtype
    for shape, axes in REDUCED:
        x, y = ((rng.normal(size=shape) * 3).astype(dtype) for _ in range(2))
        for operands in ((x, y, x[(slice(1),) * x.ndim]), (x.T.copy().T, y.T.copy().T, x.T.copy().T)):
            (stored,) = bench.run_map(kernels[parts[0].name], operands, [np.empty_like(operands[0])])
            want, _ = bench.run_reduction(kernels[parts[1].name], stored, axes, result, size)
            got, _ = bench.run_reduction(kernels[whole.name], stored, axes, result, size, operands=operands)
            assert got.tobytes() == want.tobytes(), f"{shape} along {axes}"
        shifted, _ = bench.run_reduction(
            kernels[whole.name], stored, axes, result, size, operands=operands, shift=stored.itemsize, max_blocks=1
        )
        assert shifted.tobytes() == want.tobytes(), f"{shape} along {axes}"


def test_scalars_of_a_reduced_chain(bench):
    steps, n_in, params = CHAINS["two scalars"]
    kernels = chain_reduce_kernels(steps, n_in, "max", "float64", "lines")
    x = np.random.default_rng(10).normal(size=(7, 20))
    got, _ = bench.run_reduction(kernels, x, (1,), np.float64, 8, operands=(x,), params=params)
    y = np.where(x > 0, x, params[0] * x)
    np.testing.assert_allclose(got, np.where(y > 0, y, params[1] * np.expm1(y)).max(1))


def test_only_a_reduction_ends_a_chain():
    for name in ("add", "argmax", "cumulative_sum"):
        with pytest.raises(NotCombinableError, match=f"{name} of float32 cannot end a chain"):
            chain_reduce_kernels((Step("exp", (0,)),), 1, name, "float32")


@pytest.mark.parametrize(
    "steps, n_in, words",
    [
        ((Step("sum", (0,)),), 1, "step 0, sum: only elementwise rows"),
        ((Step("add", (0, 5)),), 2, "operands .0, 5. are not 2 of the 2 values"),
        ((Step("equal", (0, 1)),), 2, "not all of one dtype"),
        ((Step("bitwise_and", (0, 1)),), 2, "it does not take float32"),
        ((), 1, "a chain has 1 to 32 steps"),
    ],
)
def test_what_does_not_combine_says_why(steps, n_in, words):
    with pytest.raises(NotCombinableError, match=words):
        chain_kernels(steps, n_in, "float32")
