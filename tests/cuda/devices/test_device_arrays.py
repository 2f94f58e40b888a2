"""Arrays on simulated devices: what they are, views, copies there and back, operators, and the errors of each."""

import copy
import pickle
from inspect import signature

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py.cuda import memory

pytestmark = pytest.mark.usefixtures("simulator")


def on(values, device="cuda:0"):
    """(NumPy array, the same on a device)."""
    values = np.asarray(values)
    return values, nd.asarray(values, device=device)


def assert_same(x, want):
    """The array is on a device and has the shape, dtype and values of `want`."""
    assert x.device.startswith("cuda:")
    found = np.asarray(x.to_device("cpu"))
    assert (found.dtype, found.shape) == (want.dtype, want.shape)
    np.testing.assert_array_equal(found, want)


def test_attributes():
    values, x = on(np.arange(12, dtype="float32").reshape(3, 4), "cuda:1")
    assert (x.shape, x.strides, x.ndim, x.size) == (values.shape, values.strides, 2, 12)
    assert (x.itemsize, x.nbytes, x.dtype, x.device) == (4, 48, nd.float32, "cuda:1")
    assert x.is_contiguous
    assert x.is_writable
    assert len(x) == 3
    assert x.address % 256 == 0
    assert x.__array_namespace__() is nd
    assert x.node is None


def test_the_type_makes_none_and_is_not_that_of_the_host():
    _, x = on([1.0])
    assert not isinstance(x, nd.NDArray)
    with pytest.raises(TypeError, match="device='cuda:0'"):
        nd.cuda.DeviceArray()
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in nd.__array_namespace_info__().dtypes().values()])
def test_there_and_back(dtype):
    values = (np.arange(24).reshape(2, 3, 4) % 5).astype(dtype)
    assert_same(nd.asarray(values, device="cuda:0"), values)
    assert_same(nd.asarray(values.T, device="cuda:1"), values.T)
    assert nd.asarray(values).to_device("cuda:0").to_device("cpu").tolist() == values.tolist()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_there_and_back(dtype):
    x = nd.asarray([1.5, -2.25, 0.0]).astype(dtype)
    assert x.to_device("cuda:0").tolist() == x.tolist()
    assert x.to_device("cuda:0").dtype == dtype


KEYS = [
    (1,), (slice(1, 3),), (slice(None, None, -1), 2), (Ellipsis, slice(0, 4, 2)), (None, 1, None), (slice(3, 3),),
    (-1, -1),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_views_share_memory(key):
    values, x = on(np.arange(20.0).reshape(4, 5))
    values = values.copy()
    assert_same(x[key], values[key])
    x[key] = 7
    values[key] = 7
    assert_same(x, values)


def test_permuted_reshaped_and_broadcast_views():
    values, x = on(np.arange(24.0).reshape(2, 3, 4))
    assert_same(x.permute_dims((2, 0, 1)), values.transpose(2, 0, 1))
    assert_same(x.mT, values.swapaxes(1, 2))
    assert_same(x.reshape(6, -1), values.reshape(6, 4))
    assert x.reshape(6, -1).address == x.address
    assert_same(x.mT.reshape(-1), values.swapaxes(1, 2).reshape(-1))
    assert_same(x[0, :1].broadcast_to((3, 4)), np.broadcast_to(values[0, :1], (3, 4)))
    assert_same(nd.broadcast_to(x[0, 0], (2, 4)), np.broadcast_to(values[0, 0], (2, 4)))
    with pytest.raises(ValueError, match="needs a copy"):
        x.mT.reshape(-1, copy=False)
    with pytest.raises(ValueError, match="read-only"):
        x.broadcast_to((5, 2, 3, 4))[0] = 1


def test_complex_parts():
    values, x = on(np.asarray([1 + 2j, 3 - 4j]))
    assert_same(x.real, values.real)
    assert_same(x.imag, values.imag)
    x.imag[...] = 0
    assert_same(x, np.asarray([1 + 0j, 3 + 0j]))
    assert_same(on([1.0, 2.0])[1].imag, np.zeros(2))


def test_a_view_keeps_the_memory_alive():
    _, x = on(np.arange(1000.0))
    view = x[10:20]
    live = memory.stats(0).live_bytes
    del x
    assert memory.stats(0).live_bytes == live
    assert view.tolist() == list(range(10, 20))
    del view
    assert memory.stats(0).live_bytes < live


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "complex64", "bool"])
def test_operators_match_the_host(dtype):
    rng = np.random.default_rng(1)
    a, b = ((rng.integers(1, 5, (5, 7))).astype(dtype) for _ in range(2))
    (_, x), (_, y) = on(a), on(b)
    h, k = nd.asarray(a), nd.asarray(b)
    names = ["__eq__", "__ne__"]
    if dtype != "bool":
        names += ["__add__", "__sub__", "__mul__", "__neg__", "__pos__", "__abs__"]
    if dtype not in ("bool", "complex64"):
        names += ["__lt__", "__ge__", "__floordiv__", "__mod__", "__pow__"]
    if dtype in ("int32", "uint8", "bool"):
        names += ["__and__", "__or__", "__xor__", "__invert__"]
    for name in names:
        is_unary = name in ("__neg__", "__pos__", "__abs__", "__invert__")
        got = getattr(x, name)() if is_unary else getattr(x, name)(y)
        want = getattr(h, name)() if is_unary else getattr(h, name)(k)
        assert_same(got, np.asarray(want))


