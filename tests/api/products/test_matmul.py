"""Matrix products against NumPy: every dtype, rank, layout and zero size; gradients; threads; the library itself."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py.cpu.matmul.blas import library_path
from nd4py.cpu.matmul.matmul import needs_copy

FLOATS = ["float32", "float64"]
HALVES = ["float16", "bfloat16"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
TOLERANCE = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-4, "float64": 1e-11}
SHAPES = [
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((1, 1), (1, 1)),
    ((1, 7), (7, 5)),
    ((5, 7), (7, 1)),
    ((6, 2, 3), (3, 4)),
    ((6, 2, 3), (6, 3, 4)),
    ((2, 1, 2, 3), (5, 3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((4, 1, 3), (1, 3, 2)),
]


def numbers(shape, dtype="float64", seed=0):
    """Random elements; integers include negative ones and overflow when multiplied."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < 0.4
    if dtype in INTEGERS:
        return rng.integers(-100, 100, shape).astype(dtype)
    return rng.standard_normal(shape).astype("float32" if dtype in HALVES else dtype)


def arrays(x, dtype):
    """The NumPy array as one of ours, and its values after rounding to `dtype`."""
    ours = nd.asarray(x, dtype=dtype)
    return ours, np.asarray(ours.astype("float64" if dtype in HALVES + FLOATS else dtype))


def assert_close(got, want, dtype):
    assert got.shape == want.shape
    assert got.dtype == dtype
    got = np.asarray(got.astype("float64") if dtype in HALVES else got)
    if dtype in TOLERANCE:
        np.testing.assert_allclose(got, want, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 10)
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", [*FLOATS, *HALVES, *INTEGERS, "bool"])
@pytest.mark.parametrize("left, right", SHAPES, ids=str)
def test_matches_numpy(left, right, dtype):
    a, a_values = arrays(numbers(left, dtype, 1), dtype)
    b, b_values = arrays(numbers(right, dtype, 2), dtype)
    assert_close(nd.matmul(a, b), np.matmul(a_values, b_values), dtype)
    assert_close(a @ b, np.matmul(a_values, b_values), dtype)


LAYOUTS = {
    "plain": lambda x: x.copy(),
    "transposed": lambda x: np.ascontiguousarray(x.mT).mT if x.ndim > 1 else x.copy(),
    "strided rows": lambda x: np.repeat(x, 2, axis=-2)[..., ::2, :] if x.ndim > 1 else np.repeat(x, 2)[::2],
    "strided columns": lambda x: np.repeat(x, 3, axis=-1)[..., ::3],
    "reversed": lambda x: np.ascontiguousarray(np.flip(x))[(slice(None, None, -1),) * x.ndim],
    "repeated": lambda x: np.broadcast_to(x[..., :1], x.shape),
    "window": lambda x: np.pad(x, [(1, 2)] * x.ndim)[(slice(1, -2),) * x.ndim],
}


@settings(max_examples=150)
@given(
    shapes=st.sampled_from(SHAPES),
    layouts=st.tuples(st.sampled_from(list(LAYOUTS)), st.sampled_from(list(LAYOUTS))),
    dtype=st.sampled_from([*FLOATS, "int32", "bool"]),
)
def test_every_layout(shapes, layouts, dtype):
    a, b = (LAYOUTS[layout](numbers(shape, dtype)) for shape, layout in zip(shapes, layouts, strict=True))
    assert_close(nd.asarray(a) @ nd.asarray(b), np.matmul(a, b), dtype)


@settings(max_examples=150)
@given(
    m=st.integers(0, 300), k=st.integers(0, 80), n=st.integers(0, 300), flags=st.tuples(st.booleans(), st.booleans()),
    dtype=st.sampled_from([*FLOATS, "int16"]),
)  # fmt: skip
def test_every_size(m, k, n, flags, dtype):
    a = numbers((k, m), dtype).T if flags[0] else numbers((m, k), dtype)
    b = numbers((n, k), dtype).T if flags[1] else numbers((k, n), dtype)
    assert_close(nd.asarray(a) @ nd.asarray(b), np.matmul(a, b), dtype)


@pytest.mark.parametrize("left, right", [
    ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 3), (3, 0)), ((0,), (0,)), ((0, 2, 3), (3, 4)), ((0, 2, 3), (1, 3, 4)),
    ((2, 0), (0,)), ((0,), (0, 4)),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool"])
