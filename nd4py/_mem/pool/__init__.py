"""The memory pool, which keeps freed blocks and gives them out again.

The files, as the build lists them:

- pool.pyx: The pool: it allocates every byte of nd4py, and keeps freed blocks for reuse.
- pool_classes.pxd: Size classes of the pool.
- pool_counters.pyx: Counters of the pool, as Python reads them.
- pool_guard.pyx: Debug mode (ND4PY_DEBUG_MEMORY=1): finds overruns, writes to freed blocks, and leaks.
- pool_magazines.pyx: Magazines: small caches of free blocks, one per thread.
- pool_measures.pyx: Benchmark and stress loops for the pool, in native code.
- pool_shared.pyx: Free blocks that all threads share.
- pool_system.pyx: Memory from the operating system, and limits on it.
- system_memory.h: Memory of the operating system: mappings, addresses, aligned blocks, what lies in physical memory.
- system_threads.h: Threads of the operating system: their numbers, a barrier that all of them pass, and what runs at a
  fork.
"""
