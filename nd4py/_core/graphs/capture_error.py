"""The error of a function that no graph can hold."""


class CaptureError(RuntimeError):
    """A function does something that a graph cannot repeat; the message names the line, and what to do instead.

    >>> try:
    ...     nd.capture(lambda x: x * float(nd.sum(x)), nd.ones(3))
    ... except nd.CaptureError:
    ...     print("a value is read")
    a value is read
    """
