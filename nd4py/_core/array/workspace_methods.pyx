"""Methods of arrays about their workspace, and about releasing their memory."""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray, give_block
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport finish_readers_quietly
from nd4py._core.upcalls cimport upcalls
from nd4py._mem.free_threads cimport FREE_THREADS, Section, enter, references
from nd4py._mem.workspace.held_memory cimport is_held
from nd4py._mem.workspace.attached_arrays cimport revoke
from nd4py._mem.workspace.workspace cimport Workspace
from nd4py._mem.workspace.workspace_memory cimport WorkspaceMemory

from ..public_types import extend


cdef enum:
    HELD_BY_CALL = 2                     # the caller's reference, and one for the time of the call


cdef object workspace_of(ArrayBase x):
    """The workspace that has the memory of an array, which another thread may be about to leave; or None."""
    cdef Section section
    enter(&section)
    return None if x.attachment == NULL else <object>x.attachment.workspace


cdef str why_not_closeable(NDArray x):
    """The reason why an array cannot be closed, or an empty string."""
    cdef object workspace = workspace_of(x)
    if workspace is not None:
        return f"its memory belongs to workspace {(<Workspace>workspace).id!r}; detach() it"
    if x.block == NULL:
        return "it is a view, or over imported memory; close the array that owns the memory"
    if x.readonly:
        return "it is a constant, which others may share"
    if x.n_views and x.n_readers:        # operations that were deferred may be all that holds them
        finish_readers_quietly(<PyObject*>x)
    if x.n_views:
        return f"{x.n_views} views of it are alive; delete them first"
    if x.n_exports:
        return f"{x.n_exports} exports of its memory are alive; delete them first"
    if is_held(x.data, x.data + x.block_bytes):
        return "another thread computes on it; wait for the result"
    return ""


cdef bint is_ours_alone(NDArray x) noexcept:
    """Whether the caller of a method has the one reference to an array, beside chains that read it.

    With a GIL it is as good as that: no other thread is about to read what it has looked up.
    """
    return not FREE_THREADS or (x.n_views == 0 and references(<PyObject*>x) == HELD_BY_CALL + x.n_readers)


class Attachment:
    # Where the memory of an array is.

    def is_attached(ArrayBase self) -> bool:
        """Whether the memory came from a workspace.  Raises nothing.

        >>> with nd.workspace("example"):
        ...     nd.ones(2).is_attached()
        True
        """
        self.materialize()
        return self.attachment != NULL

    def is_in_scope(ArrayBase self) -> bool:
        """Whether the array may be used: it is detached, or its workspace's scope is open.  Raises nothing.

        >>> nd.ones(2).is_in_scope()
        True
        """
        self.materialize()
        workspace = workspace_of(self)
        return workspace is None or (<WorkspaceMemory>workspace).is_open


class Ownership:
    # The same of arrays on the host alone.

    def block(self) -> NDArray:
        """The array itself; a deferred one gets its values first.  Raises MemoryError.

        >>> (nd.ones(2) * 3).block().tolist()
        [3.0, 3.0]
        """
        return self

    @property
    def workspace(NDArray self) -> Workspace | None:
        """The workspace that the memory came from, or None."""
        return workspace_of(self)

    @property
    def closeable(NDArray self) -> bool:
        """Whether `close` may be called: the array owns its memory, and nothing else uses it."""
        return not why_not_closeable(self)

    def close(NDArray self) -> None:
        """Give the memory back now.  Any later use is a ValueError, but closing again does nothing.

        Deferred operations that read it run first; one that lacks memory for its result keeps this memory until it
        runs.
        Raises ValueError for views, arrays of a workspace, imported memory, and while views or exports are alive, or
        another thread computes on it.

        >>> x = nd.ones(1000)
        >>> x.closeable
        True
        >>> x.close()
        """
        objection = why_not_closeable(self)
        if objection:
            raise ValueError(f"an array of shape {self.shape} cannot be closed: {objection}")
        cdef bint is_alone = is_ours_alone(self)
        if self.n_readers:
            upcalls.leave_to_readers(self, is_alone)
        elif is_alone:
            give_block(self)
        if is_alone:
            self.data = NULL
        revoke(<PyObject*>self)          # another thread that had begun to read it may do so to the end


extend(Attachment)
extend(Ownership, NDArray)
