"""Memory shared with PyTorch and NumPy by DLPack; pandas and matplotlib by conversion."""

import numpy as np
import pytest

import nd4py as nd

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64"]
DTYPES += ["complex64", "complex128"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_shares_memory_both_ways(dtype):
    torch = pytest.importorskip("torch")
    x = nd.asarray([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    theirs = torch.from_dlpack(x)
    assert str(theirs.dtype) == f"torch.{dtype}"
    theirs[0, 0] = 1
    assert x.tolist()[0][0] == 1
    ours = nd.from_dlpack(theirs.T)
    ours[2, 1] = 0
    assert (ours.shape, ours.dtype, theirs[1, 2].item()) == ((3, 2), dtype, 0)
    assert nd.asarray(theirs).address == x.address


def test_torch_tensors_whose_signs_are_still_to_be_changed():
    torch = pytest.importorskip("torch")
    x = torch.tensor([1 + 2j, -3j]).conj().imag
    assert x.is_neg()
    assert nd.asarray(x).tolist() == nd.from_dlpack(x).tolist() == x.tolist() == [-2.0, 3.0]


def test_torch_computes_what_we_compute():
    torch = pytest.importorskip("torch")
    x = np.random.default_rng(0).normal(size=(8, 8)).astype("float32")
    with torch.no_grad():
        want = torch.softmax(torch.from_dlpack(nd.asarray(x)), dim=1) @ torch.from_dlpack(nd.asarray(x))
    got = nd.softmax(nd.asarray(x), axis=1) @ nd.asarray(x)
    np.testing.assert_allclose(np.asarray(got), want.numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises((RuntimeError, BufferError, TypeError)):
        nd.from_dlpack(torch.ones(2, requires_grad=True))


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bfloat16"])
def test_numpy_by_dlpack(dtype):
    x = nd.asarray([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    theirs = np.from_dlpack(x)
    assert theirs.dtype == dtype
    assert theirs.ctypes.data == x.address
    ours = nd.from_dlpack(np.ones((2, 3), dtype)[:, ::-1])
    assert ours.strides[1] < 0
    assert not nd.from_dlpack(np.broadcast_to(np.ones(1, dtype), (3,))).is_writable


def test_pandas():
    pandas = pytest.importorskip("pandas")
    x = nd.asarray([[1.0, 2.0], [3.0, 4.0]])
    frame = pandas.DataFrame(x, columns=["a", "b"])
    assert frame.sum().tolist() == [4.0, 6.0]
    assert nd.asarray(frame).tolist() == x.tolist()
    assert nd.asarray(frame["b"]).tolist() == [2.0, 4.0]
    assert pandas.Series(x[0]).mean() == 1.5
    assert (frame["a"] * nd.asarray([10.0, 100.0])).tolist() == [10.0, 300.0]


def test_matplotlib():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    x = nd.linspace(0, 6, 50)
    figure, axes = pyplot.subplots(2, 2)
    [line] = axes[0, 0].plot(x, nd.sin(x))
    np.testing.assert_allclose(line.get_ydata(), np.sin(np.linspace(0, 6, 50)))
    axes[0, 1].imshow(x.reshape(5, 10))
    axes[1, 0].scatter(x, x**2, c=x)
    counts, _, _ = axes[1, 1].hist(x, bins=5)
    assert counts.sum() == 50
    figure.canvas.draw()
    pyplot.close(figure)


def test_arrows_in_three_dimensions():
    """Matplotlib divides by lengths where a mask of ours says so."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    x, y, z = nd.meshgrid(nd.arange(3.0), nd.arange(3.0), nd.arange(2.0))
    figure = pyplot.figure()
    axes = figure.add_subplot(projection="3d")
    arrows = axes.quiver(x, y, z, nd.sin(x), nd.cos(y), z, length=0.1, normalize=True)
    figure.canvas.draw()
    pyplot.close(figure)
    assert len(arrows._segments3d) == 3 * x.size
