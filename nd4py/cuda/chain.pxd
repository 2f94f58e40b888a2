from cpython.object cimport PyObject
from nd4py._core.shape cimport MAX_NDIM
from nd4py.cuda.array cimport DeviceArray

cdef enum:
    MAX_LEAVES = 10                      # of the 16 operands of a kernel
    MAX_OUTPUTS = 6
    MAX_LINKS = 64
    MAX_VALUES = 192
    MAX_VALUES_OF_LINK = 4               # operands, and results
    MAX_SCALARS = 16                     # operands that come by value, and
    MAX_PARAMS = 16                      # what rows take: together at most 32 words of a kernel, where all are real
    CONVERSION = -1                      # in place of a row

cdef enum State:
    OPEN = 0
    RUNNING = 1
    DONE = 2

# What links read and make: a leaf, which is an array in memory, a scalar, or a result.
cdef struct Value:
    int number                           # dtype
    short leaf                           # place among the leaves, or -1
    short scalar                         # place among the scalars, or -1
    short link                           # the link that makes it, or -1

# A row of the table over values, or a conversion.
cdef struct Link:
    int op
    int number                           # dtype it computes in
    int n_in
    int n_out
    short operands[MAX_VALUES_OF_LINK]
    short result                         # the first one; others follow
    short first_param
    short n_params
    PyObject* code                       # of the user's program, where the operation was called
    int instruction

# A value that somebody may look at.
cdef struct Output:
    PyObject* array                      # borrowed; NULL when nobody holds it any more
    short value


cdef class Chain:
    cdef int ndim
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int device_number
    cdef size_t stream                   # that it is given to
    cdef unsigned long thread            # whose operations these are
    cdef State state
    cdef unsigned long runner            # the thread that runs it, or 0
    cdef int n_values, n_links, n_leaves, n_scalars, n_words, n_params, n_outputs
    cdef size_t n_bytes                  # of the leaves
    cdef Value values[MAX_VALUES]
    cdef Link links[MAX_LINKS]
    cdef PyObject* leaves[MAX_LEAVES]    # DeviceArray, owned
    cdef Output outputs[MAX_OUTPUTS]
    cdef double scalars[MAX_SCALARS][2]
    cdef double params[MAX_PARAMS]
    cdef void* lock                      # held while the chain runs
    cdef PyObject* previous              # open chains, of all threads
    cdef PyObject* next

cdef PyObject* first_chain

cdef Chain new_chain(tuple shape, int device, size_t stream)
cdef bint has_room(Chain chain, int n_in, int n_out, int n_params) noexcept
cdef bint has_shape(Chain chain, tuple shape) except -1
cdef int leaf_value(Chain chain, DeviceArray x) except -1
cdef int scalar_value(Chain chain, bytes element, int number) except -1
cdef int linked(Chain chain, int op, int number, int result, int n_in, const int* operands, int n_out,
                tuple params) except -1
cdef int add_output(Chain chain, PyObject* array, int value) noexcept
cdef int n_live(Chain chain) noexcept
cdef bint can_absorb(Chain chain, Chain other) noexcept
cdef int absorb(Chain chain, Chain other) except -1
cdef bint reads(Chain chain, DeviceArray owner) except -1
cdef void clear(Chain chain) noexcept
cdef str origin_of(const Link* link)
cdef int lock(Chain chain) except -1
cdef void unlock(Chain chain) noexcept
