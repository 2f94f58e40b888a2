"""Lists of the arrays that are attached to a workspace.

Design: a list of records beside the arrays, which hold a pointer each.  Rejected: records inside the arrays, which made
every array so large that clearing it took 10 ns more.  Without a GIL a list is read and written in sections: arrays end
in any thread.
"""

from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.pool.pool cimport pool_allocate, pool_release

import weakref

from ..diagnostics.memory_wants import out_of_memory

cdef Revoke revoke_array = NULL


cdef Attachment* new_attachment(PyObject* array) except NULL:
    """A record that is on no list yet.  Raises MemoryError."""
    cdef Attachment* attachment = <Attachment*>pool_allocate(sizeof(Attachment))
    if attachment == NULL:
        raise out_of_memory(sizeof(Attachment), "the record of an array in a workspace")
    attachment.array = array
    attachment.workspace = NULL
    attachment.size = 0
    return attachment


cdef void end_attachment(Attachment* attachment) noexcept:
    """Take an array off its list, and its record back."""
    if attachment.workspace != NULL:
        attachment.previous.next = attachment.next
        if attachment.next != NULL:
            attachment.next.previous = attachment.previous
    pool_release(attachment, sizeof(Attachment))


cdef void set_revoke(Revoke function) noexcept:
    """Arrays are of a layer above: it says how one becomes unusable."""
    global revoke_array
    revoke_array = function


cdef bint revoke(PyObject* array) noexcept:
    """Make an array unusable.  Returns whether other code may be using its memory in the arena."""
    return revoke_array(array)


cdef bint revoke_until(Attachment* head, long generation) noexcept:
    """Revoke the arrays of this generation and of those before.  Returns whether other code uses one."""
    cdef Section section
    enter(&section)
    cdef Attachment* attachment = head.next
    cdef Attachment* next
    cdef bint is_seen = False
    while attachment != NULL:
        next = attachment.next
        if attachment.generation <= generation:
            is_seen |= revoke_array(attachment.array)
            end_attachment(attachment)
        attachment = next
    return is_seen


cdef Py_ssize_t count_attached(Attachment* head) noexcept:
    """How many arrays are on the list."""
    cdef Section section
    enter(&section)
    cdef Attachment* attachment = head.next
    cdef Py_ssize_t n = 0
    while attachment != NULL:
        n += 1
        attachment = attachment.next
    return n


cdef Lease new_lease(object workspace, str workspace_id, long generation, ArenaBlock block):
    """A lease of `block`."""
    cdef Lease lease = Lease.__new__(Lease)
    lease.workspace_id = workspace_id
    lease.generation = generation
    lease.keeper = workspace
    lease.reference = weakref.ref(workspace)
    lease.block = block
    return lease


cdef class Lease:
    """The right to memory of a workspace for one scope."""

    def reason(self) -> str:
        """Why arrays of this scope cannot be used any more."""
        cdef Section section
        enter(&section)
        workspace = self.keeper or self.reference()
        made = f"made in workspace {self.workspace_id!r}, generation {self.generation}"
        if workspace is None or workspace.is_destroyed:
            return f"{made}, which has been destroyed"
        now = workspace.generation_id
        if workspace.configuration.is_circular:
            return f"{made}, and the circular workspace is at generation {now} and used its memory again"
        if workspace.is_open:
            return f"{made}, which is open again as generation {now}"
        return f"{made}, whose scope is closed (its last generation is {now})"
