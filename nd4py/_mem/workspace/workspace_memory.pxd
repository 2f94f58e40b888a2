from nd4py._mem.arena.arena cimport ArenaBlock
from nd4py._mem.arena.arena_reuse cimport ArenaReuse
from nd4py._mem.workspace.attached_arrays cimport Lease, Attachment


cdef class WorkspaceMemory:
    cdef readonly str id
    cdef readonly object configuration
    cdef readonly size_t current_size, initial_block_size, host_offset
    cdef readonly size_t cycle_allocations, last_cycle_allocations, max_cycle_allocations
    cdef readonly size_t spilled_size, pinned_size
    cdef readonly long number_of_external_allocations, number_of_pinned_allocations
    cdef readonly long cycles_count, steps_count, steps_number, generation_id
    cdef readonly bint is_open
    cdef Lease lease                     # of the scope that is open
    cdef ArenaBlock block
    cdef char* base                      # of the block, moved so that offsets lead into the block of this cycle
    cdef size_t cycle_start              # the offset at which the cycle's block of a circular arena begins
    cdef size_t slack                    # bytes between blocks, so that each begins on a cache line
    cdef long n_blocks                   # cycles of a circular arena that have room at a time
    cdef Attachment attached             # head of the list
    cdef object pinned                   # (step, bytes) of each pinned allocation, oldest first
    cdef bint is_circular, is_trimmed, is_new_cycle, reset_planned, is_initialized, is_overallocated
    cdef ArenaReuse reuse             # of arrays where memory is used again within a scope, or None
    cdef long trimmed_step

    cdef int prepare(self, str id, object configuration) except -1
    cdef int begin_cycle(self, object workspace) except -1
    cdef int finish_cycle(self) except -1
    cdef int forget_memory(self) except -1
    cdef ArenaBlock fixed_block(self)
    cdef ArenaBlock arena_block(self, size_t size)
    cdef char* take_outside(self, size_t n_bytes, void** outside) except NULL
    cdef char* allocate(self, size_t n_bytes, Attachment* attachment, void** outside) except NULL
    cdef char* allocate_reused(self, size_t n_bytes, Attachment* attachment, void** outside) except NULL
    cdef char* lend(self, size_t n_bytes, size_t* start) except? NULL
    cdef bint is_inside(self, size_t start, size_t size) except -1
    cdef int make_room(self, size_t wanted) except -1
    cdef int start_block(self) except -1
    cdef char* spill(
        self, size_t n_bytes, size_t counted, size_t in_cycle, bint is_pinned, void** outside
    ) except NULL
    cdef int initialize(self) except -1
    cdef int reserve(self, size_t size, size_t block_size) except -1
    cdef int replace_block(self) except -1
    cdef int release_until(self, long generation) except -1
    cdef int leave_block(self) except -1
    cdef int learn(self) except -1
    cdef int end_cycle(self) except -1
    cdef int end_lease(self) except -1
    cdef int purge_externals(self) except -1
    cdef int purge_pinned(self) except -1


cdef void give_back(Attachment* attachment) noexcept
cdef size_t bounded(object configuration, size_t size) except? 0
