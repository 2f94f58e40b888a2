"""Casts, copies and fills: the other bodies of map.cu."""

import itertools

import numpy as np
import pytest
from kernel_bench import Bench, numpy_dtype
from row_cases import from_cpu, to_cpu
from simulator.compiler import QUICK

import nd4py as nd
from nd4py._spec import dtypes
from nd4py._spec.render import cuda_kernels
from nd4py.cuda.compile.kernel_catalogue import Kernels, copy_kernels, fill_kernels, kernels_of

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
    texts = tuple(cuda_kernels.cast_text(a, b, ("packets",)) for a, b in itertools.product(NAMES, NAMES))
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
