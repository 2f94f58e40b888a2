cdef extern from "strided_lines.h" nogil:
    cdef struct Lines:
        pass

    void join_lines(Lines* lines, int ndim, const Py_ssize_t* shape, const Py_ssize_t* first,
                    const Py_ssize_t* second) noexcept
