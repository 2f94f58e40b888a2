from nd4py._core.array cimport NDArray
from nd4py._exec.chain cimport Chain
from nd4py.cpu.isa cimport ReduceLoops

cdef enum:
    ANY = -1                             # of the outputs

# Since the start of the process.
cdef struct Counts:
    long long queued                     # operations that were put off
    long long launched                   # passes over memory that ran some
    long long combined                   # operations that shared a pass with others
    long long passes_saved
    long long bytes_saved                # that would have been read and written one by one

cdef Counts counts

cdef object launch(Chain chain, int first)
cdef int launch_reduced(Chain chain, int value, bint is_kept, NDArray virtual, const ReduceLoops* reduce_loops,
                        const bint* is_reduced, NDArray y) except -1
cdef void wait_for(Chain chain) noexcept
