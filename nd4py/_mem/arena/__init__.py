"""Arenas: where the arrays of a workspace lie in its memory.

The files, as the build lists them:

- arena.pyx: The memory of an arena: a block of the pool, addresses that get memory when used, or a mapped file.
- arena_measures.pyx: What benchmarks and tests need in native code of workspaces: requests in a loop, and random ones
  with guards.
- arena_reuse.pyx: Where arrays lie in an arena that uses memory of gone arrays again.
- free_ranges.pyx: Free ranges below a top, kept in order: what an arena takes back while its scope is open.
- memory_plan.py: Places for arrays whose sizes and lifetimes are known.
"""
