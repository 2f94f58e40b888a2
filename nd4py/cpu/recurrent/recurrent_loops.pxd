# Made from recurrent_loops.h by the build (nd4py/_spec/render/loop_headers.py); change that.
from libc.stddef cimport ptrdiff_t

cdef extern from "recurrent_loops.h" nogil:
    enum:
        RECURRENT_OPERANDS
        RECURRENT_ROWS

    cdef struct Recurrence:
        ptrdiff_t batch, length, units, gates
        ptrdiff_t option
        ptrdiff_t packed_bytes
        ptrdiff_t scratch_bytes
        char* operands[16]

    ctypedef void (*RecurrentRun)(const Recurrence* call, const char* packed, char* scratch, ptrdiff_t first,
                                  ptrdiff_t end, ptrdiff_t first_step, ptrdiff_t end_step) noexcept nogil

    cdef struct RecurrentLoop:
        void (*plan)(Recurrence* call) noexcept nogil
        void (*pack)(const Recurrence* call, char* packed) noexcept nogil
        RecurrentRun run

    cdef struct RecurrentLoops:
        RecurrentLoop forward[3]
        RecurrentLoop gradient[3]
