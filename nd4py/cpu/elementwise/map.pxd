from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan
from nd4py.cpu.isa.isa cimport MapLoop
from nd4py.cpu.program.program cimport Program

cdef enum:
    CHUNK = 32768                        # elements
    TILE_DOUBLES = 2048                  # of one operand of a tile: three of them stay in L1 or nearly

# One map row, a conversion, or a program of several over a plan.
cdef struct MapCall:
    MapLoop loop                         # NULL: convert operand 0 into operand 1, unless there is a program
    const Program* program               # or NULL
    const double* params
    int n_params
    double nanoseconds                   # of one element on one thread
    int number[MAX_OPERANDS]             # dtype the operand is stored as
    int loop_number[MAX_OPERANDS]        # dtype the loop reads or writes
    int n_in

cdef int run_map(Plan* plan, const MapCall* call) except -1
cdef void turn_reversed_axes(Plan* plan) noexcept
cdef bint is_beyond_caches(const Plan* plan, const MapCall* call) noexcept
cdef int bits_of(Py_ssize_t itemsize) noexcept nogil
