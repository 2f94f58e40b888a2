"""Copies of transposed matrices, row after row."""

from nd4py.cpu.isa.isa cimport StridedCopyLoop, loops
from nd4py.cpu.parallel.tasks cimport share_by_time

cdef enum:
    BAND = 32                            # rows of one task: two cache lines of single precision

cdef double COPY_NS = 0.15               # nanoseconds of one element on one thread

cdef struct Transpose:
    StridedCopyLoop loop
    const StridedMatrix* x
    Py_ssize_t n_rows, n_columns, itemsize
    char* to


cdef void transpose_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                         char* to) noexcept nogil:
    """to[i][j] = x[i][j], of elements of 4 or 8 bytes."""
    cdef StridedCopyLoop loop = loops.strided_copies[2 if itemsize == 4 else 3]
    cdef Transpose task = Transpose(loop, x, n_rows, n_columns, itemsize, to)
    cdef Py_ssize_t n_bands = (n_rows + BAND - 1) // BAND
    share_by_time(transpose_band, &task, n_bands, n_rows * n_columns * COPY_NS)


cdef void transpose_band(void* work, Py_ssize_t band) noexcept nogil:
    cdef const Transpose* task = <const Transpose*>work
    cdef const StridedMatrix* x = task.x
    cdef Py_ssize_t first = band * BAND, row_bytes = task.n_columns * task.itemsize
    task.loop(x.data + first * x.row_stride, x.row_stride, x.column_stride, task.to + first * row_bytes, row_bytes,
              task.itemsize, min(<Py_ssize_t>BAND, task.n_rows - first), task.n_columns)
