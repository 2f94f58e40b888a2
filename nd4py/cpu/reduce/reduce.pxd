from nd4py._core.array.array cimport NDArray
from nd4py.cpu.isa.isa cimport ReduceLoops
from nd4py.cpu.program.produce cimport Source

cdef enum:
    PIECE_ELEMENTS = 32768               # elements of a piece of a long reduction, at least

cdef int run_reduce(const ReduceLoops* loops, NDArray x, int number, const bint* is_reduced, NDArray y) except -1
cdef bint can_reduce_source(NDArray virtual, const bint* is_reduced) noexcept
cdef bint can_convert_before(NDArray x, const bint* is_reduced) noexcept
cdef void cut_rows(Py_ssize_t n_blocks, Py_ssize_t n, Py_ssize_t inner, Py_ssize_t* strip,
                   Py_ssize_t* piece) noexcept
cdef int run_source(const ReduceLoops* loops, const Source* source, NDArray virtual, const bint* is_reduced,
                    NDArray y) except -1
cdef int run_argreduce(int row, NDArray x, int number, int axis, NDArray y) except -1
