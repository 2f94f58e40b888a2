"""Host memory: the pool that every byte comes from, and workspaces.  It knows no arrays.

The files, as the build lists them:

- arena/: Arenas: where the arrays of a workspace lie in its memory.
- diagnostics/: Who holds memory, what happened to it over time, and what tools such as sanitizers are told of it.
- errors.py: What goes wrong with memory and workspaces.
- first_limits.py: The limits that the pool starts with: those of the environment.
- limits.py: Limits on what the pool takes and keeps: what holds, and changes.
- pool/: The memory pool: blocks that are freed are kept, and given out again.
- scratch.pyx: Memory that a kernel needs while it runs.
- sizes.py: Numbers of bytes as people write them.
- workspace/: Workspaces: memory for the arrays of a scope, which goes back at its end (ND4J's MemoryWorkspace).
"""
