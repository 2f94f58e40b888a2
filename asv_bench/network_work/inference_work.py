"""The work of `inference_peers.py`: for each row and library a function that makes a call to be timed."""

import functools
import io
import logging
import os
import warnings

import numpy as np

N_PAST, N_LAYERS, N_HEADS, HEAD_SIZE = 127, 4, 8, 64  # of the step of GPT-2


def n_threads():
    """As many as there are cores for this process, which nd4py and JAX take by themselves."""
    return len(os.sched_getaffinity(0))


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def words(*shape):
    return np.random.default_rng(0).integers(0, 8000, size=shape)


def mask(n, length):
    """1 at words, 0 at padding; every example has a length of its own."""
    return (np.arange(length) < length - np.arange(n)[:, None] % 50).astype(np.float32)


def cached(n):
    """A word for each of `n` texts, and the keys and values of those before."""
    return [words(n, 1), *[numbers(n, N_HEADS, N_PAST, HEAD_SIZE)] * (2 * N_LAYERS)]


# The name of a model in `torch_models`, and its inputs.
MODELS = {
    "MLP, 1": ("mlp", lambda: [numbers(1, 784)]),
    "MLP, 64": ("mlp", lambda: [numbers(64, 784)]),
    "LeNet, 1": ("lenet", lambda: [numbers(1, 1, 28, 28)]),
    "LeNet, 64": ("lenet", lambda: [numbers(64, 1, 28, 28)]),
    "ResNet-18, 1 of 224 x 224": ("resnet18", lambda: [numbers(1, 3, 224, 224)]),
    "ResNet-18, 64 of 224 x 224": ("resnet18", lambda: [numbers(64, 3, 224, 224)]),
    "MobileNetV2, 1 of 224 x 224": ("mobilenet", lambda: [numbers(1, 3, 224, 224)]),
    "MobileNetV2, 64 of 224 x 224": ("mobilenet", lambda: [numbers(64, 3, 224, 224)]),
    "BERT of 4 layers, 1 x 128": ("Bert", lambda: [words(1, 128), mask(1, 128)]),
    "BERT of 4 layers, 64 x 128": ("Bert", lambda: [words(64, 128), mask(64, 128)]),
    "GPT-2 step of 4 layers, 1": ("Gpt2Step", lambda: cached(1)),
    "GPT-2 step of 4 layers, 64": ("Gpt2Step", lambda: cached(64)),
}


def module_of(row):
    """The model of a row, with the weights of one seed, and its inputs as tensors."""
    import torch

    from . import torch_models

    torch.set_num_threads(n_threads())
    torch.manual_seed(0)
    name, inputs = MODELS[row]
    module = getattr(torch_models, name)().eval().requires_grad_(False)
    return module, tuple(torch.from_numpy(x) for x in inputs())


def exported(row):
    """The bytes of a row's model in ONNX, as the only argument of what makes calls."""
    import torch

    module, inputs = module_of(row)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(module, inputs, dynamo=True, verbose=False)
    content = io.BytesIO()
    program.save(content)
    return (content.getvalue(),)


def nd4py_call(row, content):
    import nd4py as nd

    model = nd.onnx.load(content)
    inputs = [nd.asarray(x) for x in MODELS[row][1]()]
    return lambda: model.run(inputs)


def onnxruntime_call(row, content):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    inputs = dict(zip(names, MODELS[row][1](), strict=True))
    return lambda: session.run(None, inputs)


def torch_call(row, is_compiled, content):
    import torch

    module, inputs = module_of(row)
    call = torch.compile(module, dynamic=False) if is_compiled else module

    def run():
        with torch.inference_mode():
            return call(*inputs)

    return run


def jax_call(row, content):
    """Of an MLP, which `peer_networks` has in JAX."""
    import jax
    from peer_networks import jax_logits

    module, (x,) = module_of(row)
    arrays = [jax.numpy.asarray(each.numpy()) for each in module.parameters()]
    weights = [each.T if each.ndim == 2 else each for each in arrays]
    call = jax.jit(lambda weights, x: jax.nn.softmax(jax_logits(weights, x)))
    x = jax.numpy.asarray(x.numpy().reshape(len(x), -1))
    return lambda: jax.block_until_ready(call(weights, x))


def work_of(row):
    """The libraries of a row."""
    makers = {
        "nd4py": nd4py_call,
        "torch": lambda row, content: torch_call(row, False, content),
        "torch.compile": lambda row, content: torch_call(row, True, content),
        "onnxruntime": onnxruntime_call,
    }
    if MODELS[row][0] == "mlp":
        makers["jax"] = jax_call
    return {library: functools.partial(make, row) for library, make in makers.items()}


WORK = {row: work_of(row) for row in MODELS}
