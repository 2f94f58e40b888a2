"""An array's place on the tape: the node it carries, and how often its memory has been written."""

from nd4py._core.array cimport NDArray, new_view, owner_of


def constant(NDArray x):
    """`x` without its record on the tape: gradients do not flow through it."""
    return x if x.node is None else new_view(x, x.data, x.info)


def with_node(NDArray x, node):
    """A view of `x` that carries `node`."""
    cdef NDArray view = new_view(x, x.data, x.info)
    view.node = node
    return view


def version_of(NDArray x):
    """How often the memory of `x` has been written in place."""
    return owner_of(x).version


cpdef void mark_written(NDArray array) noexcept:
    """Count an in-place write, so that the tape can tell that a value it kept has changed."""
    cdef NDArray owner = owner_of(array)
    owner.version += 1
