"""Products of vectors and tensors, and diagonals, against NumPy; their gradients."""

import array

import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import linalg

DTYPES = ["int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]
every_dtype = pytest.mark.parametrize("dtype", DTYPES)


def numbers(shape, dtype="float64", seed=0):
    """Random elements; products of integers overflow."""
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if "complex" in dtype else x).astype(dtype)


def assert_close(got, want):
    assert isinstance(got, nd.NDArray)
    assert (got.shape, got.dtype) == (want.shape, want.dtype.name)
    tolerance = 1e-4 if want.dtype.name in ("float32", "complex64") else 1e-11
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(np.asarray(got), want, rtol=tolerance, atol=10 * tolerance)
    else:
        np.testing.assert_array_equal(np.asarray(got), want)


def both(name, *operands, **keywords):
    """Our result and NumPy's."""
    got = getattr(nd, name)(*map(nd.asarray, operands), **keywords)
    return got, np.asarray(getattr(np, name)(*operands, **keywords))


@every_dtype
@pytest.mark.parametrize("left, right", [
    ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((5, 2, 3), (3,)), ((0, 3), (3, 2)), ((2, 0), (0, 3)),
], ids=str)  # fmt: skip
def test_matmul_of_every_dtype(dtype, left, right):
    assert_close(*both("matmul", numbers(left, dtype, 1), numbers(right, dtype, 2)))


@every_dtype
@pytest.mark.parametrize("n", [0, 1, 2, 9, 23, 24, 25, 65_536, 65_537, 200_001], ids=str)
def test_products_of_vectors_have_one_result_however_they_are_asked_for(dtype, n):
    a, b = nd.asarray(numbers(2 * n, dtype, 1)), nd.asarray(numbers(2 * n, dtype, 2))
    for x, y in ((a[:n], b[:n]), (a[::2], b[::-2])):
        wanted = np.vecdot(np.asarray(x), np.asarray(y))
        plain = np.asarray(nd.dot(x, y))
        if "complex" not in dtype:
            for product in (nd.vecdot(x, y), x @ y, nd.vecdot(x, y, axis=0), nd.vecdot(x, np.asarray(y))):
                assert product.shape == ()
                assert np.asarray(product).tobytes() == plain.tobytes()
        if np.dtype(dtype).kind in "iu":
            assert nd.vecdot(x, y).item() == wanted
        else:
            scale = np.sqrt(n) * np.finfo(dtype).eps * 100 + 1e-30
            assert abs(nd.vecdot(x, y).item() - wanted) <= scale * (1 + abs(wanted))


@pytest.mark.parametrize("name", ["vecdot", "dot", "matmul"])
def test_products_of_vectors_refuse_what_does_not_fit(name):
    function = getattr(nd, name)
    with pytest.raises(ValueError, match="sizes"):
        function(nd.zeros(3), nd.zeros(4))
    with pytest.raises(ValueError, match="sizes"):
        function(nd.zeros(0), nd.zeros(1))
    assert function(nd.ones(3, dtype="float32"), nd.ones(3)).dtype == "float64"
    check_gradient(lambda x: function(x, x * 2), np.linspace(-1, 2, 5))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shapes", [((300, 70), (70, 900)), ((500_001,), (500_001,)), ((3000, 500), (500,))], ids=str)
def test_complex_threads_change_no_bit(dtype, shapes):
    a, b = (nd.asarray(numbers(shape, dtype, i)) for i, shape in enumerate(shapes))
    results = []
    for n in (1, 2, 3):
        with nd.threads(n):
            results.append(bytes(memoryview(a @ b)))
    assert results[0] == results[1] == results[2]
    np.testing.assert_allclose(np.asarray(a @ b), np.asarray(a) @ np.asarray(b), rtol=2e-3, atol=5e-3)


