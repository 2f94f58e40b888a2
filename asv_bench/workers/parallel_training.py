"""Training by several workers beside one thread: examples a second of `ParallelWrapper` in all its ways.

    OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive python asv_bench/workers/parallel_training.py --rounds 5

A LeNet with batches of 128, Adam, one thread for each worker.  All ways take turns, so that what else the machine does
meets all of them; shown are medians over the rounds, and the median of the ratios to one thread, least and most.
"""

import argparse
import statistics
import time

import numpy as np

import nd4py as nd
from nd4py import nn, parallel, zoo
from nd4py.data import DataSet, ListDataSetIterator


def network():
    """The network that all ways train."""
    return zoo.LeNet().init(updater=nn.Adam(1e-3))


def batches(n_batches, batch):
    """Random images of digits, as the time does not depend on what they show."""
    rng = np.random.default_rng(0)
    images = rng.random((batch, 1, 28, 28), dtype="float32")
    labels = np.eye(10, dtype="float32")[rng.integers(0, 10, batch)]
    return [DataSet(nd.asarray(images), nd.asarray(labels)) for _ in range(n_batches)]


def ways(n_workers):
    """Functions that train on a list of batches, by name."""

    def alone():
        net = network()

        def train(data):
            with nd.threads(1):
                for each in data:
                    net.fit_batch(each.features, each.labels)

        return train

    def together(**options):
        wrapper = parallel.ParallelWrapper(network(), n_workers, **options)
        return lambda data: wrapper.fit(ListDataSetIterator(data))

    shared = {"training_mode": "shared_gradients"}
    return {
        "one thread": alone(),
        "averaged every round": together(),
        "averaged every 5 rounds": together(averaging_frequency=5),
        "shared gradients": together(**shared),
        "shared gradients, thresholds": together(**shared, threshold_algorithm=parallel.AdaptiveThresholdAlgorithm()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batches", type=int, default=60)
    parser.add_argument("--batch", type=int, default=128)
    given = parser.parse_args()
    data, found = batches(given.batches, given.batch), ways(given.workers)
    rates = {name: [] for name in found}
    for train in found.values():
        train(data[: 2 * given.workers])  # graphs are captured, threads begin
    for _ in range(given.rounds):
        for name, train in found.items():
            start = time.perf_counter()
            train(data)
            rates[name].append(given.batches * given.batch / (time.perf_counter() - start))
    base = rates["one thread"]
    for name, values in rates.items():
        ratios = [value / one for value, one in zip(values, base, strict=True)]
        print(
            f"{name:30} {statistics.median(values):8.0f} examples/s  "
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
