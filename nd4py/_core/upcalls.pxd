from cpython.object cimport PyObject

ctypedef object (*BinaryUpcall)(int op, object left, object right)
ctypedef object (*UnaryUpcall)(int op, object x)
ctypedef object (*ProductUpcall)(object left, object right)
ctypedef object (*ItemUpcall)(object x)
ctypedef bint (*StoreUpcall)(object value, int number, char* to) except -1
ctypedef int (*OwnerUpcall)(PyObject* owner) except -1


cdef class MemoryUpcalls:
    # Other functions for arrays on devices.  `getitem` and `setitem` are for keys that hold arrays.
    cdef public object assign, astype, copy, getitem, setitem


cdef class Upcalls(MemoryUpcalls):
    cdef BinaryUpcall binary, inplace
    cdef UnaryUpcall unary
    cdef ProductUpcall matmul, inplace_matmul
    cdef public object reduce, argreduce, call, product_with_zeros
    cdef public object row_of_complex, reduce_complex, argreduce_complex     # where the row has no such loop

    cdef OwnerUpcall finish_readers      # give those their values that still have to read an array's memory
    cdef public object leave_to_readers
    # While graphs are captured: an array's values are seen; somebody wants to write them; they are about to be written.
    cdef OwnerUpcall note_look, note_write
    cdef void (*note_written)(PyObject* array) noexcept

    cdef ItemUpcall item                 # of an array of the host, as a Python scalar
    cdef StoreUpcall store_directly      # false where something must be checked or converted
    cdef public object construct         # an array, for who calls the class
    cdef public object asarray, tolist, represent, text, reduce_ex
    cdef public object to_bytes, to_device, to_dlpack, to_numpy
    cdef public object namespace, array_ufunc, array_function
    cdef public object functions         # of the namespace, by their names: a dictionary

    cdef public object record_cast, record_reduction, record_row, record_view
    cdef public object row_of_subclass, of_subclass      # where an operand is of a class that a program derived


cdef class DeviceUpcalls(MemoryUpcalls):
    # A row without parameters on arrays of a device that need no promotion and no broadcasting, now or deferred; None
    # for anything else.
    cdef BinaryUpcall binary
    cdef UnaryUpcall unary
    cdef BinaryUpcall inplace            # of a left operand on a device, whatever the right one is
    cdef public object matmul

    cdef public object to_host, wait, to_dlpack, cuda_array_interface, remains


cdef Upcalls upcalls
cdef DeviceUpcalls device_upcalls
