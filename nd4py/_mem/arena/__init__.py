"""Arenas: the memory of workspaces, and the layout of arrays in it.

The files, as the build lists them:

- arena.pyx: The memory of an arena: a block of the pool, reserved addresses, or a mapped file.
- arena_measures.pyx: Benchmark and stress loops for workspaces, in native code.
- arena_reuse.pyx: Arena layout with reuse: new arrays get the memory of those that are gone.
- free_ranges.pyx: Free ranges of an arena, sorted by address.
- memory_plan.py: Memory planning: offsets for arrays whose sizes and lifetimes are known.
"""
