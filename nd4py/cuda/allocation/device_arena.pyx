"""Workspaces on devices.  Each has an arena of its own on every device whose arrays are made in its scope.

Design: an arena is another `WorkspaceMemory`, which moves offsets and follows the policies as on the host; only its
block is one of the device's cache.  It begins with the first array of a scope and ends with the scope.  Memory is used
again in the order of one stream, the one that is current when the arena begins: the arena waits for what other streams
were given before, and arrays made while another one is current lie outside.

Stale arrays change their type as those of the host do, and so does what says why.
"""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport become, graft
from nd4py._mem.arena.arena cimport ArenaBlock
from nd4py._mem.workspace.attached_arrays cimport Lease, Attachment, end_attachment, start_attachment, new_attachment
from nd4py._mem.workspace.workspace cimport Workspace, workspace_for_array
from nd4py._mem.workspace.workspace_memory cimport give_back
from nd4py.cuda.allocation.allocator cimport Block, Use, cache_of, give
from nd4py.cuda.array.device_array cimport DeviceArray, array_upcalls, end_as_array, materialize, note_use
from nd4py.cuda.launch.current_stream cimport current_stream, order_streams

import weakref

from ..._core.public_types import extend
from ..._core.array.released import ReleasedArray
from ..._mem.workspace.workspace_configuration import MirroringPolicy
from ..driver.driver_choice import at_change

cdef dict known = {}                     # weak references to arenas, which have memory of the driver's, by identity


class ReleasedDeviceArray(ReleasedArray):
    """What an array on a device becomes when the scope of its workspace is left.  Any use raises WorkspaceError."""

    __slots__ = ()


cdef class DeviceBlock(ArenaBlock):
    """A block of a device's cache."""

    def __dealloc__(self):
        if self.block != NULL:
            give(self.block)


cdef class DeviceArena(WorkspaceMemory):
    """The arena of a workspace on one device; its sizes and counters are those of `Workspace`."""

    def __init__(self, workspace, int device):
        self.device_number = device
        self.owner = weakref.ref(workspace)
        self.stream = current_stream(device)
        self.prepare(workspace.id, workspace.configuration)
        known[id(self)] = weakref.ref(self)

    def __dealloc__(self):
        known.pop(<size_t><PyObject*>self, None)
        revoke_attached(self, self.generation_id)

    cdef ArenaBlock arena_block(self, size_t size):
        cdef DeviceBlock block = DeviceBlock()
        block.block = cache_of(self.device_number).take(size, self.stream)
        block.data = <char*>block.block.address
        block.size = block.reach = block.backed = size
        return block

    cdef char* take_outside(self, size_t n_bytes, void** outside) except NULL:
        cdef Block* block = cache_of(self.device_number).take(n_bytes, current_stream(self.device_number))
        outside[0] = <void*>block
        return <char*>block.address

    cdef int release_until(self, long generation) except -1:
        """Release arrays; where another library was told an address, the arena gives its block away."""
        if revoke_attached(self, generation):
            self.block = None
            self.base = NULL
        return 0

    cdef int begin(self, workspace) except -1:
        """Open with the workspace's scope, as its generation, for the stream that is current."""
        self.generation_id = workspace.generation_id - 1
        self.follow(current_stream(self.device_number))
        self.begin_cycle(workspace)
        return 0

    cdef int follow(self, size_t stream) except -1:
        """Let `stream` wait for all that other streams were given to do in the arena."""
        cdef size_t before = self.stream
        cdef DeviceBlock block = <DeviceBlock>self.block
        self.stream = stream
        if self.block is None:
            return 0
        cdef Use* use = block.block.uses
        if before != stream:
            order_streams(self.device_number, before, self.device_number, stream)
            note_use(block.block, self.device_number, stream)
        while use != NULL:
            if use.stream != stream or use.device_number != self.device_number:
                order_streams(use.device_number, use.stream, self.device_number, stream)
            use = use.next
        return 0


