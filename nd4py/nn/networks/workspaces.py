"""Workspaces of a network: one for each kind of array."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array as checked
from nd4py.api.arguments import instance, items


class ArrayType(enum.StrEnum):
    """The purpose of an array, as in Deeplearning4j.

    INPUT: features    ACTIVATIONS, ACTIVATION_GRAD: results of layers, and their gradients
    FF_WORKING_MEM, BP_WORKING_MEM: arrays that only one layer needs, in the forward or the backward pass
    RNN_FF_LOOP_WORKING_MEM, RNN_BP_LOOP_WORKING_MEM: the same within one time step
    UPDATER_WORKING_MEM: arrays of the updater    FF_CACHE: results of the forward pass that the backward pass needs

    >>> nn.ArrayType("activations") is nn.ArrayType.ACTIVATIONS
    True
    """

    INPUT = "input"
    ACTIVATIONS = "activations"
    ACTIVATION_GRAD = "activation_grad"
    FF_WORKING_MEM = "ff_working_mem"
    BP_WORKING_MEM = "bp_working_mem"
    RNN_FF_LOOP_WORKING_MEM = "rnn_ff_loop_working_mem"
    RNN_BP_LOOP_WORKING_MEM = "rnn_bp_loop_working_mem"
    UPDATER_WORKING_MEM = "updater_working_mem"
    FF_CACHE = "ff_cache"


# One arena for the whole step: memory of freed arrays is reused at once, so that it holds no more than the arrays that
# are alive at the same time; an arena per layer and purpose would keep the largest size of each.
STEP = nd.WorkspaceConfiguration(
    policy_learning=nd.LearningPolicy.NONE,
    policy_location=nd.LocationPolicy.VIRTUAL,
    policy_reuse=nd.ReusePolicy.WHEN_FREED,
)
TRAINING, INFERENCE = "WS_ALL_LAYERS_ACT", "WS_OUTPUT_MEM"
MODES = {"enabled": True, "none": False, "single": True, "separate": True}  # the last two as Deeplearning4j had them


class LayerWorkspaceMgr:
    """Maps array types to workspaces; a type without one is scoped out: its arrays are plain arrays.

    workspaces: {type: (name, configuration)}; types of one name share a workspace
    default: the same pair for all types that are not named
    Each thread has workspaces of its own, and they go with the manager.
    Raises ValueError for an unknown type, TypeError for anything but a mapping to a name and a configuration.

    >>> manager = nn.LayerWorkspaceMgr({"activations": ("acts", nd.WorkspaceConfiguration())})
    >>> manager.workspace_name("activations"), manager.is_scoped_out("input")
    ('acts', True)
    """

    def __init__(
        self,
        workspaces: Mapping[ArrayType | str, tuple[str, nd.WorkspaceConfiguration]] | None = None,
        *,
        default: tuple[str, nd.WorkspaceConfiguration] | None = None,
    ) -> None:
        given = {ArrayType(kind): pair for kind, pair in instance("workspaces", workspaces or {}, Mapping).items()}
        if default is not None:
            given = dict.fromkeys(ArrayType, default) | given
        self._configured = given
        configurations: dict[str, nd.WorkspaceConfiguration] = {}
        for entry in given.values():
            name, configuration = _checked_workspace(entry)
            if configurations.setdefault(name, configuration) != configuration:
                raise ValueError(f"workspace {name!r} is given two configurations; types of one name share one")
        self._own = nd.workspace_manager.private_workspaces()
        self._no_leverage: set[str] = set()

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has the same configurations, and workspaces of its own in them.
        return type(self), (self._configured,), {"_no_leverage": set(self._no_leverage)}

    @classmethod
    def no_workspaces(cls) -> LayerWorkspaceMgr:
        """A manager for which every type is scoped out.  Raises nothing."""
        return cls()

    def has_configuration(self, kind: ArrayType | str) -> bool:
        """Whether the type has a workspace.  Raises ValueError for an unknown type."""
        return ArrayType(kind) in self._configured

    def is_scoped_out(self, kind: ArrayType | str) -> bool:
        """Whether arrays of the type are plain arrays.  Raises ValueError for an unknown type."""
        return not self.has_configuration(kind)

    def workspace_name(self, kind: ArrayType | str) -> str | None:
        """The name of the type's workspace, None where it is scoped out.  Raises ValueError for an unknown type."""
        entry = self._configured.get(ArrayType(kind))
        return None if entry is None else entry[0]

    def configuration(self, kind: ArrayType | str) -> nd.WorkspaceConfiguration | None:
        """How the type's workspace is configured, None where it is scoped out.

        Raises ValueError for an unknown type.
        """
        entry = self._configured.get(ArrayType(kind))
        return None if entry is None else entry[1]

    def workspace(self, kind: ArrayType | str) -> nd.Workspace | None:
        """This thread's workspace of the type, made when first asked for; None where it is scoped out.

        Returns a `Workspace` or None.  Raises ValueError for an unknown type.
        """
        entry = self._configured.get(ArrayType(kind))
        return None if entry is None else self._own.get(*entry)

    @contextmanager
    def recorded(self, kind: ArrayType | str = ArrayType.ACTIVATIONS) -> Iterator[list[tuple[int, int]]]:
        """The ranges that arrays take (start, bytes) and give back (start, 0) in this thread's workspace of the type.

        Memory that kernels take while they run is (0, -bytes).

        Raises ValueError where the type is scoped out, or its workspace does not use memory again.
        """
        workspace = self.workspace(kind)
        if workspace is None:
            raise ValueError(f"arrays of type {ArrayType(kind)} are in no workspace, so there are no ranges to record")
        ranges: list[tuple[int, int]] = []
        workspace.record_places(ranges)
        try:
            yield ranges
        finally:
            workspace.record_places(None)

    @contextmanager
    def notify_scope_entered(self, *kinds: ArrayType | str) -> Iterator[None]:
        """Open the workspaces of these types, the last one inside; scoped-out types are made outside any workspace.

        Returns a context manager.  Raises ValueError for an unknown type.
        """
        with ExitStack() as scopes:
            for kind in kinds:
                workspace = self.workspace(kind)
                scopes.enter_context(nd.scope_out_of_workspaces() if workspace is None else workspace)
            yield

    @contextmanager
    def notify_scope_borrowed(self, kind: ArrayType | str) -> Iterator[None]:
        """Make arrays in the workspace of this type, which is open, for a while.

        Raises WorkspaceError when it is not open.
        Returns a context manager.
        """
        workspace = self.workspace(kind)
        if workspace is None:
            with nd.scope_out_of_workspaces():
                yield
        elif workspace is nd.workspace_manager.current_workspace():
            yield
        else:
            with closing(workspace.notify_scope_borrowed()):
                yield

    def create(self, kind: ArrayType | str, shape: Any, dtype: Any = None) -> nd.NDArray:
        """Zeros in the workspace of the type.

        Returns an array.  Raises ValueError for an unknown type or a wrong shape.
        """
        with self.notify_scope_borrowed(kind):
            return nd.zeros(shape, dtype=dtype)

    def create_uninitialized(self, kind: ArrayType | str, shape: Any, dtype: Any = None) -> nd.NDArray:
        """An uninitialised array in the workspace of the type.

        Raises ValueError for an unknown type or a wrong shape.
        """
        with self.notify_scope_borrowed(kind):
            return nd.empty(shape, dtype=dtype)

    def dup(self, kind: ArrayType | str, array: nd.NDArray) -> nd.NDArray:
        """A copy in the workspace of the type.

        Raises ValueError for an unknown type, TypeError for an argument that is not an array.
        """
        with self.notify_scope_borrowed(kind):
            return checked("dup: array", array).dup()

    def cast_to(self, kind: ArrayType | str, dtype: Any, array: nd.NDArray) -> nd.NDArray:
        """The array in another dtype and in the workspace of the type; as it is when both are so already.

        Raises ValueError for an unknown type, TypeError for anything but an array or dtype.
        """
        if checked("cast_to: array", array).dtype == dtype and self._is_in_workspace(kind, array):
            return array
        with self.notify_scope_borrowed(kind):
            return array.astype(dtype)

    def leverage_to(self, kind: ArrayType | str, array: nd.NDArray) -> nd.NDArray:
        """The array, copied to the workspace of the type unless it is there; detached where the type is scoped out.

        Raises ValueError for an unknown type, TypeError for an argument that is not an array.
        """
        checked("leverage_to: array", array)
        if array.workspace is not None and array.workspace.id in self._no_leverage:
            return array
        if self.is_scoped_out(kind):
            return array.detach()
        return array if not array.is_attached() or self._is_in_workspace(kind, array) else self.dup(kind, array)

    def set_no_leverage_override(self, workspace_name: str) -> None:
        """Let `leverage_to` leave arrays of this workspace where they are.  Raises TypeError for anything but a
        text."""
        self._no_leverage.add(instance("set_no_leverage_override: workspace_name", workspace_name, str))

    def validate_array_location(
        self,
        kind: ArrayType | str,
        array: nd.NDArray,
        *,
        migrate_if_invalid: bool = False,
        exception_if_detached: bool = False,
    ) -> nd.NDArray:
        """The array, which must be in the open workspace of the type, or detached where it is scoped out.

        migrate_if_invalid: copy to the right workspace instead of raising
        exception_if_detached: a detached array is an error too where the type has a workspace
        Raises WorkspaceError naming both workspaces.
        """
        checked("validate_array_location: array", array)
        if self._is_in_workspace(kind, array) or (not array.is_attached() and not exception_if_detached):
            return array
        if migrate_if_invalid:
            return array.detach() if self.is_scoped_out(kind) else self.dup(kind, array)
        wanted = "outside any workspace" if self.is_scoped_out(kind) else f"in workspace {self.workspace_name(kind)!r}"
        found = "is detached" if array.workspace is None else f"is in workspace {array.workspace.id!r}"
        raise nd.WorkspaceError(
            f"an array of type {ArrayType(kind)} belongs {wanted}, but the one given, of {array.dtype} and shape "
            f"{array.shape}, {found}; make it with create or leverage_to of the manager"
        )

    def _is_in_workspace(self, kind: ArrayType | str, array: nd.NDArray) -> bool:
        return array.workspace is self.workspace(kind)


def _checked_workspace(entry: Any) -> tuple[str, nd.WorkspaceConfiguration]:
    """Raises TypeError unless it is (name, WorkspaceConfiguration)."""
    parts = items("a workspace of layers", entry)
    if len(parts) != 2 or not isinstance(parts[0], str) or not isinstance(parts[1], nd.WorkspaceConfiguration):
        raise TypeError(f"a workspace of layers must be (name, WorkspaceConfiguration), given {entry!r}")
    return parts[0], parts[1]


def workspaces_for(mode: str, name: str) -> LayerWorkspaceMgr:
    """The manager of what a network does, TRAINING or INFERENCE, by its `workspace_mode`."""
    return LayerWorkspaceMgr(default=(name, STEP)) if MODES[mode] else LayerWorkspaceMgr.no_workspaces()