def test_zero_sizes(left, right, dtype):
    got = nd.zeros(left, dtype=dtype) @ nd.zeros(right, dtype=dtype)
    want = np.zeros(left, dtype) @ np.zeros(right, dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("left, right, text", [
    ((2, 3), (4, 5), r"matmul: inner sizes differ, \(2, 3\) @ \(4, 5\)"),
    ((3,), (4,), r"inner sizes differ, \(3,\) @ \(4,\)"),
    ((2, 3), (2,), r"inner sizes differ"),
    ((), (3,), r"without dimensions.*\(\) @ \(3,\); use multiply"),
    ((2, 3), (), r"without dimensions"),
    ((2, 2, 3), (3, 3, 4), r"stacks of shapes \(2,\) and \(3,\) do not broadcast"),
])  # fmt: skip
def test_wrong_shapes(left, right, text):
    with pytest.raises(ValueError, match=text):
        nd.zeros(left) @ nd.zeros(right)


def test_wrong_operands():
    with pytest.raises(TypeError, match="no common dtype"):
        nd.zeros((2, 2), dtype="int32") @ nd.zeros((2, 2), dtype="uint64")
    with pytest.raises(TypeError, match="needs two arrays, given NDArray and str"):
        nd.matmul(nd.zeros((2, 2)), "x")
    assert nd.matmul([[1, 2]], [[3], [4]]).tolist() == [[11]]
    with pytest.raises((TypeError, ValueError)):
        nd.zeros((2, 2)) @ 3


def test_dtypes_are_promoted():
    a, b = numbers((2, 3), "float32"), numbers((3, 2), "float64")
    assert_close(nd.asarray(a) @ nd.asarray(b), a @ b, "float64")
    a, b = numbers((2, 3), "int8"), numbers((3, 2), "int32")
    assert_close(nd.asarray(a) @ nd.asarray(b), a @ b, "int32")


def test_special_values_spread_as_in_numpy():
    a, b = np.array([[np.inf, 1.0], [np.nan, 2.0]]), np.array([[0.0, 1.0], [1.0, -1.0]])
    with np.errstate(invalid="ignore"):
        want = a @ b
    np.testing.assert_array_equal(np.asarray(nd.asarray(a) @ nd.asarray(b)), want)


def test_transposed_operands_are_not_copied():
    x = nd.ones((4, 6), dtype="float32")
    assert not any(needs_copy(y) for y in (x, x.T, x[:, 1:4], x[::2], x[1:3, 2:4].T, x[0], x[:, 0], x[:1, ::2]))
    assert all(needs_copy(y) for y in (x[::2, ::2], x[::-1], x[:, ::-1], x[:1].broadcast_to((4, 6)), x[0, ::-1]))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("left, right", [
    ((300, 70), (70, 900)), ((900, 70), (70, 300)), ((40, 64, 64), (40, 64, 64)), ((3000, 500), (500,)),
    ((500,), (500, 3000)), ((500_001,), (500_001,)), ((1, 700), (700, 2000)), ((128, 800), (800, 500)),
], ids=str)  # fmt: skip
def test_threads_change_no_bit(left, right, dtype):
    a, b = nd.asarray(numbers(left, dtype)), nd.asarray(numbers(right, dtype))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(np.asarray(a @ b).tobytes())
    assert results[0] == results[1] == results[2]
    np.testing.assert_allclose(np.asarray(a @ b), np.asarray(a) @ np.asarray(b), rtol=2e-3, atol=5e-3)


@pytest.mark.parametrize("shape", [(130, 20_000), (300, 70), (700, 900)])
def test_threads_change_no_bit_of_products_by_themselves(shape):
    x, results = nd.asarray(numbers(shape), copy=True), []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(np.asarray(x @ x.T).tobytes())
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("k", [1, 33, 257, 3000])
@pytest.mark.parametrize("m", [1, 49, 129, 192, 257, 513])
@pytest.mark.parametrize("dtype", [*FLOATS, "float16", "complex64"])
def test_products_by_themselves_have_the_bits_of_products_by_copies(dtype, m, k):
    if m * m * k > (1e8 if dtype.startswith("float") else 1e7):
        k = 64
    x = numbers((m, k), dtype)
    layouts = {
        "rows": nd.asarray(x, dtype=dtype, copy=True),
        "columns": nd.asarray(np.ascontiguousarray(x.T), dtype=dtype, copy=True).T,
        "gaps": nd.asarray(np.pad(x, ((0, 0), (2, 3))), dtype=dtype, copy=True)[:, 2:-3],
    }
    for name, ours in layouts.items():
        got, expected = ours @ ours.T, ours @ ours.copy().T if name != "columns" else ours @ ours.T.copy()
        assert np.asarray(got).tobytes() == np.asarray(expected).tobytes(), name


def test_stacks_of_products_by_themselves():
    x = nd.asarray(numbers((3, 200, 80)), copy=True)
    for left, right in [(x, x.mT), (x[:1], x.mT), (x, x[:1].mT), (x[::-1], x[::-1].mT), (x[::-1], x.mT)]:
        assert (np.asarray(left @ right) == np.asarray(left.copy() @ right.mT.copy().mT)).all()


@pytest.mark.parametrize("shape", [(200, 90), (150, 30_000)])
def test_a_graph_of_a_product_by_itself_is_run_with_others(shape):
    x, y = (nd.asarray(numbers(shape, "float32", seed), copy=True) for seed in (1, 2))
    graph = nd.capture(lambda a, b: a @ b.T, x, x)
    for left, right in [(x, y), (x, x), (y, x), (y, y)]:
        assert (np.asarray(graph(left, right)) == np.asarray(left @ right.T)).all()


def test_many_python_threads_at_once():
    a, b = nd.asarray(numbers((200, 100))), nd.asarray(numbers((100, 200)))
    want = np.asarray(a @ b)
    wrong = []

    def work():
        for _ in range(30):
            if not np.array_equal(np.asarray(a @ b), want):
                wrong.append(threading.get_ident())

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def central_difference(f, x, step=1e-6):
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[i] += step
        low[i] -= step
        gradient[i] = (f(high) - f(low)) / (2 * step)
    return gradient


@pytest.mark.parametrize("left, right", SHAPES, ids=str)
def test_gradients(left, right):
    a, b = numbers(left, seed=1), numbers(right, seed=2)
    weights = numbers((a @ b).shape, seed=3)
    got = nd.grad(lambda x, y: nd.sum((x @ y) * nd.asarray(weights)), argnums=(0, 1))(nd.asarray(a), nd.asarray(b))
    want = (
        central_difference(lambda x: np.sum((x @ b) * weights), a),
        central_difference(lambda y: np.sum((a @ y) * weights), b),
    )
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("argnum", [0, 1])
def test_gradient_of_one_operand(argnum):
    a, b = nd.asarray(numbers((4, 3), "float32")), nd.asarray(numbers((3, 2), "float32"))
    got = nd.grad(lambda x, y: nd.sum(x @ y), argnums=argnum)(a, b)
    want = np.ones((4, 2)) @ np.asarray(b).T if argnum == 0 else np.asarray(a).T @ np.ones((4, 2))
    assert got.dtype == nd.float32
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5)