@pytest.mark.parametrize("layout", [lambda x: x[..., ::-1], lambda x: x[..., ::2], lambda x: x.mT])
def test_complex_layouts(layout):
    a, b = layout(numbers((4, 6, 6), "complex64", 1)), numbers((4, 6, 3), "complex64", 2)
    b = b[:, : a.shape[-1]]
    assert_close(nd.asarray(a) @ nd.asarray(b), a @ b)


@every_dtype
@pytest.mark.parametrize("left, right, axis", [
    ((3,), (3,), -1), ((2, 3), (2, 3), -1), ((2, 3), (2, 3), -2), ((2, 3), (2, 3), 0), ((4, 1, 3), (5, 3), -1),
    ((50,), (50,), -1), ((4, 50), (50,), -1), ((0,), (0,), -1), ((2, 0), (2, 0), -1), ((0, 3), (0, 3), -1),
], ids=str)  # fmt: skip
def test_vecdot(dtype, left, right, axis):
    got, want = both("vecdot", numbers(left, dtype, 1), numbers(right, dtype, 2), axis=axis)
    assert_close(got, want)


def test_vecdot_of_bool_and_half():
    x = np.random.default_rng(0).random((5, 7)) < 0.4
    np.testing.assert_array_equal(np.asarray(nd.vecdot(nd.asarray(x), nd.asarray(x[::-1]))), (x & x[::-1]).any(-1))
    half = nd.full((3, 3000), 1.0, dtype="float16")
    assert nd.vecdot(half, half).tolist() == [3000.0] * 3


@every_dtype
@pytest.mark.parametrize("axes", [
    0, 1, 2, ((0,), (2,)), ((-1, 0), (0, -1)), ((1,), (1,)), ([0, 1, 2], [2, 1, 0]), (2, 0), ((), ()),
], ids=str)  # fmt: skip
def test_tensordot(dtype, axes):
    x, y = numbers((2, 3, 4), dtype, 1), numbers((4, 3, 2), dtype, 2)
    if axes == 2:
        y = numbers((3, 4, 5), dtype, 2)
    assert_close(*both("tensordot", x, y, axes=axes))


@pytest.mark.parametrize("left, right, axes", [
    ((0, 3), (3, 2), 1), ((2, 0), (0, 3), 1), ((2, 0), (0, 2), ((0, 1), (1, 0))), ((), (), 0), ((), (3,), 0),
])  # fmt: skip
def test_tensordot_of_zero_sizes(left, right, axes):
    assert_close(*both("tensordot", np.ones(left), np.ones(right), axes=axes))


@every_dtype
@pytest.mark.parametrize("name, left, right", [
    ("inner", (3,), (3,)), ("inner", (2, 3), (4, 3)), ("inner", (), (4, 3)), ("dot", (3,), (3,)), ("dot", (2, 3), (3,)),
    ("dot", (2, 3), (5, 3, 4)), ("dot", (2,), ()), ("vdot", (2, 3), (3, 2)), ("outer", (3,), (4,)),
    ("outer", (2, 3), ()), ("kron", (2, 3), (3, 2)), ("kron", (2,), (3, 2)), ("kron", (2, 1, 3), (4,)),
    ("kron", (), (3,)), ("kron", (0, 2), (3, 2)), ("cross", (3,), (3,)), ("cross", (4, 3), (3,)),
    ("cross", (2, 1, 3), (5, 3)),
])  # fmt: skip
def test_products(name, left, right, dtype):
    assert_close(*both(name, numbers(left, dtype, 1), numbers(right, dtype, 2)))


@pytest.mark.parametrize("axis", [0, 1, -2])
def test_cross_along_an_axis(axis):
    x, y = numbers((3, 3, 4), seed=1), numbers((3, 3, 4), seed=2)
    got = linalg.cross(nd.asarray(x), nd.asarray(y), axis=axis)
    assert_close(got, np.cross(x, y, axis=axis))


