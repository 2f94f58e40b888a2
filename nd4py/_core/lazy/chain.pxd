from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo
from nd4py._mem.free_threads cimport FREE_THREADS, Section, enter

cdef enum:                               # room for the backend that needs most
    MAX_LEAVES = 10
    MAX_OUTPUTS = 9
    MAX_LINKS = 54
    MAX_VALUES = 128
    MAX_VALUES_OF_LINK = 4               # operands, and results
    MAX_SCALARS = 32
    MAX_PARAMS = 64
    MAX_DEVICES = 64
    CONVERSION = -1                      # instead of the number of a row

cdef enum State:
    OPEN = 0
    RUNNING = 1
    DONE = 2

# What links read and make: a leaf, which is an array in memory, a scalar, or a result.
cdef struct Value:
    int number                           # dtype
    short leaf                           # slot among the leaves, or -1
    short scalar                         # slot among the scalars, or -1
    short link                           # the link that makes it, or -1
    bint is_of_row                       # one element for each row: where reductions of the chain have one

# A row of the table over values, a conversion, or a reduction along the chain's reduced axes.
cdef struct Link:
    int op
    bint is_reduction
    int loop_number                      # dtype of its loop; of a conversion its result's
    int n_in
    int n_out
    short operands[MAX_VALUES_OF_LINK]
    short result                         # the first one; others follow
    short first_param
    short n_params
    PyObject* code                       # of the user's program, where the operation was called
    int instruction

# A value that an array of the user refers to.
cdef struct Output:
    PyObject* array                      # borrowed; NULL once the array is gone
    short value

# How much of each a chain of one kind of memory may hold.
cdef struct Room:
    int leaves
    int outputs
    int scalars
    int params
    int words                            # of 8 bytes, that scalars and params take together
    bint repeats                         # equal operations are computed again: a value is written to one array at most

# Where the results of a chain belong.
cdef struct Home:
    int device                           # its number, or -1 for the host
    size_t holder                        # the stream, or the workspace, which is borrowed; 0 for none
    long generation                      # of the workspace


cdef class Chain:
    cdef PyObject* backend               # the Backend that runs it, which lives as long as the process
    cdef Home home
    cdef int ndim
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t size
    cdef ShapeInfo layout                # of its results, as elements of one byte
    cdef unsigned long thread            # whose operations these are
    cdef State state
    cdef unsigned long runner            # the thread that runs it, or 0
    cdef bint has_reductions
    cdef int first_reduced, end_reduced  # the axes of all its reductions, of which the second is none
    cdef bint repeats                    # as its Room says
    cdef int n_values, n_links, n_leaves, n_scalars, n_words, n_params, n_outputs
    cdef size_t n_bytes                  # of the leaves
    cdef Value values[MAX_VALUES]
    cdef Link links[MAX_LINKS]
    cdef PyObject* leaves[MAX_LEAVES]    # arrays, owned
    cdef Output outputs[MAX_OUTPUTS]
    cdef double scalars[MAX_SCALARS][2]
    cdef double params[MAX_PARAMS]
    cdef void* lock                      # held while the chain runs
    cdef PyObject* previous              # open chains, of all threads
    cdef PyObject* next

cdef PyObject* first_chain
cdef size_t kept_bytes[1 + MAX_DEVICES]  # of the leaves of all open chains, by device; the host comes first

cdef Chain new_chain(PyObject* backend, const Room* room, Home home, ShapeInfo layout)
cdef bint has_room(Chain chain, const Room* room, Chain other, int n_in, int n_out, int n_params) noexcept
cdef bint has_layout(Chain chain, ShapeInfo layout) noexcept
cdef int new_leaf(Chain chain, ArrayBase x) noexcept
cdef int scalar_value(Chain chain, const double* element, int number) noexcept
cdef int converted(Chain chain, int value, int number) except -1
cdef int linked(Chain chain, int op, int loop_number, int result_number, int n_in, const int* operands, int n_out,
                const double* params, int n_params) except -1
cdef int reduced(Chain chain, int op, int number, int result_number, int value, int first, int end) except -1
cdef bint can_reduce(Chain chain, int first, int end) noexcept
cdef int add_output(Chain chain, PyObject* array, int value) noexcept
cdef void drop_output(Chain chain, int output) noexcept
cdef object held_output(Chain chain, int output)
cdef int n_live(Chain chain) noexcept
cdef int sources_of(Chain chain, int value) noexcept
cdef int leaves_of(Chain chain, PyObject* owner) noexcept
cdef void mark_needed(Chain chain, bint* is_needed) noexcept
cdef void clear(Chain chain) noexcept
cdef str origin_of(const Link* link)
cdef str name_of(const Link* link)
cdef str line_of(const Link* link)
cdef object lock(Chain chain)
cdef void unlock(Chain chain) noexcept


cdef inline bint is_link_needed(const Link* link, const bint* is_needed) noexcept:
    """Whether one of the results of a link is among the values that are needed."""
    cdef int k
    for k in range(link.n_out):
        if is_needed[link.result + k]:
            return True
    return False
