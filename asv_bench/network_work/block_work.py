"""Training steps of convolutional networks, the work of `training_blocks.py`: for each row and library a function that
makes a call.

A step goes forward and back through a network and changes its weights by gradient descent: by Nesterov's momentum for
the LeNet, by plain descent on a mean squared error for the blocks.
"""

import functools

import lenet_step
import numpy as np

RATE = 1e-4
# The block of a ResNet-18, and that of MobileNetV2 with 96 channels between: (examples, channels, height and width).
SHAPES = {"residual": (8, 64, 56), "separable": (8, 96, 56)}
SEPARABLE_OUTPUTS = 24


def numbers(n, channels, size, seed=0):
    """Normal numbers in float32."""
    return np.random.default_rng(seed).normal(size=(n, channels, size, size)).astype(np.float32)


def labels_of(kind):
    n, channels, size = SHAPES[kind]
    return numbers(n, SEPARABLE_OUTPUTS if kind == "separable" else channels, size, seed=1)


def nd4py_vertices(kind):
    """The vertices of a block, whose output is called "sum"."""
    from nd4py import nn

    def convolution(size, n):
        return nn.ConvolutionLayer(size, n, convolution_mode="same", has_bias=False, activation="identity")

    if kind == "separable":
        depthwise = nn.DepthwiseConvolution2D(3, convolution_mode="same", has_bias=False, activation="identity")
        return {
            "first": (depthwise, "x"),
            "first normed": (nn.BatchNormalization(), "first"),
            "active": (nn.ActivationLayer("relu6"), "first normed"),
            "second": (convolution(1, SEPARABLE_OUTPUTS), "active"),
            "sum": (nn.BatchNormalization(), "second"),
        }
    return {
        "first": (convolution(3, SHAPES[kind][1]), "x"),
        "first normed": (nn.BatchNormalization(), "first"),
        "active": (nn.ActivationLayer("relu"), "first normed"),
        "second": (convolution(3, SHAPES[kind][1]), "active"),
        "second normed": (nn.BatchNormalization(), "second"),
        "both": (nn.ElementWiseVertex("add"), "second normed", "x"),
        "sum": (nn.ActivationLayer("relu"), "both"),
    }


def nd4py_step(kind):
    import nd4py as nd
    from nd4py import data, nn

    _, channels, size = SHAPES[kind]
    loss = nn.CnnLossLayer(loss="mse", activation="identity")
    network = nn.ComputationGraph(
        {"x": nn.InputType.convolutional(size, size, channels)},
        {**nd4py_vertices(kind), "loss": (loss, "sum")},
        outputs=("loss",),
        updater=nn.Sgd(RATE),
    )
    batch = data.MultiDataSet([nd.array(numbers(*SHAPES[kind]))], [nd.array(labels_of(kind))])
    return lambda: network.fit(batch)


def torch_step(kind, is_compiled=False):
    import torch
    from torch import nn

    from . import torch_models

    torch.set_num_threads(2)
    channels = SHAPES[kind][1]
    if kind == "residual":
        network = torch_models.ResidualBlock(channels, channels, 1)
    else:
        depthwise = torch_models.normed(channels, channels, 3, groups=channels)
        network = nn.Sequential(depthwise, nn.ReLU6(), torch_models.normed(channels, SEPARABLE_OUTPUTS, 1))
    forward = torch.compile(network) if is_compiled else network
    updater = torch.optim.SGD(network.parameters(), lr=RATE)
    x, y = torch.from_numpy(numbers(*SHAPES[kind])), torch.from_numpy(labels_of(kind))

    def call():
        updater.zero_grad()
        value = nn.functional.mse_loss(forward(x), y)
        value.backward()
        updater.step()
        return value.item()

    return call


def torch_lenet(n, is_compiled=False):
    import torch

    torch.set_num_threads(2)
    return lenet_step.torch_step(n, torch.compile if is_compiled else lambda network: network)


def block_of(kind):
    """The libraries of a block's step."""
    return {
        "nd4py": functools.partial(nd4py_step, kind),
        "torch": functools.partial(torch_step, kind),
        "torch.compile": functools.partial(torch_step, kind, True),
    }


WORK = {
    "LeNet step, batch 128": {
        "nd4py": functools.partial(lenet_step.nd4py_step, 128),
        "torch": functools.partial(torch_lenet, 128),
        "torch.compile": functools.partial(torch_lenet, 128, True),
    },
    "ResNet-18 block step 8 x 64 x 56 x 56": block_of("residual"),
    "depthwise-separable block step 8 x 96 x 56 x 56": block_of("separable"),
}
