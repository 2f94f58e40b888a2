"""A worker thread that trains its own replica of a model."""

import threading
import weakref
from queue import SimpleQueue
from typing import Any

from nd4py import api as nd
from nd4py.data import background
from nd4py.nn.networks.batches import parts_of

# Long enough for most batches to end, short enough that an exception reaches the caller within a second.
JOIN_SECONDS = 0.5


class Worker:
    """Trains `model` in a thread of its own that uses `n_threads` cores.

    trainer: trains a model on a data set, and returns the score    exchange: with the workers beside it, or None
    The thread ends when asked to, when there are no references to the worker any more, or when the interpreter exits.
    """

    def __init__(self, model, n_threads, name, trainer=None, exchange=None):
        self.model = model
        self.exchange = exchange
        self._requests: SimpleQueue[Any] = SimpleQueue()
        self._is_leaving = False
        self._lock = threading.Lock()
        # The thread keeps this reference, and `put` runs no Python code: no interrupt, here or in a finalizer,
        # leaves a thread behind that is never stopped.
        watch = weakref.ref(self, self._requests.put)
        work = (trainer or train_on, exchange), model, n_threads, self._requests, watch
        self._thread = threading.Thread(target=_serve, args=work, name=name, daemon=True)
        self._finalizer = weakref.finalize(self, _release, self._requests, self._thread)
        background.start(self._thread)

    def train(self, batch, number, answers):
        """Start training on a DataSet; then (number, score, error) is put into the SimpleQueue `answers`.

        Raises RuntimeError if the worker was asked to leave.
        """
        with self._lock:  # a request after the last one would never be answered
            if self._is_leaving:
                raise RuntimeError("ParallelWrapper: shut down while training; call fit again to go on")
            self._requests.put((batch, number, answers))

    def ask_to_leave(self):
        """Let the thread end after the batch it is working on.  Never blocks."""
        with self._lock:
            self._is_leaving = True
            self._requests.put(None)

    def join(self, timeout=None):
        """Wait for the thread to end, at most `timeout` seconds.  Returns whether it has."""
        return background.join(self._thread, timeout)


def train_on(model, batch):
    """One step of training on a data set.  Returns its score."""
    parts = parts_of(batch)
    masks = [] if parts.features_masks is parts.labels_masks is None else [*parts[2:4]]
    return model.fit_batch(parts.features, parts.labels, *masks)


def _serve(ways, model, n_threads, requests, watch):
    while (request := requests.get()) is not None and request is not watch:
        _train(ways, model, n_threads, *request)
        del request  # an idle worker keeps no batch alive


def _train(ways, model, n_threads, batch, number, answers):
    trainer, exchange = ways
    try:
        with nd.threads(n_threads):
            score = trainer(model, batch) if exchange is None else _train_together(trainer, model, batch, exchange)
    except BaseException as error:  # the caller that waits for the score raises it
        answers.put((number, None, error))
    else:
        answers.put((number, score, None))


def _train_together(trainer, model, batch, exchange):
    """A step in which the model meets those of the other workers, who wait for it no longer afterwards."""
    failure = None
    model.exchange = exchange
    try:
        return trainer(model, batch)
    except BaseException as error:
        failure = error
        raise
    finally:
        model.exchange = None
        exchange.leave(failure)


def _release(requests, thread):
    requests.put(None)
    background.join(thread, JOIN_SECONDS)
