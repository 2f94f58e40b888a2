"""Host memory: the pool, workspaces, limits and reports.  It knows no arrays.

The files, as the build lists them:

- arena/: Arenas: the memory of workspaces, and the layout of arrays in it.
- diagnostics/: Diagnostics of memory: statistics, reports, recordings, and annotations for sanitizers.
- errors.py: Exceptions of memory and workspaces.
- first_limits.py: Initial limits of the pool, from environment variables.
- free_threads.h: What threads need that no GIL keeps apart.
- limits.py: Limits of the pool: the memory it may take and keep, and functions to set them.
- pool/: The memory pool, which keeps freed blocks and gives them out again.
- scratch.pyx: Scratch memory for kernels while they run.
- sizes.py: Sizes in bytes as text: parsing and formatting.
- workspace/: Workspaces: memory for the arrays of a scope, reused after its end (ND4J's MemoryWorkspace).
"""
