# The rows behind Python's operators, by their numbers in the table.
cdef int ADD, SUB, MUL, TRUEDIV, FLOORDIV, MOD, POW, AND, OR, XOR, LSHIFT, RSHIFT
cdef int NEG, POS, ABS, INVERT, EQ, NE, LT, LE, GT, GE
