from nd4py._core.plan cimport MAX_OPERANDS, Plan
from nd4py.cpu.isa cimport MapLoop

cdef enum:
    CHUNK = 32768

cdef struct MapCall:
    MapLoop loop                         # NULL: convert operand 0 into operand 1
    const double* params
    bint is_cast[MAX_OPERANDS]           # this operand's dtype is not the loop's
    bint has_casts
    int number[MAX_OPERANDS]             # dtype the operand is stored as
    int loop_number[MAX_OPERANDS]        # dtype the loop reads or writes
    int n_in

cdef void run_map(const Plan* plan, const MapCall* call) noexcept
