"""Two networks with given weights in every library that has networks: what `peer_work/networks.py` compares.

LeNet: conv 5x5 to 20 maps, max pooling 2x2, conv 5x5 to 50 maps, max pooling 2x2, dense 500 with relu, softmax over 10.
MLP: dense 512 and dense 256 with relu, softmax over 10.  Both take rows of 784 numbers.
Weights are in order w1, b1, w2, ...: of a convolution (filters, channels, height, width), of a dense layer (in, out).
"""

import os

# Shapes of the weights; biases have one number for each output.
SHAPES = {
    "LeNet": ((20, 1, 5, 5), (50, 20, 5, 5), (800, 500), (500, 10)),
    "MLP": ((784, 512), (512, 256), (256, 10)),
}


def nd4py_network(name, weights):
    """The network in nd4py; an MLP is trained by Adam."""
    import nd4py as nd
    from nd4py import nn
    from nd4py.examples.lenet import lenet

    params = nd.concat([weight.reshape(-1) for weight in weights])
    if name == "LeNet":
        network = lenet()
        network.set_params(params)
        return network
    dense = [nn.DenseLayer(n_out=shape[1], activation="relu") for shape in SHAPES[name][:-1]]
    return nn.MultiLayerNetwork(
        layers=[*dense, nn.OutputLayer(n_out=10, activation="softmax", loss="negative_log_likelihood")],
        input_type=nn.InputType.feed_forward(784),
        updater=nn.Adam(1e-3),
        params=params,
    )


def torch_network(name, weights):
    """The network in PyTorch without its softmax, as its losses want it."""
    import torch
    from torch import nn

    layers = [nn.Unflatten(1, (1, 28, 28))] if name == "LeNet" else []
    for place, shape in enumerate(SHAPES[name]):
        weight, bias = weights[2 * place : 2 * place + 2]
        if len(shape) == 4:
            layer = nn.Conv2d(shape[1], shape[0], 5)
            layers += [layer, nn.MaxPool2d(2)]
        else:
            layer, weight = nn.Linear(*shape), weight.T
            layers += [nn.Flatten(), layer, nn.ReLU()]
        with torch.no_grad():
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
    return nn.Sequential(*layers[:-1])


def torch_inference(name, weights):
    """The network in PyTorch with its softmax; no gradients are asked for."""
    from torch import nn

    return nn.Sequential(torch_network(name, weights), nn.Softmax(1)).eval().requires_grad_(False)


def jax_logits(weights, x):
    """The output of either network before its softmax, in JAX."""
    import jax
    from jax import lax

    pairs = list(zip(weights[::2], weights[1::2], strict=True))
    if pairs[0][0].ndim == 4:
        x = x.reshape(-1, 1, 28, 28)
    for place, (weight, bias) in enumerate(pairs):
        if weight.ndim == 4:
            x = lax.conv(x, weight, (1, 1), "VALID") + bias[:, None, None]
            x = lax.reduce_window(x, -float("inf"), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
        else:
            x = x.reshape(x.shape[0], -1) @ weight + bias
            x = x if place == len(pairs) - 1 else jax.nn.relu(x)
    return x


def onnx_session(name, weights, n_threads=None):
    """An onnxruntime session of the network, on the cores of this process if not told otherwise; its input is "x"."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads or len(os.sched_getaffinity(0))
    return onnxruntime.InferenceSession(
        onnx_model(name, weights).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def onnx_model(name, weights):
    """The network as an ONNX model, of the same weights."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes, value = onnx_nodes(name)
    nodes.append(helper.make_node("Softmax", [value], ["y"], axis=1))
    names = [f"{letter}{place + 1}" for place in range(len(SHAPES[name])) for letter in "wb"]
    constants = [numpy_helper.from_array(weight, key) for key, weight in zip(names, weights, strict=True)]
    ends = [
        helper.make_tensor_value_info(key, TensorProto.FLOAT, ["n", width]) for key, width in (("x", 784), ("y", 10))
    ]
    graph = helper.make_graph(nodes, name, ends[:1], ends[1:], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    return model


def onnx_nodes(name):
    """The nodes of a model but the softmax, and the value that they end with."""
    from onnx import helper

    nodes, value = [], "x"

    def add(operation, *others, **attributes):
        nonlocal value
        nodes.append(helper.make_node(operation, [value, *others], [f"v{len(nodes)}"], **attributes))
        value = nodes[-1].output[0]

    if name == "LeNet":
        nodes.append(helper.make_node("Constant", [], ["sides"], value_ints=[-1, 1, 28, 28]))
        add("Reshape", "sides")
    for place, shape in enumerate(SHAPES[name], 1):
        if len(shape) == 4:
            add("Conv", f"w{place}", f"b{place}")
            add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
        else:
            add("Flatten")
            add("Gemm", f"w{place}", f"b{place}")
            if place < len(SHAPES[name]):
                add("Relu")
    return nodes, value
