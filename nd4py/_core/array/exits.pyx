"""The check that refuses to hand out values of an array that is being differentiated.

Design: a number, bytes or another library's array has no gradient, and nd4py cannot know what becomes of it,
so it is an error to ask for one.  Texts for humans (`print`, `repr`, `format`) and truth (`if x > 0`) are no exits:
what they lead to is a constant in every framework.  Rejected: a warning, which a training loop hides.
"""

LOST: str = (
    "this array is being differentiated, and to take its values out of nd4py would lose the gradient; "
    "use nd4py's functions, or nd4py.stop_gradient(x) for the values as a constant"
)


cdef int leave_tape(object node) except -1:
    """To be called before the values of an array with this node, or None, are handed out.  Raises TypeError."""
    if node is not None:
        raise TypeError(LOST)
    return 0


cdef int leave_as_number(object x, object node, Py_ssize_t size, str kind) except -1:
    """The same where an array of this node and size becomes a number of Python's.  Raises TypeError unless it has one
    element."""
    leave_tape(node)
    if size != 1:
        raise TypeError(
            f"{kind}() needs an array of one element, given shape {x.shape}; take one of them, or all with x.tolist()"
        )
    return 0


def refuse_tracked(x: NDArray) -> None:
    """The same for an array.  Raises TypeError if it is being differentiated."""
    leave_tape(x.node)
