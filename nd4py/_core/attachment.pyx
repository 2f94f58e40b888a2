"""Methods of arrays about where their memory is, and where it goes."""

from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray
from nd4py._core.array_base cimport ArrayBase
from nd4py._core.chains.hazards cimport finish_readers_quietly
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.holds cimport is_held
from nd4py._mem.owners cimport forget_array
from nd4py._mem.pool cimport pool_release
from nd4py._mem.tenants cimport revoke
from nd4py._mem.workspace cimport Workspace
from nd4py._mem.workspace_memory cimport WorkspaceMemory

from . import workspace_copies
from .extending import extend


cdef str why_not_closeable(NDArray x):
    """What speaks against closing an array, or an empty string."""
    if x.tenancy != NULL:
        return f"its memory belongs to workspace {(<Workspace>x.tenancy.workspace).id!r}; detach() it"
    if x.block == NULL:
        return "it is a view, or over imported memory; close the array that owns the memory"
    if x.readonly:
        return "it is a constant, which others may share"
    if x.n_views and x.n_readers:        # operations that were put off may be all that holds them
        finish_readers_quietly(<PyObject*>x)
    if x.n_views:
        return f"{x.n_views} views of it are alive; delete them first"
    if x.n_exports:
        return f"{x.n_exports} exports of its memory are alive; delete them first"
    if is_held(x.data, x.data + x.block_bytes):
        return "another thread computes on it; wait for the result"
    return ""


class Attachment:
    # Where the memory of an array is, and where it goes.

    def is_attached(ArrayBase self) -> bool:
        """Whether the memory came from a workspace.  Raises nothing."""
        self.settle()
        return self.tenancy != NULL

    def is_in_scope(ArrayBase self) -> bool:
        """Whether the array may be used: it is detached, or its workspace's scope is open.  Raises nothing."""
        self.settle()
        return self.tenancy == NULL or (<WorkspaceMemory>self.tenancy.workspace).is_open

    def detach(ArrayBase self) -> ArrayBase:
        """A copy outside any workspace; a detached array is returned as it is.  Raises MemoryError."""
        return workspace_copies.detach(self)

    def leverage(ArrayBase self) -> ArrayBase:
        """A copy in the workspace around the current one, or a detached copy where there is none.

        An array that is there already, or detached, is returned as it is.
        Raises MemoryError, WorkspaceError where the workspace is full.
        """
        return workspace_copies.leverage(self)

    def leverage_to(ArrayBase self, workspace_id: str, enforce_existence: bool = False) -> ArrayBase:
        """A copy in an open workspace of this thread; an array there already, or detached, is returned as it is.

        Where there is no such workspace the array is returned, or WorkspaceError raised with `enforce_existence`.
        Raises TypeError for what is no text.
        """
        return workspace_copies.leverage_to(self, workspace_id, enforce_existence)

    def leverage_or_detach(ArrayBase self, workspace_id: str) -> ArrayBase:
        """As `leverage_to`, or a detached copy where that workspace is not open.

        Returns an array.  Raises TypeError for what is no text.
        """
        return workspace_copies.leverage_or_detach(self, workspace_id)

    def migrate(ArrayBase self, detach_on_no_workspace: bool = False) -> ArrayBase:
        """A copy in the current workspace; the array itself where there is none, or a detached copy if asked for.

        Raises MemoryError, WorkspaceError where the workspace is full.
        """
        return workspace_copies.migrate(self, detach_on_no_workspace)

    def dup(ArrayBase self) -> ArrayBase:
        """A C-ordered copy, in the current workspace if there is one.

        Raises MemoryError, WorkspaceError where the workspace is full.
        """
        return self.own_upcalls().copy(self)

    def unsafe_duplication(ArrayBase self) -> ArrayBase:
        """A copy of the same strides, in the current workspace if there is one: the bytes as they lie in memory.

        Views with gaps or repetitions are copied in C order.
        Raises MemoryError, WorkspaceError where the workspace is full.
        """
        return workspace_copies.unsafe_duplication(self)


class Ownership:
    # The same of arrays on the host alone.

    def block(self) -> NDArray:
        """The array itself; a pending one gets its values first.  Raises MemoryError."""
        return self

    @property
    def workspace(NDArray self) -> Workspace | None:
        """The workspace that the memory came from, or None."""
        return None if self.tenancy == NULL else <Workspace>self.tenancy.workspace

    @property
    def closeable(NDArray self) -> bool:
        """Whether `close` may be called: the array owns its memory, and nothing else looks at it."""
        return not why_not_closeable(self)

    def close(NDArray self) -> None:
        """Give the memory back now.  Any later use is a ValueError, but closing again does nothing.

        Operations on it that were put off run first; one that there is no memory for now keeps this until it runs.
        Raises ValueError for views, arrays of a workspace, imported memory, and while views or exports are alive, or
        another thread computes on it.
        """
        objection = why_not_closeable(self)
        if objection:
            raise ValueError(f"an array of shape {self.shape} cannot be closed: {objection}")
        if self.n_readers:
            upcalls.leave_to_readers(self)
        else:
            forget_array(self.block)
            pool_release(self.block, self.block_bytes)
        self.block = NULL
        self.data = NULL
        revoke(<PyObject*>self)


extend(Attachment)
extend(Ownership, NDArray)
