from nd4py._core.graphs.launch_recording cimport Launch

ctypedef void (*RoomTask)(const void* work, Py_ssize_t task, char* room) noexcept nogil

# Tasks, each of which is called with its number and the room of its thread.
cdef struct Rooms:
    RoomTask task
    const void* work                     # what all tasks read
    Py_ssize_t n_tasks
    double nanoseconds                   # of all tasks on one thread
    Py_ssize_t room_bytes                # of one thread
    int n_threads
    char* first

cdef int run_in_rooms(Rooms* rooms, char** operands, int n_operands) except -1
cdef Launch new_rooms_launch(str driver, const Rooms* rooms, size_t n_bytes)
