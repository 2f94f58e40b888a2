from cpython.object cimport PyObject


cdef struct Scratch:
    # Memory of a kernel while it runs.
    char* data
    size_t n_bytes
    size_t start                         # in the arena
    PyObject* workspace                  # borrowed; NULL where the memory is the pool's

cdef bint borrow_scratch(size_t n_bytes, Scratch* scratch) noexcept
cdef void return_scratch(Scratch* scratch) noexcept
