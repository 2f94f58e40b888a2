"""Listeners of a model that others train: called once for all of them, and not by each replica."""

from contextlib import contextmanager


@contextmanager
def quiet(model):
    """Take the model's listeners for the time of the training, to call them by `tell`."""
    listeners, model.listeners = model.listeners, []
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
