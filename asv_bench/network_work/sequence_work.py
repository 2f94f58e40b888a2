"""The work of `sequences.py`: for each row and library a function that makes a call to be timed."""

import functools

import numpy as np

BATCH, LENGTH, SIZE = 32, 64, 128  # of recurrent layers; as many units as inputs
ENCODER, HEADS = (16, 64, 128), 4
N_GATES = {"lstm": 4, "gru": 3, "simple_rnn": 1}
TORCH_LAYERS = {"lstm": "LSTM", "gru": "GRU", "simple_rnn": "RNN"}


def numbers(*shape, seed=0):
    """Small normal numbers in float32."""
    return (0.1 * np.random.default_rng(seed).normal(size=shape)).astype(np.float32)


def weights(kind):
    """W, RW and b of a recurrent layer."""
    n = N_GATES[kind] * SIZE
    return numbers(SIZE, n), numbers(SIZE, n, seed=1), numbers(n, seed=2)


# ------------------------------------------------------------------------------------------ nd4py


def nd4py_step(kind):
    import nd4py as nd

    function = getattr(nd, kind)
    given = [nd.asarray(x) for x in (numbers(BATCH, LENGTH, SIZE), *weights(kind))]
    step = nd.value_and_grad(lambda x, w, rw, b: nd.sum(nd.square(function(x, w, rw, b).y)), (0, 1, 2, 3))

    def call():
        value, gradients = step(*given)
        return float(value), [g.shape for g in gradients]

    return call


def nd4py_inference(kind, length):
    import nd4py as nd

    function = getattr(nd, kind)
    given = [nd.asarray(x) for x in (numbers(1, length, SIZE), *weights(kind))]
    return lambda: function(*given).y


def nd4py_encoder(feed_forward_size):
    import nd4py as nd
    from nd4py import nn

    layer = nn.TransformerEncoderLayer(HEADS, feed_forward_size)
    params = {p.name: nd.asarray(numbers(*p.shape)) for p in layer.parameters(nn.InputType.recurrent(ENCODER[2]))}
    x = nd.asarray(numbers(*ENCODER))
    step = nd.value_and_grad(lambda params, x: nd.sum(nd.square(layer.forward(params, x, train=True))), (0, 1))

    def call():
        value, (gradients, dx) = step(params, x)
        return float(value), dx.shape, [g.shape for g in gradients.values()]

    return call


# ------------------------------------------------------------------------------------------ PyTorch


def torch_step(kind, is_compiled=False):
    import torch

    torch.set_num_threads(2)
    module = getattr(torch.nn, TORCH_LAYERS[kind])(SIZE, SIZE, batch_first=True)
    x = torch.tensor(numbers(BATCH, LENGTH, SIZE), requires_grad=True)

    def of_output(x):
        return module(x)[0].square().sum()

    loss = torch.compile(of_output) if is_compiled else of_output

    def call():
        module.zero_grad()
        x.grad = None
        value = loss(x)
        value.backward()
        return value.item()

    return call


def torch_inference(kind, length):
    import torch

    torch.set_num_threads(2)
    module, x = (
        getattr(torch.nn, TORCH_LAYERS[kind])(SIZE, SIZE, batch_first=True),
        torch.tensor(numbers(1, length, SIZE)),
    )

    def call():
        with torch.inference_mode():
            return module(x)[0]

    return call


def torch_encoder(feed_forward_size, is_compiled=False):
    import torch

    torch.set_num_threads(2)
    module = torch.nn.TransformerEncoderLayer(ENCODER[2], HEADS, feed_forward_size, dropout=0.0, batch_first=True)
    x = torch.tensor(numbers(*ENCODER), requires_grad=True)
    forward = torch.compile(module) if is_compiled else module

    def call():
        module.zero_grad()
        x.grad = None
        value = forward(x).square().sum()
        value.backward()
        return value.item()

    return call


# ------------------------------------------------------------------------------------------ JAX


