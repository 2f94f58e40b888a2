"""The network as a whole: its flat parameters, training, evaluation, clones."""

import threading

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn


def params_of(net):
    return np.array(net.params())


def test_lenet_has_the_tutorials_parameters():
    net = cases.lenet()
    assert net.num_params() == 431_080
    assert {name: view.shape for name, view in net.param_table().items()} == {
        "0_W": (20, 1, 5, 5),
        "0_b": (20,),
        "2_W": (50, 20, 5, 5),
        "2_b": (50,),
        "4_W": (800, 500),
        "4_b": (500,),
        "5_W": (500, 10),
        "5_b": (10,),
    }


def test_lenet_summary():
    lines = cases.lenet().summary().splitlines()
    assert lines[0].split() == ["layer", "type", "n_in", "->", "n_out", "parameters", "shapes"]
    assert lines[2].split()[:6] == ["0", "ConvolutionLayer", "1", "->", "20", "520"]
    assert "W (20, 1, 5, 5), b (20,); out (batch, 20, 24, 24)" in lines[2]
    assert lines[6].split()[:6] == ["4", "DenseLayer", "800", "->", "500", "400,500"]
    assert lines[-1] == "parameters: 431,080 (1,724,320 bytes)"


def test_lenet_takes_rows_and_returns_probabilities():
    probabilities = np.asarray(cases.lenet().output(np.random.default_rng(0).random((3, 784))))
    assert probabilities.shape == (3, 10)
    assert probabilities.dtype == np.float32
    np.testing.assert_allclose(probabilities.sum(1), 1, rtol=1e-5)


def test_layers_read_the_flat_vector():
    net, (x, _) = cases.small_network(), cases.small_batch()
    net.params()[...] = 0.0
    np.testing.assert_allclose(np.asarray(net.output(x)), 1 / 3)
    net.param_table()["1_b"][...] = nd.asarray([0.0, 0.0, 50.0])
    assert params_of(net).sum() == 50.0
    assert np.asarray(net.output(x))[:, 2] == pytest.approx(1.0)


def test_params_go_out_and_in():
    net, (x, _) = cases.small_network(), cases.small_batch()
    other = cases.small_network(seed=8)
    assert (params_of(net) != params_of(other)).any()
    other.set_params(net.params())
    np.testing.assert_array_equal(np.asarray(net.output(x)), np.asarray(other.output(x)))
    other.params()[0] = 9.0
    assert params_of(net)[0] != 9.0


def test_same_seed_same_parameters():
    np.testing.assert_array_equal(params_of(cases.small_network()), params_of(cases.small_network()))


def test_layer_settings_go_before_the_networks():
    first = nn.DenseLayer(5, weight_init="ones", bias_init=0.5)
    table = cases.small_network(layers=[first, nn.OutputLayer(3)], weight_init="zero").param_table()
    assert [float(nd.sum(table[name])) for name in ("0_W", "0_b", "1_W", "1_b")] == [20.0, 2.5, 0.0, 0.0]


def test_gradient_step_by_hand():
    net, (x, labels) = cases.small_network(), cases.small_batch()
    before = params_of(net)
    gradient, score = net.compute_gradient_and_score(x, labels)
    assert net.fit_batch(x, labels) == score == net.score_value
    np.testing.assert_allclose(params_of(net), before - 0.1 * np.asarray(gradient), rtol=1e-14)
    assert (net.iteration_count, net.last_batch_size) == (1, 8)


def test_l2_comes_before_the_updater_and_weight_decay_after():
    x, labels = cases.small_batch()
    settings = {"l1": 0.01, "l2": 0.1, "weight_decay": 0.05, "updater": nn.AdaGrad(0.2)}
    net, plain = cases.small_network(**settings), cases.small_network()
    w = params_of(net)
    is_weight = np.repeat([True, False, True, False], [20, 5, 15, 3])
    loss_gradient, loss = plain.compute_gradient_and_score(x, labels)
    g = np.asarray(loss_gradient) + is_weight * (0.01 * np.sign(w) + 0.1 * w)
    delta = 0.2 * g / (np.abs(g) + 1e-6) + is_weight * 0.2 * 0.05 * w
    score = net.fit_batch(x, labels)
    np.testing.assert_allclose(params_of(net), w - delta, rtol=1e-10)
    assert score == pytest.approx(loss + (is_weight * (0.01 * np.abs(w) + 0.05 * w**2)).sum(), rel=1e-12)


