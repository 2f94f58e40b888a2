"""The arrays that a chain writes, and the memory they get.

A leaf that only the chain still holds, and that no link reads later, lends its memory to an output: `x = x + 1` needs
none.  It has to lie where new arrays get theirs, so that results made in a workspace belong to it.
"""

from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray, new_from_info
from nd4py._exec.assembly cimport Assembly
from nd4py._exec.chain cimport Chain, Link, origin_of
from nd4py._mem.workspace cimport would_hold

from .._core.hooks import type_name

cdef extern from *:
    Py_ssize_t references "Py_REFCNT"(PyObject* item)

cdef enum:
    LOCAL_REFERENCES = 1                 # that the functions here hold of a leaf while they look at it


cdef void choose_outputs(Chain chain, Assembly* work, int without_value) noexcept:
    """The outputs that somebody holds, but for the arrays of one value."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL and chain.outputs[i].value != without_value:
            work.outputs[work.n_outputs] = i
            work.n_outputs += 1


cdef list held_arrays(Chain chain, const Assembly* work):
    """The arrays of the outputs, which so live until they are written.  Raises for a leaf that lost its memory."""
    cdef int i
    for i in range(work.n_leaves):
        leaf = <object>chain.leaves[chain.values[work.leaves[i]].leaf]
        if type(leaf) is not NDArray:
            type_name(leaf)
    return [<object>chain.outputs[work.outputs[i]].array for i in range(work.n_outputs)]


cdef list memory_for(Chain chain, Assembly* work, list arrays):
    """For each output an array whose memory it will have: a new one, or a leaf that nobody needs any more."""
    cdef list memory = []
    cdef NDArray array
    cdef int i
    try:
        for i in range(work.n_outputs):
            array = <NDArray><PyObject*>arrays[i]
            leaf = donor_for(chain, work, i, array)
            memory.append(new_from_info(array.number, array.info) if leaf is None else leaf)
    except MemoryError as error:
        raise MemoryError(f"{error}; the operation was {origin_of(maker_of(chain, work, i))}") from None
    return memory


cdef const Link* maker_of(Chain chain, const Assembly* work, int i) noexcept:
    """The link behind an output."""
    return &chain.links[chain.values[chain.outputs[work.outputs[i]].value].link]


cdef object donor_for(Chain chain, const Assembly* work, int i, NDArray array):
    """A leaf of the layout of output i that only the chain holds and that no link reads once that output is written."""
    cdef int k, value = chain.outputs[work.outputs[i]].value
    cdef NDArray leaf
    for k in range(work.n_leaves):
        leaf = <NDArray>chain.leaves[chain.values[work.leaves[k]].leaf]
        if (leaf.info is array.info and leaf.number == array.number and is_free(leaf)
                and work.last_use[work.leaves[k]] <= chain.values[value].link
                and work.place[value] == work.n_leaves + i):
            return leaf
    return None


cdef bint is_free(NDArray leaf) noexcept:
    """Whether a chain alone holds an array and its memory, and that lies where a new array's would."""
    return (references(<PyObject*>leaf) == 1 + LOCAL_REFERENCES and (leaf.block != NULL or leaf.tenancy != NULL)
            and would_hold(leaf.tenancy) and not leaf.is_view and leaf.n_views == 0 and leaf.n_exports == 0
            and leaf.n_shares == 0 and leaf.n_readers == 1 and not leaf.readonly)