def test_multi_dot():
    arrays = [numbers(shape, seed=i) for i, shape in enumerate([(10, 100), (100, 5), (5, 50), (50, 3)])]
    ours = [nd.asarray(x) for x in arrays]
    assert_close(linalg.multi_dot(ours), np.linalg.multi_dot(arrays))
    assert_close(linalg.multi_dot([ours[0][0], *ours[1:3]]), np.linalg.multi_dot([arrays[0][0], *arrays[1:3]]))
    assert_close(
        linalg.multi_dot([ours[0][0], *ours[1:], ours[3][0]]),
        np.asarray(np.linalg.multi_dot([arrays[0][0], *arrays[1:], arrays[3][0]])),
    )
    assert_close(linalg.multi_dot(ours[:2]), arrays[0] @ arrays[1])


@pytest.mark.parametrize("offset", [-5, -4, -1, 0, 2, 3, 7])
@pytest.mark.parametrize("dtype", ["bool", *DTYPES])
def test_diagonal_and_trace(offset, dtype):
    x = numbers((2, 4, 3), "int8").astype(dtype)
    ours = nd.asarray(x)
    assert_close(linalg.diagonal(ours, offset=offset), np.linalg.diagonal(x, offset=offset))
    assert_close(nd.diagonal(ours, offset, 0, 2), np.diagonal(x, offset, 0, 2))
    assert_close(nd.diagonal(ours[::-1, :, ::-1], offset, -1, 0), np.diagonal(x[::-1, :, ::-1], offset, -1, 0))
    assert_close(linalg.trace(ours, offset=offset), np.asarray(np.linalg.trace(x, offset=offset)))
    assert_close(nd.trace(ours, offset), np.asarray(np.trace(x, offset)))
    assert_close(
        linalg.trace(ours, offset=offset, dtype="complex64"),
        np.asarray(np.linalg.trace(x, offset=offset, dtype="complex64")),
    )


@pytest.mark.parametrize("name", ["diagonal", "trace"])
def test_a_list_has_a_diagonal_and_a_text_none(name):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    assert getattr(nd, name)(rows).tolist() == getattr(np, name)(rows).tolist()
    with pytest.raises(TypeError, match=f"^{name}: needs an array, given str"):
        getattr(nd, name)("x")


def test_diagonal_is_a_view():
    x = nd.zeros((3, 4))
    nd.diagonal(x, 1)[...] = 5.0
    np.testing.assert_array_equal(np.asarray(x), np.eye(3, 4, 1) * 5)
    assert nd.diagonal(nd.ones((2, 0))).shape == (0,)


