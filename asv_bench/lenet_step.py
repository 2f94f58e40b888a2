"""The LeNet training step in nd4py and in PyTorch: the same network, loss, updater and batch.

conv 5x5 to 20 maps, max pooling 2x2, conv 5x5 to 50 maps, max pooling 2x2, dense 500 with relu, softmax over 10;
negative log likelihood, Nesterov momentum 0.9, weight decay 5e-4 on the weights; 431,080 parameters, float32.
"""

import numpy as np

RATE, MOMENTUM, DECAY = 0.01, 0.9, 5e-4


def batch(n):
    """Random images (n, 784) and labels (n,)."""
    random = np.random.default_rng(1)
    return random.random((n, 784), dtype=np.float32), random.integers(0, 10, n)


def nd4py_step(n):
    """A function that fits nd4py's network to one batch of `n` images."""
    import nd4py as nd
    from nd4py.data import DataSet
    from nd4py.examples.lenet import lenet

    images, labels = batch(n)
    network = lenet()
    examples = DataSet(nd.asarray(images, copy=True), nd.one_hot(nd.asarray(labels, copy=True), 10, dtype="float32"))
    return lambda: network.fit(examples)


def torch_step(n, compiled=lambda network: network, device="cpu"):
    """The same step in PyTorch on a device; `compiled` may be torch.compile."""
    import torch
    from torch import nn

    network = nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.MaxPool2d(2),
        nn.Conv2d(20, 50, 5),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.ReLU(),
        nn.Linear(500, 10),
    )
    network = compiled(network.to(device))
    weights = [p for name, p in network.named_parameters() if name.endswith("weight")]
    biases = [p for name, p in network.named_parameters() if name.endswith("bias")]
    groups = [{"params": weights, "weight_decay": DECAY}, {"params": biases, "weight_decay": 0.0}]
    updater = torch.optim.SGD(groups, lr=RATE, momentum=MOMENTUM, nesterov=True)
    loss = nn.CrossEntropyLoss()
    images, labels = (torch.from_numpy(array).to(device) for array in batch(n))
    images = images.reshape(n, 1, 28, 28)

    def step():
        updater.zero_grad()
        score = loss(network(images), labels)
        score.backward()
        updater.step()
        return score.item()

    return step