cdef bint revoke_attached(DeviceArena arena, long generation) noexcept:
    """Make the arrays of this generation and of those before unusable; whether an address of one is known elsewhere."""
    cdef Attachment* attachment = arena.attached.next
    cdef Attachment* following
    cdef DeviceArray x
    cdef bint is_seen = False
    while attachment != NULL:
        following = attachment.next
        if attachment.generation <= generation:
            x = <DeviceArray>attachment.array
            is_seen |= x.n_exports > 0 and x.owned == NULL
            x.attachment = NULL
            become(attachment.array, ReleasedDeviceArray)
            end_attachment(attachment)
        attachment = following
    return is_seen


def remains(released: DeviceArray) -> tuple[int, tuple[int, ...], object]:
    """(the dtype's number, the shape, what held the memory) of what was an array on a device."""
    cdef DeviceArray x = <DeviceArray><PyObject*>released
    holder = x.base if isinstance(x.base, Lease) else (<DeviceArray><PyObject*>x.base).base
    return x.number, x.info.shape_tuple, holder


# What new arrays ask.


cdef bint attach(DeviceArray x) except -1:
    """Get memory for a new array from the workspace that is current, if it has any on devices."""
    cdef Workspace workspace = workspace_for_array()
    cdef DeviceArena arena
    cdef size_t n_bytes = x.info.size * x.info.itemsize
    cdef void* outside = NULL
    cdef char* data
    if workspace is None or not has_mirrors(workspace.configuration):
        return False
    found = workspace.mirrors.get(x.device_number)
    if found is None:
        found = workspace.mirrors[x.device_number] = DeviceArena(workspace, x.device_number)
    arena = <DeviceArena>found
    if not arena.is_open:
        arena.begin(workspace)
    x.attachment = new_attachment(<PyObject*>x)
    if current_stream(x.device_number) == arena.stream:
        data = arena.allocate(n_bytes, x.attachment, &outside)
    else:
        data = arena.take_outside(n_bytes, &outside)
    x.owned = <Block*>outside
    x.data_address = <size_t>data
    x.base = arena.lease
    start_attachment(x.attachment, &arena.attached, <PyObject*>arena, arena.generation_id)
    return True


cdef bint has_mirrors(configuration) except -1:
    """Whether a workspace has arenas on devices: files and addresses are the host's."""
    return configuration.policy_mirroring is MirroringPolicy.FULL and not configuration.has_fixed_size


cdef int share(DeviceArray view, DeviceArray source) except -1:
    """A view of an attached array goes when the array does."""
    view.attachment = new_attachment(<PyObject*>view)
    start_attachment(view.attachment, source.attachment, source.attachment.workspace, source.attachment.generation)
    return 0


cdef void end(DeviceArray x) noexcept:
    """An attached array is gone; its memory may be used again unless another stream works there."""
    if x.attachment.workspace != NULL and x.attachment.size and not (x.is_lent or x.n_exports):
        give_back(x.attachment)
    end_attachment(x.attachment)
    x.attachment = NULL


cdef Block* block(DeviceArray x) noexcept:
    """The block of the arena that an array lies in."""
    return (<DeviceBlock>(<Lease>x.base).block).block


# What people ask.


class Ownership:
    # What only arrays on devices say of themselves, as `nd4py._core.array.workspace_methods` does of those on the host.

    @property
    def number(DeviceArray self) -> int:
        """The number of the dtype, in the order of `nd4py._spec.dtypes`."""
        return self.number

    @property
    def workspace(DeviceArray self) -> Workspace | None:
        """The workspace that the memory came from, or None."""
        materialize(self)
        return None if self.attachment == NULL else (<DeviceArena>self.attachment.workspace).owner()


def forget_arenas() -> None:
    """Give the memory of arenas back, for another driver.  Raises RuntimeError while a scope with one is open."""
    for arena in filter(None, [reference() for reference in list(known.values())]):
        if (<DeviceArena>arena).is_open:
            raise RuntimeError(f"use_driver: workspace {arena.id!r} is open; leave its scope first")
        (<DeviceArena>arena).forget_memory()
        workspace = (<DeviceArena>arena).owner()
        if workspace is not None:
            workspace.mirrors.pop((<DeviceArena>arena).device_number, None)
    known.clear()


graft(DeviceArray, ReleasedDeviceArray, end_as_array)
array_upcalls.attach = attach
array_upcalls.share = share
array_upcalls.end = end
array_upcalls.block = block
extend(Ownership, DeviceArray)
at_change.append(forget_arenas)
