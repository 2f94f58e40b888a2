"""A workspace: an arena that a thread's new arrays come from while its scope is open.

Design: allocating moves an offset; leaving the scope moves it back, and every array still alive loses its memory at
that moment: it is in the workspace's list of tenants and becomes a ReleasedArray, whose every use is a WorkspaceError.
So stale arrays cost the operations nothing.  Rejected: comparing generations in each operation, which every new
function could forget.  Rules and counters are those of ND4J's MemoryWorkspace, with these differences: memory that
another library looks at is not reused, a circular arena releases what it is about to overwrite, a workspace entered
while it is open further out is borrowed, and arrays made while use is switched off are plain arrays.
"""

from cpython.object cimport PyObject
from libc.stdlib cimport malloc
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._mem.arena cimport ArenaBlock, block_in_file, block_in_ram, block_of_addresses
from nd4py._mem.pool cimport pool_allocate
from nd4py._mem.ranges cimport Ranges

import warnings
import weakref
from collections import deque

from .configuration import LearningPolicy, ReusePolicy, SpillPolicy, WorkspaceConfiguration, WorkspaceDebugMode
from .errors import WorkspaceError
from .sizes import human, physical_memory
from .statistics import out_of_memory

cdef extern from *:
    """
    static __thread PyObject* thread_workspace;
    static PyObject* get_workspace(void) { return thread_workspace; }
    static void set_workspace(PyObject* workspace) { thread_workspace = workspace; }
    """
    PyObject* get_workspace()
    void set_workspace(PyObject* workspace)

cdef enum:
    STEP = 16                            # bytes in which allocations are counted
    LARGE = 4096                         # bytes from which an array starts on a cache line
    CACHE_LINE = 64
    WARN_EVERY = 10

cdef int n_open = 0
cdef Tenancy* spare = NULL               # records for reuse, linked by `next`
cdef Revoke revoke = NULL
cdef object debug_mode = WorkspaceDebugMode.DISABLED
cdef bint spills_all = False, bypasses_all = False

# How a scope can have been entered; a borrowed one is noted as (BORROWED, the workspace that was current).
OPENED, REENTERED, BORROWED = "opened", "re-entered", "borrowed"


cdef void set_revoke(Revoke function) noexcept:
    global revoke
    revoke = function


cpdef Workspace current_workspace():
    """The workspace that new arrays of this thread come from, or None."""
    cdef PyObject* current = get_workspace()
    return None if current == NULL else <Workspace>current


def set_current_workspace(Workspace workspace):
    """Let new arrays of this thread come from an open workspace, or from the pool where it is None."""
    if workspace is not None and not workspace.is_open:
        raise WorkspaceError(f"workspace {workspace.id!r} is not open; enter it with `with`")
    make_current(workspace)


cdef void make_current(Workspace workspace) noexcept:
    if workspace is None:
        set_workspace(NULL)
    else:
        set_workspace(<PyObject*>workspace)


cdef Workspace workspace_for_array():
    """The workspace that a new array shall come from, or None for the pool."""
    cdef Workspace current = current_workspace()
    if current is None or bypasses_all:
        return None
    if not current.is_used:
        current.bypassed += 1
        if current.bypassed % WARN_EVERY == 0:
            warnings.warn(
                f"{current.bypassed} arrays were made beside workspace {current.id!r} while its use is switched off",
                stacklevel=2,
            )
        return None
    return current


def get_debug_mode():
    """The `WorkspaceDebugMode` of the process."""
    return debug_mode


def set_debug_mode(mode):
    """Choose the `WorkspaceDebugMode` of the process.  Raises ValueError for another name."""
    global debug_mode, spills_all, bypasses_all
    debug_mode = WorkspaceDebugMode(mode)
    spills_all = debug_mode is WorkspaceDebugMode.SPILL_EVERYTHING
    bypasses_all = debug_mode is WorkspaceDebugMode.BYPASS_EVERYTHING


cdef Tenancy* enter_tenancy(Workspace workspace, long generation, PyObject* array) except NULL:
    """Put an array on the list of `workspace`.  Raises MemoryError."""
    global spare
    cdef Tenancy* tenancy = spare
    if tenancy != NULL:
        spare = tenancy.next
    else:
        tenancy = <Tenancy*>malloc(sizeof(Tenancy))
        if tenancy == NULL:
            raise MemoryError("cannot allocate the record of an array in a workspace")
    tenancy.workspace = <PyObject*>workspace
    tenancy.array = array
    tenancy.generation = generation
    tenancy.start, tenancy.counted = workspace.placed_start, workspace.placed_size
    workspace.placed_size = 0            # views of the array give nothing back
    tenancy.previous = &workspace.tenants
    tenancy.next = workspace.tenants.next
    if tenancy.next != NULL:
        tenancy.next.previous = tenancy
    workspace.tenants.next = tenancy
    return tenancy


