from cpython.object cimport PyObject
from nd4py._mem.arena.arena cimport ArenaBlock


cdef struct Attachment:
    # An array's entry in the list of the arrays that have memory in one workspace.
    Attachment* previous
    Attachment* next
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


# Makes an array unusable; whether other code may be using its memory in the arena.
ctypedef bint (*Revoke)(PyObject* array) noexcept

cdef Lease new_lease(object workspace, str workspace_id, long generation, ArenaBlock block)
cdef void set_revoke(Revoke function) noexcept
cdef bint revoke(PyObject* array) noexcept
cdef bint revoke_until(Attachment* head, long generation) noexcept
cdef Py_ssize_t count_attached(Attachment* head) noexcept


cdef Attachment* new_attachment(PyObject* array) except NULL
cdef void end_attachment(Attachment* attachment) noexcept


cdef inline void start_attachment(Attachment* attachment, Attachment* before, PyObject* workspace,
                                  long generation) noexcept:
    """Put an array on a list, behind `before`: the head, or the record of another array."""
    attachment.workspace = workspace
    attachment.generation = generation
    attachment.previous = before
    attachment.next = before.next
    if attachment.next != NULL:
        attachment.next.previous = attachment
    before.next = attachment
