cdef enum Worker:
    BY_LOOP, BY_BLAS, BY_INTEGERS

cdef Py_ssize_t block_rows(Py_ssize_t m, Py_ssize_t row_bytes) noexcept nogil
cdef bint leaves_no_room(Py_ssize_t n_bytes) noexcept nogil
cdef void choose_pieces(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Worker worker, Py_ssize_t* n_rows,
                        Py_ssize_t* n_columns) noexcept nogil
