"""DaskTrainer on clusters of processes: the bits of one process, whoever dies, comes late or is slow."""

import os
import subprocess
import sys
import time

import numpy as np
import pandas
import pytest
from support_dask import N_IN, KillsOnce, Waits, arrays, fails, network, parts

import nd4py as nd
from nd4py.data import DataSet, ListDataSetIterator
from nd4py.parallel import DaskTrainer, ParallelWrapper

dask = pytest.importorskip("dask")
bag = pytest.importorskip("dask.bag")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Dask's own, when processes are killed


def local_cluster(n_workers):
    return distributed.LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0")


@pytest.fixture(scope="module")
def cluster():
    # A worker that is killed twice within this time would not be started again.
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "300s"}), local_cluster(2) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as found:
        yield found


def trained(client, data, labels=None, *, epochs=2, **options):
    options = {"averaging_frequency": 2, "shards": 2, **options}
    trainer = DaskTrainer(client, network(), **options)
    trainer.fit(data, labels, epochs=epochs)
    return trainer


def bits(trainer):
    net = trainer.network
    return net.params().tobytes(), net.updater_state().tobytes(), net.iteration_count, net.epoch_count, net.score_value


def chunked(rows=40):
    return tuple(da.from_array(each, chunks=(rows, -1)) for each in arrays())


def test_equals_one_process_and_the_wrapper(client):
    x, y = chunked()
    on_cluster = [trained(client, x, y, batch_size=10) for _ in range(2)]
    assert bits(on_cluster[0]) == bits(on_cluster[1]) == bits(trained(None, x, y, batch_size=10))

    # Parts 0 and 2 are shard 0, parts 1 and 3 shard 1: the wrapper is given the same batches in turns.
    batches = DataSet(*map(nd.asarray, arrays())).batch_by(10)
    turns = [batches[part + shard * 4 + i] for part in (0, 8) for i in range(4) for shard in range(2)]
    net = network()
    with ParallelWrapper(net, workers=2, averaging_frequency=2) as wrapper:
        wrapper.fit(ListDataSetIterator(turns), epochs=2)
    assert net.params().tobytes() == on_cluster[0].network.params().tobytes()
    assert net.updater_state().tobytes() == on_cluster[0].network.updater_state().tobytes()


def frame():
    x, y = arrays()
    columns = {f"x{i}": x[:, i] for i in range(N_IN)} | {f"y{i}": y[:, i] for i in range(y.shape[1])}
    return dd.from_pandas(pandas.DataFrame(columns), npartitions=4, sort=False), ["y0", "y1", "y2"]


def saved(folder):
    batches = DataSet(*map(nd.asarray, arrays())).batch_by(40)
    for number, batch in enumerate(batches):
        batch.save(folder / f"{number}.npz")
    return [folder / f"{number}.npz" for number in range(len(batches))]


KINDS = {
    "arrays": lambda folder: chunked(),
    "dataframe": lambda folder: frame(),
    "bag of pairs": lambda folder: (bag.from_sequence(list(zip(*arrays(), strict=True)), npartitions=4),),
    "bag of data sets": lambda folder: (
        bag.from_sequence(DataSet(*map(nd.asarray, arrays())).batch_by(10), npartitions=4),
    ),
    "functions": lambda folder: (parts(),),
    "paths": lambda folder: (saved(folder),),
}


@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_of_data_give_the_same_network(client, kind, tmp_path):
    want = trained(None, parts(), batch_size=10, epochs=1)
    got = trained(client, *KINDS[kind](tmp_path), batch_size=10, epochs=1)
    assert bits(got) == bits(want)


def test_data_read_again_for_each_round_gives_the_same_network(client):
    assert bits(trained(client, parts(), keep=False)) == bits(trained(client, parts()))


def test_collections_are_cut_anew(client):
    x, y = chunked(rows=25)
    anew = trained(client, x, y, batch_size=10, repartition=True)
    assert bits(anew) == bits(trained(None, *chunked(rows=80), batch_size=10))


def test_a_killed_worker_costs_a_round_and_no_bit(client, tmp_path):
    kills = KillsOnce(tmp_path / "killed", number=3)
    hit = trained(client, parts(2, kills), epochs=3)
    assert (tmp_path / "killed").exists()
    assert bits(hit) == bits(trained(None, parts(2), epochs=3))
    assert [found.n_examples for found in hit.rounds] == [40] * 12


