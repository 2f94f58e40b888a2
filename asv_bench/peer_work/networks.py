"""Networks: the output for one example, beside onnxruntime too, and steps of training."""

import numpy as np
from peer_networks import SHAPES

from .inputs import normal
from .work import Work

NOT_THERE = dict.fromkeys(("numpy", "numexpr", "numba", "jax", "compiled", "onnxruntime"))
MLP = {
    "numpy": "special.softmax(xp.maximum(xp.maximum(x @ w1 + b1, 0) @ w2 + b2, 0) @ w3 + b3, 1)",
    "numba": (
        "z = x @ w1 + b1\nz = np.maximum(z, np.float32(0)) @ w2 + b2\nz = np.maximum(z, np.float32(0)) @ w3 + b3\n"
        "e = np.exp(z - z.max())\nreturn e / e.sum()"
    ),
}


def weight_names(name):
    """The names of a network's weights, in order."""
    return [f"{letter}{place + 1}" for place in range(len(SHAPES[name])) for letter in "wb"]


def weights(name):
    """{name: array}: small weights, so that no output is certain, and biases."""
    pairs = [(shape, shape[0] if len(shape) == 4 else shape[1]) for shape in SHAPES[name]]
    shapes = [shape for weight, bias in pairs for shape in (weight, bias)]
    return {key: normal(shape, i) / 20 for i, (key, shape) in enumerate(zip(weight_names(name), shapes, strict=True))}


def examples(size):
    """So many rows of 784 numbers from 0 to 1."""
    return np.random.default_rng(1).random((size, 784), np.float32)


def output(name):
    """A network's output for one example, as a server computes it."""
    listed = ", ".join(weight_names(name))
    setup = {
        "nd4py": f"from peer_networks import nd4py_network\nnetwork = nd4py_network('{name}', [{listed}])",
        "onnxruntime": f"from peer_networks import onnx_session\nsession = onnx_session('{name}', [{listed}])",
        "torch": f"from peer_networks import torch_inference\nnetwork = torch_inference('{name}', [{listed}])",
        "jax": "from peer_networks import jax_logits",
    }
    setup["compiled"] = f"{setup['torch']}\nnetwork = xp.compile(network)"
    spell = {
        "nd4py": "network.output(x)",
        "onnxruntime": 'session.run(None, {"x": x})[0]',
        "torch": "network(x)",
        "compiled": "network(x)",
        "jax": f"nn.softmax(jax_logits([{listed}], x))",
    }
    return Work(
        "networks", f"{name} output", "", lambda size: {"x": examples(size), **weights(name)}, (1,),
        spell=NOT_THERE | (MLP if name == "MLP" else {}) | spell, setup=setup, tolerance=1e-3, has_limit=False,
    )  # fmt: skip


def mlp_step():
    """A step that trains the MLP; its score before the step is compared."""
    given = f"x, labels, [{', '.join(weight_names('MLP'))}]"
    names = ("nd4py", "torch", "jax")
    setup = {name: f"import mlp_step\nstep = mlp_step.{name}_step({given})" for name in names}
    setup["compiled"] = f"import mlp_step\nstep = mlp_step.torch_step({given}, xp.compile)"

    def inputs(size):
        labels = np.random.default_rng(2).integers(0, 10, size)
        return {"x": examples(size), "labels": labels, **weights("MLP")}

    return Work(
        "networks", "MLP train step", "step()", inputs, (128,), spell=NOT_THERE | dict.fromkeys(setup, "step()"),
        setup=setup, tolerance=1e-3, has_limit=False,
    )  # fmt: skip


def lenet_step():
    """A step that trains LeNet; weights are those that each library begins with."""
    setup = {name: f"import lenet_step\nstep = lenet_step.{name}_step(128)" for name in ("nd4py", "torch")}
    setup["compiled"] = "import lenet_step\nstep = lenet_step.torch_step(128, xp.compile)"
    return Work(
        "networks", "LeNet train step", "step()", lambda size: {"x": np.zeros(size)}, (128,), setup=setup,
        spell=NOT_THERE | dict.fromkeys(setup, "step()"), tolerance=np.inf, has_limit=False,
    )  # fmt: skip


def rows():
    for name in SHAPES:
        yield output(name)
    yield mlp_step()
    yield lenet_step()
