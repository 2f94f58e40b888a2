"""Recurrent layers beside PyTorch's: values, gradients and sequences of different lengths, in float64."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")

BATCH, LENGTH, N_IN, UNITS = 5, 7, 3, 6
LENGTHS = np.asarray([7, 4, 1, 6, 2])
MASK = (np.arange(LENGTH) < LENGTHS[:, None]).astype(float)
LAYERS = {
    "LSTM": (nn.LSTM(UNITS), torch.nn.LSTM, {}),
    "GRU": (nn.GRU(UNITS), torch.nn.GRU, {}),
    "tanh": (nn.SimpleRnn(UNITS), torch.nn.RNN, {}),
    "relu": (nn.SimpleRnn(UNITS, "relu"), torch.nn.RNN, {"nonlinearity": "relu"}),
}


def theirs(kind, is_bidirectional):
    layer, make, settings = LAYERS[kind]
    torch.manual_seed(0)
    module = make(N_IN, UNITS, batch_first=True, bidirectional=is_bidirectional, dtype=torch.float64, **settings)
    return (nn.Bidirectional(layer) if is_bidirectional else layer), module


def ours(module, kind, suffix="", prefix=""):
    """The module's parameters, by our names; of the two biases one is enough where they are added."""
    w, rw, b, rb = (getattr(module, name + "_l0" + suffix).detach().numpy() for name in ("weight_ih", "weight_hh",
                    "bias_ih", "bias_hh"))  # fmt: skip
    found = {"W": w.T, "RW": rw.T, "b": b + rb}
    if kind == "GRU":
        found |= {"b": np.concatenate([(b + rb)[: 2 * UNITS], b[2 * UNITS :]]), "Rb": rb[2 * UNITS :]}
    return {prefix + name: nd.asarray(value.copy()) for name, value in found.items()}


def run_theirs(module, x, has_lengths):
    if not has_lengths:
        return module(x)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor(LENGTHS), batch_first=True, enforce_sorted=False)
    y, state = module(packed)
    return torch.nn.utils.rnn.pad_packed_sequence(y, batch_first=True)[0], state


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("has_lengths", [False, True])
@pytest.mark.parametrize("is_bidirectional", [False, True])
def test_values_and_gradients(kind, has_lengths, is_bidirectional):
    layer, module = theirs(kind, is_bidirectional)
    rng = np.random.default_rng(2)
    x, g = rng.normal(size=(BATCH, LENGTH, N_IN)), rng.normal(size=(BATCH, LENGTH, UNITS * (1 + is_bidirectional)))
    x_theirs = torch.tensor(x, requires_grad=True)
    y_theirs, _ = run_theirs(module, x_theirs, has_lengths)
    (y_theirs * torch.tensor(g)).sum().backward()
    params = ours(module, kind, prefix="f" if is_bidirectional else "")
    params |= ours(module, kind, "_reverse", "b") if is_bidirectional else {}
    mask = nd.asarray(MASK) if has_lengths else None

    def output(params, x):
        y = layer.forward(params, x, mask=mask)
        return y[0] if layer.is_recurrent else y

    np.testing.assert_allclose(np.asarray(output(params, nd.asarray(x))), y_theirs.detach().numpy(), atol=1e-12)
    loss = nd.grad(lambda params, x: nd.sum(output(params, x) * nd.asarray(g)), (0, 1))
    gradients, dx = loss(params, nd.asarray(x))
    np.testing.assert_allclose(np.asarray(dx), x_theirs.grad.numpy(), atol=1e-11)
    for suffix, prefix in (("", "f"), ("_reverse", "b")) if is_bidirectional else (("", ""),):
        for name, weight in (("W", "weight_ih"), ("RW", "weight_hh")):
            want = getattr(module, f"{weight}_l0{suffix}").grad.numpy().T
            np.testing.assert_allclose(np.asarray(gradients[prefix + name]), want, atol=1e-11)
        want = getattr(module, f"bias_ih_l0{suffix}").grad.numpy()
        np.testing.assert_allclose(np.asarray(gradients[prefix + "b"]), want, atol=1e-11)


@pytest.mark.parametrize("kind", LAYERS)
def test_ten_steps_of_training(kind):
    """Gradient descent on both sides, from the same parameters, where every parameter has one counterpart."""
    layer, module = theirs(kind, False)
    bias = module.bias_hh_l0
    with torch.no_grad():
        bias[: 2 * UNITS if kind == "GRU" else len(bias)] = 0.0
    rng = np.random.default_rng(3)
    x, target = rng.normal(size=(BATCH, LENGTH, N_IN)), rng.normal(size=(BATCH, LENGTH, UNITS))
    params = ours(module, kind)
    gradient = nd.grad(
        lambda params: nd.sum(
            (layer.forward(params, nd.asarray(x), mask=nd.asarray(MASK))[0] - target * MASK[..., None]) ** 2
        )
    )
    for _ in range(10):
        module.zero_grad()
        y, _ = run_theirs(module, torch.tensor(x), True)
        ((y - torch.tensor(target * MASK[..., None])) ** 2).sum().backward()
        with torch.no_grad():
            for parameter in module.parameters():
                if parameter is bias and kind != "GRU":
                    continue
                step = parameter.grad.clone()
                if parameter is bias:
                    step[: 2 * UNITS] = 0.0
                parameter -= 0.01 * step
        params = {name: params[name] - 0.01 * g for name, g in gradient(params).items()}
    np.testing.assert_allclose(np.asarray(params["RW"]), module.weight_hh_l0.detach().numpy().T, atol=1e-11)
    np.testing.assert_allclose(np.asarray(params["W"]), module.weight_ih_l0.detach().numpy().T, atol=1e-11)
