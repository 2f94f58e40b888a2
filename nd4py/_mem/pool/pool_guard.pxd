cdef bint is_debugging                   # ND4PY_DEBUG_MEMORY=1 when nd4py was imported

cdef void set_site(void* block, const char* site) noexcept nogil
