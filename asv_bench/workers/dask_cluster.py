"""Training and inference on a Dask cluster of processes: what a dead worker costs, and what two processes are worth.

    python asv_bench/workers/dask_cluster.py [--repeats 5]

LeNet on batches of 128, averaged every 5; each worker has one thread.  Runs that are compared take turns.
"""

import argparse
import os
import signal
import statistics
import threading
import time

import dask
import dask.array as da
import distributed
import numpy as np

import nd4py as nd
from nd4py import zoo
from nd4py.data import DataSet
from nd4py.parallel import DaskInference, DaskTrainer

BATCH, FREQUENCY, N_ROUNDS = 128, 5, 6


class Batches:
    """Reads the images of one shard: random numbers are as much work as digits."""

    def __init__(self, seed):
        self.seed = seed

    def __call__(self):
        rng = np.random.default_rng(self.seed)
        n = BATCH * FREQUENCY * N_ROUNDS
        labels = np.eye(10, dtype="float32")[rng.integers(0, 10, n)]
        return DataSet(nd.asarray(rng.random((n, 1, 28, 28), dtype="float32")), nd.asarray(labels))


def trained(client, n_shards, *, listener=None, epochs=1):
    """A trainer that has fitted, and the seconds it took."""
    trainer = DaskTrainer(client, zoo.LeNet().init(), batch_size=BATCH, averaging_frequency=FREQUENCY, shards=n_shards)
    if listener is not None:
        trainer.network.add_listeners(listener)
    start = time.perf_counter()
    trainer.fit([Batches(shard) for shard in range(n_shards)], epochs=epochs)
    return trainer, time.perf_counter() - start


def examples_per_second(trainer):
    """Of the quickest round, which others on this machine have disturbed least."""
    return max(each.n_examples / each.seconds for each in trainer.rounds[1:])


class Kills:
    """Kills one worker in the middle of the third round."""

    def __init__(self, client, round_seconds):
        self.processes = list(client.run(os.getpid).values())
        self.delay = round_seconds / 2

    def iteration_done(self, model, iteration, epoch):
        if iteration == 2 * FREQUENCY:
            threading.Timer(self.delay, os.kill, (self.processes[-1], signal.SIGKILL)).start()


def killed_workers(two, repeats):
    """Seconds that a death adds to a fit, and whether the bits are equal."""
    costs, equal = [], True
    for _ in range(repeats):
        whole, seconds = trained(two, 2)
        hit, with_death = trained(two, 2, listener=Kills(two, whole.rounds[-1].seconds))
        two.wait_for_workers(2, timeout=30)
        costs.append(with_death - seconds)
        equal &= hit.network.params().tobytes() == whole.network.params().tobytes()
    return costs, equal


def scaling(one, two, repeats):
    """Examples per second of two processes by those of one, in turns."""
    ratios = []
    for _ in range(repeats):
        alone, both = examples_per_second(trained(one, 1)[0]), examples_per_second(trained(two, 2)[0])
        ratios.append((both / alone, alone, both))
    return ratios


def inference(two, repeats):
    """Rows per second over partitions on two processes, by twice those of one thread here."""
    net = zoo.LeNet().init()
    x = np.random.default_rng(0).random((256 * BATCH, 1, 28, 28), dtype="float32")
    parts = two.persist(da.from_array(x, chunks=(16 * BATCH, -1, -1, -1)))
    distributed.wait(parts)
    answers, ratios = DaskInference(net, batch_size=BATCH).output(parts).sum(axis=0), []
    two.compute(answers).result()
    for _ in range(3 * repeats):
        start = time.perf_counter()
        two.compute(answers).result()
        on_cluster = time.perf_counter() - start
        with nd.threads(1):
            start = time.perf_counter()
            for first in range(0, len(x), BATCH):
                net.output(x[first : first + BATCH])
        ratios.append((time.perf_counter() - start) / (2 * on_cluster))
    return ratios


def constants(two):
    """Milliseconds of an empty task, and of a round without work; megabytes per second from worker to worker."""
    start = time.perf_counter()
    two.gather(two.map(lambda i: i, range(500), pure=False))
    task_ms = 1e3 * (time.perf_counter() - start) / 500
    first, second = two.nthreads()
    start = time.perf_counter()
    vector = two.submit(np.ones, 4_000_000, workers=[first])
    distributed.wait(vector)
    start = time.perf_counter()
    two.submit(len, vector, workers=[second], allow_other_workers=False).result()
    return task_ms, 32 / (time.perf_counter() - start)


def overhead_ms(trainer):
    """Milliseconds of a round beyond the training of the slowest shard, at best."""
    return 1e3 * min(each.seconds - max(each.worker_seconds) for each in trainer.rounds[1:])


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    # A worker that is killed twice within this time would not be started again.
    dask.config.set({"logging.distributed": "critical", "distributed.deploy.lost-worker-timeout": "300s"})
    settings = {"threads_per_worker": 1, "dashboard_address": ":0"}
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with (
        distributed.LocalCluster(n_workers=1, **settings) as single, distributed.Client(single) as one,
        distributed.LocalCluster(n_workers=2, **settings) as pair, distributed.Client(pair) as two,
    ):  # fmt: skip
        for client, n_shards in ((one, 1), (two, 2)):
            trained(client, n_shards)
        ratios = scaling(one, two, repeats)
        print(f"examples per second, 2 processes by 1: {spread([each[0] for each in ratios])}")
        print(f"  1 process {spread([each[1] for each in ratios])}, 2 {spread([each[2] for each in ratios])}")
        print(f"milliseconds of a round beside training: {overhead_ms(trained(two, 2)[0]):.1f}")
        print(f"rows per second over partitions by 2 x 1 thread: {spread(inference(two, repeats))}")
        print("milliseconds of a task {:.2f}, MB/s between workers {:.0f}".format(*constants(two)))
        costs, equal = killed_workers(two, repeats)
        print(f"seconds that a killed worker costs: {spread(costs)}; bits equal: {equal}")
    print(f"load after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
