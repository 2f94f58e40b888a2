"""Inferences: computed at once where that is quick, else in their turn, and given up when nobody waits for them.

Design: to hand a request to another thread, and its answer back, takes 0.1 ms when nothing else goes on, and longer
when the event loop is busy, for only one thread runs Python at a time.  A model that computes an example in less than
half a millisecond is therefore asked by the event loop itself: a client of a LeNet then waits half as long, and eight
clients get a fifth more answers (`--no-warm-up` measures the other way).  Not so while other models compute, or a
quick one would wait for a slow one, and everybody with it.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from nd4py import api as nd
from nd4py.parallel import ClosedError, ModelServer, QueueFullError

from .http_errors import HttpError, bad_request, busy
from .http_requests import ClientGoneError, HttpRequest
from .inference_requests import InferenceRequest
from .serve_settings import Settings
from .served_models import ServedModel

# A request that takes longer is watched: the client may go, or its time may be over.  To watch costs 50 us.
UNWATCHED_SECONDS = 5e-3
# What operations raise about inputs that do not fit: wrong shapes and dtypes, indices that are out of range.
WRONG_INPUTS = (ValueError, TypeError, IndexError, OverflowError, NotImplementedError, ArithmeticError)


class Scheduler:
    """Asks a ModelServer for answers; only from the event loop."""

    def __init__(self, server: ModelServer, settings: Settings):
        self._server, self._settings = server, settings
        self._in_turn: set[Any] = set()  # handed over, and not computed yet, whether or not somebody waits

    def check_room(self, model: ServedModel) -> None:
        """Raises HttpError where a request for a model would be refused now, before anybody reads what it says."""
        try:
            self._server.check_room(model.name)
        except QueueFullError as error:
            raise full(model, error) from None
        except KeyError:
            raise gone(model) from None

    async def infer(self, model: ServedModel, asked: InferenceRequest, request: HttpRequest) -> Any:
        """The outputs of a model.

        Raises HttpError for inputs that do not fit, where too many wait, and after its time; ClientGoneError.
        """
        most = self._settings.max_seconds
        seconds = most if asked.seconds is None else min(asked.seconds, most)
        try:
            if not self._in_turn and sum([x.size for x in asked.inputs]) <= model.quick_elements:
                with nd.threads(1):  # to wake others takes longer than they would help
                    return self._server.output(model.name, *asked.inputs, timeout=seconds)
            return await self._computed_in_turn(model.name, asked.inputs, seconds, request)
        except QueueFullError as error:
            raise full(model, error) from None
        except (ClosedError, KeyError):
            raise gone(model) from None
        except TimeoutError:
            raise HttpError(504, f"model {model.name!r} did not answer within {seconds:g} seconds") from None
        except MemoryError as error:
            raise HttpError(413, f"model {model.name!r}: {error}") from None
        except WRONG_INPUTS as error:
            raise bad_request(f"model {model.name!r}: {error}") from error

    async def _computed_in_turn(self, name: str, inputs: Any, seconds: float, request: HttpRequest) -> Any:
        """The outputs, after those of whoever came before.

        Raises TimeoutError, ClientGoneError, and what the model server raises.
        """
        deadline = time.perf_counter() + seconds
        loop = asyncio.get_running_loop()
        future = self._server.submit(name, *inputs, timeout=seconds)
        self._in_turn.add(future)
        future.add_done_callback(self._in_turn.discard)
        outputs = asyncio.wrap_future(future, loop=loop)
        watch = Watch(request, outputs, deadline)
        timer = loop.call_later(min(UNWATCHED_SECONDS, seconds), watch.begin)
        try:
            return await outputs
        except asyncio.CancelledError:
            if watch.error is not None:
                raise watch.error from None
            raise
        finally:
            timer.cancel()
            watch.end()


def full(model: ServedModel, error: QueueFullError) -> HttpError:
    """The answer where too many wait."""
    return busy(f"model {model.name!r}: {error}")


def gone(model: ServedModel) -> HttpError:
    """The answer where nothing computes the model any more."""
    return busy(f"model {model.name!r} was unloaded, or the server is about to end")


class Watch:
    """Cancels a future when its client has gone, or its time is over; `error` then says which."""

    def __init__(self, request: HttpRequest, future: asyncio.Future[Any], deadline: float):
        self._request, self._future, self._deadline = request, future, deadline
        self._task: asyncio.Task[None] | None = None
        self.error: Exception | None = None

    def begin(self) -> None:
        """Begin to watch."""
        self._task = asyncio.get_running_loop().create_task(self._wait())

    def end(self) -> None:
        """Watch no longer."""
        if self._task is not None:
            self._task.cancel()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(max(0.0, self._deadline - time.perf_counter())):
                await self._request.until_gone()
            self.error = ClientGoneError()
        except TimeoutError:
            self.error = TimeoutError()
        self._future.cancel()
