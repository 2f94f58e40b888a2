"""Open scopes: the stack of workspaces of each thread."""

from nd4py._mem.free_threads cimport count

from threading import local

from .workspace_configuration import WorkspaceDebugMode, member_of

cdef extern from *:
    """
    static __thread PyObject* current_of_thread;     /* borrowed: open workspaces are in `kept` */
    static PyObject* get_thread_current(void) { return current_of_thread; }
    static void set_thread_current(PyObject* workspace) { current_of_thread = workspace; }
    static __thread PyObject* captor_of_thread;      /* borrowed: whoever captures holds it */
    static PyObject* get_thread_captor(void) { return captor_of_thread; }
    static void set_thread_captor(PyObject* workspace) { captor_of_thread = workspace; }
    """
    PyObject* get_thread_current()
    void set_thread_current(PyObject* workspace)
    PyObject* get_thread_captor()
    void set_thread_captor(PyObject* workspace)

cdef int n_open = 0
cdef int n_captures = 0
cdef bint spills_all = False, bypasses_all = False
cdef object debug_mode = WorkspaceDebugMode.DISABLED
cdef object kept = local()               # .entered: open workspaces of a thread, which so live until it ends


cdef ScopeUpcall scope_upcall = NULL
cdef ReleaseUpcall release_upcall = NULL


cdef void set_release_upcall(ReleaseUpcall upcall) noexcept:
    global release_upcall
    release_upcall = upcall


cdef int arrays_go(PyObject* workspace, long generation) except -1:
    """The arrays of a workspace's generation, and of those before, are about to lose their memory."""
    return release_upcall(workspace, generation) if release_upcall != NULL else 0


cdef void set_scope_upcall(ScopeUpcall upcall) noexcept:
    global scope_upcall
    scope_upcall = upcall


cdef int scope_changes() except -1:
    """What was deferred has its memory where new arrays of this thread have theirs, and as many threads as calls here
    may use: it runs before either changes."""
    return scope_upcall() if scope_upcall != NULL else 0


cdef PyObject* current_of_thread() noexcept:
    """As `get_current`, where scopes are open."""
    return get_thread_current()


cpdef object current_workspace():
    """The workspace that new arrays of this thread come from, or None."""
    cdef PyObject* current = get_current()
    return None if current == NULL else <object>current


cdef void make_current(object workspace) noexcept:
    if workspace is None:
        set_thread_current(NULL)
    else:
        set_thread_current(<PyObject*>workspace)


cdef PyObject* get_captor() noexcept:
    """The workspace that takes every new array of this thread, whatever scope is open, while a graph is captured."""
    return get_thread_captor()


cdef int begin_capture(object workspace) except -1:
    """Let every new array of this thread come from a workspace, until `end_capture`.  Its scope is open."""
    if get_thread_captor() != NULL:
        raise RuntimeError("this thread captures a graph already; end that capture first")
    set_thread_captor(<PyObject*>workspace)
    count(&n_captures, 1)
    return 0


cdef void end_capture() noexcept:
    set_thread_captor(NULL)
    count(&n_captures, -1)


cdef void begin_watch() noexcept:
    """Somebody wants to be told of every operation: none takes a path that skips what would tell of it."""
    count(&n_captures, 1)


cdef void end_watch() noexcept:
    count(&n_captures, -1)


cdef list entered_workspaces():
    """A workspace of this thread for each time one was entered, the last at the end: they are left in reverse order."""
    entered = getattr(kept, "entered", None)
    if entered is None:
        entered = kept.entered = []
    return entered


cdef object last_entered():
    """The workspace that this thread entered last and has not left yet, or None."""
    cdef list entered = entered_workspaces()
    return entered[len(entered) - 1] if entered else None


cdef void scope_opened() noexcept:
    count(&n_open, 1)


cdef void scope_closed() noexcept:
    count(&n_open, -1)


cdef void scope_lost(PyObject* workspace) noexcept:
    """An open workspace is gone: its thread ended without leaving the scope."""
    count(&n_open, -1)
    if get_thread_current() == workspace:
        set_thread_current(NULL)


def describe_current() -> str:
    """Which scopes are open in this thread, in words."""
    workspace = current_workspace()
    if workspace is None:
        return "no workspace is current"
    names = []
    while workspace is not None:
        names.append(f"{workspace.id!r} (generation {workspace.generation_id})")
        workspace = workspace.previous_workspace
    return f"workspace {' inside '.join(names)} is open"


def get_debug_mode() -> WorkspaceDebugMode:
    """The `WorkspaceDebugMode` of the process."""
    return debug_mode


def set_debug_mode(mode: WorkspaceDebugMode | str) -> None:
    """Choose the `WorkspaceDebugMode` of the process.  Raises ValueError for another name, TypeError."""
    global debug_mode, spills_all, bypasses_all
    debug_mode = member_of("mode", WorkspaceDebugMode, mode)
    spills_all = debug_mode is WorkspaceDebugMode.SPILL_EVERYTHING
    bypasses_all = debug_mode is WorkspaceDebugMode.BYPASS_EVERYTHING
