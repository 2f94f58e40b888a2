"""The Workspace class: an arena for a thread's new arrays while its scope is open.

Design: allocating moves an offset; leaving the scope moves it back, and every array still alive loses its memory at
that moment: it is in the workspace's list of attached arrays and becomes a ReleasedArray, whose every use is a
WorkspaceError.  So stale arrays cost the operations nothing.  Rejected: comparing generations in each operation, which
every new function could forget.

Rules and counters are those of ND4J's MemoryWorkspace, with these differences.  Memory that another library uses is
not reused.  A circular arena releases what it is about to overwrite, and a cycle always begins at a block's beginning,
also after one that spilled, so blocks never overlap what is alive.  A workspace entered while it is open further out is
borrowed.  Arrays made while use is switched off are plain arrays.  Large arrays start on a cache line, and the size
that is learned includes these gaps.  A refused request changes no counter.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._mem.workspace.scopes cimport (
    bypasses_all, current_workspace, entered_workspaces, get_captor, get_current, last_entered, make_current,
    n_captures, scope_changes, scope_closed, scope_lost, scope_opened,
)
from nd4py._mem.workspace.attached_arrays cimport count_attached, revoke_until
from nd4py._mem.workspace.workspace_memory cimport WorkspaceMemory

import sys
import warnings

from .workspace_configuration import WorkspaceConfiguration
from ..errors import WorkspaceError, belongs_to_process
from .scopes import describe_current
from ..sizes import human, shortened

cdef enum:
    WARN_EVERY = 10

cdef object is_ending = sys.is_finalizing    # kept here: names of modules are gone before the last workspaces

# How a scope can have been entered; a borrowed one is noted as (BORROWED, the workspace that was current).
OPENED, REENTERED, BORROWED = ("opened",), ("re-entered",), "borrowed"


def set_current_workspace(Workspace workspace: Workspace | None) -> None:
    """Let new arrays of this thread come from an open workspace, or from the pool where it is None."""
    if workspace is not None and not workspace.is_open:
        raise WorkspaceError(f"workspace {workspace.id!r} is not open; enter it with `with`")
    scope_changes()
    make_current(workspace)


cdef bint would_hold(const Attachment* attachment) noexcept:
    """Whether a new array of this thread would have its memory where an array with this attachment, or none, has it."""
    cdef PyObject* current = get_current()
    if n_captures and get_captor() != NULL:
        return attachment != NULL and attachment.workspace == get_captor()
    if current == NULL or bypasses_all or not (<Workspace>current).is_used:
        return attachment == NULL
    cdef Workspace workspace = <Workspace>current
    return (attachment != NULL and attachment.workspace == current and attachment.generation == workspace.generation_id
            and not workspace.is_circular)


cdef Workspace workspace_for_array():
    """The workspace that a new array shall come from, or None for the pool."""
    cdef PyObject* pointer = get_current()
    if n_captures and get_captor() != NULL:
        return <Workspace>get_captor()
    if pointer == NULL or bypasses_all:
        return None
    cdef Workspace current = <Workspace>pointer
    if not current.is_used:
        current.bypassed += 1
        if current.bypassed % WARN_EVERY == 0:
            warnings.warn(
                f"{current.bypassed} arrays were made beside workspace {current.id!r} while its use is switched off",
                stacklevel=2,
            )
        return None
    return current


cdef class Workspace(WorkspaceMemory):
    """An arena with a scope: while `with workspace:` is open, new arrays of this thread have their memory in it.

    Get one by `nd4py.workspace(id, configuration)`.  It belongs to the thread that made it, `thread_id`.
    Sizes and offsets are in bytes; `cycle` means the time a scope is open.

    current_size, initial_block_size: of the arena, and of the part of it that each cycle of a circular one has
    host_offset: where the next array will lie
    cycle_allocations, last_cycle_allocations, max_cycle_allocations: made in this cycle, the one before, the largest
    spilled_size, number_of_external_allocations: made outside the arena in this cycle
    pinned_size, number_of_pinned_allocations: made outside a circular arena, beyond the block, in the last steps
    generation_id, cycles_count: how often the scope was entered, and left
    steps_number, steps_count: blocks of a circular arena, and how often all of them were gone through
    previous_workspace: what was current when the scope was entered
    mirrors: its arenas on devices, by their numbers, with counters of their own
    Raises TypeError for anything but a configuration.
    """

    def __init__(self, str id, configuration: WorkspaceConfiguration | None = None, int device_id=0):
        configuration = WorkspaceConfiguration() if configuration is None else configuration
        if not isinstance(configuration, WorkspaceConfiguration):
            raise TypeError(f"configuration: a WorkspaceConfiguration, given {shortened(configuration)}")
        self.workspace_type = configuration.workspace_type
        self.device_id = device_id
        self.thread_id = PyThread_get_thread_ident()
        self.is_used = True
        self.entries = []
        self.with_depths = []
        self.mirrors = {}
        self.prepare(id, configuration)

    def __del__(self):
        if self.is_open:
            self.is_open = False
            scope_lost(<PyObject*>self)
            if not is_ending():          # with the program its scopes end too
                warnings.warn(f"workspace {self.id!r}: its thread ended inside its scope; use `with`", ResourceWarning)

    def __dealloc__(self):
        revoke_until(&self.attached, self.generation_id)     # in garbage, arrays may go after their workspace

    def __reduce_ex__(self, protocol):
        raise belongs_to_process("a workspace", "make another by nd4py.workspace(id, configuration)")

    def __repr__(self):
        state = "destroyed" if self.is_destroyed else "open" if self.is_open else "closed"
        return (
            f"<Workspace {self.id!r}: {state}, generation {self.generation_id}, "
            f"{human(self.host_offset)} of {human(self.current_size)} used>"
        )

    def __enter__(self):
        if not self.was_just_entered():
            self.enter()
        self.is_fresh = False
        self.with_depths.append(len(self.entries))
        return self

    def __exit__(self, kind, error, trace):
        self.check_thread()
        if not self.with_depths:
            raise WorkspaceError(f"workspace {self.id!r} was not entered by `with`, so `with` cannot leave it")
        depth = self.with_depths.pop()
        left_open = ""
        if len(self.entries) > depth or (self.entries and last_entered() is not self):
            left_open = describe_current()
        while len(self.entries) >= depth:
            (<Workspace>last_entered()).undo()
        if left_open and kind is None:
            raise WorkspaceError(f"the scope of workspace {self.id!r} was left while {left_open}; all are closed now")

    # State beside the plain fields.

    @property
    def allocated_size(self) -> int:
        """Bytes of memory that the arena has: those of its size that are backed by some."""
        return 0 if self.block is None else self.block.backed

    @property
    def device_offset(self) -> int:
        """Where the next array will lie in the memory of a device: as on the host, both move together."""
        return self.host_offset

    @property
    def tag_scope(self) -> int:
        """How many times the open scope was entered again."""
        return self.entries.count(REENTERED)

    @property
    def borrowing_workspace(self) -> Workspace | None:
        """The workspace that was current when this one was borrowed, or None."""
        return next((entry[1] for entry in self.entries if entry[0] is BORROWED), None)

    @property
    def is_borrowed(self) -> bool:
        """Whether the workspace is current for a while inside the scope of another."""
        return any(entry[0] is BORROWED for entry in self.entries)

    @property
    def step_number(self) -> int:
        """The step that a circular arena is at: its laps so far, as `steps_count`."""
        return self.steps_count

    @property
    def n_arrays(self) -> int:
        """Arrays alive that have memory here, views included."""
        return count_attached(&self.attached)

    def toggle_workspace_use(self, bint wanted) -> None:
        """Switch the use of the open scope off and on: new arrays are then plain arrays.  Closing switches it on.

        Raises nothing.
        """
        scope_changes()
        self.is_used = wanted

    # Scopes.

    def check_thread(self) -> None:
        """Raises WorkspaceError in another thread than the workspace's, and when it is destroyed."""
        if self.is_destroyed:
            raise WorkspaceError(f"workspace {self.id!r} has been destroyed; get a new one by nd4py.workspace")
        if PyThread_get_thread_ident() != self.thread_id:
            raise WorkspaceError(
                f"workspace {self.id!r} belongs to thread {self.thread_id} and was entered in thread "
                f"{PyThread_get_thread_ident()}; each thread has workspaces of its own: call nd4py.workspace there"
            )

    def notify_scope_entered(self) -> Self:
        """Open the scope.  Entered again it goes on; entered while open further out it is borrowed.

        Leave it by `close`, or at once by `with ws.notify_scope_entered():`, which is `with ws:`.
        Returns the workspace.
        Raises WorkspaceError in another thread than the workspace's, and when it is destroyed.
        """
        self.enter()
        self.is_fresh, self.fresh_allocations = True, self.cycle_allocations
        return self

    def notify_scope_borrowed(self) -> Self:
        """Make the open workspace current until it is closed once, or by `with`, without emptying it.

        Raises WorkspaceError when it is not open, or borrowed already.
        Returns the workspace.
        """
        self.borrow()
        self.is_fresh, self.fresh_allocations = True, self.cycle_allocations
        return self

    cdef bint was_just_entered(self) except -1:
        """Whether a call entered the scope and nothing happened since, so that `with` need not enter it."""
        is_same = self.is_fresh and self.cycle_allocations == self.fresh_allocations
        return is_same and last_entered() is self and current_workspace() is self

    cdef int note_entry(self, entry) except -1:
        self.entries.append(entry)
        entered_workspaces().append(self)
        return 0

    cdef int enter(self) except -1:
        self.check_thread()
        scope_changes()
        if self.is_open:
            if current_workspace() is not self:
                return self.borrow()
            return self.note_entry(REENTERED)
        self.begin_cycle(self)
        scope_opened()
        self.note_entry(OPENED)
        self.previous_workspace = current_workspace()
        make_current(self)
        return 0                         # arenas on devices begin with their first array

    cdef int borrow(self) except -1:
        self.check_thread()
        if not self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is not open, so it cannot be borrowed; enter it with `with`")
        if self.is_borrowed:
            raise WorkspaceError(f"workspace {self.id!r} is borrowed already; close that scope first")
        scope_changes()
        self.note_entry((BORROWED, current_workspace()))
        make_current(self)
        return 0

    def notify_scope_left(self) -> None:
        """As `close`.  Raises as it does."""
        self.close()

    def close(self) -> None:
        """Leave the scope entered last; leaving the first one empties the arena and releases its arrays.

        Raises WorkspaceError while a workspace entered later is still open.  Closing what is closed does nothing.
        """
        if not self.entries:
            return
        self.check_thread()
        if current_workspace() is not self or last_entered() is not self:
            raise WorkspaceError(
                f"workspace {self.id!r} cannot be closed while {describe_current()}; leave scopes in reverse order"
            )
        self.undo()

    cdef int undo(self) except -1:
        """Leave the scope that this thread entered last, which is one of this workspace."""
        try:
            scope_changes()
        finally:
            self.undo_entry()
        return 0

    cdef int undo_entry(self) except -1:
        entry = self.entries.pop()
        entered_workspaces().pop()
        self.is_fresh = False
        if entry is OPENED:
            self.leave()
        elif entry is not REENTERED:
            make_current(entry[1])
        return 0

    cdef int leave(self) except -1:
        make_current(self.previous_workspace)
        self.previous_workspace = None
        self.is_used = True
        scope_closed()
        try:
            self.finish_cycle()
        finally:
            for mirror in self.mirrors.values():
                if (<WorkspaceMemory>mirror).is_open:
                    (<WorkspaceMemory>mirror).finish_cycle()
        return 0

    def destroy(self) -> None:
        """Give the memory back; arrays that live here become unusable.  Raises WorkspaceError while it is open."""
        if self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is open; leave its scope before destroying it")
        self.is_destroyed = True
        self.forget_memory()
        for mirror in self.mirrors.values():
            (<WorkspaceMemory>mirror).forget_memory()
