from nd4py._mem.workspace.attached_arrays cimport Attachment
from nd4py._mem.workspace.scopes cimport get_current
from nd4py._mem.workspace.workspace_memory cimport WorkspaceMemory, give_back


cdef class Workspace(WorkspaceMemory):
    cdef readonly object workspace_type
    cdef readonly int device_id
    cdef readonly unsigned long thread_id
    cdef readonly bint is_used, is_destroyed
    cdef readonly Workspace previous_workspace
    cdef list entries                    # how its scope was entered, again and again
    cdef list with_depths                # the number of entries at each `with`, that one included
    cdef bint is_fresh                   # a call entered the scope, so that `with` need not
    cdef size_t fresh_allocations        # at that call
    cdef long bypassed                   # arrays made while use was switched off
    cdef readonly dict mirrors           # WorkspaceMemory of each device with arrays of this workspace, by its number
    cdef object __weakref__

    cdef bint was_just_entered(self) except -1
    cdef int note_entry(self, entry) except -1
    cdef int enter(self) except -1
    cdef int borrow(self) except -1
    cdef int undo(self) except -1
    cdef int undo_entry(self) except -1
    cdef int leave(self) except -1


cdef Workspace workspace_for_array()
cdef bint would_hold(const Attachment* attachment) noexcept
