"""What other libraries and Python itself expect of an array: NumPy's protocols, pickles, formatting, conversions."""

import copy
import gc
import math
import pickle
import weakref

import numpy as np
import pytest

import nd4py as nd

X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    "ufunc, inputs",
    [
        (np.add, (X, 1)),
        (np.add, (X, X[0])),
        (np.arctan2, (X, 2.0)),
        (np.absolute, (-X,)),
        (np.true_divide, (X, 2)),
        (np.power, (X, 2)),
        (np.left_shift, (X.astype("int32"), 1)),
        (np.conjugate, (X * 1j,)),
        (np.rint, (X / 4,)),
        (np.logaddexp2, (X, X)),  # NumPy's own: nd4py has none
        (np.divmod, (X, 4.0)),  # several results
        (np.frexp, (X,)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_universal_functions_give_our_arrays(ufunc, inputs):
    ours = [nd.asarray(x) if isinstance(x, np.ndarray) else x for x in inputs]
    got, want = ufunc(*ours), ufunc(*inputs)
    for one, expected in zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]:
        assert isinstance(one, nd.NDArray)
        np.testing.assert_allclose(np.asarray(one), expected)


def test_universal_function_methods():
    x = nd.asarray(X)
    for got, want in [
        (np.add.reduce(x), np.add.reduce(X)),
        (np.maximum.reduce(x, axis=1, keepdims=True), np.maximum.reduce(X, axis=1, keepdims=True)),
        (np.logical_and.reduce(x, axis=None), np.logical_and.reduce(X, axis=None)),
        (np.multiply.accumulate(x, axis=1), np.multiply.accumulate(X, axis=1)),
        (np.subtract.outer(x, x), np.subtract.outer(X, X)),
        (np.add(x, x, where=X > 2, out=np.zeros((2, 3))), np.add(X, X, where=X > 2, out=np.zeros((2, 3)))),
        (np.add(x, x, dtype="float32"), np.add(X, X, dtype="float32")),
    ]:
        np.testing.assert_array_equal(np.asarray(got), want)
        assert got.dtype == want.dtype


def test_numpy_arrays_beside_ours():
    x, y = nd.asarray(X), X + 1
    for got in (x + y, y + x, np.add(y, x), y * 1 + x * 1):
        assert isinstance(got, nd.NDArray)
        np.testing.assert_array_equal(np.asarray(got), X + y)
    assert isinstance(y < x, nd.NDArray)
    assert (x * np.float32(2)).dtype == "float64"
    assert (nd.ones(2, dtype="float32") * np.float64(2)).dtype == "float32"  # a Python float, and so weak
    total = X.copy()
    total += x
    assert isinstance(total, np.ndarray)
    np.testing.assert_array_equal(total, 2 * X)
    out = nd.zeros((2, 3))
    assert np.multiply(X, x, out=out) is out
    np.testing.assert_array_equal(np.asarray(out), X * X)


NUMPY_FUNCTIONS = {
    "sum": lambda x: np.sum(x, axis=1),
    "sum, keepdims": lambda x: np.sum(x, 0, keepdims=True),
    "sum, initial": lambda x: np.sum(x, axis=0, initial=5.0),
    "mean": lambda x: np.mean(x, axis=0),
    "var": lambda x: np.var(x, axis=0, ddof=1),
    "concatenate": lambda x: np.concatenate([x, x], axis=1),
    "stack": lambda x: np.stack([x, x], axis=-1),
    "where": lambda x: np.where(x > 2, x, 0.0),
    "clip": lambda x: np.clip(x, 1, 3),
    "reshape": lambda x: np.reshape(x, (3, 2)),
    "reshape, order": lambda x: np.reshape(x, (3, 2), order="F"),
    "transpose": np.transpose,
    "zeros_like": np.zeros_like,
    "squeeze": lambda x: np.squeeze(x[:, :1]),
    "take": lambda x: np.take(x, [1, 0], axis=1),
    "take flat": lambda x: np.take(x, [5, 0]),
    "argmax": lambda x: np.argmax(x, axis=1),
    "median": np.median,
    "apply_along_axis": lambda x: np.apply_along_axis(np.sort, 1, x),
    "linalg.norm": lambda x: np.linalg.norm(x, axis=1),
    "fft.rfft": np.fft.rfft,
    "einsum": lambda x: np.einsum("ij->ji", x),
    "expand_dims": lambda x: np.expand_dims(x, 1),
    "broadcast_to": lambda x: np.broadcast_to(x, (4, 2, 3)),
    "cumsum": lambda x: np.cumsum(x, axis=0),
    "cumsum flat": np.cumsum,
}


@pytest.mark.parametrize("name", NUMPY_FUNCTIONS)
def test_numpy_functions_give_our_arrays(name):
    got, want = NUMPY_FUNCTIONS[name](nd.asarray(X)), NUMPY_FUNCTIONS[name](X)
    assert isinstance(got, nd.NDArray)
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), want)


