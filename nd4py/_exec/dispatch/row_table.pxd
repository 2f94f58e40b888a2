cdef enum:
    MAX_ROWS = 1024
    NOT_FUSED = -1                       # as in nd4py/cpu/program/program.pxd

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
    bint is_cheap                        # as cheap as reading what it makes

cdef Row rows[MAX_ROWS]
cdef dict shortcuts                      # by row: {scalar: the row that runs instead where that is the second operand}
cdef int bool_rows[MAX_ROWS]             # the row that runs instead where both operands are bools, or -1
cdef int promoted[16][16]                # -1: the array API defines no common dtype
cdef int compute[16]
cdef double costs[MAX_ROWS][16]         # nanoseconds of one element on one thread, by row and dtype
cdef short result_numbers[MAX_ROWS][16]  # dtype of what a row makes of operands of a dtype
cdef short fused_rows[MAX_ROWS][16]      # its number in fused runs, or NOT_FUSED
