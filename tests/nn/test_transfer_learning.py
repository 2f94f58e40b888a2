"""TransferLearning: what stays, what starts anew, what is frozen."""

import cases
import numpy as np
import pytest

from nd4py import nn
from nd4py.data import DataSet

X, Y = cases.small_batch()


def trained():
    net = cases.small_network(layers=[nn.DenseLayer(6, "tanh"), nn.DenseLayer(5, "tanh"), nn.OutputLayer(3)])
    for _ in range(3):
        net.fit_batch(X, Y)
    return net


def table(net):
    return {name: np.asarray(value).tobytes() for name, value in net.param_table().items()}


def test_frozen_layers_do_not_change_and_others_do():
    net = trained()
    before = net.params().tobytes()
    tuned = nn.TransferLearning(net).set_feature_extractor(1).fine_tune(updater=nn.Adam(0.01), l2=0.1).build()
    assert table(tuned) == table(net)
    np.testing.assert_array_equal(np.asarray(tuned.output(X)), np.asarray(net.output(X)))
    tuned.fit([(X, Y)] * 3)
    same = {name for name, value in table(tuned).items() if value == table(net)[name]}
    assert same == {"0_W", "0_b", "1_W", "1_b"}
    assert net.params().tobytes() == before
    assert tuned.configuration.updater == nn.Adam(0.01)
    assert [type(stage.layer).__name__ for stage in tuned.stages] == ["FrozenLayer", "FrozenLayer", "OutputLayer"]


def test_replaced_outputs_start_anew_with_the_layer_behind():
    net = trained()
    same_size = nn.TransferLearning(net).n_out_replace(1, 5, weight_init="ones").build()
    kept = {name for name, value in table(same_size).items() if value == table(net)[name]}
    assert kept == {"0_W", "0_b"}
    assert np.asarray(same_size.param_table()["1_W"]).tolist() == np.ones((6, 5)).tolist()
    wider = nn.TransferLearning(net).n_out_replace(0, 9).build()
    assert wider.output(X).shape == (8, 3)
    assert table(wider)["2_W"] == table(net)["2_W"]


def test_layers_are_removed_and_added():
    net = trained()
    tuned = (
        nn.TransferLearning(net).remove_output_layer().add_layer(nn.DenseLayer(4)).add_layer(nn.OutputLayer(2)).build()
    )
    assert tuned.output(X).shape == (8, 2)
    assert {name: value for name, value in table(tuned).items() if name[0] in "01"} == {
        name: value for name, value in table(net).items() if name[0] in "01"
    }
    assert nn.TransferLearning(net).remove_layers(2).build().output(X).shape == (8, 6)
    other = nn.TransferLearning(net).set_input_type(nn.InputType.feed_forward(7)).build()
    assert table(other)["1_W"] == table(net)["1_W"]
    assert other.param_table()["0_W"].shape == (7, 6)


def test_a_helper_trains_on_features_that_are_computed_once():
    net = trained()
    frozen = nn.TransferLearning(net).set_feature_extractor(0).build()
    helper = nn.TransferLearningHelper(net, frozen_until=0)
    features = helper.featurize(X)
    assert features.shape == (8, 6)
    for _ in range(3):
        frozen.fit_batch(X, Y)
        helper.fit_featurized(DataSet(features, Y))
    np.testing.assert_allclose(np.asarray(net.output(X)), np.asarray(frozen.output(X)), rtol=1e-10)
    np.testing.assert_array_equal(np.asarray(helper.output_from_featurized(features)), np.asarray(net.output(X)))
    assert helper.unfrozen.num_params() == net.num_params() - 30


def test_a_helper_finds_the_frozen_layers():
    frozen = nn.TransferLearning(trained()).set_feature_extractor(0).build()
    assert nn.TransferLearningHelper(frozen).featurize(X).shape == (8, 6)
    with pytest.raises(ValueError, match="begins with no frozen layer; give frozen_until="):
        nn.TransferLearningHelper(trained())


def test_what_does_not_fit_is_refused():
    maker = nn.TransferLearning(trained())
    with pytest.raises(ValueError, match="layers are 0 to 2, given 3"):
        maker.set_feature_extractor(3)
    with pytest.raises(ValueError, match=r"unknown setting 'updatr'\. Did you mean 'updater'"):
        maker.fine_tune(updatr=nn.Sgd())
    with pytest.raises(ValueError, match="there are 3 layers, 4 cannot be taken off"):
        maker.remove_layers(4)
    with pytest.raises(ValueError, match="frozen_until must be below 2, given 2"):
        nn.TransferLearningHelper(trained(), 2)