@pytest.mark.parametrize("call, text", [
    (lambda: nd.vecdot(nd.ones((2, 3)), nd.ones((2, 4))), r"vecdot: axis -1 has two sizes, in shapes \(2, 3\)"),
    (lambda: nd.vecdot(nd.ones((2, 3)), nd.ones(2), axis=0), "axis must be negative where ranks differ"),
    (lambda: nd.vecdot(nd.ones(3), nd.ones(3), axis=-2), "axis -2 is out of range"),
    (lambda: nd.tensordot(nd.ones((2, 3)), nd.ones((2, 3))[0], axes=2), "cannot sum over 2 axes"),
    (lambda: nd.tensordot(nd.ones((2, 3)), nd.ones((2, 3)), axes=1), "differ in size"),
    (lambda: nd.tensordot(nd.ones((2, 2)), nd.ones((2, 2)), axes=((0, 0), (0, 1))), "one axis twice"),
    (lambda: nd.tensordot(nd.ones((2, 2)), nd.ones((2, 2)), axes=((0, 1), (0,))), "two sequences of one length"),
    (lambda: nd.cross(nd.ones(4), nd.ones(4)), "cross: axis -1 must have 3 or 2 elements"),
    (lambda: linalg.cross(nd.ones(2), nd.ones(2)), "cross: axis -1 must have 3 elements"),
    (lambda: nd.inner(nd.ones((2, 3)), nd.ones((2, 2))), "differ in size"),
    (lambda: nd.diagonal(nd.ones(3)), "axis 1 is out of range"),
    (lambda: nd.diagonal(nd.ones((3, 3)), 0, 1, -1), "the axes must differ"),
    (lambda: linalg.multi_dot([nd.ones((2, 2))]), "two matrices or more"),
    (lambda: linalg.multi_dot([nd.ones((2, 2)), nd.ones((3, 2))]), r"neighbours must share a size, given \[\(2, 2\)"),
])  # fmt: skip
def test_wrong_shapes(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_wrong_operands():
    for function in (nd.vecdot, nd.tensordot, nd.inner, nd.dot, nd.vdot, nd.outer, nd.kron, nd.cross):
        with pytest.raises(TypeError, match=f"{function.__name__}: needs two arrays, given NDArray and str"):
            function(nd.ones(3), "x")
    with pytest.raises(TypeError, match="cross: no bool loop"):
        nd.cross(nd.ones(3, dtype="bool"), nd.ones(3, dtype="bool"))


def test_numpy_operands():
    x = numbers((3, 3))
    assert_close(x @ nd.asarray(x), x @ x)
    assert_close(nd.asarray(x) @ x, x @ x)
    assert_close(nd.tensordot(x, nd.asarray(x)), np.asarray(np.tensordot(x, x)))


GRADIENTS = {
    "vecdot": lambda x: nd.vecdot(x, nd.asarray(numbers((2, 4, 3), seed=3)), axis=-2),
    "vecdot, long": lambda x: nd.vecdot(x.reshape(2, 12), nd.asarray(numbers((2, 12), seed=3))),
    "vecdot by BLAS": lambda x: nd.vecdot(x.reshape(24), nd.asarray(numbers((3, 24), seed=3))),
    "tensordot": lambda x: nd.tensordot(x, nd.asarray(numbers((3, 5, 4), seed=4)), axes=((2, 1), (0, 2))),
    "matvec": lambda x: nd.matvec(x, x[:, 0]),
    "vecmat": lambda x: nd.vecmat(x[:, :, 0], x),
    "outer": lambda x: nd.outer(x, x[0, 0]),
    "kron": lambda x: nd.kron(x[0], x[1]),
    "cross": lambda x: nd.cross(x[0], x[1]),
    "inner": lambda x: nd.inner(x[0], x[1]),
    "dot": lambda x: nd.dot(x[0], x[1].mT),
    "diagonal": lambda x: nd.diagonal(x, 1, 2, 1) * nd.diagonal(x, 0, 1, 2),
    "trace": lambda x: linalg.trace(x, offset=-1),
    "multi_dot": lambda x: linalg.multi_dot([x[0], x[1].mT, x[0] * x[1]]),
    "matrix_power": lambda x: linalg.matrix_power(x[:, :3], 5),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name):
    x = numbers((2, 4, 3), seed=7)
    shape = GRADIENTS[name](nd.asarray(x)).shape
    weights = nd.asarray(numbers(shape, seed=8))
    check_gradient(lambda x: nd.sum(GRADIENTS[name](x) * weights), x, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name", ["dot", "inner", "outer", "kron", "vdot", "vecdot", "matmul", "cross", "tensordot", "convolve"]
)
def test_operands_are_whatever_becomes_an_array(name):
    keywords = {"axes": 1} if name == "tensordot" else {}
    want = getattr(np, name)([1, 2, 3], [4, 5, 6], **keywords)
    for x in (range(1, 4), [1, 2, 3], (1, 2, 3), np.arange(1, 4), array.array("q", [1, 2, 3]), memoryview(np.r_[1:4])):
        np.testing.assert_array_equal(np.asarray(getattr(nd, name)(x, range(4, 7), **keywords)), want)
    assert nd.linalg.norm(range(3)) == np.linalg.norm(range(3))
    for wrong in ("abc", None, {1: 2}, object()):
        with pytest.raises(TypeError, match="cannot make an array|None is no number"):
            getattr(nd, name)(wrong, range(3), **keywords)
