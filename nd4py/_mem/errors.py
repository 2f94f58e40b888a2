"""What goes wrong with workspaces."""

__all__ = ["WorkspaceError"]


class WorkspaceError(RuntimeError):
    """A workspace is used wrongly, or an array is used after the scope that held its memory.

    The message names the array, the workspace, the generations (how often the scope was entered) and what to do.
    """