def test_a_task_that_ends_every_worker_is_given_up(cluster, client, tmp_path):
    allowed, cluster.scheduler.allowed_failures = cluster.scheduler.allowed_failures, 0
    try:
        with pytest.raises(distributed.KilledWorker):
            trained(client, parts(2, KillsOnce(tmp_path / "killed", again=True)))
    finally:
        cluster.scheduler.allowed_failures = allowed


def test_a_slow_worker_changes_no_bit(client, tmp_path):
    slow = trained(client, parts(8, Waits(0.15, tmp_path / "slow")), shards=8, epochs=1)
    assert bits(slow) == bits(trained(None, parts(8), shards=8, epochs=1))
    assert max(slow.rounds[0].worker_seconds) >= 0.3  # it was there, and trained


def test_a_worker_that_comes_late_takes_over_from_one_that_leaves():
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as small,
        distributed.Client(small) as client,
    ):
        (first,) = client.nthreads()

        class Replaces:
            def iteration_done(self, model, iteration, epoch):
                if iteration == 2:
                    small.scale(2)
                    client.wait_for_workers(2, timeout=60)
                    client.retire_workers([first])

        trainer = DaskTrainer(client, network(), averaging_frequency=2, shards=4)
        trainer.network.add_listeners(Replaces())
        trainer.fit(parts(4), epochs=3)
    assert bits(trainer) == bits(trained(None, parts(4), shards=4, epochs=3))
    assert set(trainer.rounds[0].workers) == {first}
    assert all(first not in found.workers for found in trainer.rounds[1:])


def test_what_a_task_raises_is_raised(client):
    with pytest.raises(RuntimeError, match="not for training"):
        trained(client, parts(2, fails))


def test_nobody_is_not_waited_for():
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        distributed.Client(empty) as client,
        pytest.raises(TimeoutError, match="no workers for 0.5 seconds"),
    ):
        trained(client, parts(2), patience=0.5)


@pytest.fixture
def far_cluster(tmp_path):
    """A scheduler and a worker in processes of their own: the scheduler's, and where it listens."""
    file = tmp_path / "scheduler.json"
    flags = ["--scheduler-file", file, "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def process(name, *more):
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *flags, *more]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)

    processes = [process("scheduler", "--port", "0", "--host", "127.0.0.1")]
    try:
        while not file.exists():
            time.sleep(0.05)
        processes.append(process("worker", "--no-nanny", "--nthreads", "1"))
        yield processes[0], file
    finally:
        for each in processes:
            each.kill()
            each.wait()


def test_a_lost_scheduler_leaves_the_last_averaging(far_cluster):
    scheduler, file = far_cluster

    class Kills:
        def iteration_done(self, model, iteration, epoch):
            if iteration == 4:
                scheduler.kill()
                scheduler.wait()

    with distributed.Client(scheduler_file=file, timeout=2) as client:
        trainer = DaskTrainer(client, network(), averaging_frequency=2, shards=2)
        trainer.network.add_listeners(Kills())
        with pytest.raises(ConnectionError, match="the scheduler is lost"):
            trainer.fit(parts(2), epochs=2)
    stopped = DaskTrainer(None, network(), averaging_frequency=2, shards=2)
    stopped.network.add_listeners(StopsAt(stopped, 4))
    stopped.fit(parts(2), epochs=2)
    assert bits(trainer) == bits(stopped)


class Unknown:
    """What the scheduler cannot unpickle."""

    def __call__(self):
        return parts(1)[0]()

    def __reduce__(self):
        return _refused, (os.getpid(),)


def _refused(pid):
    if os.getpid() != pid:
        raise ImportError("nothing of that name on this machine")
    return Unknown()


def test_what_the_scheduler_cannot_read_is_raised(far_cluster):
    with (
        distributed.Client(scheduler_file=far_cluster[1], timeout=2) as client,
        pytest.raises(RuntimeError, match="deserializ"),
    ):
        trained(client, [Unknown()])


class StopsAt:
    def __init__(self, trainer, iteration):
        self.trainer, self.iteration = trainer, iteration

    def iteration_done(self, model, iteration, epoch):
        if iteration == self.iteration:
            self.trainer.stop_fit()


def test_threads_of_one_process_share_its_cores():
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as threads,
        distributed.Client(threads) as client,
    ):
        got = trained(client, parts(4, Waits(0.02)))
    assert bits(got) == bits(trained(None, parts(4)))
    np.testing.assert_array_less(0.0, got.rounds[0].worker_seconds)
