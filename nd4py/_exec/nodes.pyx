"""An array's place on the tape: the node it carries, and how often its memory has been written."""

from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray, new_view, owner_of
from nd4py._core.pending cimport is_pending, settled

from .._core.devices import backends

cdef dict known = backends


def is_array(x):
    """Whether `x` is an array, on the host or elsewhere."""
    return type(x) is NDArray or is_pending(x) or type(x) in known


def node_of(x):
    """The node of an array, None for constants and for what is no array."""
    if type(x) is NDArray:
        return (<NDArray>x).node
    return x.node if is_pending(x) or type(x) in known else None


def constant(x):
    """`x` without its record on the tape: gradients do not flow through it."""
    if type(x) in known:
        return x if x.node is None else known[type(x)].with_node(x, None)
    cdef NDArray array = settled(x) if is_pending(x) else x
    return x if array.node is None else new_view(array, array.data, array.info)


def with_node(given, node):
    """A view of `given` that carries `node`."""
    if type(given) in known:
        return known[type(given)].with_node(given, node)
    cdef NDArray x = settled(given) if is_pending(given) else given
    cdef NDArray view = new_view(x, x.data, x.info)
    view.node = node
    return view


def version_of(given):
    """How often the memory of an array has been written in place."""
    if type(given) in known:
        return known[type(given)].version_of(given)
    cdef NDArray x = <NDArray><PyObject*>given           # in layout, if it is pending
    return x.version if is_pending(given) else owner_of(x).version


cpdef void mark_written(NDArray array) noexcept:
    """Count an in-place write, so that the tape can tell that a value it kept has changed."""
    cdef NDArray owner = owner_of(array)
    owner.version += 1
