# What NDArray's operators and methods call.  The layers above put their functions here when they are imported, so that
# arrays know no arithmetic.
ctypedef object (*BinaryHook)(int op, object left, object right)
ctypedef object (*UnaryHook)(int op, object x)
ctypedef object (*InplaceHook)(int op, object left, object right)

cdef struct Hooks:
    BinaryHook binary
    UnaryHook unary
    InplaceHook inplace

cdef Hooks hooks
cdef dict methods                        # by the name of the method
cdef dict functions                      # the public functions that are methods too
