# Made from attention_loops.h by the build (nd4py/_spec/render/loop_headers.py); change that.
from libc.stddef cimport ptrdiff_t

cdef extern from "attention_loops.h" nogil:
    enum:
        ATTENTION_OPERANDS
        ATTENTION_AXES

    cdef struct Attention:
        ptrdiff_t batch, heads, n_queries, n_keys, size, value_size
        ptrdiff_t n_parts
        bint is_causal
        double scale
        ptrdiff_t scratch_bytes
        ptrdiff_t mask_step
        ptrdiff_t strides[27]
        char* operands[10]

    cdef struct AttentionLoop:
        void (*plan)(Attention* call) noexcept nogil
        void (*run)(const Attention* call, char* scratch, ptrdiff_t task) noexcept nogil

    cdef struct AttentionLoops:
        AttentionLoop forward, gradient
