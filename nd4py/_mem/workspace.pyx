"""A workspace: an arena that a thread's new arrays come from while its scope is open.

Design: allocating moves an offset; leaving the scope moves it back, and every array still alive loses its memory at
that moment: it is in the workspace's list of tenants and becomes a ReleasedArray, whose every use is a WorkspaceError.
So stale arrays cost the operations nothing.  Rejected: comparing generations in each operation, which every new
function could forget.

Rules and counters are those of ND4J's MemoryWorkspace, with these differences.  Memory that another library looks at is
not reused.  A circular arena releases what it is about to overwrite, and a cycle always begins at a block's beginning,
also after one that spilled, so blocks never overlap what is alive.  A workspace entered while it is open further out is
borrowed.  Arrays made while use is switched off are plain arrays.  Large arrays start on a cache line, and the size
that is learned includes these gaps.  A refused request changes no counter.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._mem.arena cimport ArenaBlock, block_in_file, block_in_ram, block_of_addresses
from nd4py._mem.placement cimport Placement
from nd4py._mem.pool cimport pool_allocate
from nd4py._mem.scopes cimport (
    bypasses_all, current_workspace, entered_workspaces, get_current, last_entered, make_current, scope_closed, scope_lost, scope_opened,
    spills_all,
)
from nd4py._mem.tenants cimport Lease, Tenancy, count_tenants, new_lease, revoke_until

import warnings
from collections import deque

from .configuration import LearningPolicy, ReusePolicy, SpillPolicy, WorkspaceConfiguration
from .errors import WorkspaceError
from .scopes import describe_current
from .sizes import human, physical_memory
from .statistics import out_of_memory

cdef enum:
    STEP = 16                            # bytes in which allocations are counted
    LARGE = 4096                         # bytes from which an array starts on a cache line
    CACHE_LINE = 64
    WARN_EVERY = 10

# How a scope can have been entered; a borrowed one is noted as (BORROWED, the workspace that was current).
OPENED, REENTERED, BORROWED = ("opened",), ("re-entered",), "borrowed"


def set_current_workspace(Workspace workspace):
    """Let new arrays of this thread come from an open workspace, or from the pool where it is None."""
    if workspace is not None and not workspace.is_open:
        raise WorkspaceError(f"workspace {workspace.id!r} is not open; enter it with `with`")
    make_current(workspace)


cdef Workspace workspace_for_array():
    """The workspace that a new array shall come from, or None for the pool."""
    cdef PyObject* pointer = get_current()
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


cdef class Workspace:
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
    """

    def __init__(self, str id, configuration=None, int device_id=0):
        self.id = id
        self.configuration = configuration = WorkspaceConfiguration() if configuration is None else configuration
        self.workspace_type = configuration.workspace_type
        self.device_id = device_id
        self.thread_id = PyThread_get_thread_ident()
        self.is_circular = configuration.is_circular
        self.placement = Placement() if configuration.policy_reuse is ReusePolicy.WHEN_FREED else None
        self.is_used = True
        self.entries = []
        self.with_depths = []
        self.pinned = deque()
        limit = configuration.overallocation_limit if configuration.overallocates else 0.0
        self.steps_number = int(limit + 1) if self.is_circular else 1
        if configuration.has_fixed_size:
            self.block = self.fixed_block()
            self.current_size = self.initial_block_size = self.block.size
            self.n_blocks = 1
            self.base = self.block.data
            self.is_initialized = self.is_overallocated = True
        elif configuration.initial_size:
            size = configuration.initial_size
            self.reserve(bounded(configuration, size + int(size * limit)), size)
            self.is_initialized = self.is_overallocated = True

    cdef ArenaBlock fixed_block(self):
        """A block whose size is not learned: a file, or addresses."""
        if self.configuration.is_mapped:
            return block_in_file(self.configuration.temp_file_path, self.configuration.initial_size)
        return block_of_addresses(self.configuration.initial_size or physical_memory())

    def __del__(self):
        if self.is_open:
            self.is_open = False
            scope_lost(<PyObject*>self)
            warnings.warn(f"workspace {self.id!r}: its thread ended inside its scope; use `with`", ResourceWarning)

    def __dealloc__(self):
        revoke_until(&self.tenants, self.generation_id)      # in garbage, arrays may go after their workspace

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
    def allocated_size(self):
        """Bytes of memory that the arena has: those of its size that are backed by some."""
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
        return next((entry[1] for entry in self.entries if entry[0] is BORROWED), None)

    @property
    def is_borrowed(self):
        """Whether the workspace is current for a while inside the scope of another."""
        return any(entry[0] is BORROWED for entry in self.entries)

    @property
    def step_number(self):
        """The step that a circular arena is at: its laps so far, as `steps_count`."""
        return self.steps_count

    @property
    def n_arrays(self):
        """Arrays alive that have memory here, views included."""
        return count_tenants(&self.tenants)

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
        """Open the scope.  Entered again it goes on; entered while open further out it is borrowed.

        Leave it by `close`, or at once by `with ws.notify_scope_entered():`, which is `with ws:`.
        """
        self.enter()
        self.is_fresh, self.fresh_allocations = True, self.cycle_allocations
        return self

    def notify_scope_borrowed(self):
        """Make the open workspace current until it is closed once, or by `with`, without emptying it.

        Raises WorkspaceError when it is not open, or borrowed already.
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
        if self.is_open:
            if current_workspace() is not self:
                return self.borrow()
            return self.note_entry(REENTERED)
        if self.is_circular:
            self.release_until(self.generation_id + 1 - (self.n_blocks or self.steps_number))
        if self.current_size and self.block is None:
            self.replace_block()
        if self.placement is not None:
            self.placement.begin()
        lease = new_lease(self, self.id, self.generation_id + 1, self.block)
        scope_opened()
        self.lease = lease
        self.generation_id += 1
        self.note_entry(OPENED)
        self.is_open = True
        self.previous_workspace = current_workspace()
        make_current(self)
        if not self.is_circular:
            self.host_offset = 0
        if not self.is_circular or self.reset_planned:
            self.purge_externals()
            self.reset_planned = False
        self.is_new_cycle = True
        self.cycle_allocations = 0
        return 0

    cdef int borrow(self) except -1:
        self.check_thread()
        if not self.is_open:
            raise WorkspaceError(f"workspace {self.id!r} is not open, so it cannot be borrowed; enter it with `with`")
        if self.is_borrowed:
            raise WorkspaceError(f"workspace {self.id!r} is borrowed already; close that scope first")
        self.note_entry((BORROWED, current_workspace()))
        make_current(self)
        return 0

    def notify_scope_left(self):
        """As `close`."""
        self.close()

    def close(self):
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
        self.is_open = False
        self.is_used = True
        scope_closed()
        self.end_lease()
        self.cycles_count += 1
        if self.cycles_count > 1 and (self.cycles_count - 1) % self.steps_number == 0:
            self.steps_count += 1
        if self.placement is not None and self.placement.end():
            self.cycle_allocations = self.placement.planned_size
            if self.block is not None:
                self.block.shrink(self.placement.planned_size)
        self.max_cycle_allocations = max(self.max_cycle_allocations, self.cycle_allocations)
        try:
            if not spills_all:
                self.learn()
            self.purge_pinned()
            if self.is_trimmed and self.trimmed_step + 2 < self.steps_count:
                self.initialize()
                self.is_trimmed = False
                self.host_offset = 0
        finally:
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
        self.last_cycle_allocations = self.cycle_allocations
        self.cycle_allocations = 0
        if not self.is_circular:
            self.host_offset = 0
        elif self.host_offset > 0 and not self.is_trimmed:
            start = self.host_offset if self.is_new_cycle else self.cycle_start
            self.host_offset = min(<size_t>start + self.initial_block_size, self.current_size)
        return 0

    # Memory.

    cdef char* allocate(self, size_t n_bytes, Tenancy* tenancy, void** outside) except NULL:
        """Room for `n_bytes` in the arena; or else in a block of the pool, which `outside` then is."""
        if self.placement is not None:
            return self.place(n_bytes, tenancy, outside)
        cdef size_t counted = round_up(n_bytes, STEP)
        cdef size_t start = self.cycle_allocations
        cdef size_t in_cycle                                 # as if all of the cycle's arrays had found room
        cdef bint is_pinned = False
        if counted >= LARGE:
            start = round_up(start, CACHE_LINE)
        in_cycle = start + counted
        if self.is_circular and self.initial_block_size:
            is_pinned = self.is_trimmed or in_cycle > self.initial_block_size
        if is_pinned or spills_all or self.base == NULL:
            return self.spill(n_bytes, counted, in_cycle, is_pinned, outside)
        if self.is_circular and self.is_new_cycle:
            self.start_block()
        start = self.host_offset - self.cycle_start
        if counted >= LARGE:
            start = round_up(start, CACHE_LINE)
        start += self.cycle_start
        if start + counted > self.current_size:
            return self.spill(n_bytes, counted, in_cycle, False, outside)
        if start + counted > self.block.backed:
            self.block.back(start + counted)
        self.cycle_allocations = in_cycle
        self.host_offset = start + counted
        return self.base + start

    cdef char* place(self, size_t n_bytes, Tenancy* tenancy, void** outside) except NULL:
        """As `allocate`, where memory of arrays that are gone is used again.

        Places are given beyond the arena's end too, although such arrays lie outside, so that the highest place of a
        scope is the size the arena needs.
        """
        cdef size_t size = round_up(max(n_bytes, <size_t>1), CACHE_LINE)
        cdef size_t start = self.placement.take(size)
        cdef char* data
        try:
            if start + size <= self.current_size and self.base != NULL and not spills_all:
                if start + size > self.block.backed:
                    self.block.back(start + size)
                data = self.base + start
            else:
                data = self.spill(n_bytes, size, self.placement.highest, False, outside)
        except BaseException:
            self.placement.give(start, size)
            raise
        tenancy.start, tenancy.size = start, size
        self.cycle_allocations = self.placement.highest
        self.host_offset = self.placement.top
        return data

    def record_places(self, list places):
        """Append (start, bytes) to `places` for each place taken and (start, 0) for each given back; None stops it.

        Raises ValueError unless policy_reuse is WHEN_FREED.
        """
        if self.placement is None:
            raise ValueError(f"workspace {self.id!r} does not use memory again; choose policy_reuse 'when_freed'")
        self.placement.record = places

    cdef int start_block(self) except -1:
        """The first array of a cycle comes into a circular arena: it gets the next block, or the first one again."""
        if self.host_offset + self.initial_block_size > self.current_size:
            self.host_offset = 0
            self.reset_planned = True
        self.cycle_start = self.host_offset
        self.base = self.block.data + self.cycle_start // self.initial_block_size * self.slack
        self.is_new_cycle = False
        return 0

    cdef char* spill(
        self, size_t n_bytes, size_t counted, size_t in_cycle, bint is_pinned, void** outside
    ) except NULL:
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
        self.cycle_allocations = in_cycle
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
        cdef size_t block_size = size
        if configuration.overallocates and not self.is_overallocated:
            size += <size_t>(size * <double>configuration.overallocation_limit)
        self.purge_externals()
        self.reserve(bounded(configuration, size), block_size)
        self.is_initialized = True
        self.is_overallocated |= configuration.overallocates
        if self.is_circular:
            self.max_cycle_allocations = block_size
        return 0

    cdef int reserve(self, size_t size, size_t block_size) except -1:
        """Take an arena of `size` bytes, in blocks of `block_size`, in place of the present one, which goes first.

        When that raises MemoryError there is no arena, and arrays spill, until it succeeds.
        """
        cdef size_t slack = round_up(block_size, CACHE_LINE) - block_size if self.is_circular else 0
        self.block = None
        self.base = NULL
        self.block = block_in_ram(size + size // block_size * slack)
        self.base = self.block.data
        self.slack = slack
        self.current_size = size
        self.initial_block_size = block_size
        self.n_blocks = max(1, min(self.steps_number, <long>(size // block_size)))
        return 0

    cdef int replace_block(self) except -1:
        """Take an arena like the one that was given away."""
        if not self.configuration.has_fixed_size:
            return self.reserve(self.current_size, self.initial_block_size)
        self.block = self.fixed_block()
        self.base = self.block.data
        return 0

    cdef int release_until(self, long generation) except -1:
        """Release the arrays of this generation and of those before.

        What another library looks at stays as it is: the arena gives its block away and takes a new one.
        """
        if revoke_until(&self.tenants, generation) and not self.configuration.is_mapped:
            self.block = None
            self.base = NULL
        return 0

    cdef int end_lease(self) except -1:
        """The scope is over: its arrays go, but those of a circular arena stay until it comes around."""
        cdef Lease lease = self.lease
        self.lease = None
        if not self.is_circular:
            self.release_until(self.generation_id)
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
        self.release_until(self.generation_id)
        self.is_destroyed = True
        self.block = None
        self.base = NULL
        self.current_size = self.initial_block_size = self.host_offset = 0
        self.purge_externals()
        self.pinned.clear()
        self.pinned_size = self.number_of_pinned_allocations = 0


cdef void give_back(Tenancy* tenancy) noexcept:
    """Let later arrays of the scope have the place of one that is gone."""
    cdef Workspace workspace = <Workspace>tenancy.workspace
    if not workspace.is_open or tenancy.generation != workspace.generation_id:
        return
    try:
        workspace.placement.give(tenancy.start, tenancy.size)
    except MemoryError:
        pass                             # the place stays unused until the scope ends


cdef inline size_t round_up(size_t n, size_t step) noexcept:
    return (n + step - 1) // step * step


cdef size_t bounded(configuration, size_t size) except? 0:
    """`size` within min_size and max_size."""
    size = max(size, <size_t>configuration.min_size)
    return min(size, <size_t>configuration.max_size) if configuration.max_size else size
