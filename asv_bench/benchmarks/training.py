"""The LeNet training step, the sum of everything below it."""

import nd4py as nd
from nd4py.data import DataSet
from nd4py.examples.lenet import lenet

from . import N_THREADS, Threaded


class TimeTraining(Threaded):
    """Forward, backward and update on one batch."""

    params = [[32, 128], N_THREADS]
    param_names = ["batch", "n_threads"]

    def setup(self, batch, n_threads):
        random = nd.random.Generator(1)
        labels = nd.one_hot(random.integers(0, 10, (batch,)), 10, dtype="float32")
        self.examples = DataSet(random.uniform(size=(batch, 784), dtype="float32"), labels)
        self.network = lenet()
        self.limit_threads(n_threads)
        self.network.fit(self.examples)

    def time_step(self, batch, n_threads):
        self.network.fit(self.examples)
