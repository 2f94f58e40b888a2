"""The operations of a pass run one by one, to find which of them makes NaN or infinity.

Design: the pass itself runs afterwards as ever, and only where none does.  So an error leaves the chain as it was: its
arrays stay deferred, and have their values where they are read when nothing is searched for any more.
"""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._core.lazy.chain cimport CONVERSION, Chain, Link, is_link_needed, line_of, name_of
from nd4py._core.observing.observers cimport resume, suspend
from nd4py._core.observing.panic cimport error_of, is_searching
from nd4py._exec.copying cimport convert, write
from nd4py._exec.dispatch.eager cimport run_row
from nd4py._exec.lazy.program_steps cimport Assembly
from nd4py._mem.workspace.scopes cimport get_current, make_current
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.reduce.reduce cimport run_reduce


cdef object failed_link(Chain chain, const Assembly* work):
    """The PanicError of the first operation of a pass that makes what is searched for, or None.

    Values lie in no workspace meanwhile, and nobody is told of the operations.
    """
    if not is_searching():
        return None
    cdef object current = <object>get_current() if get_current() != NULL else None
    cdef int before = suspend()
    make_current(None)
    try:
        return first_failure(chain, work)
    finally:
        make_current(current)
        resume(before)


cdef object first_failure(Chain chain, const Assembly* work):
    cdef list values = [None] * chain.n_values
    cdef const Link* link
    cdef tuple operands, results
    cdef int i, k
    for i in range(chain.n_links):
        link = &chain.links[i]
        if not is_link_needed(link, work.is_needed):
            continue
        operands = tuple([value_at(chain, values, link.operands[k]) for k in range(link.n_in)])
        results = computed(chain, link, operands)
        error = error_of(name_of(link), line_of(link), operands, results, link.op == CONVERSION)
        if error is not None:
            return error
        for k in range(link.n_out):
            values[link.result + k] = results[k]
        for k in range(link.n_in):
            if work.last_use[link.operands[k]] <= i:
                values[link.operands[k]] = None
    return None


cdef NDArray value_at(Chain chain, list values, int value):
    """A value as an array: a leaf, a scalar, or what a link has made."""
    cdef NDArray scalar
    if chain.values[value].leaf >= 0:
        return <NDArray>chain.leaves[chain.values[value].leaf]
    if chain.values[value].scalar < 0:
        return <NDArray>values[value]
    scalar = new_array(chain.values[value].number, 0, NULL)
    memcpy(scalar.data, chain.scalars[chain.values[value].scalar], scalar.info.itemsize)
    return scalar


cdef tuple computed(Chain chain, const Link* link, tuple operands):
    """The results of a link; those of reductions keep the reduced axes as 1."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef bint is_of_row = chain.values[link.result].is_of_row
    cdef int i
    if link.op == CONVERSION:
        return (convert(<NDArray>operands[0], link.loop_number),)
    if link.is_reduction:
        return (reduced(chain, link, <NDArray>operands[0]),)
    for i in range(chain.ndim):
        shape[i] = 1 if is_of_row and chain.first_reduced <= i < chain.end_reduced else chain.shape[i]
    results = run_row(link.op, operands, &chain.params[link.first_param] if link.n_params else NULL, None,
                      link.loop_number, chain.ndim, shape)
    return results if link.n_out > 1 else (results,)


cdef NDArray reduced(Chain chain, const Link* link, NDArray x):
    cdef bint is_reduced[MAX_NDIM]
    cdef Py_ssize_t kept[MAX_NDIM]
    cdef int ndim = 0, i
    cdef NDArray whole = new_array(link.loop_number, chain.ndim, chain.shape), y
    write(whole, x)
    for i in range(chain.ndim):
        is_reduced[i] = chain.first_reduced <= i < chain.end_reduced
        if not is_reduced[i]:
            kept[ndim] = chain.shape[i]
            ndim += 1
    y = new_array(chain.values[link.result].number, ndim, kept)
    run_reduce(<const ReduceLoops*>loops.rows[link.op][link.loop_number], whole, link.loop_number, is_reduced, y)
    return y.reshape(tuple([1 if is_reduced[i] else chain.shape[i] for i in range(chain.ndim)]))
