"""Passes over memory as observers are told of them: one operation that names those of the program."""

from nd4py._core.lazy.chain cimport Chain, Link, is_link_needed, line_of, name_of
from nd4py._core.observing.observers cimport CHAIN, Operation, begun
from nd4py._exec.lazy.program_steps cimport Assembly


cdef Operation begun_pass(Chain chain, const Assembly* work, str reduction):
    """The pass as an operation that observers are told of, or None: its parts are the operations of the program.

    reduction: the name of one that reduces what the pass makes, or None
    """
    cdef list parts = []
    cdef const Link* link
    cdef Operation operation
    cdef int i
    for i in range(chain.n_links):
        link = &chain.links[i]
        if is_link_needed(link, work.is_needed):
            parts.append((name_of(link), line_of(link)))
    operation = begun(CHAIN, "")
    if operation is None:
        return None
    if reduction is not None:
        parts.append((reduction, operation.line))
    operation.parts = tuple(parts)
    operation.name = "+".join([name for name, _ in parts])
    return operation


cdef tuple leaves_read(Chain chain, const Assembly* work):
    """The arrays that a pass has read."""
    return tuple([<object>chain.leaves[chain.values[work.leaves[k]].leaf] for k in range(work.n_leaves)])
