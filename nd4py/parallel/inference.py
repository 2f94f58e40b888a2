"""ParallelInference: the outputs of one network for many callers at a time.

Design: see `Team` for who computes, `ExactSizes` for what is computed together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Self

from nd4py.api.unknown_settings import TellingArguments

from .model_service import ModelService
from .service_settings import checked_settings
from .service_statistics import ServiceStatistics
from .team import team_of


class ParallelInference(TellingArguments):
    """Answers calls from any number of threads with the outputs of `network`, as it is now.

    The parameters are copied: training on changes no answer until `update_model`.
    mode: "batched" computes requests that wait, with rows of one shape, together; "sequential" one by one;
        "in_place" at once in the thread of the caller, however many there are
    workers: batches that are computed at a time, each on one core, or on all while nobody else asks; None takes as many
        as there are threads (OMP_NUM_THREADS)
    batch_limit: rows that are computed together, at most    queue_limit: requests that may wait
    max_wait_us: microseconds that a request waits for others although a worker is free; those that came while the
        workers were busy have waited already
    least_rows: what a smaller batch is filled up to, with zeros
    processes: so many processes compute in place of threads, with the parameters in memory that they share; a request
        whose process dies is computed by another one, once more.  It takes a second until they have started.  A program
        that uses them does what it does under `if __name__ == "__main__":`, and layers of one's own are in a module.
        None for threads
    when_full: "refuse" raises QueueFullError at once, "wait" lets callers of `output` and `submit` wait for room

    Each answer has the bits of `network.output` for the request alone, or filled up to `least_rows`, whatever it was
    computed with: batches are only formed of as many rows as keep them.  Matrices have loops of their own for a single
    row, so networks of dense layers need least_rows=2 for batches; it takes a tenth longer where nobody else asks.
    Raises TypeError for anything but a network, ValueError for a number that is too small, an unknown mode, both
    workers and processes, and processes in_place; RuntimeError where processes cannot start.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> with parallel.ParallelInference(net, workers=2) as inference:
    ...     y = inference.output(nd.ones((1, 4)))
    ...     later = inference.submit(nd.ones((3, 4)))
    ...     y.shape, later.result().shape
    ((1, 2), (3, 2))
    """

    def __init__(
        self,
        network: Any,
        mode: str = "batched",
        workers: int | None = None,
        batch_limit: int = 32,
        queue_limit: int = 64,
        max_wait_us: float = 0,
        *,
        least_rows: int = 1,
        when_full: str = "refuse",
        processes: int | None = None,
    ) -> None:
        who = "ParallelInference"
        settings = checked_settings(who, mode, batch_limit, queue_limit, max_wait_us, least_rows, when_full)
        self._team = team_of(f"{who}: workers", workers, processes, "nd4py inference")
        self._service = ModelService(self._team, network, settings)

    def output(
        self,
        *inputs: Any,
        mask: Any = None,
        timeout: float | None = None,
        priority: int = 0,
        layers: Sequence[int | str] | None = None,
    ) -> Any:
        """The outputs for batches of the inputs; waits for them.

        inputs, mask: as for the network's own `output`
        timeout: seconds to wait, None for as long as it takes
        priority: a whole number; of the requests that wait, those with higher numbers are computed first, and those
            with the same in the order they came in.  While such come all the time, others wait
        layers: numbers or names of layers, names of vertices of a graph, whose outputs are wanted in place of the
            network's
        Returns an array, or a tuple of arrays where there are several outputs; with `layers` a tuple of one for each.
        Nobody else has them.
        Raises ValueError for shapes that do not fit and layers that there are not, QueueFullError, TimeoutError,
        ClosedError after `close`, and what the layers raise.
        """
        return self._service.output(inputs, mask, timeout, priority, layers)

    def submit(
        self,
        *inputs: Any,
        mask: Any = None,
        timeout: float | None = None,
        priority: int = 0,
        layers: Sequence[int | str] | None = None,
    ) -> Future[Any]:
        """The same as a future: for what `output` returns, or raises later.

        timeout: seconds after which the future fails with TimeoutError if nobody has begun with it
        priority, layers: as for `output`
        The inputs are copied.  A future that is cancelled before somebody begins with it leaves the queue.
        Returns a Future.
        Raises ValueError for shapes that do not fit and layers that there are not, QueueFullError, ClosedError after
        `close`.
        """
        return self._service.submit(inputs, mask, timeout, priority, layers)

    async def aoutput(
        self,
        *inputs: Any,
        mask: Any = None,
        timeout: float | None = None,
        priority: int = 0,
        layers: Sequence[int | str] | None = None,
    ) -> Any:
        """The same for `await`; the task may be cancelled.

        timeout, priority, layers: as for `submit`
        Returns and raises what `output` does.  With when_full="wait" use `output` in a thread: this does not wait for
        room without holding up its event loop.
        """
        return await asyncio.wrap_future(self._service.submit(inputs, mask, timeout, priority, layers))

    def update_model(self, network: Any) -> None:
        """Answer by this network, as it is now, the requests that are begun with from now on.

        network: with inputs and outputs like those of the one before
        Every answer is that of one network or the other.  Raises ValueError where inputs or outputs differ, TypeError
        for anything but a network, ClosedError after `close`.
        """
        self._service.update(network, "update_model")

    def statistics(self) -> ServiceStatistics:
        """What became of the requests so far.  Raises nothing."""
        return self._service.statistics()

    def close(self, *, wait: bool = True) -> None:
        """Let the threads go, and refuse requests from now on; may be called any number of times.

        wait: for the requests that wait, else they fail with ClosedError
        Raises nothing.
        """
        self._team.close([self._service.queue], wait=wait)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "parallel inference belongs to this process and can be neither copied nor pickled; make another one of the "
            "network there"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        self.close(wait=kind is None)
