"""Tasks of programs, on threads that each have memory of their own for registers and copies of operands."""

from nd4py._core.graphs.launch_recording cimport Launch, new_launch
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.parallel.tasks cimport share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef enum:
    PAGE_BYTES = 4096                    # loads wait for stores before them that lie as far into a page


cdef int run_in_rooms(Rooms* rooms, char** operands, int n_operands) except -1:
    """Run all tasks, which work on memory at the addresses `operands`.  Raises MemoryError."""
    cdef size_t missing = 0
    cdef Hold hold
    hold.add_all(holds, operands, n_operands)
    with nogil:
        missing = share_tasks(rooms)
    if missing:
        raise out_of_memory(missing, "rows of deferred operations")
    return raise_if_stopped()


cdef Launch new_rooms_launch(str driver, const Rooms* rooms, size_t n_bytes):
    """A launch of tasks, whose work is a struct of so many bytes; what that points to is still to be added."""
    cdef Launch launch = new_launch(driver, share_tasks)
    launch.add(rooms, sizeof(Rooms))
    launch.add(rooms.work, n_bytes)
    launch.link(&rooms.work)
    return launch


cdef size_t share_tasks(void* tasks) noexcept nogil:
    """All tasks, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Rooms* rooms = <Rooms*>tasks
    cdef size_t n_bytes
    cdef char* memory
    rooms.n_threads = acquire_threads_for(rooms.n_tasks, rooms.nanoseconds)
    rooms.room_bytes = (rooms.room_bytes + PAGE_BYTES - 1) // PAGE_BYTES * PAGE_BYTES
    n_bytes = rooms.n_threads * rooms.room_bytes + PAGE_BYTES
    memory = <char*>pool_allocate(n_bytes)
    if memory != NULL:
        rooms.first = memory + (PAGE_BYTES - <size_t>memory % PAGE_BYTES) % PAGE_BYTES
        share_evenly(run_share, rooms, rooms.n_threads, rooms.n_threads)
        pool_release(memory, n_bytes)
    release_threads(rooms.n_threads)
    return 0 if memory != NULL else n_bytes


cdef void run_share(void* tasks, Py_ssize_t worker) noexcept nogil:
    """One thread's tasks, in a room of its own."""
    cdef const Rooms* rooms = <const Rooms*>tasks
    cdef Py_ssize_t task
    for task in range(rooms.n_tasks * worker // rooms.n_threads, rooms.n_tasks * (worker + 1) // rooms.n_threads):
        if not goes_on():
            return
        rooms.task(rooms.work, task, rooms.first + worker * rooms.room_bytes)
