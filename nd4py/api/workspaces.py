"""Arenas for the arrays of a scope."""

from .._mem.configuration import (
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
from .._mem.errors import WorkspaceError
from .._mem.manager import WorkspaceManager, scope_out_of_workspaces, workspace, workspace_manager
from .._mem.workspace import Workspace

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
