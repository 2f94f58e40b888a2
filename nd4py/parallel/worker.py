"""One worker of a team: a thread that lives as long as the team and trains its own replica, batch by batch."""

import threading
import weakref
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

from nd4py import api as nd

# Long enough for most batches to end, short enough that an exception reaches the caller within a second.
JOIN_SECONDS = 0.5


class Worker:
    """Trains `model` in a thread of its own that uses `n_threads` cores.

    The thread ends when asked to, when nobody refers to the worker any more, or when the interpreter exits.
    """

    def __init__(self, model, n_threads, name):
        self.model = model
        self._requests: SimpleQueue[Any] = SimpleQueue()
        self._is_leaving = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=_serve, args=(model, n_threads, self._requests), name=name, daemon=True)
        self._thread.start()
        self._finalizer = weakref.finalize(self, _release, self._requests, self._thread)

    def train(self, batch):
        """Start training on a DataSet.  Returns a Future of the score.

        Raises RuntimeError if the worker was asked to leave.
        """
        score: Future[float] = Future()
        with self._lock:  # a request after the last one would never be answered
            if self._is_leaving:
                raise RuntimeError("ParallelWrapper: shut down while training; call fit again to go on")
            self._requests.put((batch, score))
        return score

    def ask_to_leave(self):
        """Let the thread end after the batch it is working on.  Never blocks."""
        with self._lock:
            self._is_leaving = True
            self._requests.put(None)

    def join(self, timeout=None):
        """Wait for the thread to end, at most `timeout` seconds.  Returns whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()


def _serve(model, n_threads, requests):
    while (request := requests.get()) is not None:
        _train(model, n_threads, *request)
        del request  # an idle worker keeps no batch alive


def _train(model, n_threads, batch, score):
    try:
        with nd.threads(n_threads):
            score.set_result(model.fit_batch(batch.features, batch.labels))
    except BaseException as error:  # whoever waits for the score raises it
        score.set_exception(error)


def _release(requests, thread):
    requests.put(None)
    if thread is not threading.current_thread():
        thread.join(JOIN_SECONDS)
