"""The error of an operation that makes NaN or infinity while that is forbidden."""

from __future__ import annotations


class PanicError(FloatingPointError):
    """An operation made NaN or infinity while `nd.set_panic` forbids it, or passed on what an operand had before.

    operation: its name    line: of the program that called it    index: of the first such element    value: its value;
    of a complex number the part that is not finite
    Notes say which layer of a network it was, and whether it was in the backward pass.

    >>> with nd.panic("any"):
    ...     try:
    ...         nd.log(nd.asarray([1.0, 0.0]))
    ...     except nd.PanicError as error:
    ...         print(error.operation, error.index, error.value)
    log (1,) -inf
    """

    operation: str = ""
    line: str = ""
    index: tuple[int, ...] = ()
    value: float = 0.0
