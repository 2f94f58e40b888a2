"""What `ParallelWrapper.fit` needs to go on from a checkpoint: its batches, and what its workers have of their own."""

import base64
from typing import Any

from nd4py import api as nd
from nd4py.data import AsyncDataSetIterator, DataSetIterator
from nd4py.nn.fitting.sources import GivenBatches


class BatchesAhead(GivenBatches):
    """Batches of an iterable that does not know its place, read ahead in another thread."""

    def __init__(self, batches, queue_size):
        super().__init__(batches)
        self._queue_size = queue_size

    def batches(self, epoch, start):
        return AsyncDataSetIterator(super().batches(epoch, start), self._queue_size)


def batches_ahead(iterator, queue_size):
    """A source of what an iterator yields, read ahead where that is allowed and leaves the place known."""
    if not queue_size or not getattr(iterator, "async_supported", True):
        return GivenBatches(iterator)
    if isinstance(iterator, DataSetIterator):
        return GivenBatches(AsyncDataSetIterator(iterator, queue_size))
    knows_its_place = callable(getattr(iterator, "state", None)) and callable(getattr(iterator, "set_state", None))
    return GivenBatches(iterator) if knows_its_place else BatchesAhead(iterator, queue_size)


class WorkersState:
    """What the workers of a wrapper have that its model has not, as a checkpoint holds it: it is one of its listeners.

    settings: of the wrapper, on which the result depends    has_own_updaters: whether each worker has its own state
    """

    def __init__(self, settings, *, has_own_updaters):
        self._settings, self._has_own_updaters = settings, has_own_updaters
        self._team: Any = []
        self._saved: Any = None

    def state(self):
        """What is in a checkpoint beside the model, which is the first worker's."""
        models = [worker.model for worker in self._team]
        return {
            "settings": self._settings,
            "scales": [[model.loss_scale, model.n_finite_steps] for model in models],
            "updaters": [text_of(model.updater_state()) for model in models] if self._has_own_updaters else None,
            "exchanges": [getattr(worker.exchange, "state", dict)() for worker in self._team],
        }

    def set_state(self, state):
        """Take over what is in a checkpoint.  Raises ValueError for that of a wrapper with other settings."""
        if state["settings"] != self._settings:
            raise ValueError(
                f"ParallelWrapper.fit: resume_from has a training with {state['settings']}, and this wrapper has "
                f"{self._settings}; go on with the same"
            )
        self._saved = state

    def give_to(self, team):
        """Give a team, whose models are all equal to the first one, what was taken over; `state` is of it from now."""
        self._team, saved = team, self._saved
        if saved is None:
            return
        for worker, (loss_scale, n_finite_steps) in zip(team, saved["scales"], strict=True):
            worker.model.adopt(loss_scale=loss_scale, n_finite_steps=n_finite_steps)
        for worker, exchange in zip(team, saved["exchanges"], strict=True):
            if exchange:
                worker.exchange.set_state(exchange)
        for worker, text in zip(team, saved["updaters"] or (), strict=False):
            if text is not None:
                worker.model.set_updater_state(vector_of(text))


def text_of(vector):
    """A vector as JSON can hold it: its dtype and its bytes; None for none."""
    if vector is None:
        return None
    host = nd.asarray(vector, device="cpu")
    return [host.dtype.name, base64.b64encode(host.tobytes()).decode()]


def vector_of(text):
    """The vector that `text_of` was given."""
    name, content = text
    return nd.frombuffer(bytearray(base64.b64decode(content)), dtype=name)
