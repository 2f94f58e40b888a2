from cpython.object cimport PyObject

cdef int n_open                          # scopes open in all threads: 0 means that none need be looked for
cdef bint spills_all, bypasses_all       # the debug mode
# Graphs that are being captured in all threads, and those who watch them: the shortest paths, which neither could
# follow, are for 0.
cdef int n_captures

cpdef object current_workspace()
cdef PyObject* current_of_thread() noexcept
cdef void make_current(object workspace) noexcept
cdef PyObject* get_captor() noexcept
cdef int begin_capture(object workspace) except -1
cdef void end_capture() noexcept
cdef void begin_watch() noexcept
cdef void end_watch() noexcept
cdef void scope_opened() noexcept
cdef void scope_closed() noexcept
cdef void scope_lost(PyObject* workspace) noexcept
cdef list entered_workspaces()
cdef object last_entered()

# Called before another workspace becomes current in this thread, or none, and before its number of threads changes.
ctypedef int (*ScopeUpcall)() except -1
cdef void set_scope_upcall(ScopeUpcall upcall) noexcept
cdef int scope_changes() except -1

# Called before the arrays of a workspace's generation, and of those before, lose their memory.
ctypedef int (*ReleaseUpcall)(PyObject* workspace, long generation) except -1
cdef void set_release_upcall(ReleaseUpcall upcall) noexcept
cdef int arrays_go(PyObject* workspace, long generation) except -1


cdef inline PyObject* get_current() noexcept:
    """The workspace that new arrays of this thread come from, or NULL."""
    return current_of_thread() if n_open else NULL