def test_numpy_functions_of_facts():
    x = nd.asarray(X)
    assert (np.shape(x), np.ndim(x), np.size(x)) == ((2, 3), 2, 6)
    assert np.iscomplexobj(x) is False
    assert np.result_type(x.dtype, np.float32) == np.float64
    assert [type(part) for part in np.split(x, 2)] == [nd.NDArray, nd.NDArray]
    np.testing.assert_allclose(x, X)


def test_numpy_functions_respect_gradients():
    x = nd.asarray([1.0, 2.0])
    slope = nd.grad(lambda x: np.sum(np.exp(x) * x))(x)
    np.testing.assert_allclose(np.asarray(slope), np.exp([1, 2]) * [2, 3])
    with pytest.raises(TypeError, match="lose the gradient"):
        nd.grad(lambda x: nd.sum(np.exp(x, casting="unsafe")))(x)


def test_operands_of_other_libraries_decide():
    class Other:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "theirs"

    class Foreign:
        def __array_function__(self, function, types, args, keywords):
            return "theirs"

    assert nd.ones(2) + Other() == "theirs"
    assert np.concatenate([nd.ones(2), Foreign()]) == "theirs"


@pytest.mark.parametrize("protocol", range(2, 6))
@pytest.mark.parametrize("dtype", ["bool", "int8", "bfloat16", "float32", "complex64", "complex128"])
def test_pickles(protocol, dtype):
    x = nd.asarray([[0, 1, 1], [1, 0, 0]]).astype(dtype)
    for source in (x, x.T, x[:, ::2], x[0, 0], x[:0], nd.broadcast_to(x[0], (4, 3))):
        twin = pickle.loads(pickle.dumps(source, protocol))
        assert (twin.dtype, twin.shape) == (source.dtype, source.shape)
        assert twin.tolist() == source.tolist()
        twin[...] = 1
        assert source.tolist() == pickle.loads(pickle.dumps(source, protocol)).tolist()


def test_pickles_out_of_band_copy_nothing():
    x, buffers = nd.ones(100_000), []
    data = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(data) < 200
    twin = pickle.loads(data, buffers=buffers)
    x[0] = 7.0
    assert float(twin[0]) == 7.0
    odd = memoryview(bytearray(9))[1:]  # out of alignment
    odd[:] = bytes(memoryview(nd.asarray([5.0])).cast("B"))
    (buffers := []).clear()
    data = pickle.dumps(nd.asarray([5.0]), 5, buffer_callback=buffers.append)
    assert pickle.loads(data, buffers=[odd]).tolist() == [5.0]


def test_copies_weak_references_and_hashes():
    x = nd.ones((2, 2))
    for twin in (copy.copy(x), copy.deepcopy(x), copy.deepcopy({"x": x})["x"]):
        twin[0, 0] = 5.0
        assert float(x[0, 0]) == 1.0
    watcher = weakref.ref(x)
    del x
    gc.collect()
    assert watcher() is None
    with pytest.raises(TypeError, match="unhashable"):
        {nd.ones(2)}


