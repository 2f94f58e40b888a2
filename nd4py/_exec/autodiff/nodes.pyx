"""The tape's node of an array, and how often the array's memory has been written."""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray, new_view
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._core.lazy.deferred cimport (
    fields, is_array as is_on_host, is_deferred, materialized, new_tracked, unrecorded,
)

from ..._core.devices import backends

from contextvars import ContextVar

cdef dict known = backends
cdef object level = ContextVar("nd4py_batch_level", default=0)


def depth() -> int:
    """How many batches (`nd4py._exec.batching`) this thread is inside of."""
    return level.get()


def enter_batch() -> Any:
    """Note that the thread enters another batch; what `leave_batch` takes."""
    return level.set(level.get() + 1)


def leave_batch(token) -> None:
    """Note that it leaves the batch."""
    level.reset(token)


def is_array(x) -> TypeGuard[NDArray]:
    """Whether `x` is an array, on the host or elsewhere."""
    return is_on_host(x) or type(x) in known


def node_of(x) -> Any:
    """The node of an array, which stays deferred if it is; None for constants and for an argument that is not an
    array."""
    if is_on_host(x):
        return fields(x).node
    return x.node if type(x) in known else None


def own_node(x) -> Any:
    """As `node_of`, of the innermost tape alone: for an array of a batch, that of the function that it is inside of."""
    return fields(x).node if is_on_host(x) or type(x) in known else None


def is_watched_outside(x) -> bool:
    """Whether a tape outside of the batch that an array belongs to watches it."""
    return type(x) in known and known[type(x)].rules is not None and known[type(x)].rules.is_watched_outside(x)


def constant(x: NDArray) -> NDArray:
    """`x`, with its values, without its record on any tape: gradients do not flow through it."""
    if type(x) in known:
        return without_node(x) if known[type(x)].rules is None else known[type(x)].rules.constant(x)
    cdef NDArray array = materialized(x) if is_deferred(x) else x
    return unrecorded(array)


def without_node(x: NDArray) -> NDArray:
    """An array without its record on the innermost tape; what is deferred stays so."""
    if type(x) in known:
        return x if fields(x).node is None else known[type(x)].with_node(x, None)
    return unrecorded(x)


def alone(x: NDArray) -> NDArray:
    """`x`, with its values, as a constant for the innermost tape."""
    return without_node(x) if type(x) in known else constant(x)


def with_node(given, node) -> NDArray:
    """A view of `given` that carries `node`; a deferred one if `given` is deferred."""
    if type(given) in known:
        return known[type(given)].with_node(given, node)
    if is_deferred(given):
        return new_tracked(given, node)
    cdef NDArray x = given
    cdef NDArray view = new_view(x, x.data, x.info)
    view.node = node
    return view


def memory_of(given) -> Any:
    """What owns the memory of an array, the same for all that share it; None for an array that cannot be written."""
    if is_deferred(given):
        return given
    cdef ArrayBase x = given
    return None if x.readonly else owner_of(x)


def version_of(given) -> int:
    """How often the memory of an array has been written in place, as far as `mark_written` was told."""
    if type(given) in known and known[type(given)].rules is not None:
        return known[type(given)].rules.version_of(given)
    cdef ArrayBase x = <ArrayBase><PyObject*>given       # in layout, if it is deferred
    return owner_of(x).version
