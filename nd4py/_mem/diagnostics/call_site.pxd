from cpython.object cimport PyObject
from libc.stdint cimport uintptr_t
from nd4py._mem.pool.pool_guard cimport is_debugging

cdef extern from *:
    """
    /* Python 3.11 declares these two without C linkage, so C++ needs them under names of its own. */
    #include <stddef.h>
    #include <stdint.h>
    #ifdef __cplusplus
    #define ND_OF_C extern "C"
    #else
    #define ND_OF_C extern
    #endif
    ND_OF_C int trace_block(unsigned domain, uintptr_t block, size_t n_bytes) __asm__("PyTraceMalloc_Track");
    ND_OF_C int untrace_block(unsigned domain, uintptr_t block) __asm__("PyTraceMalloc_Untrack");
    """
    int trace_block(unsigned domain, uintptr_t block, size_t n_bytes)
    int untrace_block(unsigned domain, uintptr_t block)

cdef enum:
    DOMAIN = 0x6E6434                    # of nd4py in tracemalloc: "nd4"

cdef bint was_traced                     # whether tracemalloc ever knew of a block

cdef PyObject* calling_code(int* instruction)
cdef str call_site_of(PyObject* code, int instruction)
cdef int note_site(void* block) except -1


cdef inline int note_array(void* block, size_t n_bytes) except -1:
    """Tell tracemalloc, while it is tracing, and the debug mode who owns a block.  Call with the GIL."""
    global was_traced
    if trace_block(DOMAIN, <uintptr_t>block, n_bytes) == 0:
        was_traced = True
    return note_site(block) if is_debugging else 0


cdef inline void forget_array(void* block) noexcept:
    """The block is about to be freed."""
    if was_traced:
        untrace_block(DOMAIN, <uintptr_t>block)
