from cpython.object cimport PyObject

# What arrays' operators and methods call.  The layers above put their functions here when they are imported, so that
# arrays know no arithmetic.
ctypedef object (*BinaryHook)(int op, object left, object right)
ctypedef object (*UnaryHook)(int op, object x)
ctypedef object (*InplaceHook)(int op, object left, object right)
ctypedef int (*ChainHook)(PyObject* array) except -1
ctypedef void (*ForgetHook)(PyObject* array) noexcept

cdef struct Hooks:
    BinaryHook binary
    UnaryHook unary
    InplaceHook inplace
    ChainHook settle                     # give a pending array its values
    ChainHook finish_readers             # give those their values that still have to read an array's memory
    ForgetHook forget                    # nobody holds a pending array any more
    # A row without parameters on arrays of a device that need no promotion and no broadcasting, now or pending; None
    # for anything else.  NULL until a family of devices is known.
    BinaryHook binary_on_device
    UnaryHook unary_on_device
    InplaceHook inplace_on_device        # of a left operand on a device, whatever the right one is

cdef Hooks hooks
cdef dict methods                        # by the name of the method
cdef dict device_methods                 # the same of arrays on devices, where it is another function
cdef dict functions                      # the public functions that are methods too
