"""Activations and losses against NumPy."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.activations import activation
from nd4py.nn.losses.losses import loss_function

N_EXAMPLES, N_OUT = 6, 4
LOSS_CASES = [*cases.LOSSES.items(), *cases.MORE_LOSSES]


@pytest.mark.parametrize("name", sorted(cases.ACTIVATIONS))
def test_activation_matches_numpy(name):
    x = np.random.default_rng(1).normal(scale=2.5, size=(5, 7))
    y = activation(name)(nd.asarray(x))
    np.testing.assert_allclose(np.asarray(y), cases.ACTIVATIONS[name](x), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name, case", [pytest.param(*row, id=f"{row[0]}-{row[1].activation}") for row in LOSS_CASES])
def test_loss_matches_numpy(name, case):
    rng = np.random.default_rng(2)
    labels, z = cases.sample_labels(case.labels, N_EXAMPLES, N_OUT, rng), rng.normal(size=(N_EXAMPLES, N_OUT))
    losses = loss_function(name)(nd.asarray(labels), nd.asarray(z), case.activation)
    outputs = cases.ACTIVATIONS[case.activation](z)
    expected = case.reference(cases.dense_labels(labels, N_OUT), outputs)
    assert losses.shape[0] == N_EXAMPLES
    assert float(nd.sum(losses)) == pytest.approx(expected.sum(), rel=1e-10)


@pytest.mark.parametrize("size", [1e3, 1e30])
@pytest.mark.parametrize("name, squash", [("negative_log_likelihood", "softmax"), ("xent", "sigmoid")])
def test_certain_outputs_do_not_overflow(name, squash, size):
    z = nd.asarray(np.array([[size, -size]]))
    loss = loss_function(name)
    assert float(nd.sum(loss(nd.asarray(np.array([[1.0, 0.0]])), z, squash))) == 0.0
    wrong = float(nd.sum(loss(nd.asarray(np.array([[0.0, 1.0]])), z, squash)))
    assert wrong == pytest.approx(2 * size)
    gradient = nd.grad(lambda z: nd.sum(loss(nd.asarray(np.array([[0.0, 1.0]])), z, squash)))(z)
    np.testing.assert_array_equal(np.asarray(gradient), [[1.0, -1.0]])


@pytest.mark.parametrize("look_up, kind", [(activation, "activation"), (loss_function, "loss")])
def test_unknown_name_lists_what_exists(look_up, kind):
    with pytest.raises(ValueError, match=rf"unknown {kind} 'poison'.*Known: .*(relu|mse)"):
        look_up("poison")


def test_unknown_name_suggests_the_closest():
    with pytest.raises(ValueError, match=r"Did you mean 'softmax'\?"):
        nn.DenseLayer(3, "softmaks")


@pytest.mark.parametrize(
    "loss, labels, message",
    [
        ("mse", np.zeros((5, 3)), r"OutputLayer with 4 outputs and loss 'mse' expects .*\(5, 4\).*given \(5, 3\)"),
        ("mse", np.zeros((6, 4)), r"\(5, 4\) for 5 examples, given \(6, 4\)"),
        ("sparse_mcxent", np.zeros((5, 4), int), r"\(5,\) or \(5, 1\)"),
        ("sparse_mcxent", np.zeros(5), "class numbers, integers; given float64"),
    ],
)
def test_labels_that_do_not_fit_are_refused(loss, labels, message):
    with pytest.raises(ValueError, match=message):
        nn.OutputLayer(4, loss=loss).prepare_labels(nd.asarray(labels), (5, 4), nd.float64)