def test_gradient_is_a_mean_over_the_batch():
    net, (x, labels) = cases.small_network(), cases.small_batch(8)
    whole, _ = net.compute_gradient_and_score(x, labels)
    halves = [np.asarray(net.compute_gradient_and_score(x[s], labels[s])[0]) for s in (slice(4), slice(4, 8))]
    np.testing.assert_allclose(np.asarray(whole), sum(halves) / 2, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    "mode, positions",
    [
        ("renormalize_l2_per_layer", [(0, 25), (25, 43)]),
        ("renormalize_l2_per_param_type", [(0, 20), (20, 25), (25, 40), (40, 43)]),
        ("clip_l2_per_layer", [(0, 25), (25, 43)]),
        ("clip_l2_per_param_type", [(0, 20), (20, 25), (25, 40), (40, 43)]),
        ("clip_element_wise_absolute_value", [(i, i + 1) for i in range(43)]),
    ],
)
def test_gradient_normalization(mode, positions):
    limit, (x, labels) = 0.05, cases.small_batch()
    settings = {"gradient_normalization": mode, "gradient_threshold": limit, "updater": nn.NoOp()}
    net = cases.small_network(**settings)
    before, gradient = params_of(net), np.asarray(net.compute_gradient_and_score(x, labels)[0])
    net.fit_batch(x, labels)
    step = before - params_of(net)
    for start, stop in positions:
        norm = np.linalg.norm(gradient[start:stop])
        wanted = 1.0 if mode.startswith("renormalize") else min(norm, limit)
        np.testing.assert_allclose(step[start:stop], gradient[start:stop] * wanted / norm, rtol=1e-9, atol=1e-15)


def test_learns_a_toy_problem():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 2))
    labels = np.eye(2)[(x[:, 0] * x[:, 1] > 0).astype(int)]
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(16, "tanh"), nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(2), updater=nn.Adam(0.02)
    )
    batches = [(x[i : i + 40], labels[i : i + 40]) for i in range(0, 400, 40)]
    first = net.score(batches)
    net.fit(batches, epochs=40)
    assert net.score(batches) < first / 3
    assert net.evaluate(batches).accuracy() > 0.95
    assert (net.iteration_count, net.epoch_count) == (400, 40)


def test_score_is_the_mean_over_all_examples():
    net, (x, labels) = cases.small_network(l2=0.1), cases.small_batch(8)
    in_parts = net.score([(x[:3], labels[:3]), (x[3:], labels[3:])])
    assert in_parts == pytest.approx(net.score((x, labels)), rel=1e-12)


def test_sparse_labels_give_the_same_gradient():
    x, labels = cases.small_batch()
    layers = [nn.DenseLayer(5, "tanh"), nn.OutputLayer(3, loss="sparse_mcxent")]
    sparse = cases.small_network(layers=layers).compute_gradient_and_score(x, labels.argmax(1))
    dense = cases.small_network().compute_gradient_and_score(x, labels)
    np.testing.assert_array_equal(np.asarray(sparse[0]), np.asarray(dense[0]))


def test_feed_forward_shows_every_layer():
    shapes = [y.shape for y in cases.lenet().feed_forward(np.zeros((2, 784)))]
    assert shapes == [(2, 784), (2, 20, 24, 24), (2, 20, 12, 12), (2, 50, 8, 8), (2, 50, 4, 4), (2, 500), (2, 10)]


def test_output_stays_when_training_goes_on():
    net, (x, labels) = cases.small_network(), cases.small_batch()
    y = net.output(x)
    kept = np.array(y)
    net.fit((x, labels), epochs=3)
    np.testing.assert_array_equal(np.asarray(y), kept)


