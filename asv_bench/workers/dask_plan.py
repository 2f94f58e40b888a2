"""How long a round of DaskTrainer takes with many workers: a simulation, and the same on a cluster of processes here.

    python asv_bench/workers/dask_plan.py [--workers 2 4 8] [--rounds 8]

On the cluster training is a wait, so that more processes than cores can be compared; all else is done.  The simulation
is given what was measured with two workers, and is compared with the others; then it goes on to 1,000.
"""

import argparse
import heapq
import os
import statistics
import time
from typing import NamedTuple

import dask
import distributed
import numpy as np

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet
from nd4py.parallel import DaskTrainer
from nd4py.parallel.machines.shard_training import FAN_IN

N_BATCHES, BATCH_SECONDS = 5, 0.04
N_PARAMS = 430_500  # of LeNet


class Constants(NamedTuple):
    """What a round is made of.

    task: seconds of driver and scheduler for each task    message: seconds from one process to another and back
    rate: bytes per second between workers    once: seconds of a round beside all that
    """

    task: float
    message: float
    rate: float
    once: float


def simulated_round(n_workers, constants, *, n_bytes, work, jitter=0.0, rng=None):
    """Seconds of a round: tasks are handed out one by one, and the network spreads from those who have it.

    n_bytes: of parameters and updater state    work: seconds of training    jitter: of it, relative, lognormal
    """
    transfer = n_bytes / constants.rate + constants.message
    clock = constants.once
    holders, ready = [clock], []  # when each holder of the network can give it to the next
    for worker in range(n_workers):
        clock += constants.task
        free = heapq.heappop(holders)
        arrives = clock if worker == 0 else max(clock, free) + transfer
        heapq.heappush(holders, max(clock, free) if worker == 0 else arrives)
        if worker:
            heapq.heappush(holders, arrives)
        factor = 1.0 if rng is None or not jitter else rng.lognormal(0.0, jitter)
        ready.append(arrives + work * factor)
    while len(ready) > 1:
        groups = [ready[start : start + FAN_IN] for start in range(0, len(ready), FAN_IN)]
        ready = []
        for group in sorted(groups, key=max):  # the scheduler hears of one result after another
            clock = max(clock, max(group) + constants.message) + constants.task * len(group)
            ready.append(clock + (len(group) - 1) * n_bytes / constants.rate)
    return ready[0] + transfer + constants.message


class Waits(DataSet):
    """A small batch whose training takes as long as one of LeNet, without a core."""

    def num_examples(self):
        time.sleep(BATCH_SECONDS)
        return len(self)


class Part:
    def __call__(self):
        return [Waits(nd.ones((2, 1)), nd.ones((2, N_PARAMS // 2)) / N_PARAMS) for _ in range(N_BATCHES)]


def measured_rounds(n_workers, n_rounds):
    """Seconds of rounds on a cluster of so many processes, and of training in them."""
    settings = {"n_workers": n_workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        net = nn.MultiLayerNetwork(
            [nn.OutputLayer(N_PARAMS // 2, loss="mse", activation="identity")], input_type=nn.InputType.feed_forward(1)
        )
        trainer = DaskTrainer(client, net, averaging_frequency=N_BATCHES, shards=n_workers)
        trainer.fit([Part() for _ in range(n_workers)], epochs=n_rounds + 2)
        rounds = trainer.rounds[2:]
        return [each.seconds for each in rounds], [max(each.worker_seconds) for each in rounds], constants_of(client)


def constants_of(client):
    """The constants of this machine; `once` is found later."""
    start = time.perf_counter()
    client.gather(client.map(int, range(300), pure=False))
    task = (time.perf_counter() - start) / 300
    start = time.perf_counter()
    for i in range(20):
        client.submit(int, i, pure=False).result()
    message = (time.perf_counter() - start) / 20 / 4  # there, and back, by the scheduler
    first, second, *_ = client.nthreads()
    vector = client.submit(np.ones, 4_000_000, workers=[first])
    distributed.wait(vector)
    start = time.perf_counter()
    client.submit(len, vector, workers=[second]).result()
    return Constants(task, message, 32e6 / (time.perf_counter() - start), 0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    dask.config.set({"logging.distributed": "critical"})
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    n_bytes, constants = 4 * N_PARAMS, None
    print("workers  measured ms  simulated ms  of which training  samples/s by one worker's")
    for n_workers in given.workers:
        seconds, work, found = measured_rounds(n_workers, given.rounds)
        took, work = statistics.median(seconds), statistics.median(work)
        if constants is None:
            once = took - simulated_round(n_workers, found, n_bytes=n_bytes, work=work)
            constants = found._replace(once=max(0.0, once))
        guess = simulated_round(n_workers, constants, n_bytes=n_bytes, work=work)
        alone = N_BATCHES * BATCH_SECONDS
        print(
            f"{n_workers:7d} {1e3 * took:12.0f} {1e3 * guess:13.0f} {1e3 * work:18.0f} {n_workers * alone / took:25.2f}"
        )
    print(
        f"a task {1e3 * constants.task:.2f} ms, a message {1e3 * constants.message:.2f} ms, "
        f"{constants.rate / 1e6:.0f} MB/s, once a round {1e3 * constants.once:.1f} ms"
    )
    rng = np.random.default_rng(0)
    print("workers  parameters  seconds of training  seconds of a round  efficiency")
    for n_workers in (8, 64, 256, 1000):
        for n_params in (430_500, 25_000_000):
            for work in (1.0, 10.0, 60.0):
                took = simulated_round(n_workers, constants, n_bytes=8 * n_params, work=work, jitter=0.05, rng=rng)
                print(f"{n_workers:7d} {n_params:11,d} {work:20.0f} {took:19.1f} {work / took:11.0%}")


if __name__ == "__main__":
    main()
