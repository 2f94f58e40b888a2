"""Data-parallel training: replicas on different batches, averaged now and then, or with shared gradients.

Design: worker 0 trains the model itself, the others its clones.  A round gives one batch to each worker, and all are
waited for before an averaging, so the result depends on the batches alone and never on which thread was faster; where
listeners look at the model, they are waited for in every round.  Averaging covers
the workers that trained since the last one, and all of them get it; it also ends every epoch, so what a listener
evaluates or saves there, and what `fit` leaves behind, is never one worker's opinion.
Workers that share gradients are equal after each round, but one that got no batch, or fewer steps, which is made so.
"""

from __future__ import annotations

import logging
import threading
import time
from itertools import cycle, islice

from nd4py import api as nd
from nd4py.api.arguments import having, items, looped
from nd4py.data import background
from nd4py.nn.fitting.resuming import checkpoints_in, go_on_from
from nd4py.nn.fitting.sources import validation_source
from nd4py.nn.fitting.training_run import TrainingRun, checked_listeners

from .averaging import average_and_propagate
from .checkpointed_rounds import WorkersState, batches_ahead
from .given_batches import as_data_set, batches_and_epochs
from .gradient_sharing import GradientExchange, ThresholdExchange
from .listening import listened_to, quiet, tell
from .rounds import MOST_AHEAD, trained_rounds
from .service_settings import TellingArguments, at_least
from .threshold_encoding import ResidualClippingPostProcessor
from .worker import JOIN_SECONDS, Worker

AVERAGING, SHARED_GRADIENTS = "averaging", "shared_gradients"
# What a copy makes anew.
OF_THE_TEAM = {"_team", "_leaving", "_threads_per_worker", "_lock", "_fit"}


