"""ModelServer: the outputs of many networks in one process, by one team of threads."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Any, Self

from nd4py import api as nd
from nd4py.api.arguments import instance
from nd4py.api.unknown_settings import TellingArguments

from .model_service import ModelService
from .requests import ClosedError, UnknownModelError
from .service_settings import at_least, checked_settings
from .service_statistics import ServiceStatistics
from .team import team_of


class ModelServer(TellingArguments):
    """Answers calls for any number of networks, by name, with as many threads as the process may use.

    n_threads: batches that are computed at a time, each on one core, or on all while nobody else asks; None takes as
        many as there are threads (OMP_NUM_THREADS)
    memory_limit: bytes that all models may take, None for any: of each its parameters, and what the layers make of a
        full batch in every thread
    processes: so many processes compute in place of threads, as for `ParallelInference`; None for threads

    The model whose turn it is has had the least time of cores for its weight among those with requests, so a model that
    is asked much more than its share slows down itself and not the others.
    Raises ValueError for a number that is too small, and for both threads and processes.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> with parallel.ModelServer() as server:
    ...     server.add("digits", net)
    ...     server.add("letters", net, weight=2.0)
    ...     server.output("letters", nd.ones((1, 4))).shape, server.names
    ((1, 2), ('digits', 'letters'))
    """

    def __init__(
        self, n_threads: int | None = None, *, memory_limit: int | None = None, processes: int | None = None
    ) -> None:
        self._team = team_of("ModelServer: n_threads", n_threads, processes, "nd4py server")
        self._limit = None if memory_limit is None else at_least(1, memory_limit, "ModelServer: memory_limit")
        self._services: dict[str, ModelService] = {}
        self._lock = threading.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models, in the order they were added in."""
        return tuple(self._services)

    @property
    def n_bytes(self) -> int:
        """The bytes that the models may take, as `memory_limit` counts them."""
        return sum(self._bytes_of(service) for service in list(self._services.values()))

    def add(
        self,
        name: str,
        network: Any,
        *,
        weight: float = 1.0,
        mode: str = "batched",
        batch_limit: int = 32,
        queue_limit: int = 64,
        max_wait_us: float = 0,
        least_rows: int = 1,
        when_full: str = "refuse",
    ) -> None:
        """Answer calls for `name` by a network, as it is now.

        weight: its share of the cores beside other models that are asked all the time
        mode, batch_limit, queue_limit, max_wait_us, least_rows, when_full: as for `ParallelInference`
        Raises ValueError for a name that is taken and for settings out of range, TypeError for anything but a network,
        MemoryError where the memory limit does not allow it, RuntimeError where processes cannot start, ClosedError
        after `close`.
        """
        settings = checked_settings(
            "ModelServer.add", mode, batch_limit, queue_limit, max_wait_us, least_rows, when_full, weight
        )
        service = ModelService(self._team, network, settings)
        with self._lock:
            if not instance("ModelServer.add: name", name, str):
                raise ValueError("ModelServer.add: name is empty; give a text by which the model is asked")
            if name in self._services:
                raise ValueError(f"ModelServer.add: there is a model {name!r} already; remove it, or use update_model")
            wanted, used = self._bytes_of(service), self.n_bytes
            if self._limit is not None and used + wanted > self._limit:
                raise MemoryError(
                    f"ModelServer.add: {name!r} takes up to {nd.memory.human(wanted)}, and the other models "
                    f"{nd.memory.human(used)} of {nd.memory.human(self._limit)}; remove one, or lower batch_limit"
                )
            self._services[name] = service

    def remove(self, name: str) -> None:
        """Answer no more calls for a model; those that wait fail with ClosedError, those that are begun are finished.

        Raises KeyError for a name without a model.
        """
        with self._lock:
            service = self._service(name)
            del self._services[name]
        self._team.fail_all(service.queue, ClosedError(f"the model {name!r} was removed"))

    def update_model(self, name: str, network: Any) -> None:
        """Answer by this network, as it is now, the requests for a model that are begun with from now on.

        network: with inputs and outputs like those of the one before
        Raises KeyError for a name without a model, ValueError where inputs or outputs differ, TypeError for anything
        but a network, ClosedError after `close`.
        """
        self._service(name).update(network, "update_model")

    def output(self, name: str, *inputs: Any, mask: Any = None, timeout: float | None = None, priority: int = 0) -> Any:
        """The outputs of a model for batches of its inputs; waits for them.

        inputs, mask, timeout, priority: as for `ParallelInference.output`, beside other requests for the same model
        Returns an array, or a tuple of arrays where there are several outputs; nobody else has them.
        Raises KeyError for a name without a model, and as `ParallelInference.output` does.
        """
        return self._service(name).output(inputs, mask, timeout, priority)

    def submit(
        self, name: str, *inputs: Any, mask: Any = None, timeout: float | None = None, priority: int = 0
    ) -> Future[Any]:
        """The same as a future.

        inputs, mask, timeout, priority: as for `ParallelInference.submit`
        Returns a Future.  Raises KeyError for a name without a model, and as `ParallelInference.submit` does.
        """
        return self._service(name).submit(inputs, mask, timeout, priority)

    async def aoutput(
        self, name: str, *inputs: Any, mask: Any = None, timeout: float | None = None, priority: int = 0
    ) -> Any:
        """The same for `await`; the task may be cancelled.

        inputs, mask, timeout, priority: as for `ParallelInference.submit`
        Returns and raises what `output` does.
        """
        return await asyncio.wrap_future(self._service(name).submit(inputs, mask, timeout, priority))

    def check_room(self, name: str) -> None:
        """Ask before a request is made ready, such as read from a body, whether it would be refused now.

        Raises QueueFullError where it would, which then counts as a refused request; KeyError for a name without a
        model.
        """
        service = self._service(name)
        self._team.check_room(service.queue)

    def statistics(self, name: str) -> ServiceStatistics:
        """What became of the requests for a model so far.

        Returns a ServiceStatistics.  Raises KeyError for a name without a model.
        """
        return self._service(name).statistics()

    def close(self, *, wait: bool = True) -> None:
        """Let the threads go, and refuse requests from now on; may be called any number of times.

        wait: for the requests that wait, else they fail with ClosedError
        Raises nothing.
        """
        self._team.close([service.queue for service in list(self._services.values())], wait=wait)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a model server belongs to this process and can be neither copied nor pickled; make another one there"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        self.close(wait=kind is None)

    def _service(self, name: str) -> ModelService:
        if (found := self._services.get(instance("ModelServer: name", name, str))) is None:
            self._team.check_open()
            raise UnknownModelError(f"there is no model {name!r}; models: {', '.join(self._services) or 'none'}")
        return found

    def _bytes_of(self, service: ModelService) -> int:
        snapshot, n_rows = service.snapshot, service.queue.settings.batch_limit
        return int(snapshot.n_bytes + self._team.n_threads * snapshot.working_bytes(n_rows))
