"""Requests: the inputs of one call, and the answer that somebody waits for."""

from __future__ import annotations

import time
from concurrent.futures import Future, InvalidStateError
from threading import Lock
from typing import Any


class UnknownModelError(KeyError, ValueError):
    """A server has no model of this name."""


class QueueFullError(RuntimeError):
    """A request was refused at once: as many are waiting already as the queue takes.

    >>> issubclass(parallel.QueueFullError, RuntimeError)
    True
    """


class ClosedError(RuntimeError):
    """A request was not answered, because what should answer it was closed or removed.

    >>> issubclass(parallel.ClosedError, RuntimeError)
    True
    """


class ProcessDiedError(RuntimeError):
    """A request was not answered, because the process that computed it died."""


class Request:
    """A call's checked inputs; then its outputs, or the error that it ended with.

    seconds: until it is no longer worth answering, None for any time    priority: higher ones are computed first
    end, left: "answered" or "failed" and when, None and 0.0 before
    charged: seconds of cores that its model was charged for the batch that begins with it
    rows_at_once: how many rows were computed together, if the statistics are to count that with it; else 0
    is_counted: whether the statistics know its end
    layers: whose outputs are wanted, None for those of the network
    future: gets the answer; without one, a caller waits in `wait`

    Design: the answer is there when a lock is released, which no signal handler can cut in two.
    """

    __slots__ = (
        "_done", "charged", "deadline", "end", "entered", "error", "future", "inputs", "is_counted", "layers", "left",
        "masks", "n_rows", "outputs", "priority", "rows_at_once", "signature",
    )  # fmt: skip

    def __init__(
        self,
        inputs: tuple[Any, ...],
        masks: Any,
        seconds: float | None,
        future: Future[Any] | None = None,
        priority: int = 0,
        layers: tuple[Any, ...] | None = None,
    ):
        self.inputs, self.masks, self.future, self.priority = inputs, masks, future, priority
        self.layers = layers
        self.n_rows = n_rows_of(inputs)
        self.signature = signature_of(inputs, masks)
        self.entered = time.perf_counter()
        self.deadline = None if seconds is None else self.entered + seconds
        self.outputs: tuple[Any, ...] | None = None
        self.error: BaseException | None = None
        self.end: str | None = None
        self.left = self.charged = 0.0
        self.rows_at_once = 0
        self.is_counted = False
        self._done = Lock()
        self._done.acquire()

    def is_like(self, other: Request) -> bool:
        """Whether both can be computed together."""
        return self.signature == other.signature and self.layers == other.layers

    def outputs_by(self, snapshot: Any, inputs: tuple[Any, ...], masks: Any) -> tuple[Any, ...]:
        """What is asked for, of a batch of these inputs.  Raises what the snapshot does."""
        found: tuple[Any, ...] = (
            snapshot.outputs(inputs, masks) if self.layers is None else snapshot.outputs_of(self.layers, inputs, masks)
        )
        return found

    def begins(self) -> bool:
        """Whether the answer is still wanted, asked once before it is computed."""
        try:
            return self.future is None or self.future.set_running_or_notify_cancel()
        except InvalidStateError:  # somebody else has answered the future
            return False

    def answer(self, outputs: tuple[Any, ...]) -> None:
        """Hand over the outputs."""
        self.outputs, self.left, self.end = outputs, time.perf_counter(), "answered"
        if self.future is not None:
            self.future.set_result(self._shown(outputs))
        self._done.release()

    def fail(self, error: BaseException) -> None:
        """Hand over the error."""
        self.error, self.left, self.end = error, time.perf_counter(), "failed"
        if self.future is not None:
            self.future.set_exception(error)
        self._done.release()

    def wait(self) -> bool:
        """Wait for the answer until the deadline.  Returns whether it came."""
        if self.deadline is None:
            return self._done.acquire()
        return self._done.acquire(timeout=max(0.0, self.deadline - time.perf_counter()))

    def result(self) -> Any:
        """The output, or a tuple of them.  Raises the error."""
        if self.error is not None:
            try:
                raise self.error
            finally:
                self.error = None  # which refers to this frame
        assert self.outputs is not None
        return self._shown(self.outputs)

    def _shown(self, outputs: tuple[Any, ...]) -> Any:
        return outputs[0] if len(outputs) == 1 and self.layers is None else outputs


def late() -> TimeoutError:
    """The error of a request whose time is over."""
    return TimeoutError("the request was not answered in time; give a longer timeout, or add workers")


def n_rows_of(inputs: tuple[Any, ...]) -> int:
    """The examples of a batch; a number without axes is one."""
    return int(inputs[0].shape[0]) if inputs[0].ndim else 1


def signature_of(inputs: tuple[Any, ...], masks: Any) -> Any:
    """What requests that are computed together have in common: shapes of rows, dtypes, and which inputs have masks."""
    shapes = tuple([(x.shape[1:], x.dtype) for x in inputs])
    return shapes if masks is None else (shapes, tuple([mask is None for mask in masks]))
