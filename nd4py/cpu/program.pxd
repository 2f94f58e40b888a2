from nd4py.cpu.isa cimport CastLoop, MapLoop

cdef enum:
    MAX_STEPS = 64
    MAX_STEP_OPERANDS = 8
    MAX_SCALARS = 32
    ROOM_DOUBLES = 16384                 # of the registers of one tile

# One loop over a tile: a row of the table, or a conversion.
cdef struct Step:
    MapLoop loop                         # NULL: convert operand 0 into operand 1
    CastLoop cast
    const double* params
    int n_operands                       # inputs, then results
    short place[MAX_STEP_OPERANDS]       # an operand of the plan, then scalars, then registers
    short stride[MAX_STEP_OPERANDS]      # in bytes, of a scalar or register

# What is done to every tile of a plan, one loop after the other.
cdef struct Program:
    int n_steps
    int n_operands                       # of the plan
    int n_scalars
    int n_registers
    Py_ssize_t register_bytes
    Py_ssize_t tile                      # elements of a tile, at most
    Step steps[MAX_STEPS]
    double scalars[MAX_SCALARS][2]

cdef void run_steps(const Program* program, char** p, const Py_ssize_t* s, Py_ssize_t n, char* room) noexcept nogil
