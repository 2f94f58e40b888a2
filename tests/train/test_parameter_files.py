"""Parameters as safetensors files: there and back, with the package, and what does not fit."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train


def pair(**settings):
    """Two networks of one kind with other parameters."""
    return cases.small_network(seed=1, **settings), cases.small_network(seed=2, **settings)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_parameters_come_back(dtype, tmp_path):
    layers = [nn.DenseLayer(5, "tanh"), nn.BatchNormalization(), nn.OutputLayer(3)]
    net, other = pair(layers=layers, dtype=dtype)
    net.fit(cases.small_batch())
    train.save_parameters(net, tmp_path / "net.safetensors")
    assert not nd.array_equal(other.params(), net.params())
    train.load_parameters(other, tmp_path / "net.safetensors")
    assert nd.array_equal(other.params(), net.params())
    assert other.params().dtype == net.params().dtype
    assert other.iteration_count == 0


def test_the_package_reads_and_writes_them(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    net, other = pair()
    path = str(tmp_path / "net.safetensors")
    train.save_parameters(net, path, metadata={"by": "nd4py"})
    arrays = safetensors.load_file(path)
    assert {name: x.shape for name, x in arrays.items()} == {name: x.shape for name, x in net.param_table().items()}
    np.testing.assert_array_equal(arrays["0_W"], np.asarray(net.param_table()["0_W"]))
    safetensors.save_file({name: x.astype("float32") * 2 for name, x in arrays.items()}, path)
    train.load_parameters(other, path)  # float32 into float64
    np.testing.assert_allclose(np.asarray(other.params()), 2 * np.asarray(net.params()), rtol=1e-6)


def test_parameters_of_a_graph(tmp_path):
    def graph(seed):
        vertices = {"hidden": (nn.DenseLayer(3), "x"), "out": (nn.OutputLayer(2), "hidden")}
        return nn.ComputationGraph({"x": nn.InputType.feed_forward(4)}, vertices, outputs="out", seed=seed)

    net, other = graph(1), graph(2)
    train.save_parameters(net, tmp_path / "net.safetensors")
    train.load_parameters(other, tmp_path / "net.safetensors")
    assert nd.array_equal(other.params(), net.params())


@pytest.mark.parametrize(
    "change, error, message",
    [
        (lambda x: x.pop("1_b"), ValueError, r"it lacks \['1_b'\], and has \[\] that"),
        (lambda x: x.update(more=nd.ones(2)), ValueError, r"it lacks \[\], and has \['more'\] that"),
        (lambda x: x.update({"0_W": nd.ones((5, 4))}), ValueError, r"0_W of .* has shape \(5, 4\), .* \(4, 5\)"),
        (lambda x: x.update({"0_b": nd.ones(5, dtype="int32")}), TypeError, "0_b of .* is int32, floating numbers"),
        (lambda x: x.update({"0_b": nd.ones(5, dtype="complex64")}), TypeError, "0_b of .* is complex64"),
    ],
)
def test_parameters_that_do_not_fit_change_nothing(change, error, message, tmp_path):
    net = cases.small_network()
    before, arrays = net.params().copy(), dict(net.param_table())
    change(arrays)
    nd.save(tmp_path / "net.safetensors", arrays)
    with pytest.raises(error, match=message):
        train.load_parameters(net, tmp_path / "net.safetensors")
    assert nd.array_equal(net.params(), before)


def test_files_that_are_cut_or_are_not_there(tmp_path):
    net = cases.small_network()
    path = tmp_path / "net.safetensors"
    train.save_parameters(net, path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"net\.safetensors"):
        train.load_parameters(net, path)
    with pytest.raises(FileNotFoundError):
        train.load_parameters(net, tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        train.save_parameters(net, tmp_path / "nowhere" / "net.safetensors")
    with pytest.raises(TypeError, match="network must be a Model"):
        train.save_parameters(3, path)
