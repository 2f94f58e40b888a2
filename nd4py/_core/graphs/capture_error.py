"""The error of a function that no graph can hold."""


class CaptureError(RuntimeError):
    """A function does something that a graph cannot repeat; the message names the line, and what to do instead."""
