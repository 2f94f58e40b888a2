from nd4py._core.lazy.deferred cimport is_array, is_deferred, unrecorded
from nd4py._exec.dispatch.row_table cimport MAX_ROWS

cdef enum Rank:                          # the kinds of numbers, each holding those before it
    LOGICAL = 0
    WHOLE = 1
    REAL = 2
    PAIR = 3

cdef Rank ranks[16]                      # by dtype number
cdef int pair_of[16]                     # the complex dtype of the same precision

cdef bint has_stand_in[MAX_ROWS]         # by rows: whether another one runs for some operands of it
cdef bint is_composed[MAX_ROWS]          # by rows: whether others do what it does of complex numbers

cdef bint is_scalar(object item) noexcept
cdef object adopt(object item)
cdef bint is_subclassed(object item) noexcept
cdef object plain_scalar(object item)
cdef object no_operand(int op, int k, object item)
cdef int scalar_number(object item) noexcept
cdef int weak_number(int number, object item) noexcept
cdef object as_kind_of(object item, int number)
cdef int check_scalar(int op, object item, int number) except -1
cdef int store_scalar(object item, int number, char* to) except -1
cdef bint store_plain_scalar(object item, int number, char* to) noexcept
cdef int store_operand(object item, int number, char* element) except -1
cdef int common_number(int op, int left, int right) except -1
cdef int computed_number(int op, int number) except -1
cdef int raise_no_loop(int op, int number) except -1
cdef object stand_in(int op, object left, object right, int left_number, int right_number)
cdef int promote_operands(int op, tuple operands) except -1
cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1
cdef int promoted_number(int op, tuple operands, object backend) except -1
