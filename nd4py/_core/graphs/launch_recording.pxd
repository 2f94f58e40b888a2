from nd4py._core.array.array cimport NDArray
from nd4py._mem.workspace.attached_arrays cimport Attachment
from nd4py._mem.workspace.scopes cimport n_captures
from nd4py._mem.workspace.workspace cimport Workspace

cdef size_t BAD_INDEX                    # what a launch returns where an index is out of range

# Runs a launch on its block.  Returns 0, or how many bytes of memory there were not, or BAD_INDEX.
ctypedef size_t (*Run)(void* block) noexcept nogil

# What an address in a block leads to.
cdef enum Target:
    BLOCK = 0                            # another part of the block
    BUFFER = 1                           # an array made during the capture, one of the inputs among them
    CONSTANT = 2                         # an array that was there before


cdef class Buffer:
    cdef char* data
    cdef readonly size_t n_bytes
    cdef readonly str origin             # which operation made it, and where
    cdef readonly bint is_written        # by a launch that was recorded
    cdef readonly int n_promised         # writes in place whose launches are still to come
    cdef readonly int input              # the number of the input it holds, or -1


cdef class Launch:
    cdef readonly str driver, origin
    cdef readonly double nanoseconds     # that it took when the graph was checked
    cdef readonly size_t traffic         # bytes of the arrays that it reads and writes
    cdef Run run
    cdef bytearray block
    cdef Run prepare                     # makes what the launch keeps from arrays that seldom change, or NULL
    cdef readonly size_t kept_bytes
    cdef Py_ssize_t kept_field
    cdef list sources                    # the fields of those arrays
    cdef list parts                      # (address, bytes, offset in the block) of what was added
    cdef list operands                   # (offset in the block, address, whether it is written) to be resolved
    cdef readonly list addresses         # (offset in the block, Target, number, offset)
    cdef readonly set read, written      # numbers of buffers

    cdef int add(self, const void* data, size_t n_bytes) except -1
    cdef Py_ssize_t offset_of(self, size_t address) except -2
    cdef int link(self, const void* pointer) except -1
    cdef int value(self, const void* pointer, size_t n_bytes) except -1
    cdef int operand(self, const void* pointer, bint is_written) except -1
    cdef int keep(self, const void* pointer, size_t n_bytes, Run prepare) except -1
    cdef int made_of(self, const void* pointer) except -1
    cdef list constants_kept(self)
    cdef int submit(self) except -1


cdef class Recorder(Workspace):
    cdef readonly list buffers, launches
    cdef readonly list constants         # (array, address of its first byte, of the byte behind its last)
    cdef readonly object error           # the first one, which the program may have caught

    cdef int refuse(self, str text) except -1
    cdef Py_ssize_t buffer_at(self, size_t address) noexcept
    cdef Py_ssize_t constant_at(self, size_t address) noexcept
    cdef int note_constant(self, NDArray x) except -1
    cdef int accept(self, Launch launch) except -1


cdef Py_ssize_t loop_choices             # how often loops were chosen: the instruction set, and whether helpers are on

cdef void loops_chosen() noexcept
cdef bint is_recording() noexcept
cdef Launch new_launch(str driver, Run run)
cdef int note_operand(NDArray x) except -1
cdef int record_values(NDArray x) except -1
cdef void extent_of(NDArray x, char** low, char** high) noexcept
