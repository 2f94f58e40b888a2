"""Networks, the sum of everything below them: steps of training, and outputs for one example."""

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet
from nd4py.examples.lenet import lenet

from . import N_THREADS, Threaded


def mlp():
    """Dense layers of 512, 256 and 10."""
    dense = [nn.DenseLayer(n_out=n_out, activation="relu") for n_out in (512, 256)]
    return nn.MultiLayerNetwork(
        layers=[*dense, nn.OutputLayer(n_out=10, activation="softmax")],
        input_type=nn.InputType.feed_forward(784),
        updater=nn.Adam(1e-3),
    )


NETWORKS = {"LeNet": lenet, "MLP": mlp}


class TimeTraining(Threaded):
    """Forward, backward and update on one batch."""

    params = [list(NETWORKS), [32, 128], N_THREADS]
    param_names = ["network", "batch", "n_threads"]

    def setup(self, network, batch, n_threads):
        random = nd.random.Generator(1)
        labels = nd.one_hot(random.integers(0, 10, (batch,)), 10, dtype="float32")
        self.examples = DataSet(random.uniform(size=(batch, 784), dtype="float32"), labels)
        self.network = NETWORKS[network]()
        self.limit_threads(n_threads)
        self.network.fit(self.examples)

    def time_step(self, network, batch, n_threads):
        self.network.fit(self.examples)


class TimeOutput(Threaded):
    """What a network makes of one example."""

    params = [list(NETWORKS), N_THREADS]
    param_names = ["network", "n_threads"]

    def setup(self, network, n_threads):
        self.x = nd.random.Generator(1).uniform(size=(1, 784), dtype="float32")
        self.network = NETWORKS[network]()
        self.limit_threads(n_threads)

    def time_output(self, network, n_threads):
        self.network.output(self.x)
