# The device and the streams of the calling thread.
cdef enum:
    MAX_DEVICES = 64

cdef int current_device() except -1
cdef int bind(int device) except -1
cdef int bind_anew(int device) except -1
cdef int order_streams(int device, size_t first, int other, size_t then) except -1
cdef size_t current_stream(int device) noexcept
cdef bint is_capturing() noexcept
cpdef int check_not_capturing(str what) except -1
cdef void* graph_lane() noexcept
cdef void set_graph_lane(void* lane) noexcept