def test_scalar_conversions():
    assert complex(nd.asarray(1 + 2j)) == 1 + 2j
    assert complex(nd.asarray(2)) == 2
    assert (int(nd.asarray(2.9)), float(nd.asarray(2)), bool(nd.asarray(float("nan")))) == (2, 2.0, True)
    assert round(nd.asarray(2.567), 1) == 2.6
    assert f"{nd.asarray(3.14159):.2f} {nd.asarray(7):04d}" == "3.14 0007"
    assert f"{nd.asarray([1, 2])}" == "[1 2]"
    assert math.sqrt(nd.asarray(4.0)) == 2.0
    for wrong, error in [
        (lambda: int(nd.asarray(float("inf"))), OverflowError),
        (lambda: int(nd.asarray(float("nan"))), ValueError),
        (lambda: float(nd.asarray(1j)), TypeError),
        (lambda: int(nd.asarray(1j)), TypeError),
        (lambda: float(nd.ones(2)), TypeError),
        (lambda: [1][nd.asarray(0.0)], TypeError),
        (lambda: [1, 2][nd.asarray(True)], TypeError),
        (lambda: f"{nd.ones(2):.2f}", TypeError),
        (lambda: len(nd.asarray(1)), TypeError),
    ]:
        with pytest.raises(error):
            wrong()


def test_iteration():
    x = nd.asarray(X)
    assert [row.tolist() for row in x] == X.tolist()
    first, second = x
    assert (first.shape, second.shape) == ((3,), (3,))
    assert 4.0 in x
    assert 9.0 not in x
    assert "a" not in x


def test_text_is_short_and_readable():
    assert str(nd.asarray([[1.5, 2], [3, 4]])) == "[[1.5 2. ]\n [3.  4. ]]"
    assert repr(nd.asarray(1 + 2j)) == "array(1.+2.j, dtype=complex128)"
    big = nd.zeros((1000, 1000))
    assert len(repr(big)) < 600
    assert len(str(big)) < 600


def test_array_interface():
    x = nd.asarray(X)[:, ::2]
    described = x.__array_interface__
    assert described["shape"] == (2, 2)
    assert described["typestr"] == np.dtype("float64").str
    assert not hasattr(nd.ones(2, dtype="bfloat16"), "__array_interface__")

    class Only:
        __array_interface__ = described

    np.testing.assert_array_equal(np.asarray(Only()), X[:, ::2])
    assert nd.asarray(Only()).tolist() == X[:, ::2].tolist()


def test_parts_are_views():
    z = nd.asarray([1 + 2j, 3 + 4j])
    z.real[0] = 9.0
    z.imag[...] = -1.0
    assert z.tolist() == [9 - 1j, 3 - 1j]
    assert nd.ones(2).imag.tolist() == [0.0, 0.0]


def test_dtypes_are_read_by_numpy():
    for name in ("bool", "int8", "uint64", "float16", "float32", "complex64", "complex128"):
        dtype = getattr(nd, name)
        assert np.dtype(dtype) == np.dtype(name) == dtype
        assert dtype.kind == np.dtype(name).kind
        assert (dtype.type, dtype.str, dtype.char) == tuple(getattr(np.dtype(name), k) for k in ("type", "str", "char"))
        for given in (np.dtype(name), np.dtype(name).type, np.dtype(name).str, name):
            assert nd.zeros(1, dtype=given).dtype is dtype
    assert nd.zeros(1, dtype=float).dtype == "float64"
    assert nd.float32 != "int8"
    assert nd.float32 != object()
    assert {nd.float32: 1}[nd.ones(1, dtype="float32").dtype] == 1


def test_methods_take_what_numpys_take():
    x = nd.asarray(X)
    for y in (x.transpose(), x.transpose(1, 0), x.transpose((1, 0)), np.transpose(x)):
        assert y.shape == (3, 2)
    assert x.flatten().address != x.address
    assert x.ravel().address == x.address
    for call, text in [
        (lambda: x.astype("uint8").__setitem__(0, 300), "assignment: 300 is outside the range of uint8"),
        (lambda: nd.full(2, 300, dtype="uint8"), "assignment: 300 is outside the range of uint8"),
    ]:
        with pytest.raises(OverflowError, match=text):
            call()
    with pytest.raises(TypeError, match="no masks"):
        nd.asarray(np.ma.masked_array([1.0, 2.0], [True, False]))


def test_what_describes_its_axes_is_not_read_as_a_column():
    """Arrow and DLPack may offer the same bytes otherwise; the description with axes comes first."""

    pixels = np.arange(6, dtype="uint8").reshape(2, 3)

    class Picture:
        __array_interface__ = pixels.__array_interface__

        def __arrow_c_array__(self, requested_schema=None):
            raise AssertionError("read as a column")

        __dlpack__ = __dlpack_device__ = __arrow_c_array__

    assert nd.asarray(Picture()).tolist() == nd.array(Picture()).tolist() == pixels.tolist()