def test_scalars_broadcasting_and_promotion():
    values, x = on(np.arange(6, dtype="int32").reshape(2, 3))
    assert_same(x + 1, values + 1)
    assert_same(2 - x, 2 - values)
    assert_same(x * 0.5, values * 0.5)
    assert_same(x + x[:, :1], values + values[:, :1])
    assert_same(x + on(np.arange(3.0))[1], values + np.arange(3.0))
    assert_same(nd.sqrt(on([4, 9])[1]), np.sqrt([4, 9]))
    assert_same(nd.where(x > 2, x, -x), np.where(values > 2, values, -values))
    assert_same(nd.clip(x, 1, 3), np.clip(values, 1, 3))
    with pytest.raises(OverflowError, match="int32"):
        x + 2**40
    with pytest.raises(ValueError, match=r"add: shapes \(2, 3\) and \(4,\) do not broadcast"):
        x + on(np.arange(4))[1]


def test_in_place_and_out():
    values, x = on(np.arange(6.0))
    values = values.copy()
    same = x
    x += 1
    x *= x
    values += 1
    values *= values
    assert x is same
    assert_same(x, values)
    x[1:] = x[:-1]  # operands that overlap are copied first
    values[1:] = values[:-1].copy()
    assert_same(x, values)
    nd.subtract(x, 1, out=x)
    assert_same(x, values - 1)
    nd.add(x[:3], x[1:4], out=x[2:5])
    with pytest.raises(ValueError, match="the result has shape"):
        nd.add(x, x, out=x[:2])
    with pytest.raises(TypeError, match="out must be an nd4py array"):
        nd.add(x, x, out=0)
    with pytest.raises(TypeError, match="do not fit"):
        on([1, 2])[1][...] = x[:2] * 1j


def test_a_step_with_several_results_and_parameters():
    rng = np.random.default_rng(3)
    arrays = [np.abs(rng.normal(size=9)) for _ in range(3)]
    settings_ = {"lr": 0.1, "b1": 0.9, "b2": 0.999, "eps": 1e-8, "c1": 0.1, "c2": 0.001}
    keywords = {name: settings_[name] for name in signature(nd.adam_step).parameters if name in settings_}
    want = nd.adam_step(*map(nd.asarray, arrays), **keywords)
    got = nd.adam_step(*(on(a)[1] for a in arrays), **keywords)
    for x, y in zip(got, want, strict=True):
        np.testing.assert_allclose(np.asarray(x.to_device("cpu")), np.asarray(y), rtol=1e-14)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod", "argmax", "argmin", "all", "any"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_reductions(name, axis):
    values, x = on(np.random.default_rng(0).normal(size=(7, 33)))
    function = getattr(nd, name)
    for keepdims in (False, True):
        got = function(x, axis=axis, keepdims=keepdims)
        want = np.asarray(function(nd.asarray(values), axis=axis, keepdims=keepdims))
        assert got.device == "cuda:0"
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        np.testing.assert_allclose(np.asarray(got.to_device("cpu")), want, rtol=1e-12)


def test_reductions_of_bools_integers_and_several_axes():
    values, x = on(np.arange(24, dtype="int8").reshape(2, 3, 4))
    assert_same(nd.sum(x, axis=(0, 2)), values.sum(axis=(0, 2)))
    assert_same(nd.mean(x), np.asarray(values.mean()))
    assert_same(nd.sum(x > 3), np.asarray(20))
    assert_same(nd.max(x > 3, axis=0), (values > 3).max(axis=0))
    assert_same(nd.sum(x, dtype="float32"), np.asarray(276, "float32"))
    assert_same(nd.sum(x[:0], axis=0), np.zeros((3, 4), "int64"))
    with pytest.raises(ValueError, match="no elements along axis 0"):
        nd.max(x[:0], axis=0)
    with pytest.raises(ValueError, match="names one axis twice"):
        nd.sum(x, axis=(0, 0))


def test_python_scalars_and_text():
    _, x = on([2.5])
    assert (float(x[0]), int(x[0]), bool(x[0]), complex(x[0])) == (2.5, 2, True, 2.5 + 0j)
    assert x.tolist() == [2.5]
    assert repr(x) == "array([2.5], dtype=float64, device='cuda:0')"
    assert str(x) == "[2.5]"
    assert f"{x[0]:.2f}" == "2.50"
    assert round(x[0]) == 2
    assert [float(v) for v in x] == [2.5]
    assert 2.5 in x
    assert on([1, 2, 3])[1][2].__index__() == 3
    with pytest.raises(ValueError, match="only an array of one element"):
        on([1, 2])[1].item()