class ParallelWrapper(TellingArguments):
    """Trains `model` with several threads, each with its own replica and its share of the cores.

    workers: replicas, at least 1
    prefetch_buffer: batches read ahead per worker; 0 reads in the calling thread
    averaging_frequency: rounds between averagings, at least 1
    report_score_after_averaging: log the mean score at every averaging
    average_updaters: also average the updaters' state (momentum and the like)
    devices: of the workers, in turns, such as ("cuda:0", "cuda:1"): `fit` moves the model to the first, and makes its
        replicas on the others; None has all of them where the model is
    nccl: average by NCCL, which may be faster between linked devices and adds in an order of its own; without it the
        sums are the CPU's, in the order of the workers, bit for bit.  Needs CUDA devices, and CuPy with NCCL
    training_mode: "averaging", of parameters, or "shared_gradients": every step of all workers is along the mean of
        their gradients, so k workers with batches of b do what one model does with batches of k * b, by any updater
    threshold_algorithm: with shared gradients, a `ThresholdAlgorithm`: what workers share are updates, of which those
        elements are sent that are at least as large as a threshold, as that threshold; the rest waits for later steps
    residual_post_processor: what becomes of that rest: "clipping", a `ResidualClippingPostProcessor()` or another one;
        None leaves it as it is
    trainer: a function of a replica and a data set that trains the one on the other and returns the score; None is the
        replica's `fit_batch`

    With plain SGD, frequency 1 and k workers, averaging too gives what one model gives with batches of k * b.
    Raises ValueError for a number that is too small, an unknown mode, thresholds without shared gradients; TypeError
    for anything but a network or whole number.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> wrapper = parallel.ParallelWrapper(net, workers=2, training_mode="shared_gradients")
    >>> batches = data.ArrayDataSetIterator(nd.ones((8, 4)), nd.one_hot([0, 1] * 4, 2), batch=2)
    >>> wrapper.fit(batches, epochs=2).epoch_count
    2
    """

    def __init__(
        self,
        model,
        workers=2,
        prefetch_buffer=16,
        averaging_frequency=1,
        report_score_after_averaging=False,
        average_updaters=True,
        devices=None,
        nccl=False,
        *,
        training_mode=AVERAGING,
        threshold_algorithm=None,
        residual_post_processor="clipping",
        trainer=None,
    ):
        self.model = having("ParallelWrapper: model", model, "a network", "clone", "fit_batch")
        self.n_workers = at_least(1, workers, "ParallelWrapper: workers")
        self.prefetch_buffer = at_least(0, prefetch_buffer, "ParallelWrapper: prefetch_buffer")
        self.averaging_frequency = at_least(1, averaging_frequency, "ParallelWrapper: averaging_frequency")
        self.report_score_after_averaging = bool(report_score_after_averaging)
        self.average_updaters = bool(average_updaters)
        self.devices = None if devices is None else _named(devices)
        self.nccl = bool(nccl)
        if nccl and not all(name.startswith("cuda") for name in self.devices or ["cpu"]):
            raise ValueError(
                f"ParallelWrapper: nccl=True adds between CUDA devices, got devices={devices!r}; "
                "name them, devices=('cuda:0', 'cuda:1')"
            )
        self.training_mode = _mode(training_mode, model, threshold_algorithm)
        if residual_post_processor == "clipping":
            residual_post_processor = ResidualClippingPostProcessor()
        self.threshold_algorithm, self.residual_post_processor = threshold_algorithm, residual_post_processor
        for value, what, needed in (
            (threshold_algorithm, "threshold_algorithm", "following"),
            (residual_post_processor, "residual_post_processor", "processed"),
        ):
            if value is not None:
                having(f"ParallelWrapper: {what}", value, f"an object with the method {needed}", needed)
        if trainer is not None and not callable(trainer):
            raise TypeError(f"ParallelWrapper: trainer must be a function of a network and a data set, got {trainer!r}")
        self.trainer = trainer
        self._without_team()

    def _without_team(self):
        self._team = []
        self._leaving = []
        self._threads_per_worker = 1
        self._lock = threading.Lock()
        self._fit: object = None  # the one that is under way

    def __getstate__(self):
        """All but the threads: a copy, or one from a pickle, calls its own when it fits."""
        return {name: value for name, value in vars(self).items() if name not in OF_THE_TEAM}

    def __setstate__(self, state):
        vars(self).update(state)
        self._without_team()

    def fit(
        self,
        iterator,
        labels=None,
        *,
        epochs=1,
        batch_size=None,
        validation_data=None,
        listeners=(),
        resume_from=None,
    ):
        """Train on every batch of `iterator`, `epochs` times.  Returns the model.

        iterator: anything to loop over that yields DataSets, or pairs of features and labels, once per epoch; with
            `labels` the features of all examples
        labels: of all examples; a whole number in its place stands for `epochs`
        batch_size: examples of a batch, cut from `labels` and their features in a new order for each epoch, which
            follows from the model's seed; None for 32
        validation_data: whose score is computed after each epoch, of the parameters that all workers then have; as for
            `fit` of the model.  The history that listeners are given has it, and `train.EarlyStopping` watches it
        listeners: one or several that are called during this training, after those of the model.  An iteration is a
            round; of what is in the middle of a step, gradients and outputs of layers, they are told the first
            worker's: a gradient that is shared is the mean of all.  What they find in the model between rounds is the
            first worker's too, and everybody's after an averaging
        resume_from: a folder of a `train.CheckpointListener` of the model: the newest checkpoint in it is taken over,
            and training goes on from there to the end of `epochs`, with the bits of a run that was never stopped;
            without any it begins anew.  Network, data and the wrapper's settings must be those of the run before.
            Checkpoints are made after rounds that leave all workers equal, as an averaging does
        `stop_fit`, of the wrapper or of the model, ends it after the round.
        An exception of the iterator, a worker or a listener ends the training, lets all threads go and is raised
        here; a worker still inside a batch finishes that batch.
        Raises ValueError if `epochs` is less than 1, an epoch has no batches (a generator can be read only once), and
        for a checkpoint that is damaged or of another network or other settings;
        RuntimeError if another thread is fitting with this wrapper.
        """
        iterator, epochs = batches_and_epochs(self.model, iterator, labels, epochs, batch_size)
        at_least(1, epochs, "ParallelWrapper: epochs")
        looped("ParallelWrapper.fit: iterator", iterator)
        own = checked_listeners(listeners)
        validation = validation_source(validation_data, batch_size)
        this = object()
        try:
            with self._lock:
                if self._fit is not None:
                    raise RuntimeError(
                        "ParallelWrapper.fit: running in another thread already; use one wrapper per thread"
                    )
                self._fit = this
            with listened_to(self.model, [*self.model.listeners, *own]):
                checkpoints = {} if resume_from is None else checkpoints_in(resume_from)
                self._fit_epochs(iterator, epochs, validation, checkpoints)
        finally:
            if self._fit is this:  # and no call that an interrupt could come in
                self._fit = None
        return self.model

    def _fit_epochs(self, iterator, epochs, validation, checkpoints):
        try:
            source = batches_ahead(iterator, self.prefetch_buffer * self.n_workers)
            run, workers = TrainingRun(self.model, source, epochs, validation), self._state_of_workers()
            if checkpoints:
                with listened_to(self.model, [*self.model.listeners, workers]):
                    go_on_from(self.model, checkpoints[max(checkpoints)], run, self.model._take_over)
            team = self._assemble_team()
            workers.give_to(team)
            with quiet(self.model, tells_of_steps=True) as listeners:
                self.model.is_stopping = False
                tell(listeners, "on_fit_start", self.model, run)
                try:
                    while run.n_epochs < epochs and not self.model.is_stopping:
                        self._fit_epoch(team, source, run, listeners, workers)
                finally:
                    tell(listeners, "on_fit_end", self.model, run)
        except BaseException:
            self.shutdown()
            raise

    def _state_of_workers(self):
        settings = {
            "workers": self.n_workers, "mode": self.training_mode, "averaging_frequency": self.averaging_frequency,
            "thresholds": self.threshold_algorithm is not None,
        }  # fmt: skip
        has_own_updaters = self.threshold_algorithm is not None or (
            self.training_mode == AVERAGING and not self.average_updaters
        )
        return WorkersState(settings, has_own_updaters=has_own_updaters)

    def stop_fit(self) -> None:
        """Let a `fit` that is under way end after its round, with averaged parameters, as the model's own does.

        May be called by a listener or another thread.  Raises nothing; without a `fit` it does nothing.
        """
        self.model.is_stopping = True

    def shutdown(self) -> None:
        """Let the workers' threads go.  May be called at any time, any number of times; `fit` calls them back.

        Raises nothing.
        """
        team, self._team = self._team, []
        for worker in team:
            worker.ask_to_leave()
        deadline = time.monotonic() + JOIN_SECONDS
        self._leaving += [worker for worker in team if not worker.join(max(0.0, deadline - time.monotonic()))]

    close = shutdown

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.shutdown()

    def _assemble_team(self):
        """The workers, started if need be, all equal to the model as it is now."""
        for worker in self._leaving:
            worker.join()  # it may still be training the model in its last batch
        self._leaving = []
        if not self._team:
            self._threads_per_worker = n_threads = max(1, nd.thread_count() // self.n_workers)
            replicas = self._replicas()
            self._team = [
                Worker(replica, n_threads, f"nd4py worker {i}", self.trainer, self._exchange(i))
                for i, replica in enumerate(replicas)
            ]
        self._propagate([self.model], [worker.model for worker in self._team[1:]], updaters=True)
        return self._team

    def _exchange(self, number):
        """What the worker of this number shares with the others, or None."""
        if self.training_mode == AVERAGING:
            return None
        if self.threshold_algorithm is None:
            return GradientExchange(number)
        running = [slot.elements for slot in self.model.slots if slot.parameter.is_state]
        return ThresholdExchange(number, running, self.threshold_algorithm, self.residual_post_processor)

    def _replicas(self):
        """The model and its clones, each where it trains."""
        if self.devices is None:
            return [self.model, *(self.model.clone(replica=i) for i in range(1, self.n_workers))]
        devices = list(islice(cycle(self.devices), self.n_workers))
        clones = [self.model.clone(replica=i, device=devices[i]) for i in range(1, self.n_workers)]
        return [self.model.to_device(devices[0]), *clones]

    def _fit_epoch(self, team, source, run, listeners, workers):
        """One pass over the batches, or what is left of it, round by round, ending with an averaging."""
        tell(listeners, "on_epoch_start", self.model)
        run.begin_epoch()
        is_averaging, since_averaging = self.training_mode == AVERAGING, []
        for one_round in trained_rounds(
            team,
            self._rounds(source.batches(self.model.epoch_count, run.n_batches)),
            together=self.averaging_frequency if is_averaging else 1,
            ahead=0 if listeners else MOST_AHEAD,
            is_stopping=lambda: self.model.is_stopping,
        ):
            batches = one_round.batches
            self._note_round(one_round, run)
            if is_averaging:
                since_averaging.append(len(batches))
            else:
                self._make_equal(team, len(batches))
            if len(since_averaging) == self.averaging_frequency:
                self._average(team, max(since_averaging))
                since_averaging = []
            tell(listeners, "iteration_done", self.model, self.model.iteration_count, self.model.epoch_count)
            if not since_averaging and len(batches) == self.n_workers:  # else the data is already at the next epoch
                self._tell_safe_point(run, listeners, workers)
        if not run.n_batches:
            raise ValueError(
                "ParallelWrapper.fit: the iterator had no batches; give a list or a DataSetIterator, "
                "which can be looped over once per epoch"
            )
        if since_averaging:
            self._average(team, max(since_averaging))
        if self.model.is_stopping:
            return
        validated, seconds = run.validation_score(), run.seconds()
        self.model.epoch_count += 1
        run.end_epoch(self.model.epoch_count, seconds, validated)
        tell(listeners, "on_epoch_end", self.model)
        self._tell_safe_point(run, listeners, workers)

    def _tell_safe_point(self, run, listeners, workers):
        """Call listeners between two rounds; those that write a checkpoint ask the model for its listeners."""
        with listened_to(self.model, [*listeners, workers]):
            tell(listeners, "on_safe_point", self.model, run)

    def _rounds(self, source):
        """Up to one batch per worker at a time, with the time it took to get them noted in the model."""
        batches = iter(source)
        while True:
            start = time.perf_counter()
            one_round = [
                as_data_set("ParallelWrapper.fit: each batch", batch) for batch in islice(batches, self.n_workers)
            ]
            if not one_round:
                return
            self.model.last_etl_ms = 1e3 * (time.perf_counter() - start)
            yield one_round

    def _note_round(self, one_round, run):
        """What listeners read: the mean score of the workers, and the examples that all of them have seen."""
        self.model.score_value = score = sum(one_round.scores) / len(one_round.scores)
        self.model.last_batch_size = n_examples = sum(batch.num_examples() for batch in one_round.batches)
        run.history.add_iteration(one_round.iteration_count, score, n_examples)
        run.n_batches += len(one_round.batches)

    def _average(self, team, n_trained):
        """Average the first `n_trained` workers: rounds are handed out from worker 0 on, so these took part."""
        replicas = [worker.model for worker in team]
        self._propagate(replicas[:n_trained], replicas, updaters=self.average_updaters)
        if self.report_score_after_averaging:
            given = self.model.iteration_count, self.model.score_value, n_trained
            background.call(
                lambda: logging.getLogger(__name__).info("iteration %d: mean score %.6f of %d workers", *given)
            )

    def _make_equal(self, team, n_trained):
        """After a round with shared gradients: workers without a batch, or with fewer steps, get what the others have.

        State of updaters too, but where each has its own.
        """
        trained = [worker.model for worker in team[:n_trained]]
        first = max(trained, key=lambda model: model.iteration_count)
        if n_trained < len(team) or any(model.iteration_count != first.iteration_count for model in trained):
            self.model.iteration_count = first.iteration_count
            replicas = [worker.model for worker in team]
            self._propagate([first], replicas, updaters=self.threshold_algorithm is None)

    def _propagate(self, participants, replicas, *, updaters):
        # A larger team of threads would still be spinning when the workers start their next round.
        with nd.threads(self._threads_per_worker):
            average_and_propagate(participants, replicas, updaters=updaters, nccl=self.nccl)
        # Schedules and bias corrections count iterations: a worker that sat out a round must not fall behind.
        for replica in replicas:
            replica.iteration_count, replica.epoch_count = self.model.iteration_count, self.model.epoch_count


def _mode(mode, model, threshold_algorithm):
    """The name of a way to train.  Raises ValueError for another, or for settings that belong to another."""
    if mode not in (AVERAGING, SHARED_GRADIENTS):
        raise ValueError(f"ParallelWrapper: training_mode must be {AVERAGING!r} or {SHARED_GRADIENTS!r}, got {mode!r}")
    if mode == AVERAGING and threshold_algorithm is not None:
        raise ValueError(
            f"ParallelWrapper: threshold_algorithm is for training_mode={SHARED_GRADIENTS!r}, got {mode!r}"
        )
    if mode == SHARED_GRADIENTS:
        having("ParallelWrapper: with shared gradients the model", model, "a network of nd4py", "exchange", "slots")
    return mode


def _named(devices):
    names = (devices,) if isinstance(devices, str) else items("ParallelWrapper: devices", devices)
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"ParallelWrapper: devices must be names such as 'cuda:0', one at least, got {devices!r}")
    return names