cdef void leave_tenancy(Tenancy* tenancy) noexcept:
    """Take an array off its workspace's list; its memory can be used again where the workspace does that."""
    global spare
    cdef Workspace workspace
    if tenancy.counted:
        workspace = <Workspace>tenancy.workspace
        if workspace.is_open and tenancy.generation == workspace.generation_id:
            give_back(workspace, tenancy)
    tenancy.previous.next = tenancy.next
    if tenancy.next != NULL:
        tenancy.next.previous = tenancy.previous
    tenancy.next = spare
    spare = tenancy


cdef void give_back(Workspace workspace, Tenancy* tenancy) noexcept:
    """Let later arrays of the scope have the place of one that is gone."""
    try:
        workspace.host_offset = workspace.freed.give(
            tenancy.start, tenancy.start + tenancy.counted, workspace.host_offset
        )
    except MemoryError:
        pass                             # the place stays unused until the scope ends


cdef class Lease:
    """The right to memory of a workspace for one scope."""

    @property
    def workspace(self):
        """The workspace, or None when it is gone."""
        return self.keeper or self.reference()

    def reason(self):
        """Why arrays of this scope cannot be used any more."""
        cdef Workspace workspace = self.workspace
        made = f"made in workspace {self.workspace_id!r}, generation {self.generation}"
        if workspace is None or workspace.is_destroyed:
            return f"{made}, which has been destroyed"
        if workspace.is_circular:
            return f"{made}, and the circular workspace is at generation {workspace.generation_id} and used its memory again"
        if workspace.is_open:
            return f"{made}, which is open again as generation {workspace.generation_id}"
        return f"{made}, whose scope is closed (its last generation is {workspace.generation_id})"


