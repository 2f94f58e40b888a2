"""Deferred arrays whose operands are gone, so that they can never have values.

Design: such an array leaves its chain and becomes a released one with an error of its own.  Every use of it raises that
error.  The chain's other arrays, and the call that made the chain run, do not.
"""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray
from nd4py._core.array.released cimport fail_array
from nd4py._core.lazy.chain cimport Chain, drop_output, origin_of, sources_of

from ..._core.array.released import type_name
from ..._mem.errors import WorkspaceError


cdef object same_error(object error, str words):
    """An error of the same type with another text and no traceback, so that it keeps nothing alive."""
    for kind in (WorkspaceError, MemoryError, OSError, ValueError):
        if isinstance(error, kind):
            return kind(words)
    return RuntimeError(words)


cdef int fail_readers(Chain chain, int leaves, object error) except -1:
    """The arrays that are made of some leaves, a bit for each, fail with an error."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL and sources_of(chain, chain.outputs[i].value) & leaves:
            fail(chain, i, error)
    return 0


cdef int fail_all(Chain chain, object error) except -1:
    """All arrays of a chain fail with an error."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            fail(chain, i, error)
    return 0


cdef int fail(Chain chain, int output, object error) except -1:
    """An array fails with an error, which names the operation then."""
    cdef PyObject* array = chain.outputs[output].array
    error = told(chain, output, error)
    drop_output(chain, output)
    return fail_array(array, error)


cdef object told(Chain chain, int output, object error):
    """The error that kept an output from its values; it says where the operation was called."""
    cdef int link = chain.values[chain.outputs[output].value].link
    return same_error(error, f"{error}; the operation was {origin_of(&chain.links[link])}" if link >= 0 else str(error))


cdef int fail_lost(Chain chain) except -1:
    """The arrays fail that are made of what was released meanwhile."""
    cdef int i
    for i in range(chain.n_leaves):
        leaf = <object>chain.leaves[i]
        if type(leaf) is not NDArray:
            try:
                type_name(leaf)
            except Exception as error:
                fail_readers(chain, 1 << i, error)
    return 0


cdef int fail_spoiled(Chain chain, list memory) except -1:
    """A pass was broken off: the arrays fail that are made of leaves whose memory it had begun to write."""
    cdef int i, leaves = 0
    for i in range(chain.n_leaves):
        for array in memory:
            if <PyObject*>array == chain.leaves[i]:
                leaves |= 1 << i
    if leaves:
        fail_readers(chain, leaves, RuntimeError("its operation was interrupted while it wrote over an operand"))
    return 0
