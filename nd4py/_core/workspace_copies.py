"""Copies of arrays in another workspace, or in none."""

from .._mem.errors import WorkspaceError
from .._mem.manager import workspace_manager
from .._mem.scopes import current_workspace, describe_current
from .._mem.workspace import set_current_workspace


def copy_in(workspace, x):
    """A copy of `x` in an open workspace, or outside any where that is None."""
    before = current_workspace()
    set_current_workspace(workspace)
    try:
        return x.copy()
    finally:
        set_current_workspace(before)


def detach(x):
    """A copy outside any workspace; a detached array as it is."""
    return copy_in(None, x) if x.is_attached() else x


def leverage(x):
    """A copy in the workspace around the current one, or outside any where there is none."""
    current = current_workspace()
    if current is None or not x.is_attached():
        return x
    parent = current.previous_workspace
    return x if x.workspace is parent else copy_in(parent, x)


def leverage_to(x, workspace_id, enforce_existence):
    """A copy in the open workspace of that name."""
    if not x.is_attached():
        return x
    if not workspace_manager.check_if_workspace_exists_and_active(workspace_id):
        if enforce_existence:
            raise WorkspaceError(f"leverage_to: no workspace {workspace_id!r} is open here; {describe_current()}")
        return x
    target = workspace_manager.get_workspace_for_current_thread(id=workspace_id)
    return x if x.workspace is target else copy_in(target, x)


def leverage_or_detach(x, workspace_id):
    """As `leverage_to`, or a detached copy where that workspace is not open."""
    is_open = workspace_manager.check_if_workspace_exists_and_active(workspace_id)
    return leverage_to(x, workspace_id, True) if is_open else detach(x)


def migrate(x, detach_on_no_workspace):
    """A copy in the current workspace."""
    if current_workspace() is None:
        return detach(x) if detach_on_no_workspace else x
    return x.copy()


def unsafe_duplication(x):
    """A copy of the same strides; of views with gaps or repetitions, in C order."""
    order = tuple(sorted(range(x.ndim), key=lambda axis: -x.strides[axis]))
    in_memory_order = x.permute_dims(order)
    if not in_memory_order.is_contiguous:
        return x.copy()
    return in_memory_order.copy().permute_dims(tuple(map(order.index, range(x.ndim))))
