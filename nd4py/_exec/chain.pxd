from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray
from nd4py._core.shape cimport MAX_NDIM
from nd4py.cpu.program cimport MAX_SCALARS, MAX_STEPS

cdef enum:
    MAX_LEAVES = 10
    MAX_OUTPUTS = 9
    MAX_LINKS = MAX_STEPS - MAX_OUTPUTS - 1  # a program may copy each output, and what is reduced
    MAX_VALUES = 128
    MAX_VALUES_OF_LINK = 4               # operands, and results
    MAX_PARAMS = 64
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
    bint is_of_row                       # one element for each row of the chain's shape

# A row of the table over values, a conversion, or a reduction along the last axis.
cdef struct Link:
    int op
    bint is_reduction
    int loop_number                      # dtype of its loop
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
    cdef Py_ssize_t size
    cdef PyObject* home                  # the workspace that its results belong to, or NULL; borrowed
    cdef long generation                 # of it
    cdef unsigned long thread            # whose operations these are
    cdef State state
    cdef unsigned long runner            # the thread that runs it, or 0
    cdef bint has_reductions
    cdef int n_values, n_links, n_leaves, n_scalars, n_params, n_outputs
    cdef size_t n_bytes                  # of the leaves
    cdef Value values[MAX_VALUES]
    cdef Link links[MAX_LINKS]
    cdef PyObject* leaves[MAX_LEAVES]    # NDArray, owned
    cdef Output outputs[MAX_OUTPUTS]
    cdef double scalars[MAX_SCALARS][2]
    cdef double params[MAX_PARAMS]
    cdef void* lock                      # held while the chain runs
    cdef PyObject* previous              # open chains, of all threads
    cdef PyObject* next

cdef PyObject* first_chain
cdef size_t pending_bytes                # of the leaves of all open chains

cdef Chain new_chain(int ndim, const Py_ssize_t* shape)
cdef bint has_room(Chain chain, int n_in, int n_out) noexcept
cdef bint has_shape(Chain chain, int ndim, const Py_ssize_t* shape) noexcept
cdef int leaf_value(Chain chain, NDArray x) noexcept
cdef int scalar_value(Chain chain, object item, int number) except -1
cdef int converted(Chain chain, int value, int number) except -1
cdef int linked(Chain chain, int op, int loop_number, int result_number, int n_in, const int* operands, int n_out,
                const double* params, int n_params) except -1
cdef int reduced(Chain chain, int op, int number, int result_number, int value) except -1
cdef int add_output(Chain chain, PyObject* array, int value) noexcept
cdef void drop_output(Chain chain, int output) noexcept
cdef int n_live(Chain chain) noexcept
cdef int absorb(Chain chain, Chain other) except -1
cdef bint can_absorb(Chain chain, Chain other) noexcept
cdef int sources_of(Chain chain, int value) noexcept
cdef int leaves_of(Chain chain, PyObject* owner) noexcept
cdef bint is_at_home(Chain chain) noexcept
cdef void clear(Chain chain) noexcept
cdef str origin_of(const Link* link)
