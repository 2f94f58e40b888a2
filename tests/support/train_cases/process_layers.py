"""A layer for tests of inference in processes, which import it, and a program that they kill."""

import dataclasses
import os
import signal
import sys
import time

import numpy as np

import nd4py as nd
from nd4py import nn, parallel

SLOW, FATAL, WRONG = -1.0, -2.0, -3.0  # what the first number of a row asks of the layer


@dataclasses.dataclass(frozen=True)
class Obedient(nn.Layer):
    """Passes rows on; `SLOW` ones after half a second, and at others it kills its process or raises an error."""

    def forward(self, params, x, *, train=False, rng=None):
        asked = np.asarray(x)[:, 0]
        if FATAL in asked:
            os.kill(os.getpid(), signal.SIGKILL)
        if WRONG in asked:
            raise LookupError("a row begins with -3")
        if SLOW in asked:
            time.sleep(0.5)
        return x


def network(seed=0):
    """Four numbers to two classes."""
    layers = [Obedient(), nn.DenseLayer(16, activation="relu"), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=seed)


def main(ending):
    """Ask two processes, print their ids, and end in the way that is asked for."""
    inference = parallel.ParallelInference(network(), processes=2)
    futures = [inference.submit(nd.ones((1, 4))) for _ in range(4)]
    assert all(future.result(30).shape == (1, 2) for future in futures)
    print(*inference._team._pool.process_ids(), flush=True)
    if ending == "killed":
        inference.submit(nd.full((1, 4), SLOW))
        time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