cdef class Workspace:
    """An arena with a scope: while `with workspace:` is open, new arrays of this thread have their memory in it.

    Get one by `nd4py.workspace(id, configuration)`.  It belongs to the thread that made it.
    Sizes and offsets are in bytes; `cycle` means the time a scope is open.
    """

    def __init__(self, str id, configuration=None, int device_id=0):
        self.id = id
        self.configuration = configuration = WorkspaceConfiguration() if configuration is None else configuration
        self.workspace_type = configuration.workspace_type
        self.device_id = device_id
        self.thread_id = PyThread_get_thread_ident()
        self.is_circular = configuration.is_circular
        self.reuses = configuration.policy_reuse is ReusePolicy.WHEN_FREED
        self.freed = Ranges()
        self.is_used = True
        self.entries = []
        self.pinned = deque()
        limit = configuration.overallocation_limit if configuration.overallocates else 0.0
        self.steps_number = int(limit + 1) if self.is_circular else 1
        if configuration.has_fixed_size:
            self.block = self.fixed_block()
            self.current_size = self.initial_block_size = self.block.size
            self.base = self.block.data
            self.is_initialized = self.is_overallocated = True
        elif configuration.initial_size:
            self.reserve(bounded(configuration, configuration.initial_size + int(configuration.initial_size * limit)))
            self.initial_block_size = configuration.initial_size
            self.is_initialized = self.is_overallocated = True

    cdef ArenaBlock fixed_block(self):
        """A block that need not be learned: a file, or addresses."""
        if self.configuration.is_mapped:
            return block_in_file(self.configuration.temp_file_path, self.configuration.initial_size)
        return block_of_addresses(self.configuration.initial_size or physical_memory())

    def __repr__(self):
        state = "destroyed" if self.is_destroyed else "open" if self.is_open else "closed"
        return (
            f"<Workspace {self.id!r}: {state}, generation {self.generation_id}, "
            f"{human(self.host_offset)} of {human(self.current_size)} used>"
        )

    def __enter__(self):
        return self.notify_scope_entered()

    def __exit__(self, *exception):
        self.close()

    # State beside the plain fields.

    @property
    def allocated_size(self):
        """Bytes of memory that the arena has."""
        return 0 if self.block is None else self.block.backed

    @property
    def device_offset(self):
        """Where the next array will lie in the memory of a device: as on the host, both move together."""
        return self.host_offset

    @property
    def tag_scope(self):
        """How many times the open scope was entered again."""
        return self.entries.count(REENTERED)

    @property
    def borrowing_workspace(self):
        """The workspace that was current when this one was borrowed, or None."""
        return next((entry[1] for entry in self.entries if entry[0] == BORROWED), None)

    @property
    def is_borrowed(self):
        """Whether the workspace is current for a while inside the scope of another."""
        return any(entry[0] == BORROWED for entry in self.entries)

    @property
    def n_arrays(self):
        """Arrays alive that have memory here, views included."""
        cdef Tenancy* tenant = self.tenants.next
        cdef Py_ssize_t n = 0
        while tenant != NULL:
            n += 1
            tenant = tenant.next
        return n

    def toggle_workspace_use(self, bint wanted):
        """Switch the use of the open scope off and on: new arrays are then plain arrays.  Closing switches it on."""
        self.is_used = wanted

    # Scopes.

    def check_thread(self):
        """Raises WorkspaceError in another thread than the workspace's, and when it is destroyed."""
        if self.is_destroyed:
            raise WorkspaceError(f"workspace {self.id!r} has been destroyed; get a new one by nd4py.workspace")
        if PyThread_get_thread_ident() != self.thread_id:
            raise WorkspaceError(
                f"workspace {self.id!r} belongs to thread {self.thread_id} and was entered in thread "
                f"{PyThread_get_thread_ident()}; each thread has workspaces of its own: call nd4py.workspace there"
            )

    def notify_scope_entered(self):
        """Open the scope.  Entered again it goes on; entered while open further out it is borrowed."""
        global n_open
        self.check_thread()
        if self.is_open:
            if current_workspace() is not self:
                return self.notify_scope_borrowed()
            self.entries.append((REENTERED,))
            return self
        if self.is_circular:
            self.revoke_until(self.generation_id + 1 - self.steps_number)
        if self.current_size and self.block is None:
            self.reserve(self.current_size)
        self.previous_workspace = current_workspace()
        self.entries.append((OPENED,))
        self.is_open = True
        n_open += 1
        make_current(self)
        if not self.is_circular:
            self.host_offset = 0
            self.freed.clear()
        if not self.is_circular or self.reset_planned:
            self.purge_externals()
            self.reset_planned = False
        self.cycle_allocations = 0
        self.generation_id += 1
        self.renew_lease()
        return self

    def notify_scope_borrowed(self):
        """Make the open workspace current until it is closed once, without emptying it.

        Raises WorkspaceError when it is not open, or borrowed already.
        """
        self.check_thread()
        if not self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is not open, so it cannot be borrowed; enter it with `with`")
        if self.is_borrowed:
            raise WorkspaceError(f"workspace {self.id!r} is borrowed already; close that scope first")
        self.entries.append((BORROWED, current_workspace()))
        make_current(self)
        return self

    def notify_scope_left(self):
        """As `close`."""
        self.close()

    def close(self):
        """Leave the scope entered last; leaving the first one empties the arena and releases its arrays.

        Raises WorkspaceError while a workspace entered later is still open.  Closing what is closed does nothing.
        """
        if not self.entries:
            return
        if current_workspace() is not self:
            raise WorkspaceError(
                f"workspace {self.id!r} cannot be closed while {describe_current()}; leave scopes in reverse order"
            )
        entry = self.entries.pop()
        if entry[0] == REENTERED:
            return
        if entry[0] == BORROWED:
            make_current(entry[1])
            return
        self.leave()

    cdef int leave(self) except -1:
        global n_open
        make_current(self.previous_workspace)
        self.previous_workspace = None
        self.is_open = False
        self.is_used = True
        n_open -= 1
        self.end_lease()
        self.cycles_count += 1
        if self.cycles_count > 1 and (self.cycles_count - 1) % self.steps_number == 0:
            self.steps_count += 1
        self.max_cycle_allocations = max(self.max_cycle_allocations, self.cycle_allocations)
        if not spills_all:
            self.learn()
        self.purge_pinned()
        if self.is_trimmed and self.trimmed_step + 2 < self.steps_count:
            self.initial_block_size = self.max_cycle_allocations
            self.initialize()
            self.is_trimmed = False
            self.host_offset = 0
        self.end_cycle()
        return 0

    cdef int learn(self) except -1:
        """Make the arena, or make it larger, where the policies say so."""
        configuration = self.configuration
        if configuration.policy_learning is LearningPolicy.NONE or self.max_cycle_allocations == 0:
            return 0
        if not self.is_circular or self.reset_planned:
            self.purge_externals()
        if configuration.policy_learning is LearningPolicy.OVER_TIME:
            is_time = self.cycles_count == configuration.cycles_before_initialization
        else:
            is_time = self.current_size == 0
        grows = (
            configuration.policy_spill is SpillPolicy.REALLOCATE
            and not self.is_circular
            and self.current_size > 0
            and self.cycle_allocations > 0
        )
        if is_time or grows:
            self.initialize()
        return 0

    cdef int end_cycle(self) except -1:
        """Put the offset where the next cycle begins; each cycle of a circular arena has a block of its own."""
        cdef size_t rest
        self.last_cycle_allocations = self.cycle_allocations
        if not self.is_circular:
            self.host_offset = 0
        elif self.host_offset > 0 and not self.is_trimmed and self.initial_block_size > self.cycle_allocations:
            rest = self.initial_block_size - self.cycle_allocations
            self.host_offset += rest
        self.cycle_allocations = 0
        return 0

    # Memory.

    cdef char* allocate(self, size_t n_bytes, void** outside) except NULL:
        """Room for `n_bytes` in the arena; or else in a block of the pool, which `outside` then is."""
        cdef size_t counted = max((n_bytes + STEP - 1) // STEP * STEP, STEP)
        cdef size_t start = self.host_offset
        cdef bint is_pinned = False
        if self.reuses:
            return self.place(n_bytes, outside)
        if counted >= LARGE:
            start = (start + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE
        if self.is_circular and self.initial_block_size:
            is_pinned = self.is_trimmed or self.cycle_allocations + counted > self.initial_block_size
        if is_pinned or spills_all or self.base == NULL:
            return self.spill(n_bytes, counted, is_pinned, outside)
        if start + counted > self.current_size:
            if not self.is_circular or counted > self.current_size:
                return self.spill(n_bytes, counted, False, outside)
            self.reset_planned = True
            start = self.host_offset = 0
        if start + counted > self.block.backed:
            self.block.back(start + counted)
        self.cycle_allocations += start + counted - self.host_offset
        self.host_offset = start + counted
        return self.base + start

    cdef char* place(self, size_t n_bytes, void** outside) except NULL:
        """As `allocate`, where memory of arrays that are gone is used again.

        Places are given beyond the arena's end too, although such arrays lie outside, so that the highest place of a
        scope is the size the arena needs.
        """
        cdef size_t counted = max((n_bytes + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE, CACHE_LINE)
        cdef size_t highest = self.cycle_allocations
        cdef size_t start = 0
        cdef char* data
        if not self.freed.take(counted, &start):
            start = self.host_offset
            self.host_offset += counted
            highest = max(highest, self.host_offset)
        if start + counted <= self.current_size and self.base != NULL and not spills_all:
            if start + counted > self.block.backed:
                self.block.back(start + counted)
            data = self.base + start
        else:
            data = self.spill(n_bytes, counted, False, outside)
        self.cycle_allocations = highest
        self.placed_start, self.placed_size = start, counted
        return data

    cdef char* spill(self, size_t n_bytes, size_t counted, bint is_pinned, void** outside) except NULL:
        """Room beside the arena."""
        policy = self.configuration.policy_spill
        if policy is SpillPolicy.FAIL and not spills_all:
            raise WorkspaceError(
                f"the arena of workspace {self.id!r} is full: {counted} bytes asked for, {self.host_offset} of "
                f"{self.current_size} in use; give it a larger initial_size or another policy_spill"
            )
        outside[0] = pool_allocate(n_bytes)
        if outside[0] == NULL:
            raise out_of_memory(n_bytes, f"an array of workspace {self.id!r}")
        self.cycle_allocations += counted
        if is_pinned:
            self.pinned.append((self.steps_count, counted))
            self.pinned_size += counted
            self.number_of_pinned_allocations += 1
            if policy is SpillPolicy.REALLOCATE and not self.is_trimmed:
                self.is_trimmed = True
                self.trimmed_step = self.steps_count
        else:
            self.spilled_size += counted
            self.number_of_external_allocations += 1
        return <char*>outside[0]

    def initialize_workspace(self):
        """Make the arena of the size learned so far, unless it has one that need not grow.

        Raises WorkspaceError while the scope is open, MemoryError.
        """
        if self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is open; initialize it when its scope is closed")
        self.initialize()

    cdef int initialize(self) except -1:
        configuration = self.configuration
        cdef size_t needed = max(self.max_cycle_allocations, self.cycle_allocations)
        cdef size_t ceiling = configuration.max_size
        cdef size_t size
        if configuration.policy_spill is SpillPolicy.REALLOCATE and not self.is_circular:
            if self.current_size < needed and (ceiling == 0 or self.max_cycle_allocations < ceiling):
                self.is_initialized = False
        if self.is_trimmed and self.trimmed_step + 2 < self.steps_count:
            self.is_initialized = self.is_overallocated = False
        if self.is_initialized or configuration.policy_learning is LearningPolicy.NONE:
            return 0
        size = self.max_cycle_allocations
        if ceiling:
            size = min(size, ceiling)
        if size == 0:
            return 0
        if self.is_circular:
            size = <size_t>(size * 1.3)
            size += 8 - size % 8
            self.max_cycle_allocations = size
        block_size = size
        if configuration.overallocates and not self.is_overallocated:
            size += <size_t>(size * <double>configuration.overallocation_limit)
            self.is_overallocated = True
        self.purge_externals()
        self.reserve(bounded(configuration, size))
        self.initial_block_size = block_size
        self.is_initialized = True
        return 0

    cdef int reserve(self, size_t size) except -1:
        """Take a block of `size` bytes in place of the present one, which goes first."""
        self.block = None
        self.base = NULL
        self.block = self.fixed_block() if self.configuration.has_fixed_size else block_in_ram(size)
        self.base = self.block.data
        self.current_size = size
        return 0

    cdef void revoke_until(self, long generation) noexcept:
        """Release the arrays of this generation and of those before.

        What another library looks at stays as it is: the arena gives its block away and takes a new one.
        """
        cdef Tenancy* tenant = self.tenants.next
        cdef Tenancy* next
        cdef bint is_seen = False
        while tenant != NULL:
            next = tenant.next
            if tenant.generation <= generation:
                is_seen |= revoke(tenant.array)
                leave_tenancy(tenant)
            tenant = next
        if is_seen and not self.configuration.is_mapped:
            self.block = None
            self.base = NULL

    cdef int renew_lease(self) except -1:
        cdef Lease lease = Lease()
        lease.workspace_id = self.id
        lease.generation = self.generation_id
        lease.keeper = self
        lease.reference = weakref.ref(self)
        lease.block = self.block
        self.lease = lease
        return 0

    cdef int end_lease(self) except -1:
        """The scope is over: its arrays go, but those of a circular arena stay until it comes around."""
        cdef Lease lease = self.lease
        self.lease = None
        if not self.is_circular:
            self.revoke_until(self.generation_id)
            lease.keeper = None
        return 0

    cdef int purge_externals(self) except -1:
        """Forget what was spilled; each block itself goes with its array."""
        self.spilled_size = 0
        self.number_of_external_allocations = 0
        return 0

    cdef int purge_pinned(self) except -1:
        while self.pinned and self.pinned[0][0] + 2 < self.steps_count:
            _, n_bytes = self.pinned.popleft()
            self.pinned_size -= n_bytes
            self.number_of_pinned_allocations -= 1
        return 0

    def destroy(self):
        """Give the memory back; arrays that live here become unusable.  Raises WorkspaceError while it is open."""
        if self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is open; leave its scope before destroying it")
        self.revoke_until(self.generation_id)
        self.is_destroyed = True
        self.block = None
        self.base = NULL
        self.current_size = self.initial_block_size = self.host_offset = 0
        self.purge_externals()
        self.pinned.clear()
        self.pinned_size = self.number_of_pinned_allocations = 0


cdef size_t bounded(configuration, size_t size):
    """`size` within min_size and max_size."""
    size = max(size, <size_t>configuration.min_size)
    return min(size, <size_t>configuration.max_size) if configuration.max_size else size


def describe_current():
    """Which scopes are open in this thread, in words."""
    cdef Workspace workspace = current_workspace()
    if workspace is None:
        return "no workspace is current"
    names = []
    while workspace is not None:
        names.append(f"{workspace.id!r} (generation {workspace.generation_id})")
        workspace = workspace.previous_workspace
    return f"workspace {' inside '.join(names)} is open"