def run_python(program, **environment):
    return subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, capture_output=True, text=True, timeout=120
    )


def test_missing_library_says_what_to_install():
    program = "import nd4py as nd; nd.ones((2, 2)) @ nd.ones((2, 2))"
    result = run_python(program, ND4PY_BLAS="/nowhere/libblas.so")
    assert result.returncode != 0
    assert "ImportError: cannot open the BLAS library /nowhere/libblas.so" in result.stderr
    assert "pip install scipy-openblas32" in result.stderr


def test_library_without_cblas_is_refused():
    program = "import nd4py as nd; nd.ones((2, 2)) @ nd.ones((2, 2))"
    result = run_python(program, ND4PY_BLAS="libm.so.6")
    assert "ImportError: the BLAS library libm.so.6 has no cblas_sgemm" in result.stderr


def test_library_may_be_named_by_path():
    program = "import nd4py as nd; print((nd.ones((2, 2)) @ nd.ones((2, 2)))[0, 0].item())"
    result = run_python(program, ND4PY_BLAS=library_path())
    assert result.stdout.strip() == "2.0", result.stderr


@pytest.mark.parametrize("place", ["lib/libopenblas.so.0", "lib/libopenblas.0.dylib", "Library/bin/openblas.dll"])
def test_library_of_a_conda_environment_is_found(place, tmp_path):
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).symlink_to(library_path())
    program = (
        "import sys, importlib.util, nd4py as nd\n"
        "importlib.util.find_spec = lambda name: None\n"
        f"sys.prefix = {str(tmp_path)!r}\n"
        "from nd4py.cpu.matmul.blas import library_path\n"
        "print(library_path(), (nd.ones((2, 2)) @ nd.ones((2, 2)))[0, 0].item())"
    )
    result = run_python(program)
    assert result.stdout.split() == [str(tmp_path / place), "2.0"], result.stderr


def test_opening_the_library_leaves_environment_and_threads_alone():
    program = (
        "import os, nd4py as nd\n"
        "before = dict(os.environ), len(os.listdir('/proc/self/task'))\n"
        "with nd.threads(1): nd.ones((600, 600)) @ nd.ones((600, 600))\n"
        "print((dict(os.environ), len(os.listdir('/proc/self/task'))) == before)"
    )
    result = run_python(program, OPENBLAS_NUM_THREADS="4")
    assert result.stdout.strip() == "True", result.stderr
