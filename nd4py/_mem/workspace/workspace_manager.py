"""The workspaces of each thread, by name."""

from __future__ import annotations

import threading
import weakref
from contextlib import contextmanager

from ..errors import WorkspaceError, belongs_to_process
from ..sizes import human, shortened
from .scopes import current_workspace, get_debug_mode, set_debug_mode
from .workspace import Workspace, set_current_workspace
from .workspace_configuration import MOST_COUNT, WorkspaceConfiguration

__all__ = ["WorkspaceManager", "scope_out_of_workspaces", "workspace", "workspace_manager"]

DEFAULT_ID = "DefaultWorkspace"


class WorkspaceManager:
    """Makes workspaces, finds them again by name, and destroys them: each thread has its own.

    `nd4py.workspace_manager` is the only one.
    Raises TypeError where it is pickled or copied: it belongs to its process.

    >>> with nd.workspace("step"):
    ...     "step" in nd.workspace_manager.all_workspace_ids_for_current_thread()
    True
    """

    def __init__(self):
        self._of_thread = threading.local()
        self._default_configuration = WorkspaceConfiguration()
        self._private: weakref.WeakSet[Workspace] = weakref.WeakSet()

    def __reduce_ex__(self, protocol):
        raise belongs_to_process("the workspace manager", "use nd4py.workspace_manager, which each process has")

    @property
    def _workspaces(self):
        """{id: workspace} of this thread, perhaps with some that were destroyed by their own method."""
        try:
            return self._of_thread.workspaces
        except AttributeError:
            made = self._of_thread.workspaces = {}
            return made

    def _find(self, id):
        """This thread's workspace of that name, or None.  Raises TypeError unless the name is a text."""
        if not isinstance(id, str) or not id:
            raise TypeError(f"id: the name of a workspace, given {shortened(id)}")
        found = self._workspaces.get(id)
        if found is not None and found.is_destroyed:
            del self._workspaces[id]
            return None
        return found

    def _all(self):
        """The workspaces of this thread, oldest first."""
        return [workspace for workspace in self._workspaces.values() if not workspace.is_destroyed]

    def set_default_configuration(self, configuration) -> None:
        """Set the configuration of workspaces that are made without one, in all threads.

        Raises TypeError for anything but a configuration.
        """
        _check_configuration(configuration)
        self._default_configuration = configuration

    def get_workspace_for_current_thread(self, configuration=None, id=DEFAULT_ID):
        """The workspace of that name, made if there is none; it is not entered.

        Raises TypeError unless the name is a text, WorkspaceError when there is one with another configuration.
        """
        found = self._find(id)
        if configuration is not None:
            _check_configuration(configuration)
        if found is None:
            return self.create_new_workspace(configuration, id)
        if configuration is not None and configuration != found.configuration:
            raise WorkspaceError(
                f"workspace {id!r} exists with another configuration, {found.configuration}, given {configuration}; "
                "destroy it first or choose another id"
            )
        return found

    def get_and_activate_workspace(self, configuration=None, id=DEFAULT_ID):
        """As `get_workspace_for_current_thread`, entered; close it, or use it by `with nd4py.workspace(...)`.

        Returns the workspace.  Raises as that method does.
        """
        return self.get_workspace_for_current_thread(configuration, id).notify_scope_entered()

    def create_new_workspace(self, configuration=None, id=DEFAULT_ID, device_id=0):
        """A new workspace.  Raises WorkspaceError when this thread has one of that name, TypeError, ValueError."""
        if self._find(id) is not None:
            raise WorkspaceError(f"workspace {id!r} exists in this thread; destroy it first or choose another id")
        if isinstance(device_id, bool) or not isinstance(device_id, int):
            raise TypeError(f"device_id: the number of a device, given {shortened(device_id)}")
        if not 0 <= device_id <= MOST_COUNT:
            raise ValueError(f"device_id: the number of a device, given {shortened(device_id)}")
        made = Workspace(id, self._default_configuration if configuration is None else configuration, device_id)
        self._workspaces[id] = made
        return made

    def private_workspaces(self) -> PrivateWorkspaces:
        """Workspaces that their owner alone can find, for each thread; they go with the owner.

        Returns them, none yet.  Raises nothing.
        """
        return PrivateWorkspaces(self._private)

    def set_workspace_for_current_thread(self, workspace) -> None:
        """Put a workspace that this thread made under its name.  Raises WorkspaceError for another thread's."""
        _checked(workspace).check_thread()
        self._workspaces[workspace.id] = workspace

    def current_workspace(self) -> Workspace | None:
        """The workspace that new arrays come from now, or None.  Raises nothing."""
        return current_workspace()

    def destroy_workspace(self, workspace=None) -> None:
        """Destroy a workspace, this thread's default one if None.

        Raises WorkspaceError while it is open, TypeError for anything but a workspace, such as its name.
        """
        if workspace is None:
            workspace = self._find(DEFAULT_ID)
        if workspace is not None:
            _checked(workspace).destroy()
            if self._workspaces.get(workspace.id) is workspace:
                del self._workspaces[workspace.id]

    def destroy_all_workspaces_for_current_thread(self) -> None:
        """Destroy all of this thread.  Raises WorkspaceError, having destroyed none, while one of them is open."""
        workspaces = self._all()
        still_open = [repr(workspace.id) for workspace in workspaces if workspace.is_open]
        if still_open:
            raise WorkspaceError(f"workspaces {', '.join(still_open)} are open; leave their scopes first")
        for workspace in workspaces:
            self.destroy_workspace(workspace)

    def check_if_workspace_exists(self, id):
        """Whether this thread has a workspace of that name.  Raises TypeError for anything but a text."""
        return self._find(id) is not None

    def check_if_workspace_exists_and_active(self, id):
        """Whether this thread has a workspace of that name whose scope is open.

        Raises TypeError for anything but a text.
        """
        found = self._find(id)
        return found is not None and found.is_open

    def any_workspace_active_for_current_thread(self):
        """Whether new arrays of this thread come from a workspace.  Raises nothing."""
        return current_workspace() is not None

    def all_workspace_ids_for_current_thread(self):
        """The names, oldest first.  Raises nothing."""
        return [workspace.id for workspace in self._all()]

    def all_workspaces_for_current_thread(self):
        """The workspaces, oldest first, then those that networks of this thread keep for themselves.

        Raises nothing.
        """
        thread = threading.get_ident()
        private = [workspace for workspace in list(self._private) if workspace.thread_id == thread]
        return [*self._all(), *private]

    def scope_out_of_workspaces(self):
        """See `nd4py.scope_out_of_workspaces`.  Returns and raises as it does."""
        return scope_out_of_workspaces()

    def set_debug_mode(self, mode) -> None:
        """Choose the `WorkspaceDebugMode` of the process.  Raises ValueError for another name."""
        set_debug_mode(mode)

    def get_debug_mode(self):
        """The `WorkspaceDebugMode` of the process.  Raises nothing."""
        return get_debug_mode()

    def allocation_statistics_for_current_thread(self):
        """A table of this thread's workspaces: allocated, spilled and pinned memory, with units and in bytes.

        Raises nothing.
        """
        rows = [("workspace", "state", "generation", "allocated", "spilled", "pinned")]
        for workspace in self.all_workspaces_for_current_thread():
            sizes = (workspace.allocated_size, workspace.spilled_size, workspace.pinned_size)
            state = "open" if workspace.is_open else "closed"
            rows.append((workspace.id, state, str(workspace.generation_id), *(f"{human(n)} ({n})" for n in sizes)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    def print_allocation_statistics_for_current_thread(self) -> None:
        """Print that table.  Raises nothing."""
        print(self.allocation_statistics_for_current_thread())


class PrivateWorkspaces:
    """Workspaces by name, of each thread that asks."""

    def __init__(self, known: weakref.WeakSet[Workspace]) -> None:
        self._of_thread = threading.local()
        self._known = known

    def get(self, id: str, configuration: WorkspaceConfiguration) -> Workspace:
        """This thread's workspace of that name, made when first asked for."""
        made = self._of_thread.__dict__
        if id not in made:
            made[id] = Workspace(id, configuration)
            self._known.add(made[id])
        found: Workspace = made[id]
        return found


def _check_configuration(configuration):
    if not isinstance(configuration, WorkspaceConfiguration):
        raise TypeError(f"configuration: a WorkspaceConfiguration, given {shortened(configuration)}")


def _checked(workspace):
    """`workspace`.  Raises TypeError for anything but a workspace."""
    if not isinstance(workspace, Workspace):
        given = shortened(workspace)
        remedy = f"; get it by nd4py.workspace({given})" if isinstance(workspace, str) else ""
        raise TypeError(f"workspace: a Workspace, given {given}{remedy}")
    return workspace


workspace_manager = WorkspaceManager()


def workspace(id: str | None = DEFAULT_ID, configuration: WorkspaceConfiguration | None = None) -> Workspace:
    """The workspace of this thread with that name, made if there is none: `with nd4py.workspace("step") as ws:`.

    id: the name; None for one that has no name.
    While the scope is open every new array of the thread lies in the workspace's arena.  When the scope is left, the
    memory is reused and these arrays cannot be used any more: copy arrays that are needed later with `detach()`.
    configuration: a `WorkspaceConfiguration`; None takes the default, or what the workspace has
    Raises WorkspaceError when there is one with another configuration.

    >>> with nd.workspace("step") as ws:
    ...     x = nd.ones(3)
    ...     x.workspace is ws
    ...     y = x.detach()  # outlives the block
    True
    >>> y
    array([1., 1., 1.], dtype=float64)
    """
    return workspace_manager.get_workspace_for_current_thread(configuration, id)


@contextmanager
def scope_out_of_workspaces():
    """Make arrays outside any workspace: `with nd4py.scope_out_of_workspaces():`.

    Returns a context manager.  Raises nothing.

    >>> with nd.workspace("step"), nd.scope_out_of_workspaces():
    ...     x = nd.ones(3)  # outside of the arena
    >>> x.is_attached()
    False
    """
    before = current_workspace()
    set_current_workspace(None)
    try:
        yield
    finally:
        set_current_workspace(before)
