"""A transposed matrix copied row after row, so that the elements of each row are neighbours."""

from nd4py.cpu.isa.isa cimport PlaneLoop, loops
from nd4py.cpu.parallel.tasks cimport share_by_time

cdef enum:
    BAND = 32                            # rows of one task: two cache lines of single precision

cdef double COPY = 0.15                  # nanoseconds of one element on one thread

cdef struct Turn:
    PlaneLoop loop
    const StridedMatrix* x
    Py_ssize_t n_rows, n_columns, itemsize
    char* to


cdef void turn_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                    char* to) noexcept nogil:
    """to[i][j] = x[i][j], of elements of 4 or 8 bytes."""
    cdef Turn turn = Turn(loops().planes[2 if itemsize == 4 else 3], x, n_rows, n_columns, itemsize, to)
    cdef Py_ssize_t n_bands = (n_rows + BAND - 1) // BAND
    share_by_time(turn_band, &turn, n_bands, n_rows * n_columns * COPY)


cdef void turn_band(void* work, Py_ssize_t band) noexcept nogil:
    cdef const Turn* turn = <const Turn*>work
    cdef const StridedMatrix* x = turn.x
    cdef Py_ssize_t first = band * BAND, row_bytes = turn.n_columns * turn.itemsize
    turn.loop(x.data + first * x.row_stride, x.row_stride, x.column_stride, turn.to + first * row_bytes, row_bytes,
              turn.itemsize, min(<Py_ssize_t>BAND, turn.n_rows - first), turn.n_columns)
