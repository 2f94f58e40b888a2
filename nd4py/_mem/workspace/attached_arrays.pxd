from cpython.object cimport PyObject
from nd4py._mem.arena.arena cimport ArenaBlock


cdef struct Tenancy:
    # An array's entry in the list of the arrays that have memory in one workspace.
    Tenancy* previous
    Tenancy* next
    PyObject* workspace                  # borrowed; NULL while the array is on no list yet
    PyObject* array                      # borrowed
    long generation
    size_t start                         # of the array's range in an arena that uses memory again
    size_t size                          # bytes of that range; 0 where nothing is to be given back


cdef class Lease:
    # The right to memory of a workspace for one scope.  Arrays hold it, and by it the memory, as long as they live.
    cdef readonly str workspace_id
    cdef readonly long generation
    cdef object keeper                   # the workspace, until its arrays are released
    cdef object reference                # the same, weak
    cdef ArenaBlock block


# Makes an array unusable; whether somebody else may be looking at its memory in the arena.
ctypedef bint (*Revoke)(PyObject* array) noexcept

cdef Lease new_lease(object workspace, str workspace_id, long generation, ArenaBlock block)
cdef void set_revoke(Revoke function) noexcept
cdef bint revoke(PyObject* array) noexcept
cdef bint revoke_until(Tenancy* head, long generation) noexcept
cdef Py_ssize_t count_tenants(Tenancy* head) noexcept


cdef Tenancy* new_tenancy(PyObject* array) except NULL
cdef void end_tenancy(Tenancy* tenancy) noexcept


cdef inline void enter_tenancy(Tenancy* tenancy, Tenancy* before, PyObject* workspace, long generation) noexcept:
    """Put an array on a list, behind `before`: the head, or the record of another array."""
    tenancy.workspace = workspace
    tenancy.generation = generation
    tenancy.previous = before
    tenancy.next = before.next
    if tenancy.next != NULL:
        tenancy.next.previous = tenancy
    before.next = tenancy
