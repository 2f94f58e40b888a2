# Arenas of workspaces on devices.
from nd4py._mem.arena.arena cimport ArenaBlock
from nd4py._mem.workspace.workspace_memory cimport WorkspaceMemory
from nd4py.cuda.allocation.allocator cimport Block


cdef class DeviceBlock(ArenaBlock):
    cdef Block* block


cdef class DeviceArena(WorkspaceMemory):
    cdef readonly int device_number
    cdef size_t stream                   # that works in the arena in this cycle
    cdef object owner                    # the workspace, weak: it holds its arenas
    cdef object __weakref__

    cdef int begin(self, object workspace) except -1
    cdef int follow(self, size_t stream) except -1
