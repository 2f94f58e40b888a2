"""A worker thread that trains its own replica of a model."""

import threading
import weakref
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from nd4py import api as nd
from nd4py.data import background
from nd4py.nn.networks.batches import parts_of

# Long enough for most batches to end, short enough that an exception reaches the caller within a second.
JOIN_SECONDS = 0.5


class Worker:
    """Trains `model` in a thread of its own that uses `n_threads` cores.

    trainer: trains a model on a data set, and returns the score    exchange: with the workers beside it, or None
    The thread ends when asked to, after an error, when nobody refers to the worker any more, or with the interpreter.
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

    def train(self, batch, answer, answers):
        """Start training on a DataSet, after those given before; then `answer` is put, filled in, into `answers`.

        answer: an `Answer` without score and error    answers: a SimpleQueue
        Raises RuntimeError if the worker was asked to leave.
        """
        with self._lock:  # a request after the last one would never be answered
            if self._is_leaving:
                raise _shut_down()
            self._requests.put((batch, answer, answers))

    def ask_to_leave(self):
        """Let the thread end after the batch it is working on; what waits is answered by errors.  Never blocks."""
        with self._lock:
            self._is_leaving = True
            with suppress(Empty):
                while (request := self._requests.get_nowait()) is not None:
                    _, answer, answers = request
                    answers.put(answer._replace(error=_shut_down()))
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
        has_trained = _train(ways, model, n_threads, *request)
        del request  # an idle worker keeps no batch alive
        if not has_trained:
            return


def _train(ways, model, n_threads, batch, answer, answers):
    """Train on a batch and answer.  Returns whether there was no error."""
    trainer, exchange = ways
    try:
        with nd.threads(n_threads):
            score = trainer(model, batch) if exchange is None else _train_together(trainer, model, batch, exchange)
        trained = answer._replace(score=score, iteration_count=model.iteration_count)
    except BaseException as error:  # the caller that waits for the score raises it
        answers.put(answer._replace(error=error))
        return False
    answers.put(trained)
    return True


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


def _shut_down():
    return RuntimeError("ParallelWrapper: shut down while training; call fit again to go on")


def _release(requests, thread):
    requests.put(None)
    background.join(thread, JOIN_SECONDS)
