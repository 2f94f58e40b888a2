"""The one-class output layer: its loss beside the paper's, its quantile, gradients, and what it tells apart."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(17)
LAYER = nn.OCNNOutputLayer(4, nu=0.3, activation="tanh", decay=0.75)
X = RNG.normal(size=(9, 6))
PARAMS = {"v": RNG.normal(size=(6, 4)), "w": RNG.normal(size=(4, 1)), "r": np.asarray([0.4])}
OUTPUTS = (np.tanh(X @ PARAMS["v"]) @ PARAMS["w"])[:, 0]
LABELS = nd.ones((9, 1))


def arrays(params):
    return {name: nd.asarray(value) for name, value in params.items()}


def test_the_loss_is_that_of_the_paper():
    got = np.asarray(LAYER.forward(arrays(PARAMS), nd.asarray(X)))
    np.testing.assert_allclose(got[:, 0], OUTPUTS - 0.4, rtol=1e-12)
    norms = ((PARAMS["w"] ** 2).sum() + (PARAMS["v"] ** 2).sum()) / 2
    want = norms + np.maximum(0, 0.4 - OUTPUTS).mean() / 0.3 - 0.4
    score = LAYER.score(arrays(PARAMS), nd.asarray(X), LABELS)
    assert float(score) / 9 == pytest.approx(want, rel=1e-12)
    each = np.asarray(LAYER.example_scores(arrays(PARAMS), nd.asarray(X), LABELS))
    np.testing.assert_allclose(each, norms + np.maximum(0, 0.4 - OUTPUTS) / 0.3 - 0.4, rtol=1e-12)


def test_r_follows_the_quantile_of_the_outputs():
    score, new = LAYER.score(arrays(PARAMS), nd.asarray(X), LABELS, train=True)
    assert float(score) == float(LAYER.score(arrays(PARAMS), nd.asarray(X), LABELS))
    want = 0.75 * 0.4 + 0.25 * np.quantile(OUTPUTS, 0.3)
    np.testing.assert_allclose(np.asarray(new["r"]), [want], rtol=1e-12)
    mask = np.asarray([1.0, 0, 1, 1, 0, 1, 1, 0, 1])
    score, new = LAYER.score(arrays(PARAMS), nd.asarray(X), LABELS, train=True, mask=nd.asarray(mask))
    want = 0.75 * 0.4 + 0.25 * np.quantile(OUTPUTS[mask > 0], 0.3)
    np.testing.assert_allclose(np.asarray(new["r"]), [want], rtol=1e-12)
    there = LAYER.score(arrays(PARAMS), nd.asarray(X[mask > 0]), LABELS[:6])
    assert float(score) == pytest.approx(float(there), rel=1e-12)
    _, new = LAYER.score(arrays(PARAMS), nd.asarray(X), LABELS, train=True, mask=nd.zeros(9))
    assert new["r"].tolist() == [0.4]
    _, new = LAYER.score(arrays(PARAMS), nd.asarray(X[:1]), LABELS[:1], train=True)
    np.testing.assert_allclose(np.asarray(new["r"]), [0.75 * 0.4 + 0.25 * OUTPUTS[0]], rtol=1e-12)


def test_gradients_are_those_of_central_differences():
    def score(params, x):
        return LAYER.score(arrays(params), nd.asarray(x), LABELS)

    check_gradient(lambda x: score(PARAMS, x), X)
    for name in ("v", "w"):
        check_gradient(lambda value, name=name: score(PARAMS | {name: value}, X), PARAMS[name])
    slopes = nd.grad(lambda r: LAYER.score(arrays(PARAMS) | {"r": r}, nd.asarray(X), LABELS))(nd.asarray([0.4]))
    assert slopes.tolist() == [0.0]  # a running value is constant in a step


def test_what_is_unlike_the_examples_is_told():
    settings = {"updater": nn.Adam(0.01), "seed": 5, "dtype": "float64"}
    net = nn.MultiLayerNetwork([nn.OCNNOutputLayer(8, nu=0.1)], input_type=nn.InputType.feed_forward(3), **settings)
    known = RNG.normal(size=(200, 3)) * 0.3 + [2.0, 1.0, -1.0]
    net.fit((known, np.zeros((200, 1))), epochs=300)
    assert 0.02 <= (np.asarray(net.output(known)) < 0).mean() <= 0.12  # r is behind outputs that grow
    net.recompute_running_values((known, np.zeros((200, 1))))
    assert (np.asarray(net.output(known)) < 0).mean() == 0.1
    others = RNG.normal(size=(200, 3)) * 0.3 - [2.0, 1.0, -1.0]
    assert (np.asarray(net.output(others)) < 0).mean() > 0.95
    assert bool(nn.gradient_check(net, (known[:5], np.zeros((5, 1)))))


def test_networks_go_on_from_a_file_with_the_same_bits(tmp_path):
    net = nn.MultiLayerNetwork([nn.DenseLayer(5, "tanh"), LAYER], input_type=cases.ROWS, updater=nn.Adam())
    net.fit_batch(X, np.zeros(9))
    net.save(tmp_path / "net.zip")
    again = nn.MultiLayerNetwork.load(tmp_path / "net.zip")
    for each in (net, again):
        each.fit_batch(X, np.zeros(9))
    np.testing.assert_array_equal(np.asarray(net.params()), np.asarray(again.params()))
    assert net.param_table()["1_r"].tolist() != [np.float32(0.1)]


@pytest.mark.parametrize("make, message", [
    (lambda: nn.OCNNOutputLayer(0), "hidden_size must be a whole number of at least 1, given 0"),
    (lambda: nn.OCNNOutputLayer(2, nu=0.0), "nu must be above 0 and below 1, given 0.0"),
    (lambda: nn.OCNNOutputLayer(2, nu=1.0), "nu must be above 0 and below 1, given 1.0"),
    (lambda: nn.OCNNOutputLayer(2, activation="sigmoit"), "Did you mean 'sigmoid'"),
    (lambda: nn.OCNNOutputLayer(2, decay=1.5), "decay must be between 0 and 1, given 1.5"),
    (lambda: LAYER.output_type(cases.STEPS), "rows are needed, given recurrent input"),
    (lambda: LAYER.prepare_labels(nd.ones((3, 1)), (9, 1), nd.float64), "a row for each of 9 examples, given"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
