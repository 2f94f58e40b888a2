from cpython.object cimport PyObject
from nd4py._mem.arena cimport ArenaBlock
from nd4py._mem.ranges cimport Ranges


cdef struct Tenancy:
    # What ties an array to a workspace: its place in the list of the arrays that have memory there.
    Tenancy* previous
    Tenancy* next
    PyObject* workspace                  # borrowed
    PyObject* array                      # borrowed: the array this is part of
    long generation
    size_t start                         # its place in an arena that reuses memory
    size_t counted                       # bytes of that place; 0 where nothing is to be given back


cdef class Lease:
    # The right to memory of a workspace for one scope.  Arrays hold it, and by it the memory, as long as they live.
    cdef readonly str workspace_id
    cdef readonly long generation
    cdef object keeper                   # the workspace, until its arrays are released
    cdef object reference                # the same, weak
    cdef ArenaBlock block


cdef class Workspace:
    cdef readonly str id
    cdef readonly object configuration, workspace_type
    cdef readonly int device_id
    cdef readonly long thread_id
    cdef readonly size_t current_size, initial_block_size, host_offset
    cdef readonly size_t cycle_allocations, last_cycle_allocations, max_cycle_allocations
    cdef readonly size_t spilled_size, pinned_size
    cdef readonly long number_of_external_allocations, number_of_pinned_allocations
    cdef readonly long cycles_count, steps_count, steps_number, generation_id
    cdef readonly bint is_open, is_used, is_destroyed
    cdef readonly Workspace previous_workspace
    cdef list entries                    # how its scope was entered, again and again
    cdef Lease lease                     # of the scope that is open
    cdef ArenaBlock block
    cdef char* base
    cdef Tenancy tenants                 # head of the list
    cdef object pinned                   # (step, bytes) of each pinned allocation, oldest first
    cdef bint is_circular, is_trimmed, reset_planned, is_initialized, is_overallocated
    cdef bint reuses
    cdef Ranges freed                    # the gaps in an arena that reuses memory
    cdef size_t placed_start, placed_size        # where the last allocation lies there
    cdef long trimmed_step, bypassed
    cdef object __weakref__

    cdef char* allocate(self, size_t n_bytes, void** outside) except NULL
    cdef ArenaBlock fixed_block(self)
    cdef char* place(self, size_t n_bytes, void** outside) except NULL
    cdef char* spill(self, size_t n_bytes, size_t counted, bint is_pinned, void** outside) except NULL
    cdef int initialize(self) except -1
    cdef int reserve(self, size_t size) except -1
    cdef void revoke_until(self, long generation) noexcept
    cdef int leave(self) except -1
    cdef int learn(self) except -1
    cdef int end_cycle(self) except -1
    cdef int renew_lease(self) except -1
    cdef int end_lease(self) except -1
    cdef int purge_externals(self) except -1
    cdef int purge_pinned(self) except -1


# Makes an array unusable; whether somebody else may be looking at its memory in the arena.
ctypedef bint (*Revoke)(PyObject* array) noexcept

cdef int n_open                          # scopes open in all threads: 0 means that none need be looked for

cpdef Workspace current_workspace()
cdef Workspace workspace_for_array()
cdef void set_revoke(Revoke function) noexcept
cdef Tenancy* enter_tenancy(Workspace workspace, long generation, PyObject* array) except NULL
cdef void leave_tenancy(Tenancy* tenancy) noexcept
