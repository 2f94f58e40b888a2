from libc.stdint cimport int64_t
from libcpp cimport bool as cpp_bool
from nd4py._core.array.array cimport NDArray
from nd4py._mem.workspace.held_memory cimport Hold
from nd4py.cpu.isa.isa cimport CastLoop
from nd4py.cpu.copy.strided_lines cimport Lines

cdef extern from "index_offsets.h" namespace "nd_index" nogil:
    cdef struct Index:
        const char* data
        CastLoop to_int64
        Lines lines
        int64_t low
        int64_t size
        int64_t stride

    cdef struct Selection:
        Py_ssize_t n_indices
        Py_ssize_t count
        cpp_bool has_base
        Lines base
        Index* index

    void check_range(const Selection* selection, Py_ssize_t first, Py_ssize_t last, cpp_bool* has_bad) noexcept
    Py_ssize_t find_bad(const Index* index, Py_ssize_t count, int64_t* value) noexcept

cdef int describe(Selection* selection, NDArray x, tuple indices, tuple axes, Py_ssize_t* shape) except -1
cdef int describe_along(Selection* selection, NDArray x, NDArray indices, int axis, Py_ssize_t* shape) except -1
cdef int insert_rest(NDArray x, tuple axes, int where, int ndim, Py_ssize_t* shape) except -1
cdef void hold_indices(Hold* hold, const Selection* selection) noexcept
cdef int check_indices(const Selection* selection, tuple names) except -1
cdef int raise_out_of_range(const Selection* selection, tuple names) except -1