def trained_graph():
    rows = nn.InputType.feed_forward(4)
    net = nn.ComputationGraph(
        {"x": rows, "y": rows},
        {
            "a": (nn.DenseLayer(6, "tanh"), "x"),
            "b": (nn.DenseLayer(6, "tanh"), "y"),
            "both": (nn.ElementWiseVertex("add"), "a", "b"),
            "deep": (nn.DenseLayer(5, "tanh"), "both"),
            "out": (nn.OutputLayer(3), "deep"),
        },
        outputs="out",
        updater=nn.Adam(0.01),
        dtype="float64",
    )
    rng = np.random.default_rng(7)
    net.fit((rng.normal(size=(8, 4)), rng.normal(size=(8, 4))), np.eye(3)[np.arange(8) % 3], epochs=3)
    return net


def alike(one, other, *names):
    tables = one.param_table(), other.param_table()
    return all(
        np.array_equal(*(np.asarray(each[f"{name}_{part}"]) for each in tables)) for name in names for part in "Wb"
    )


def test_a_graph_is_frozen_up_to_a_vertex():
    net, x = trained_graph(), np.ones((8, 4))
    new = nn.GraphTransferLearning(net).set_feature_extractor("both").fine_tune(updater=nn.Sgd(0.1), seed=4).build()
    assert [new.get_vertex(name).is_frozen for name in ("a", "b", "both", "deep", "out")] == [True] * 2 + [False] * 3
    assert np.array_equal(np.asarray(new.output(x, x)), np.asarray(net.output(x, x)))
    new.fit((x, x), np.eye(3)[np.arange(8) % 3], epochs=2)
    assert alike(net, new, "a", "b")
    assert not alike(net, new, "deep")
    assert not alike(net, new, "out")
    assert new.configuration.updater == nn.Sgd(0.1)
    assert nn.GraphTransferLearning(net).set_feature_extractor("a").build().get_vertex("b").is_frozen is False


def test_vertices_of_a_graph_are_replaced():
    net, x = trained_graph(), np.ones((2, 4))
    wider = nn.GraphTransferLearning(net).n_out_replace("deep", 7, "zero").fine_tune(seed=9).build()
    assert wider.param_table()["out_W"].shape == (7, 3)
    assert not np.asarray(wider.param_table()["deep_W"]).any()
    assert alike(net, wider, "a", "b")
    maker = nn.GraphTransferLearning(net).set_feature_extractor("deep").remove_vertex("out")
    other = maker.add_vertex("new", nn.OutputLayer(9), "deep").set_outputs("new").build()
    assert other.output(x, x).shape == (2, 9)
    assert alike(net, other, "a", "b")
    assert np.array_equal(np.asarray(other.param_table()["deep_W"]), np.asarray(net.param_table()["deep_W"]))
    # A layer of the same name that was taken out and put in again starts anew.
    maker = nn.GraphTransferLearning(net).fine_tune(seed=11).remove_vertex("both", and_readers=True)
    maker.remove_vertex("b").set_feature_extractor("a").add_vertex("out", nn.OutputLayer(3), "a")
    again = maker.set_outputs("out").build()
    assert [stage.name for stage in again.stages] == ["a", "out"]
    assert list(again.input_types) == ["x"]
    assert alike(net, again, "a")
    # Through a vertex without parameters, also where the shapes fit.
    same = nn.GraphTransferLearning(net).fine_tune(seed=12).n_out_replace("a", 6).build()
    assert alike(net, same, "b", "out")
    for name in ("a", "deep"):
        assert not alike(net, same, name)


def test_what_does_not_fit_a_graph_is_refused():
    net = trained_graph()
    with pytest.raises(TypeError, match="nn.GraphTransferLearning"):
        nn.TransferLearning(net)
    with pytest.raises(TypeError, match="network must be a ComputationGraph, given MultiLayerNetwork"):
        nn.GraphTransferLearning(trained())
    maker = nn.GraphTransferLearning(net)
    for call, message in (
        (
            lambda: maker.set_feature_extractor("dep"),
            "unknown vertex for set_feature_extractor 'dep'. Did you mean 'deep'",
        ),
        (lambda: maker.n_out_replace("both", 3), r"both \(ElementWiseVertex\) has no n_out"),
        (lambda: maker.add_vertex("out", nn.OutputLayer(2), "deep"), "there is a vertex 'out' already; take it out"),
        (lambda: maker.fine_tune(updatr=nn.Sgd()), "unknown setting 'updatr'"),
        (lambda: maker.remove_vertex("out").build(), "no outputs are left; name them"),
        (lambda: nn.GraphTransferLearning(net).remove_vertex("deep").build(), "input of vertex 'out' 'deep'"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
