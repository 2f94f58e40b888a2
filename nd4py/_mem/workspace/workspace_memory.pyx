"""The memory of a workspace: arena, spilled blocks, and learned size (ND4J's MemoryWorkspace)."""

from cpython.object cimport PyObject
from nd4py._mem.arena.arena cimport (
    ArenaBlock, block_in_file, block_in_ram, block_of_addresses, block_of_most_addresses,
)
from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.workspace.held_memory cimport wait_until_free
from nd4py._mem.arena.arena_reuse cimport ArenaReuse
from nd4py._mem.pool.pool cimport pool_allocate
from nd4py._mem.workspace.scopes cimport arrays_go, spills_all
from nd4py._mem.workspace.attached_arrays cimport Lease, Attachment, new_lease, revoke_until

from collections import deque

from .workspace_configuration import LearningPolicy, ReusePolicy, SpillPolicy
from ..errors import WorkspaceError
from ..sizes import physical_memory
from ..diagnostics.memory_wants import out_of_memory

cdef enum:
    STEP = 16                            # bytes in which allocations are counted
    LARGE_BYTES = 4096                   # bytes from which an array starts on a cache line
    CACHE_LINE = 64

cdef size_t MOST_BYTES = 1 << 60         # that are added to a size: more than any machine has


cdef class WorkspaceMemory:
    """The memory of a Workspace; the Workspace itself has the scopes.

    An arena on a device is another one of these, with the same rules (`nd4py.cuda.allocation.device_arena`):
    `arena_block`, `take_outside` and `release_until` say where memory comes from and which arrays lose it.
    """

    cdef int prepare(self, str id, configuration) except -1:
        """Take what the configuration reserves at once.  Raises MemoryError, OSError."""
        self.id = id
        self.configuration = configuration
        self.is_circular = configuration.is_circular
        self.reuse = ArenaReuse() if configuration.policy_reuse is ReusePolicy.WHEN_FREED else None
        self.pinned = deque()
        limit = configuration.overallocation_limit if configuration.overallocates else 0.0
        self.steps_number = configuration.block_count
        if configuration.has_fixed_size:
            self.block = self.fixed_block()
            self.current_size = self.initial_block_size = self.block.size
            self.n_blocks = 1
            self.base = self.block.data
            self.is_initialized = self.is_overallocated = True
        elif configuration.initial_size:
            size = configuration.initial_size
            if self.is_circular and not configuration.overallocates:
                size = max(size // self.steps_number, 1)     # the given size is that of all blocks
            self.reserve(bounded(configuration, configuration.initial_size + int(size * limit)), size)
            self.is_initialized = self.is_overallocated = True
        return 0

    # A cycle: the time a scope is open.

    cdef int begin_cycle(self, workspace) except -1:
        """The scope of `workspace` opens: its arrays will be of the next generation."""
        if self.is_circular:
            self.release_until(self.generation_id + 1 - (self.n_blocks or self.steps_number))
        if self.current_size and self.block is None:
            self.replace_block()
        if self.reuse is not None:
            self.reuse.begin()
        self.lease = new_lease(workspace, self.id, self.generation_id + 1, self.block)
        self.generation_id += 1
        self.is_open = True
        if not self.is_circular:
            self.host_offset = 0
        if not self.is_circular or self.reset_planned:
            self.purge_externals()
            self.reset_planned = False
        self.is_new_cycle = True
        self.cycle_allocations = 0
        return 0

    cdef int finish_cycle(self) except -1:
        """The scope is left: arrays are released, and the size is learned."""
        self.is_open = False
        self.end_lease()
        self.cycles_count += 1
        if self.cycles_count > 1 and (self.cycles_count - 1) % self.steps_number == 0:
            self.steps_count += 1
        if self.reuse is not None and self.reuse.end():
            self.cycle_allocations = self.reuse.planned_size
            if self.block is not None:
                self.block.shrink(self.reuse.planned_size)
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

    cdef int forget_memory(self) except -1:
        """Release all arrays, and give the memory back."""
        self.release_until(self.generation_id)
        self.block = None
        self.base = NULL
        self.current_size = self.initial_block_size = self.host_offset = 0
        self.purge_externals()
        self.pinned.clear()
        self.pinned_size = self.number_of_pinned_allocations = 0
        return 0

    # Where memory comes from.

    cdef ArenaBlock fixed_block(self):
        """A block whose size is not learned: a file, or addresses."""
        if self.configuration.is_mapped:
            return block_in_file(self.configuration.temp_file_path, self.configuration.initial_size)
        if self.configuration.initial_size:
            return block_of_addresses(self.configuration.initial_size)
        return block_of_most_addresses(physical_memory())

    cdef ArenaBlock arena_block(self, size_t size):
        """Memory for an arena.  Raises MemoryError."""
        return block_in_ram(size)

    cdef char* take_outside(self, size_t n_bytes, void** outside) except NULL:
        """Memory beside the arena, in a block of its own.  Raises MemoryError."""
        outside[0] = pool_allocate(n_bytes)
        if outside[0] == NULL:
            raise out_of_memory(n_bytes, f"an array of workspace {self.id!r}")
        return <char*>outside[0]

    cdef char* allocate(self, size_t n_bytes, Attachment* attachment, void** outside) except NULL:
        """Room for `n_bytes` in the arena; or else in a block of the pool, which `outside` then is."""
        if self.reuse is not None:
            return self.allocate_reused(n_bytes, attachment, outside)
        cdef size_t counted = round_up(n_bytes, STEP)
        cdef size_t start = self.cycle_allocations
        cdef size_t in_cycle                                 # as if all of the cycle's arrays had found room
        cdef bint is_pinned = False
        if counted >= LARGE_BYTES:
            start = round_up(start, CACHE_LINE)
        in_cycle = start + counted
        if self.is_circular and self.initial_block_size:
            is_pinned = self.is_trimmed or in_cycle > self.initial_block_size
        if is_pinned or spills_all or self.base == NULL:
            return self.spill(n_bytes, counted, in_cycle, is_pinned, outside)
        if self.is_circular and self.is_new_cycle:
            self.start_block()
        start = self.host_offset - self.cycle_start
        if counted >= LARGE_BYTES:
            start = round_up(start, CACHE_LINE)
        start += self.cycle_start
        if start + counted > self.current_size:
            return self.spill(n_bytes, counted, in_cycle, False, outside)
        if start + counted > self.block.reach:
            self.block.back(start, start + counted)
        self.cycle_allocations = in_cycle
        self.host_offset = start + counted
        return self.base + start

    cdef char* allocate_reused(self, size_t n_bytes, Attachment* attachment, void** outside) except NULL:
        """As `allocate`, where memory of arrays that are gone is used again.

        Ranges are given beyond the arena's end too, although such arrays lie outside, so that the highest range of a
        scope is the size the arena needs.
        """
        cdef size_t size = round_up(max(n_bytes, <size_t>1), CACHE_LINE)
        cdef size_t start = self.reuse.take(size)
        cdef char* data
        try:
            if self.is_inside(start, size):
                data = self.base + start
            else:
                data = self.spill(n_bytes, size, self.reuse.highest, False, outside)
        except BaseException:
            self.reuse.give(start, size)
            raise
        attachment.start, attachment.size = start, size
        self.cycle_allocations = self.reuse.highest
        self.host_offset = self.reuse.top
        return data

    cdef char* lend(self, size_t n_bytes, size_t* start) except? NULL:
        """Memory for a kernel while it runs, until `reuse.give_scratch`; NULL where the arena has none."""
        cdef Section section
        enter(&section)
        cdef size_t size = round_up(n_bytes, CACHE_LINE)
        cdef bint has_room
        if not self.reuse.take_scratch(size, start):
            return NULL
        try:
            has_room = self.is_inside(start[0], size)
        except MemoryError:
            has_room = False
        if not has_room:
            self.reuse.give_scratch(start[0], size)
        self.cycle_allocations = self.reuse.highest
        self.host_offset = self.reuse.top
        return self.base + start[0] if has_room else NULL

    cdef bint is_inside(self, size_t start, size_t size) except -1:
        """Whether a range lies in the arena, where it has memory then.  Raises MemoryError, OSError."""
        if start + size > self.current_size or self.base == NULL or spills_all:
            return False
        if start + size > self.block.reach or self.block.backed < self.block.reach:
            if not self.reuse.follows:
                self.make_room(self.block.missing(start, start + size))
            self.block.back(start, start + size)
        return True

    cdef int make_room(self, size_t wanted) except -1:
        """Give back as much memory of free ranges as is about to be taken for another.

        So a scope without a plan, the first one above all, takes no more than the arrays alive at the same time
        need, whatever its gaps are.  In a scope that follows a plan all gaps will be needed.
        """
        cdef size_t released = 0
        cdef Py_ssize_t i
        if wanted:
            released = self.block.release(self.reuse.top, self.block.reach)
        for i in reversed(range(self.reuse.free.n)):
            if released >= wanted:
                break
            released += self.block.release(self.reuse.free.starts[i], self.reuse.free.ends[i])
        return 0

    def record_places(self, list places: list[tuple[int, int]] | None) -> None:
        """Append (start, bytes) to `places` for each array's range taken and (start, 0) when it is given back.

        For memory that a kernel takes while it runs there is (0, -bytes).  None stops the recording.

        Raises ValueError unless policy_reuse is WHEN_FREED.
        """
        if self.reuse is None:
            raise ValueError(f"workspace {self.id!r} does not use memory again; choose policy_reuse 'when_freed'")
        self.reuse.record = places

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
        cdef char* data = self.take_outside(n_bytes, outside)
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
        return data

    def initialize_workspace(self) -> None:
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
            size += <size_t>min(size * <double>configuration.overallocation_limit, <double>MOST_BYTES)
        elif self.is_circular:
            size *= self.steps_number
        if not self.is_circular:         # the arrays of the last scopes are still there
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
        self.block = self.arena_block(size + size // block_size * slack)
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

        What another library looks at, or a kernel of another thread computes on, stays as it is: the arena gives its
        block away and takes a new one.  A file is the only one of its name: there the kernel is waited for.
        """
        try:
            arrays_go(<PyObject*>self, generation)
        finally:
            if revoke_until(&self.attached, generation):
                self.leave_block()
        return 0

    cdef int leave_block(self) except -1:
        """Let others have the block to themselves."""
        if self.configuration.is_mapped:
            wait_until_free(self.block.data, self.block.data + self.block.size)
        else:
            self.block = None
            self.base = NULL
        return 0

    cdef int end_lease(self) except -1:
        """The scope is over: its arrays go, but those of a circular arena stay until it comes around."""
        cdef Section section
        enter(&section)
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


cdef void give_back(Attachment* attachment) noexcept:
    """Let later arrays of the scope have the memory of one that is gone."""
    cdef WorkspaceMemory workspace = <WorkspaceMemory>attachment.workspace
    if not workspace.is_open or attachment.generation != workspace.generation_id:
        return
    try:
        workspace.reuse.give(attachment.start, attachment.size)
    except MemoryError:
        pass                             # the gap stays unused until the scope ends


cdef inline size_t round_up(size_t n, size_t step) noexcept:
    return (n + step - 1) // step * step


cdef size_t bounded(configuration, size_t size) except? 0:
    """`size` within min_size and max_size."""
    size = max(size, <size_t>configuration.min_size)
    return min(size, <size_t>configuration.max_size) if configuration.max_size else size
