"""Recurrent layers, attention and embeddings beside PyTorch's: values, gradients, sequences of different lengths."""

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


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("has_lengths", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layers(norm_first, causal, has_lengths, activation):
    """Values and gradients; where steps are masked PyTorch gives numbers, and we 0."""
    n, size = 8, 12
    module = torch.nn.TransformerEncoderLayer(
        n, 2, size, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    layer = nn.TransformerEncoderLayer(2, size, activation, norm_first=norm_first, causal=causal)
    state = {name: value.detach().numpy() for name, value in module.named_parameters()}
    weights = np.split(state["self_attn.in_proj_weight"], 3), np.split(state["self_attn.in_proj_bias"], 3)
    params = {f"W{each}": w.T for each, w in zip("qkv", weights[0], strict=True)}
    params |= {f"b{each}": b for each, b in zip("qkv", weights[1], strict=True)}
    params |= {"Wo": state["self_attn.out_proj.weight"].T, "bo": state["self_attn.out_proj.bias"]}
    for number in "12":
        params |= {f"W{number}": state[f"linear{number}.weight"].T, f"b{number}": state[f"linear{number}.bias"]}
        params |= {f"gamma{number}": state[f"norm{number}.weight"], f"beta{number}": state[f"norm{number}.bias"]}
    params = {name: nd.asarray(value.copy()) for name, value in params.items()}
    rng = np.random.default_rng(4)
    x, g = rng.normal(size=(BATCH, LENGTH, n)), rng.normal(size=(BATCH, LENGTH, n))
    g *= MASK[:, :, None] if has_lengths else 1.0
    x_theirs = torch.tensor(x, requires_grad=True)
    hidden = torch.triu(torch.ones(LENGTH, LENGTH, dtype=torch.bool), 1) if causal else None
    y = module(x_theirs, src_mask=hidden, src_key_padding_mask=torch.tensor(MASK == 0) if has_lengths else None)
    (y * torch.tensor(g)).sum().backward()
    mask = nd.asarray(MASK) if has_lengths else None

    def output(params, x):
        result = layer.forward(params, x, mask=mask)
        return result[0] if causal else result

    want = y.detach().numpy() * (MASK[:, :, None] if has_lengths else 1.0)
    np.testing.assert_allclose(np.asarray(output(params, nd.asarray(x))), want, atol=1e-11)
    gradients, dx = nd.grad(lambda p, x: nd.sum(output(p, x) * nd.asarray(g)), (0, 1))(params, nd.asarray(x))
    np.testing.assert_allclose(np.asarray(dx), x_theirs.grad.numpy(), atol=1e-10)
    for number in "12":
        for ours_name, theirs_name in (("W", "linear"), ("gamma", "norm")):
            theirs_gradient = getattr(module, theirs_name + number).weight.grad.numpy()
            theirs_gradient = theirs_gradient.T if ours_name == "W" else theirs_gradient
            np.testing.assert_allclose(np.asarray(gradients[ours_name + number]), theirs_gradient, atol=1e-10)
    joined = np.concatenate([np.asarray(gradients[f"W{each}"]).T for each in "qkv"])
    np.testing.assert_allclose(joined, module.self_attn.in_proj_weight.grad.numpy(), atol=1e-10)


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    rng = np.random.default_rng(5)
    arrays = [rng.normal(size=(2, 3, 70, 16)) for _ in range(4)]
    q, k, v = (torch.tensor(x, requires_grad=True) for x in arrays[:3])
    y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    (y * torch.tensor(arrays[3])).sum().backward()
    given = [nd.asarray(x) for x in arrays]
    got = nd.dot_product_attention(*given[:3], causal=causal)
    np.testing.assert_allclose(np.asarray(got), y.detach().numpy(), atol=1e-12)
    loss = nd.grad(lambda *a: nd.sum(nd.dot_product_attention(*a, causal=causal) * given[3]), (0, 1, 2))
    for one, other in zip(loss(*given[:3]), (q, k, v), strict=True):
        np.testing.assert_allclose(np.asarray(one), other.grad.numpy(), atol=1e-12)


def test_embeddings():
    module = torch.nn.Embedding(9, 4, dtype=torch.float64)
    numbers, g = np.asarray([[1, 8, 1], [0, 1, 3]]), np.random.default_rng(6).normal(size=(2, 3, 4))
    y = module(torch.tensor(numbers))
    (y * torch.tensor(g)).sum().backward()
    layer, table = nn.EmbeddingSequenceLayer(9, 4), nd.asarray(module.weight.detach().numpy().copy())
    np.testing.assert_array_equal(np.asarray(layer.forward({"W": table}, nd.asarray(numbers))), y.detach().numpy())
    got = nd.grad(lambda w: nd.sum(layer.forward({"W": w}, nd.asarray(numbers)) * nd.asarray(g)))(table)
    np.testing.assert_allclose(np.asarray(got), module.weight.grad.numpy(), atol=1e-13)
