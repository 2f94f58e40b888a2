"""The memory pool: blocks that are freed are kept, and given out again.

The files, as the build lists them:

- pool.pyx: The pool: every byte nd4py holds comes from here, and freed blocks are kept for reuse.
- pool_addresses.pyx: A table of the blocks in use whose class is larger than their request's: address -> class.
- pool_classes.pxd: The size classes: 64-byte steps up to 1 KiB, four steps per power of two up to 1 MiB, eight above.
- pool_counters.pyx: What the pool counts, for Python: read with the pool's lock held.
- pool_guard.pyx: The debug mode, ND4PY_DEBUG_MEMORY=1: finds writing beyond a block, writing into a freed one, and what
  nobody freed.
- pool_magazines.pyx: The magazines of all threads.
- pool_measures.pyx: What benchmarks and tests need in native code: requests in a loop, and random ones by many threads.
- pool_shared.pyx: The blocks that wait for any thread.
- pool_system.pyx: Memory of the system, and the limits on what is taken of it.
"""
