"""Workspaces: arenas for the arrays of a scope."""

from ..._mem.errors import WorkspaceError
from ..._mem.workspace.workspace import Workspace
from ..._mem.workspace.workspace_configuration import (
    AllocationPolicy,
    LearningPolicy,
    LocationPolicy,
    MirroringPolicy,
    ResetPolicy,
    ReusePolicy,
    SpillPolicy,
    WorkspaceConfiguration,
    WorkspaceDebugMode,
    WorkspaceType,
)
from ..._mem.workspace.workspace_manager import WorkspaceManager, scope_out_of_workspaces, workspace, workspace_manager

__all__ = [
    "AllocationPolicy",
    "LearningPolicy",
    "LocationPolicy",
    "MirroringPolicy",
    "ResetPolicy",
    "ReusePolicy",
    "SpillPolicy",
    "Workspace",
    "WorkspaceConfiguration",
    "WorkspaceDebugMode",
    "WorkspaceError",
    "WorkspaceManager",
    "WorkspaceType",
    "scope_out_of_workspaces",
    "workspace",
    "workspace_manager",
]
