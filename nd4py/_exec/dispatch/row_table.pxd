cdef enum:
    MAX_ROWS = 1024

cdef enum Result:                        # as in nd4py/_spec/render/dispatch_table.py
    SAME = 0
    BOOL = 1
    TOTAL = 2
    INDEX = 3
    REAL_PART = 4

cdef struct Row:
    int n_in
    int n_out
    int n_params
    bint has_shortcuts                   # whether another row stands in for it where the second operand is some scalar
    int condition                        # the operand that is converted but never decides the dtype, or -1
    Result result
    short fused_row                      # its number in fused runs, or NOT_FUSED
    bint is_cheap                        # as cheap as reading what it makes

cdef Row rows[MAX_ROWS]
cdef dict shortcuts                      # by row: {scalar: the row that runs instead where that is the second operand}
cdef int promoted[16][16]                # -1: the array API defines no common dtype
cdef int compute[16]
cdef int total[16]
cdef int real_part[16]
cdef double costs[MAX_ROWS][16]         # nanoseconds of one element on one thread, by row and dtype

cdef int result_number(int op, int number) noexcept nogil
cdef int common_number(int op, int left, int right) except -1
cdef int computed_number(int op, int number) except -1
cdef int raise_no_loop(int op, int number) except -1
cdef int promote_operands(int op, tuple operands) except -1
cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1
cdef bint is_fused(int op, int number) noexcept