def jax_cell(kind):
    """The step of a recurrent layer: (states, z) -> (states, y)."""
    import jax

    def lstm(rw, states, z):
        h, c = states
        i, f, g, o = jax.numpy.split(z + h @ rw, 4, 1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jax.numpy.tanh(g)
        h = jax.nn.sigmoid(o) * jax.numpy.tanh(c)
        return (h, c), h

    def gru(rw, states, z):
        h, _ = states
        (a, b, c), (r, u, n) = jax.numpy.split(z, 3, 1), jax.numpy.split(h @ rw, 3, 1)
        n = jax.numpy.tanh(c + jax.nn.sigmoid(a + r) * n)
        h = n + jax.nn.sigmoid(b + u) * (h - n)
        return (h, h), h

    def simple_rnn(rw, states, z):
        h = jax.numpy.tanh(z + states[0] @ rw)
        return (h, h), h

    return {"lstm": lstm, "gru": gru, "simple_rnn": simple_rnn}[kind]


def jax_step(kind):
    import jax

    cell = jax_cell(kind)

    def loss(x, w, rw, b):
        zeros = jax.numpy.zeros((x.shape[0], SIZE))
        z = jax.numpy.moveaxis(x @ w + b, 1, 0)
        _, y = jax.lax.scan(functools.partial(cell, rw), (zeros, zeros), z)
        return (y * y).sum()

    step = jax.jit(jax.value_and_grad(loss, (0, 1, 2, 3)))
    given = [jax.numpy.asarray(x) for x in (numbers(BATCH, LENGTH, SIZE), *weights(kind))]
    return lambda: jax.block_until_ready(step(*given))


def jax_encoder(feed_forward_size):
    import jax

    n = ENCODER[2]

    def norm(x, gamma, beta):
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gamma + beta

    def loss(p, x):
        q, k, v = (
            (x @ p[f"W{each}"] + p[f"b{each}"]).reshape(*x.shape[:2], HEADS, n // HEADS).swapaxes(1, 2)
            for each in "qkv"
        )
        scores = jax.nn.softmax(q @ k.swapaxes(2, 3) / np.sqrt(n // HEADS))
        y = (scores @ v).swapaxes(1, 2).reshape(x.shape) @ p["Wo"] + p["bo"]
        x = norm(x + y, p["gamma1"], p["beta1"])
        y = jax.nn.relu(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]
        return (norm(x + y, p["gamma2"], p["beta2"]) ** 2).sum()

    shapes = {f"W{each}": (n, n) for each in "qkvo"} | {f"b{each}": (n,) for each in "qkvo"}
    shapes |= {"W1": (n, feed_forward_size), "b1": (feed_forward_size,), "W2": (feed_forward_size, n), "b2": (n,)}
    shapes |= {name + number: (n,) for name in ("gamma", "beta") for number in "12"}
    params = {name: jax.numpy.asarray(numbers(*shape)) for name, shape in shapes.items()}
    step, x = jax.jit(jax.value_and_grad(loss, (0, 1))), jax.numpy.asarray(numbers(*ENCODER))
    return lambda: jax.block_until_ready(step(params, x))


# ------------------------------------------------------------------------------------------ ONNX Runtime


def onnx_inference(length):
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    w, rw, b = weights("lstm")
    order = [0, 3, 1, 2]  # of the gates there: i, o, f, g
    parts = [np.concatenate([np.split(x, 4, -1)[k] for k in order], -1) for x in (w, rw, b)]
    constants = {"W": parts[0].T[None], "R": parts[1].T[None], "B": np.concatenate([parts[2], 0 * parts[2]])[None]}
    node = helper.make_node("LSTM", ["x", "W", "R", "B"], ["y"], hidden_size=SIZE)
    graph = helper.make_graph(
        [node], "lstm", [helper.make_tensor_value_info("x", TensorProto.FLOAT, (length, 1, SIZE))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (length, 1, 1, SIZE))],
        [numpy_helper.from_array(np.ascontiguousarray(x), name) for name, x in constants.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    x = numbers(length, 1, SIZE)
    return lambda: session.run(None, {"x": x})


# ------------------------------------------------------------------------------------------ rows


def step_of(kind):
    """The libraries of a training step."""
    return {
        "nd4py": functools.partial(nd4py_step, kind),
        "torch": functools.partial(torch_step, kind),
        "torch.compile": functools.partial(torch_step, kind, True),
        "jax": functools.partial(jax_step, kind),
    }


def inference_of(length):
    """The libraries of an LSTM on one sequence."""
    return {
        "nd4py": functools.partial(nd4py_inference, "lstm", length),
        "torch": functools.partial(torch_inference, "lstm", length),
        "onnxruntime": functools.partial(onnx_inference, length),
    }


def encoder_of(feed_forward_size):
    """The libraries of a step of an encoder layer."""
    return {
        "nd4py": functools.partial(nd4py_encoder, feed_forward_size),
        "torch": functools.partial(torch_encoder, feed_forward_size),
        "torch.compile": functools.partial(torch_encoder, feed_forward_size, True),
        "jax": functools.partial(jax_encoder, feed_forward_size),
    }


WORK = {
    **{f"{kind} step {BATCH} x {LENGTH} x {SIZE}": step_of(kind) for kind in N_GATES},
    f"lstm inference 1 x {LENGTH} x {SIZE}": inference_of(LENGTH),
    f"lstm inference 1 x 1 x {SIZE}": inference_of(1),
    "encoder layer step 16 x 64 x 128, feed-forward 512": encoder_of(512),
    "encoder layer step 16 x 64 x 128, feed-forward 2048": encoder_of(2048),
}
