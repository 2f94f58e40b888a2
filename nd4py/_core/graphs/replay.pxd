from nd4py._core.graphs.launch_recording cimport Launch, Recorder, Run

cdef enum:
    MOST_KEPT = 16                       # workplaces that wait for the next call: threads that replay a graph at a time

# A launch, and where its block begins in a workplace.
cdef struct Step:
    Run run
    size_t block

# Where an address stands in a workplace, and what it is: so many bytes behind `number`, or the workplace's beginning.
cdef struct Patch:
    size_t field
    Py_ssize_t number
    Py_ssize_t offset


# What a launch keeps from call to call.
cdef struct Keep:
    Run prepare
    size_t block                         # of the launch
    size_t start                         # in the memory of all that is kept
    Py_ssize_t constant                  # that it is made of
    Py_ssize_t version                   # of that array when it was made, and how often that was let go to others
    Py_ssize_t n_shared
    bint is_made


cdef class Patches:
    cdef bytearray memory
    cdef Patch* items
    cdef Py_ssize_t n

    cdef int append(self, size_t field, Py_ssize_t number, Py_ssize_t offset) except -1


cdef class Replay:
    cdef readonly list launches
    cdef readonly size_t block_bytes, arena_bytes
    cdef bytearray template              # the blocks of all launches, one after the other
    cdef bytearray step_memory
    cdef Step* steps
    cdef Py_ssize_t n_steps
    cdef Patches inside, absolute        # of the workplace, and in constants
    cdef Patches of_inputs, of_outputs
    cdef list constants                  # arrays that are read where they are
    cdef list constant_data              # their addresses
    cdef bytearray keep_memory
    cdef Keep* keeps
    cdef Py_ssize_t n_keeps
    cdef char* kept_data
    cdef size_t kept_bytes
    cdef Patches of_kept
    cdef char* kept[MOST_KEPT]
    cdef int n_kept
    cdef Py_ssize_t generation           # of addresses of constants; that of a workplace stands at its beginning

    cdef int place(self, size_t block, tuple address, dict starts, dict inputs, dict outputs) except -1
    cdef char* take_workplace(self) except NULL
    cdef void forget_workplaces(self) noexcept
    cdef void give_workplace(self, char* workplace) noexcept
    cdef int check_constants(self) except -1
    cdef int add_keep(self, Py_ssize_t i, Launch launch) except -1
    cdef void refresh(self, char* workplace) noexcept
    cdef int fail(self, Py_ssize_t i, size_t missing) except -1
    cdef int run(self, const char** inputs, Py_ssize_t n_inputs, const char** outputs) except -1
