"""Workspaces: memory for the arrays of a scope, which goes back at its end (ND4J's MemoryWorkspace).

The files, as the build lists them:

- attached_arrays.pyx: The arrays that have memory in a workspace, and how they lose it.
- held_memory.pyx: Memory that running kernels hold.
- scopes.pyx: Which scopes are open in each thread, which of them is current, and the debug mode.
- workspace.pyx: A workspace: an arena that a thread's new arrays come from while its scope is open.
- workspace_configuration.py: How a workspace behaves: its policies and sizes.
- workspace_manager.py: The workspaces of each thread, by their names.
- workspace_memory.pyx: The memory of a workspace: its arena, what spills, and how its size is learned (ND4J's
  MemoryWorkspace).
"""
