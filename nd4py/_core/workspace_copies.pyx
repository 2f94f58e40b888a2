"""Methods that copy arrays into another workspace, or out of all."""

from nd4py._core.array.array_base cimport ArrayBase

from .._mem.errors import WorkspaceError
from .._mem.workspace.workspace_manager import workspace_manager
from .._mem.workspace.scopes import current_workspace, describe_current
from .._mem.workspace.workspace import set_current_workspace
from .public_types import extend


cdef object copy_in(object workspace, ArrayBase x):
    """A copy of `x` in an open workspace, or outside any where that is None."""
    before = current_workspace()
    set_current_workspace(workspace)
    try:
        return x.copy()
    finally:
        set_current_workspace(before)


class WorkspaceCopies:
    def detach(ArrayBase self) -> ArrayBase:
        """A copy outside any workspace; a detached array is returned as it is.  Raises MemoryError.

        >>> with nd.workspace("example"):
        ...     x = nd.ones(2).detach()
        >>> x.tolist()
        [1.0, 1.0]
        """
        return copy_in(None, self) if self.is_attached() else self

    def leverage(ArrayBase self) -> ArrayBase:
        """A copy in the workspace around the current one, or a detached copy where there is none.

        An array that is there already, or detached, is returned as it is.
        Raises MemoryError, WorkspaceError where the workspace is full.

        >>> with nd.workspace("outer"), nd.workspace("inner"):
        ...     nd.ones(2).leverage().workspace.id
        'outer'
        """
        current = current_workspace()
        if current is None or not self.is_attached():
            return self
        parent = current.previous_workspace
        return self if self.workspace is parent else copy_in(parent, self)

    def leverage_to(ArrayBase self, workspace_id: str, enforce_existence: bool = False) -> ArrayBase:
        """A copy in an open workspace of this thread; an array there already, or detached, is returned as it is.

        Where there is no such workspace the array is returned, or WorkspaceError raised with `enforce_existence`.
        Raises TypeError for anything but a text.

        >>> with nd.workspace("outer"), nd.workspace("inner"):
        ...     nd.ones(2).leverage_to("outer").workspace.id
        'outer'
        """
        if not self.is_attached():
            return self
        if not workspace_manager.check_if_workspace_exists_and_active(workspace_id):
            if enforce_existence:
                raise WorkspaceError(f"leverage_to: no workspace {workspace_id!r} is open here; {describe_current()}")
            return self
        target = workspace_manager.get_workspace_for_current_thread(id=workspace_id)
        return self if self.workspace is target else copy_in(target, self)

    def leverage_or_detach(ArrayBase self, workspace_id: str) -> ArrayBase:
        """As `leverage_to`, or a detached copy where that workspace is not open.

        Returns an array.  Raises TypeError for anything but a text.

        >>> with nd.workspace("inner"):
        ...     nd.ones(2).leverage_or_detach("outer").is_attached()
        False
        """
        is_open = workspace_manager.check_if_workspace_exists_and_active(workspace_id)
        return self.leverage_to(workspace_id, True) if is_open else self.detach()

    def migrate(ArrayBase self, detach_on_no_workspace: bool = False) -> ArrayBase:
        """A copy in the current workspace; the array itself where there is none, or a detached copy if asked for.

        Raises MemoryError, WorkspaceError where the workspace is full.

        >>> x = nd.ones(2)
        >>> with nd.workspace("example"):
        ...     x.migrate().workspace.id
        'example'
        """
        if current_workspace() is None:
            return self.detach() if detach_on_no_workspace else self
        return self.copy()

    def dup(ArrayBase self) -> ArrayBase:
        """A C-ordered copy, in the current workspace if there is one.

        Raises MemoryError, WorkspaceError where the workspace is full.

        >>> nd.asarray([[1, 2], [3, 4]]).T.dup().strides
        (16, 8)
        """
        return self.copy()

    def unsafe_duplication(ArrayBase self) -> ArrayBase:
        """A copy of the same strides, in the current workspace if there is one: the bytes as they lie in memory.

        Views with gaps or repetitions are copied in C order.
        Raises MemoryError, WorkspaceError where the workspace is full.

        >>> nd.asarray([[1, 2], [3, 4]]).T.unsafe_duplication().strides
        (8, 16)
        """
        order = tuple(sorted(range(self.ndim), key=lambda axis: -self.strides[axis]))
        in_memory_order = self.permute_dims(order)
        if not in_memory_order.is_contiguous:
            return self.copy()
        return in_memory_order.copy().permute_dims(tuple(map(order.index, range(self.ndim))))


extend(WorkspaceCopies)
