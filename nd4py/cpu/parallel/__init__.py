"""Parallel regions: numbered tasks on several threads, and tiles of a plan.

The files, as the build lists them:

- region_order.h: What a parallel region orders: all before it comes before its tasks, and its tasks before all after
  it.
- regions.h: A parallel region: which tasks are a thread's own, and how its caller waits for the other threads.
- tasks.pyx: Run numbered tasks on threads that the gate has allowed: the one place where parallel regions begin.
- tiles.pyx: Run a loop over a plan tile by tile: loops see dense elements or one value, whatever the operands' layout
  and dtype.
"""
