"""The row of the table behind each of Python's operators."""

from ..._spec.ops import ALL

cdef dict op_numbers = {op.operator: number for number, op in enumerate(ALL) if op.operator}


cdef int operator_number(str name) except -1:
    return op_numbers[name]


cdef int ADD = operator_number("add")
cdef int SUB = operator_number("sub")
cdef int MUL = operator_number("mul")
cdef int TRUEDIV = operator_number("truediv")
cdef int FLOORDIV = operator_number("floordiv")
cdef int MOD = operator_number("mod")
cdef int POW = operator_number("pow")
cdef int AND = operator_number("and")
cdef int OR = operator_number("or")
cdef int XOR = operator_number("xor")
cdef int LSHIFT = operator_number("lshift")
cdef int RSHIFT = operator_number("rshift")
cdef int NEG = operator_number("neg")
cdef int POS = operator_number("pos")
cdef int ABS = operator_number("abs")
cdef int INVERT = operator_number("invert")
cdef int EQ = operator_number("eq")
cdef int NE = operator_number("ne")
cdef int LT = operator_number("lt")
cdef int LE = operator_number("le")
cdef int GT = operator_number("gt")
cdef int GE = operator_number("ge")
