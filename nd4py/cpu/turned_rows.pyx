"""A transposed matrix copied row after row, so that the elements of each row are neighbours."""

from cython.parallel cimport prange
from nd4py._core.threads cimport acquire_threads_for, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport PlaneLoop, loops

cdef enum:
    BAND = 32                            # rows of one task: two cache lines of single precision

cdef double COPY = 0.15                  # nanoseconds of one element on one thread


cdef void turn_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                    char* to) noexcept nogil:
    """to[i][j] = x[i][j], of elements of 4 or 8 bytes."""
    cdef PlaneLoop loop = loops().planes[2 if itemsize == 4 else 3]
    cdef Py_ssize_t n_bands = (n_rows + BAND - 1) // BAND, band, row_bytes = n_columns * itemsize
    cdef int n_threads = acquire_threads_for(n_bands, n_rows * n_columns * COPY), home = current_core()
    for band in prange(n_bands, num_threads=n_threads, schedule="static"):
        leave_core(home)
        loop(x.data + band * BAND * x.row_stride, x.row_stride, x.column_stride, to + band * BAND * row_bytes,
             row_bytes, itemsize, min(<Py_ssize_t>BAND, n_rows - band * BAND), n_columns)
    release_threads(n_threads)
