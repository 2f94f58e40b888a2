"""Listeners of a model that others train: called once for all of them, and not by each replica.

Design: gradients and the outputs of layers are there in the middle of a step alone.  So the model tells them itself,
from the thread that trains it, while the caller waits for the end of the round; its replicas have no listeners.
"""

from contextlib import contextmanager
from functools import partial

EVENTS_IN_STEPS = ("on_forward_pass", "on_gradient_calculation")


class InSteps:
    """What a model tells in the middle of its steps, for those of the listeners that want it then."""

    def __init__(self, listeners):
        self._listeners = listeners

    def __getattr__(self, event):
        if event in EVENTS_IN_STEPS and any(hasattr(listener, event) for listener in self._listeners):
            return partial(tell, self._listeners, event)
        raise AttributeError(event)


@contextmanager
def quiet(model, *, tells_of_steps=False):
    """Take the model's listeners for the time of the training, to call them by `tell`.

    tells_of_steps: whether the model, which is trained too, tells them itself what is in the middle of its steps
    """
    listeners = model.listeners
    has_any = any(hasattr(type(each), event) or hasattr(each, event) for each in listeners for event in EVENTS_IN_STEPS)
    model.listeners = [InSteps([*listeners])] if tells_of_steps and has_any else []
    try:
        yield list(listeners)
    finally:
        model.listeners = listeners


@contextmanager
def listened_to(model, listeners):
    """A model with these listeners, for those who ask it for them."""
    before, model.listeners = model.listeners, [*listeners]
    try:
        yield
    finally:
        model.listeners = before


def tell(listeners, event, *details):
    """Call each listener that has a method of this name."""
    for listener in listeners:
        if (react := getattr(listener, event, None)) is not None:
            react(*details)
