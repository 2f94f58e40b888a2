"""What workers of Dask clusters import for the tests: a network's data that kills, waits or fails while it is used."""

import os
import signal
import time

import numpy as np

from nd4py import nn
from nd4py.data import DataSet

N_IN, N_OUT = 5, 3


def network(seed=3):
    layers = [nn.DenseLayer(8, activation="tanh"), nn.OutputLayer(N_OUT)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(N_IN), updater=nn.Nesterovs(0.1), seed=seed
    )


def arrays(n=160, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, N_IN)).astype("float32"), np.eye(N_OUT, dtype="float32")[rng.integers(0, N_OUT, n)]


class Part:
    """Reads examples `start` to `stop` in batches; training on them does `deed(batch number)` once it is done."""

    def __init__(self, start, stop, batch=10, deed=None):
        self.start, self.stop, self.batch, self.deed = start, stop, batch, deed

    def __call__(self):
        x, y = (each[self.start : self.stop] for each in arrays())
        cuts = range(0, len(x), self.batch)
        return [Examples(x[i : i + self.batch], y[i : i + self.batch], (self.deed, i // self.batch)) for i in cuts]


class Examples(DataSet):
    def __init__(self, features, labels, deed=None):
        super().__init__(features, labels)
        self.deed = deed

    def num_examples(self):
        act, number = self.deed
        if act is not None:
            act(number)
        return len(self)


def parts(n_parts=4, deed=None):
    size = 160 // n_parts
    return [Part(i * size, (i + 1) * size, deed=deed) for i in range(n_parts)]


class KillsOnce:
    """Kills the process that trains on batch `number`: the first one, or every one."""

    def __init__(self, path, number=2, again=False):
        self.path, self.number, self.again = str(path), number, again

    def __call__(self, number):
        if number != self.number:
            return
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            if not self.again:
                return
        os.kill(os.getpid(), signal.SIGKILL)


class Waits:
    """Takes its time for each batch: everywhere, or in the process that says so."""

    def __init__(self, seconds, path=None):
        self.seconds, self.path = seconds, path and str(path)

    def __call__(self, number):
        if self.path is None or self._is_here():
            time.sleep(self.seconds)

    def _is_here(self):
        """The first process that asks writes its number."""
        try:
            with open(self.path, "x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            pass
        with open(self.path) as file:
            return file.read() == str(os.getpid())


def fails(number):
    raise RuntimeError("this batch is not for training")
