"""DaskTrainer: training on the machines of a Dask cluster, averaged now and then.

Design: each round is a graph of tasks, one for each shard of the data and a tree that adds what they made.  Some rounds
follow one another on the cluster, for a second at most, before their result comes back and the next ones begin.  So a
worker that dies costs no more than a round or a second, whatever comes twice is counted once, and the network here is
always as an averaging left it.  Rejected: rounds that all follow one another on the cluster, and would begin at the
first one when the last result is lost; actors and pinned data, with which a fit hangs when their worker leaves.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple
from uuid import uuid4

from nd4py.api.arguments import having, real
from nd4py.api.unknown_settings import TellingArguments

from ..listening import quiet, tell
from ..service_settings import at_least
from .inside_tasks import Pickled, unpacked
from .partitions import counts, partitions_of
from .shard_rounds import rounds_of
from .shard_training import FAN_IN, TrainingState, add, give_vector, let_go, mean, train_shard
from .task_runners import runner_of

SECONDS_TOGETHER = 1.0  # of rounds that follow one another on the cluster; a death repeats them
MOST_TOGETHER = 16
MOST_GIVEN = 2  # vectors that a shard adds itself: two workers swap theirs, more would move each to all


class DaskRound(NamedTuple):
    """What happened between two averagings.

    epoch: counts from 0    iteration: of the network after it    score: the mean over the shards in the last iteration
    n_examples: of all shards    seconds: from handing out the tasks to the averaged network; of several rounds that
        followed one another without coming back each has its part
    workers, worker_seconds: of each shard that took part, in order: who trained on it, and how long without waiting

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> trainer = parallel.DaskTrainer(None, net, shards=2)
    >>> fitted = trainer.fit([data.DataSet(nd.ones((8, 4)), nd.one_hot([0, 1] * 4, 2))] * 2)
    >>> trainer.rounds[0].n_examples, len(trainer.rounds[0].workers)
    (16, 2)
    """

    epoch: int
    iteration: int
    score: float
    n_examples: int
    seconds: float
    workers: tuple[str, ...]
    worker_seconds: tuple[float, ...]


class DaskTrainer(TellingArguments):
    """Trains `network` with the workers of a Dask cluster: shards of the data side by side, averaged now and then.

    client: a `dask.distributed.Client`; None trains on one shard after another in this process, with the same bits
    batch_size: examples of one step of training on one shard; None takes the batches of functions, paths and bags as
        they are
    averaging_frequency: batches of each shard between averagings, at least 1
    shards: trained side by side, each with its own replica; None takes as many as the cluster has threads when `fit`
        begins.  Name a number for results that do not depend on the cluster
    repartition: cut collections anew, into one part for each shard
    keep: leave the parts in the workers' memory; otherwise they are read again whenever they are needed, and once
        before to count their batches
    patience: seconds that `fit` waits while the cluster has no workers

    A round gives each shard up to `averaging_frequency` batches.  Then the parameters and the updater's state are the
    mean of those of the shards that took part, as with `ParallelWrapper`, and have its bits for up to four shards of
    the same batches.  A part of the data goes whole to one shard, the one with the fewest batches so far, and is cut
    into batches of its own.
    Results depend on the data and the number of shards, and not on which worker computed what, so workers may leave,
    die, or come later.  Workers of one kind of processor are needed for equal bits.
    Raises ValueError for a number that is too small, TypeError for anything but a network or client.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> parts = [lambda: data.DataSet(nd.ones((8, 4)), nd.one_hot([0, 1] * 4, 2))] * 2
    >>> trainer = parallel.DaskTrainer(None, net, batch_size=4, averaging_frequency=2, shards=2)
    >>> trainer.fit(parts, epochs=3).iteration_count
    6
    >>> [found.n_examples for found in trainer.rounds]
    [16, 16, 16]
    """

    def __init__(
        self,
        client,
        network,
        *,
        batch_size=None,
        averaging_frequency=5,
        shards=None,
        repartition=False,
        keep=True,
        patience=60.0,
    ):
        self.network = having("DaskTrainer: network", network, "a network", "configuration", "adopt", "updater_state")
        self.client = client
        self.batch_size = None if batch_size is None else at_least(1, batch_size, "DaskTrainer: batch_size")
        self.averaging_frequency = at_least(1, averaging_frequency, "DaskTrainer: averaging_frequency")
        self.n_shards = None if shards is None else at_least(1, shards, "DaskTrainer: shards")
        self.repartition, self.keep = bool(repartition), bool(keep)
        self.patience = float(real("DaskTrainer: patience", patience))
        self.rounds: list[DaskRound] = []  # of the last `fit`
        if not self.patience > 0:
            raise ValueError(f"DaskTrainer: patience must be a number of seconds above 0, got {patience}")
        runner_of(client, "DaskTrainer", self.patience)  # raises for a client that is none

    def fit(self, features, labels=None, *, epochs=1):
        """Train on all batches of the data, `epochs` times.  Returns the network.

        features: a dask array of rows; a dask DataFrame; a dask bag of data sets, or of pairs (features, labels) of one
            example; or a list of functions and paths, of which each is a part that a worker reads itself: a function
            returns a data set, a pair of arrays or many of them, a path is that of a file `DataSet.save` wrote
        labels: a dask array, or the names of columns of the DataFrame
        epochs: at least 1

        Listeners of the network are called here: after each averaging, as after an iteration, and at epochs; not of
        gradients and outputs of layers, which are computed elsewhere.
        `network.is_stopping = True` ends it after the round, as `stop_fit` does.
        Raises ValueError for data without a batch or `epochs` below 1, TypeError for data of another kind;
        ConnectionError where the scheduler is lost and TimeoutError where there are no workers, both with the network
        as the last averaging left it; distributed.KilledWorker where the same task has ended several workers; and what
        reading, training or a listener raised.
        """
        at_least(1, epochs, "DaskTrainer.fit: epochs")
        runner = runner_of(self.client, "DaskTrainer", self.patience)
        n_shards = self.n_shards or runner.n_slots
        parts = partitions_of(runner, features, labels, self.batch_size, n_shards if self.repartition else None)
        parts = runner.kept(parts) if self.keep else parts
        lengths = runner.result(runner.task("counts", counts, *(runner.task("count", len, part) for part in parts)))
        if not any(lengths):
            raise ValueError("DaskTrainer.fit: the data has no batch; give it examples")
        self.rounds, kind = [], uuid4().hex
        rounds = rounds_of(lengths, n_shards, self.averaging_frequency)
        try:
            self._fit_rounds(runner, parts, rounds, epochs, kind)
        finally:
            let_go(kind)  # of what this process has trained itself
        return self.network

    def _fit_rounds(self, runner, parts, rounds, epochs, kind):
        with quiet(self.network) as listeners:
            self.network.is_stopping = False
            for _ in range(epochs):
                tell(listeners, "on_epoch_start", self.network)
                n_done = 0
                while n_done < len(rounds):
                    together = rounds[n_done : n_done + (1 if listeners else self._n_together())]
                    self._train_rounds(runner, parts, together, kind)
                    n_done += len(together)
                    tell(
                        listeners, "iteration_done", self.network, self.network.iteration_count,
                        self.network.epoch_count,
                    )  # fmt: skip
                    if self.network.is_stopping:
                        return
                self.network.epoch_count += 1
                tell(listeners, "on_epoch_end", self.network)

    def stop_fit(self) -> None:
        """Let a `fit` that is under way end after its round, or a second of short ones.

        Raises nothing; without a `fit` it does nothing.
        """
        self.network.is_stopping = True

    def _n_together(self):
        """How many rounds may follow one another on the cluster."""
        return max(1, min(MOST_TOGETHER, int(SECONDS_TOGETHER / self.rounds[-1].seconds))) if self.rounds else 1

    def _train_rounds(self, runner, parts, rounds, kind):
        """Train each shard on its pieces, round after round, and give the network the last mean."""
        start = time.perf_counter()
        outcomes: list[Any] = []
        state = runner.task("state", unpacked, Pickled(TrainingState.of(self.network, kind)))
        for shards in rounds:
            outcomes = _sums(runner, [
                runner.task(
                    "train", train_shard, state, outcomes, shard,
                    tuple((piece.start, piece.stop) for piece in pieces), *(parts[piece.part] for piece in pieces),
                )
                for shard, pieces in shards.items()
            ])  # fmt: skip
        found = runner.result(runner.task("mean", mean, *outcomes))
        give_vector(self.network, found.vector, found.counters)
        seconds = (time.perf_counter() - start) / len(rounds)
        self.rounds += [self._round(iteration, reports, seconds) for iteration, reports in found.rounds]
        self.network.score_value = self.rounds[-1].score
        self.network.last_batch_size = sum(each.sizes[-1] for each in _latest(found.reports))

    def _round(self, iteration, reports, seconds):
        scores = [each.scores[-1] for each in _latest(reports)]
        return DaskRound(
            epoch=self.network.epoch_count,
            iteration=iteration,
            score=sum(scores) / len(scores),
            n_examples=sum(sum(report.sizes) for report in reports),
            seconds=seconds,
            workers=tuple(report.worker for report in reports),
            worker_seconds=tuple(report.seconds for report in reports),
        )


def _latest(reports):
    """Those of the shards that trained on a batch in the last iteration of their round."""
    most = max(len(report.scores) for report in reports)
    return [report for report in reports if len(report.scores) == most]


def _sums(runner, outcomes):
    """Two outcomes as they are, which each shard of the next round is given; of more their sum, by a tree of tasks."""
    while len(outcomes) > MOST_GIVEN:
        groups = [outcomes[start : start + FAN_IN] for start in range(0, len(outcomes), FAN_IN)]
        outcomes = [runner.task("add", add, *group) for group in groups]
    return outcomes
