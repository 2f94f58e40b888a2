"""Parallel regions: numbered tasks on several threads, and tiles of a plan.

The files, as the build lists them:

- region_order.h: Order of parallel regions, told to ThreadSanitizer.
- tasks.pyx: Parallel execution of numbered tasks.
"""
