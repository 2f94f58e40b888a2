"""Vertices of a graph that share parameters, masks that layers make, and vertices whose inputs stretch."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

ROWS = nn.InputType.feed_forward(3)
RNG = np.random.default_rng(3)


HIDDEN = nn.DenseLayer(3, "tanh")


def twins(second=HIDDEN, **settings):
    """One dense layer applied twice, one time to what it made itself."""
    vertices = {
        "again": nn.Node(second, ("first",), shares="first"),
        "first": (HIDDEN, "x"),
        "out": (nn.OutputLayer(2, "identity", loss="mse"), "again"),
    }
    return nn.ComputationGraph({"x": ROWS}, vertices, outputs="out", dtype="float64", **settings)


def test_a_layer_applied_twice_has_one_set_of_parameters_and_the_sum_of_both_gradients():
    net, x = twins(), RNG.normal(size=(5, 3))
    assert sorted(net.param_table()) == ["first_W", "first_b", "out_W", "out_b"]
    table = {name: np.asarray(value) for name, value in net.param_table().items()}
    hidden = np.tanh(np.tanh(x @ table["first_W"] + table["first_b"]) @ table["first_W"] + table["first_b"])
    np.testing.assert_allclose(net.output(x), hidden @ table["out_W"] + table["out_b"])
    assert nn.gradient_check(net, (x, RNG.normal(size=(5, 2)))).n_failed == 0


def test_shared_parameters_stay_shared_in_files_and_in_training(tmp_path):
    net = twins(updater=nn.Adam(0.05))
    x, y = RNG.normal(size=(16, 3)), RNG.normal(size=(16, 2))
    before = net.score((x, y))
    for _ in range(20):
        net.fit_batch(x, y)
    assert net.score((x, y)) < before
    net.save(tmp_path / "net.zip")
    again = nn.ComputationGraph.load(tmp_path / "net.zip")
    assert again.output(x).tobytes() == net.output(x).tobytes()
    assert "again" in again.summary()
    assert sorted(again.layer_params("again")) == ["W", "b"]


@pytest.mark.parametrize(
    "second, message", [(nn.DenseLayer(4), "needs the parameters"), (nn.DenseLayer(3, has_bias=False), "needs the par")]
)
def test_parameters_of_another_shape_are_refused(second, message):
    with pytest.raises(ValueError, match=message):
        twins(second)


def test_names_that_are_shared_must_be_owners():
    nodes = {"a": nn.Node(nn.DenseLayer(3), ("x",), shares="b"), "out": (nn.OutputLayer(2), "a")}
    with pytest.raises(ValueError, match="shares parameters with"):
        nn.ComputationGraph({"x": ROWS}, nodes, outputs="out")
    nodes["b"] = nn.Node(nn.DenseLayer(3), ("a",), shares="a")
    with pytest.raises(ValueError, match="which has those of"):
        nn.ComputationGraph({"x": ROWS}, nodes | {"out": (nn.OutputLayer(2), "b")}, outputs="out")


def test_numbers_that_are_zero_are_padding_for_the_layers_behind():
    layers = [nn.EmbeddingSequenceLayer(5, 4, mask_zero=True), nn.LSTM(3), nn.GlobalPoolingLayer("avg")]
    net = nn.MultiLayerNetwork([*layers, nn.OutputLayer(2)], input_type=nn.InputType.recurrent(1))
    plain = nn.MultiLayerNetwork(
        [nn.EmbeddingSequenceLayer(5, 4), *layers[1:], nn.OutputLayer(2)],
        input_type=nn.InputType.recurrent(1),
        params=net.params(),
    )
    words = np.array([[1, 2, 0, 0], [3, 4, 1, 0]])
    np.testing.assert_array_equal(net.output(words), plain.output(words, mask=(words != 0).astype("float32")))
    assert not np.array_equal(net.output(words), plain.output(words))
    made = layers[0].made_mask(nd.asarray([[1, 0]]), nd.asarray([[0.0, 1.0]]))
    assert made.tolist() == [[0.0, 0.0]]


def test_a_frozen_embedding_makes_its_mask_too():
    frozen = nn.FrozenLayer(nn.EmbeddingSequenceLayer(3, 1, mask_zero=True))
    assert frozen.makes_mask
    assert frozen.made_mask(nd.asarray([[1, 0]]), None).tolist() == [[True, False]]


def test_sizes_of_one_stretch_and_others_do_not():
    image, gate = nn.InputType.convolutional(2, 3, 4), nn.InputType.convolutional(1, 1, 4)
    product = nn.ElementWiseVertex("product")
    assert product.output_type(image, gate) == product.output_type(gate, image) == image
    x, factor = RNG.normal(size=(2, 4, 2, 3)), RNG.normal(size=(2, 4, 1, 1))
    np.testing.assert_allclose(product.forward({}, [nd.asarray(x), nd.asarray(factor)]), x * factor)
    steps = nn.InputType.recurrent(4)
    assert product.output_type(steps, nn.InputType.recurrent(1, 5)) == nn.InputType.recurrent(4, 5)
    assert product.output_type(steps, nn.InputType.recurrent(4, 1)) == steps
    for other in (nn.InputType.convolutional(2, 3, 2), nn.InputType.feed_forward(4)):
        with pytest.raises(ValueError, match="one type"):
            product.output_type(image, other)


def test_the_smallest():
    inputs = [nd.asarray([1.0, 5.0]), nd.asarray([2.0, 3.0]), nd.asarray([4.0, 4.0])]
    assert nn.ElementWiseVertex("min").forward({}, inputs).tolist() == [1.0, 3.0]
