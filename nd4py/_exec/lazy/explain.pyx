"""The program of a deferred array, as data that can be printed or drawn."""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.chain cimport Chain
from nd4py._core.lazy.deferred_program cimport described
from nd4py._core.lazy.deferred cimport is_deferred, unrecorded
from nd4py._exec.lazy.assembly cimport assemble
from nd4py._exec.lazy.program_steps cimport Assembly


def deferred_program(x: NDArray) -> dict[str, Any] | None:
    """What will run when a value of `x` is read, as `nd4py._core.lazy.deferred_program` describes it; None when `x`
    has its values.

    tile: elements of a tile    registers: tiles beside the operands
    """
    if is_deferred(x):
        x = unrecorded(x)
    if not is_deferred(x):
        return None
    cdef Chain chain = <Chain>(<NDArray><PyObject*>x).chain
    cdef Assembly work
    cdef int i
    work.n_outputs = 0
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            work.outputs[work.n_outputs] = i
            work.n_outputs += 1
    assemble(chain, &work, -1)
    return described(chain, {"tile": work.program.tile, "registers": work.program.n_registers})
