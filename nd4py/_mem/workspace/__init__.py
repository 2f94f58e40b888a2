"""Workspaces: memory for the arrays of a scope, reused after its end (ND4J's MemoryWorkspace).

The files, as the build lists them:

- attached_arrays.pyx: Lists of the arrays that are attached to a workspace.
- held_memory.pyx: Holds: records of the memory that running kernels use.
- scopes.pyx: Open scopes: the stack of workspaces of each thread.
- workspace.pyx: The Workspace class: an arena for a thread's new arrays while its scope is open.
- workspace_configuration.py: Configuration of a workspace: policies and sizes.
- workspace_manager.py: The workspaces of each thread, by name.
- workspace_memory.pyx: The memory of a workspace: arena, spilled blocks, and learned size (ND4J's MemoryWorkspace).
"""