def test_copies_and_pickles():
    values, x = on(np.arange(5.0), "cuda:1")
    for y in (x.copy(), copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.address != x.address
        assert y.device == "cuda:1"
        assert_same(y, values)


def test_between_devices():
    values, x = on(np.arange(10.0).reshape(2, 5))
    y = x.to_device("cuda:1")
    assert y.device == "cuda:1"
    assert_same(y, values)
    assert_same(x.T.to_device("cuda:1"), values.T)
    assert x.to_device("cuda:0") is x
    with pytest.raises(ValueError, match=r"add: arrays on different devices, cuda:0 and cuda:1; bring them together"):
        x + y
    with pytest.raises(ValueError, match="different devices, cuda:0 and cpu"):
        x + nd.zeros(5)
    with pytest.raises(ValueError, match="different devices, cpu and cuda:0"):
        nd.zeros(5) + x
    with pytest.raises(ValueError, match="different devices"):
        nd.add(nd.zeros(5), x[0])
    with pytest.raises(ValueError, match="different devices"):
        x[0] = np.zeros(5)


def test_devices_that_do_not_exist():
    for name in ("cuda:7", "cuda:x", "moon", "cudax"):
        with pytest.raises(ValueError, match=r"device"):
            nd.zeros(3, device=name)
        with pytest.raises(ValueError, match=r"device"):
            nd.zeros(3).to_device(name)


def test_numpy_is_refused_without_a_copy():
    _, x = on([1.0])
    with pytest.raises(TypeError, match=r"on cuda:0, and NumPy's are on the host.*to_device\('cpu'\)"):
        np.asarray(x)
    with pytest.raises(TypeError, match="ufunc"):
        np.exp(x)


def test_creation():
    with nd.device("cuda:1"):
        assert nd.zeros(3).device == "cuda:1"
        assert nd.asarray([1, 2]).device == "cuda:1"
        assert nd.zeros(3, device="cpu").device == "cpu"
        assert nd.asarray(nd.zeros(2, device="cpu")).device == "cpu"
        assert nd.__array_namespace_info__().default_device() == "cuda:1"
        assert "cuda:1 (nd.device)" in nd.config()["device"]
        for made, want in (
            (nd.ones((2, 2)), np.ones((2, 2))),
            (nd.full(3, 2.5), np.full(3, 2.5)),
            (nd.arange(5), np.arange(5)),
            (nd.linspace(0, 1, 5), np.linspace(0, 1, 5)),
            (nd.eye(3), np.eye(3)),
            (nd.zeros((0, 3)), np.zeros((0, 3))),
        ):
            assert_same(made, want)
    assert nd.zeros(3).device == "cpu"
    _, x = on([1.5, 2.5], "cuda:1")
    for made in (nd.zeros_like(x), nd.ones_like(x), nd.full_like(x, 3), nd.empty_like(x)):
        assert (made.device, made.shape, made.dtype) == ("cuda:1", (2,), nd.float64)
    assert nd.asarray(x) is x
    assert_same(nd.asarray(x, dtype="float32", device="cuda:0"), np.asarray([1.5, 2.5], "float32"))
    with pytest.raises(ValueError, match="needs a copy"):
        nd.asarray(np.ones(2), device="cuda:0", copy=False)
    assert nd.__array_namespace_info__().devices() == ("cpu", "cuda:0", "cuda:1")


def test_the_default_device_of_the_process():
    before = nd.set_default_device("cuda:0")
    try:
        assert before == "cpu"
        assert nd.ones(2).device == "cuda:0"
        host = nd.asarray(np.arange(6.0).reshape(2, 3), device="cpu")
        assert nd.linalg.svd(host).S.device == "cpu"  # what is on the host stays and works there
    finally:
        assert nd.set_default_device(before) == "cuda:0"
    assert nd.ones(2).device == "cpu"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_views_add_up(data):
    """Sums of two views of any layout are those of NumPy."""
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    values, x = on(np.arange(np.prod(shape), dtype="int32").reshape(shape))
    pairs = []
    for _ in range(2):
        axes = data.draw(st.permutations(range(len(shape))))
        steps = tuple(slice(None, None, data.draw(st.sampled_from([1, -1, 2]))) for _ in shape)
        pairs.append((values.transpose(axes)[steps], x.permute_dims(axes)[steps]))
    (a, u), (b, v) = pairs
    if a.shape == b.shape:
        assert_same(u + v, a + b)
    assert_same(u.sum(axis=0), a.sum(axis=0))
    assert_same(u.copy(), a)


def test_layouts_met_again_with_other_arrays_and_scalars():
    values = np.arange(24.0).reshape(4, 6)
    kept = []
    for i in range(3):
        x, row = nd.asarray(values + i, device="cuda:0"), nd.asarray(values[0] * i, device="cuda:0")
        y = x + row
        x[:, ::2] = i + 0.5
        clipped = nd.leaky_relu(x[:, 1::2] - 8.0, alpha=0.1 * i)
        want = values + i
        assert_same(y, want + values[0] * i)
        want[:, ::2] = i + 0.5
        assert_same(x, want)
        shifted = want[:, 1::2] - 8.0
        assert_same(clipped, np.where(shifted > 0, shifted, 0.1 * i * shifted))
        kept.append((x, y, clipped))
