"""Parallel regions: numbered tasks on several threads, and tiles of a plan.

The files, as the build lists them:

- region_order.h: Order of parallel regions, told to ThreadSanitizer.
- regions.h: Parallel regions: the tasks of each thread, and the caller's wait for the others.
- tasks.pyx: Parallel execution of numbered tasks.
- tiles.pyx: Tile-by-tile execution of a loop over a plan.
"""