def test_clone_is_equal_and_apart():
    net, batch = cases.small_network(updater=nn.Adam(0.01)), cases.small_batch()
    net.fit(batch, epochs=3)
    twin = net.clone()
    assert (twin.iteration_count, twin.epoch_count, twin.score_value) == (3, 3, net.score_value)
    assert net.fit_batch(*batch) == twin.fit_batch(*batch)
    np.testing.assert_array_equal(params_of(net), params_of(twin))
    net.fit_batch(*batch)
    assert (params_of(net) != params_of(twin)).any()


def test_dropout_draws_anew_each_iteration_and_repeats_by_seed():
    layers = [nn.DenseLayer(50), nn.DropoutLayer(0.5), nn.OutputLayer(3)]
    nets = [cases.small_network(layers=layers, updater=nn.Sgd(0.0)) for _ in range(2)]
    scores = [[net.fit_batch(*cases.small_batch()) for _ in range(3)] for net in nets]
    assert scores[0] == scores[1]
    assert len(set(scores[0])) == 3
    assert nets[0].clone().fit_batch(*cases.small_batch()) != nets[0].clone(replica=1).fit_batch(*cases.small_batch())


def test_training_does_not_depend_on_the_number_of_threads():
    rng, results = np.random.default_rng(0), []
    x, labels = rng.random((32, 784), dtype=np.float32), np.eye(10)[rng.integers(0, 10, 32)]
    for n_threads in (1, 2, 3):
        net = cases.lenet()
        with nd.threads(n_threads):
            net.fit((x, labels), epochs=3)
        results.append(params_of(net))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_updater_state_is_live_and_can_be_set():
    net = cases.small_network(updater=nn.Nesterovs(0.1))
    state = net.updater_state()
    net.fit_batch(*cases.small_batch())
    assert np.asarray(state).any()
    net.set_updater_state(np.zeros(43))
    assert not np.asarray(state).any()


def test_two_threads_take_turns():
    net, batch = cases.small_network(), cases.small_batch()
    alone = cases.small_network()
    alone.fit(batch, epochs=200)
    threads = [threading.Thread(target=net.fit, args=(batch,), kwargs={"epochs": 100}) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (net.iteration_count, net.epoch_count) == (200, 200)
    np.testing.assert_array_equal(params_of(net), params_of(alone))


def test_a_network_says_what_it_is():
    layers = [nn.DenseLayer(8), nn.OutputLayer(3, activation="softmax", loss="mcxent")]
    network = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4))
    expected = "<MultiLayerNetwork of DenseLayer, OutputLayer: 67 parameters, 0 iterations of training>"
    assert repr(network) == str(network) == expected


@pytest.mark.parametrize("name", sorted(nn.NORMALIZATIONS))
def test_every_normalization_bounds_a_step(name):
    x, labels = cases.small_batch()
    net = cases.small_network(gradient_normalization=name, gradient_threshold=1e-3, updater=nn.Sgd(1.0))
    before = np.asarray(net.params()).copy()
    net.fit_batch(1e3 * x, labels)
    moved = np.abs(np.asarray(net.params()) - before)
    assert moved.max() > 0
    assert moved.max() <= (1.0 if name.startswith("renormalize") else 1e-3) * (1 + 1e-12)


def test_a_memory_report_adds_up():
    report = cases.small_network().memory_info(16)
    assert isinstance(report, nn.NetworkMemoryReport)
    assert report.parameters == 8 * cases.small_network().num_params()
    assert report.training > report.inference >= report.fixed >= report.parameters


def test_evaluation_refuses_masks_of_single_outputs():
    network = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    x, y = nd.ones((3, 4)), nd.asarray([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="a mask with a number for each output; give one for each example"):
        network.evaluate([nd.data.DataSet(x, y, labels_mask=nd.zeros((3, 2)))])
    assert network.evaluate([nd.data.DataSet(x, y, labels_mask=nd.asarray([[1.0], [0.0], [1.0]]))]).n_examples == 2
