"""Losses and activations beside PyTorch's: values, and gradients with respect to what comes before the activation."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")
F = torch.nn.functional
ROWS, OUTPUTS = 5, 4
# Of both signs, beyond the bends of all functions, and none on one.
Z = np.random.default_rng(0).normal(size=(ROWS, OUTPUTS)) * 3

ACTIVATIONS = {
    "identity": lambda z: z, "softmax": lambda z: F.softmax(z, -1), "log_softmax": lambda z: F.log_softmax(z, -1),
    "exponential": torch.exp, "celu": F.celu, "cube": lambda z: z**3, "elu": F.elu, "gelu": F.gelu,
    "gelu_tanh": lambda z: F.gelu(z, approximate="tanh"), "hard_shrink": F.hardshrink, "hard_swish": F.hardswish,
    "hard_tanh": F.hardtanh, "leaky_relu": F.leaky_relu, "log_sigmoid": F.logsigmoid, "mish": F.mish, "relu": F.relu,
    "hard_sigmoid": lambda z: torch.clamp(0.2 * z + 0.5, 0, 1), "relu6": F.relu6, "selu": F.selu,
    "rectified_tanh": lambda z: torch.relu(torch.tanh(z)), "sigmoid": torch.sigmoid, "soft_shrink": F.softshrink,
    "softplus": F.softplus, "softsign": F.softsign, "swish": F.silu, "tanh": torch.tanh, "tanh_shrink": F.tanhshrink,
    "threshold_relu": lambda z: F.threshold(z, 1.0, 0.0),
}  # fmt: skip


def real():
    return np.random.default_rng(1).normal(size=Z.shape)


def signs():
    return np.where(real() > 0, 1.0, -1.0)


def bits():
    return (real() > 0).astype(float)


def shares():
    found = np.random.default_rng(2).uniform(0.1, 1.0, Z.shape)
    return found / found.sum(-1, keepdims=True)


def counts():
    return np.random.default_rng(3).poisson(2.0, Z.shape).astype(float)


def one_hot():
    return np.eye(OUTPUTS)[np.random.default_rng(4).integers(0, OUTPUTS, ROWS)]


# The name of the loss, or itself; the activation, labels, and the loss of a whole batch as PyTorch has it.
LOSSES = {
    "mse": ("mse", "identity", real, lambda z, t: F.mse_loss(z, t, reduction="sum") / OUTPUTS),
    "l2": ("l2", "tanh", real, lambda z, t: F.mse_loss(z.tanh(), t, reduction="sum")),
    "mae": ("mae", "identity", real, lambda z, t: F.l1_loss(z, t, reduction="sum") / OUTPUTS),
    "l1": ("l1", "sigmoid", real, lambda z, t: F.l1_loss(z.sigmoid(), t, reduction="sum")),
    "huber": (nn.HuberLoss(0.7), "identity", real, lambda z, t: F.huber_loss(z, t, "sum", 0.7) / OUTPUTS),
    "xent": ("xent", "sigmoid", bits, lambda z, t: F.binary_cross_entropy_with_logits(z, t, reduction="sum")),
    "xent of shares": (
        "xent", "sigmoid", shares, lambda z, t: F.binary_cross_entropy_with_logits(z, t, reduction="sum")
    ),
    "mcxent": ("mcxent", "softmax", shares, lambda z, t: F.cross_entropy(z, t, reduction="sum")),
    "negative_log_likelihood": (
        "negative_log_likelihood", "softmax", one_hot,
        lambda z, t: F.nll_loss(F.log_softmax(z, -1), t.argmax(-1), reduction="sum"),
    ),
    "kl_divergence": (
        "kl_divergence", "softmax", shares, lambda z, t: F.kl_div(F.log_softmax(z, -1), t, reduction="sum")
    ),
    "poisson": (
        "poisson", "exponential", counts, lambda z, t: F.poisson_nll_loss(z, t, log_input=True, reduction="sum")
    ),
    "hinge": ("hinge", "identity", signs, lambda z, t: torch.relu(1 - t * z).sum()),
    "squared_hinge": ("squared_hinge", "identity", signs, lambda z, t: (torch.relu(1 - t * z) ** 2).sum()),
    "cosine_proximity": ("cosine_proximity", "identity", real, lambda z, t: -F.cosine_similarity(z, t).sum()),
    "focal": (
        nn.FocalLoss(2.0, 0.25), "sigmoid", bits,
        lambda z, t: (
            F.binary_cross_entropy_with_logits(z, t, reduction="none")
            * torch.where(t > 0, 0.25 * (1 - z.sigmoid()) ** 2, 0.75 * z.sigmoid() ** 2)
        ).sum(),
    ),
}  # fmt: skip


def checked(found, theirs_z, theirs):
    theirs.backward()
    value, gradient = found
    np.testing.assert_allclose(float(value), theirs.item(), rtol=1e-11)
    np.testing.assert_allclose(np.asarray(gradient), theirs_z.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    z, g = torch.tensor(Z, requires_grad=True), real()
    function = nn.ACTIVATIONS[name]
    found = nd.value_and_grad(lambda z: nd.sum(function(z) * nd.asarray(g)))(nd.asarray(Z))
    checked(found, z, (ACTIVATIONS[name](z) * torch.tensor(g)).sum())


def test_every_activation_but_the_random_one_is_compared():
    assert set(nn.ACTIVATIONS) - set(ACTIVATIONS) == {"rrelu", "silu", "rational_tanh"}  # silu is swish


@pytest.mark.parametrize("case", LOSSES)
def test_losses(case):
    loss, activation, labels, theirs = LOSSES[case]
    loss = nn.LOSSES[loss] if isinstance(loss, str) else loss
    t, z = labels(), torch.tensor(Z, requires_grad=True)
    found = nd.value_and_grad(lambda z: nd.sum(loss(nd.asarray(t), z, activation)))(nd.asarray(Z))
    checked(found, z, theirs(z, torch.tensor(t)))


@pytest.mark.parametrize("activation, loss", [("softmax", "mcxent"), ("sigmoid", "xent")])
@pytest.mark.parametrize("far", [50.0, 800.0])
def test_losses_of_outputs_that_are_sure(activation, loss, far):
    """Large numbers before the activation overflow in neither."""
    t, z = one_hot(), torch.tensor(far * np.sign(Z), requires_grad=True)
    theirs = F.cross_entropy if loss == "mcxent" else F.binary_cross_entropy_with_logits
    found = nd.value_and_grad(lambda z: nd.sum(nn.LOSSES[loss](nd.asarray(t), z, activation)))(
        nd.asarray(z.detach().numpy(), copy=True)
    )
    checked(found, z, theirs(z, torch.tensor(t), reduction="sum"))


def test_connectionist_temporal_classification():
    length, n_classes, n_labels = 9, 5, 3
    z = np.random.default_rng(6).normal(size=(2, length, n_classes))
    labels = np.array([[1, 2, 2], [4, 1, 3]])
    theirs_z = torch.tensor(z, requires_grad=True)
    theirs = F.ctc_loss(
        F.log_softmax(theirs_z, -1).swapaxes(0, 1), torch.tensor(labels), [length] * 2, [n_labels] * 2, reduction="sum"
    )
    found = nd.value_and_grad(lambda z: nd.sum(nn.CTCLoss()(nd.asarray(labels), z, "softmax")))(nd.asarray(z))
    checked(found, theirs_z, theirs)
