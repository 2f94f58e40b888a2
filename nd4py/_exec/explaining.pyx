"""What a pending array waits for, as data that can be printed or drawn."""

from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray
from nd4py._core.chains.chain cimport CONVERSION, Chain, kept_bytes, origin_of
from nd4py._core.chains.hazards cimport n_deferred
from nd4py._core.pending cimport is_pending, unrecorded
from nd4py._core.shape cimport intern_contiguous
from nd4py._exec.assembly cimport Assembly, assemble, is_link_needed

from .._mem.statistics import pending_reports
from .._spec.dtypes import DTYPES
from .._spec.ops import ALL


def pending_program(x: NDArray) -> dict[str, Any] | None:
    """What will run when somebody looks at `x`, as a dict; None when `x` has its values.

    shape: of all values    tile: elements of a tile    registers: tiles beside the operands
    leaves: (name, dtype, shape) of the arrays that are read
    steps: (result, operation, operands, dtype, where it was called) in order, operands being names or scalars
    outputs: names of the values that are written    dropped: operations whose results nobody holds
    """
    if is_pending(x):
        x = unrecorded(x)
    if not is_pending(x):
        return None
    cdef Chain chain = <Chain>(<NDArray><PyObject*>x).chain
    cdef Assembly work
    cdef int i, k
    work.n_outputs = 0
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            work.outputs[work.n_outputs] = i
            work.n_outputs += 1
    assemble(chain, &work, -1)
    names = {}
    for i in range(chain.n_values):
        if chain.values[i].leaf >= 0:
            names[i] = f"leaf{chain.values[i].leaf}"
        elif chain.values[i].scalar >= 0:
            names[i] = scalar_of(chain, i)
    steps, dropped = [], 0
    for i in range(chain.n_links):
        made = [chain.links[i].result + k for k in range(chain.links[i].n_out)]
        if not is_link_needed(&work, &chain.links[i]):
            dropped += 1
            continue
        for value in made:
            names[value] = f"v{value}"
        op = chain.links[i].op
        steps.append((
            ", ".join([names[value] for value in made]),
            "convert" if op == CONVERSION else ALL[op].name,
            [names[chain.links[i].operands[k]] for k in range(chain.links[i].n_in)],
            DTYPES[chain.values[made[0]].number].name,
            origin_of(&chain.links[i]).partition(" in ")[2],
        ))
    leaves = [<object>chain.leaves[chain.values[work.leaves[i]].leaf] for i in range(work.n_leaves)]
    return {
        "shape": tuple([chain.shape[i] for i in range(chain.ndim)]),
        "tile": work.program.tile,
        "registers": work.program.n_registers,
        "leaves": [(names[work.leaves[i]], str(leaf.dtype), leaf.shape) for i, leaf in enumerate(leaves)],
        "steps": steps,
        "outputs": [names[chain.outputs[work.outputs[i]].value] for i in range(work.n_outputs)],
        "dropped": dropped,
    }


def pending_counts() -> tuple[int, int]:
    """(bytes that operations which were put off will read, results of these that somebody holds), of all threads."""
    return kept_bytes[0], n_deferred(-1)


cdef str scalar_of(Chain chain, int value):
    """A scalar as people write it."""
    cdef NDArray element = NDArray.__new__(NDArray)
    element.data = <char*>chain.scalars[chain.values[value].scalar]
    element.info = intern_contiguous(DTYPES[chain.values[value].number].itemsize, 0, NULL)
    element.number = chain.values[value].number
    return repr(element.item())


pending_reports[:] = [pending_counts]
