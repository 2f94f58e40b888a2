"""Commit: several arrays and a dictionary changed as a whole or not at all, whatever interrupts the thread.

Design: signal handlers and exceptions sent from other threads run between two instructions of Python, so never inside
a compiled function.  What can fail comes first: values that are deferred, readers that must run before their memory is
written, checks, copies of what overlaps.  Then nothing can fail, and no Python runs until all is written.  Rejected: a
log of what was there before, which something else may interrupt while it is played back.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport is_deferred, materialized
from nd4py._exec.copying cimport check_writable, convert, overlaps, write


def commit(
    tuple targets: tuple[NDArray, ...],
    tuple sources: tuple[NDArray, ...],
    dict entries: dict[str, Any],
    dict changes: dict[str, Any],
) -> None:
    """Copy each source into its target and put `changes` into `entries`: done or not done.

    targets, sources: arrays of equal shapes and dtypes on the host, targets apart from each other
    changes: new values for keys that `entries` has
    Raises TypeError, ValueError and KeyError for others, MemoryError, errors of operations that were deferred; nothing
    has changed then.
    """
    cdef Py_ssize_t i, k
    cdef list ready = []
    if len(targets) != len(sources):
        raise ValueError(f"commit: {len(targets)} targets for {len(sources)} sources")
    for i in range(len(targets)):
        ready.append(checked(targets[i], sources[i]))
    for k in range(len(ready)):
        for i in range(len(targets)):            # written before it is read
            if i != k and overlaps(ready[k], targets[i]) or ready[k] is targets[i]:
                ready[k] = convert(ready[k], (<NDArray>ready[k]).number)
    for key in changes:
        if key not in entries:
            raise KeyError(f"commit: nothing is called {key!r} yet")
    for i in range(len(targets)):
        check_writable("commit", targets[i])     # a copy above may have been put in front of readers: look again
    for i in range(len(targets)):
        write(<NDArray>targets[i], ready[i])
    entries.update(changes)


cdef NDArray checked(object target, object source):
    """The source with its values, apart from the target.  Raises for what cannot be copied as it is."""
    if is_deferred(source):
        source = materialized(source)
    if is_deferred(target):
        target = materialized(target)
    if type(target) is not NDArray or type(source) is not NDArray:
        raise TypeError(f"commit: arrays on the host are needed, given {type(target)} and {type(source)}")
    cdef NDArray y = <NDArray>target
    cdef NDArray x = <NDArray>source
    if x.number != y.number or x.shape != y.shape:
        raise ValueError(f"commit: {x.dtype} of shape {x.shape} cannot become {y.dtype} of shape {y.shape}")
    if x.node is not None or y.node is not None:
        raise ValueError("commit: gradients do not flow through what is written in place; use nd4py.stop_gradient(x)")
    check_writable("commit", y)
    return convert(x, x.number) if overlaps(x, y) else x
