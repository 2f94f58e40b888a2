"""From a row of the table to a loaded kernel: its text, compiling, and the caches of both.

The files, as the build lists them:

- disk_cache.py: Compiled kernels on disk, so that a process compiles only what no process before it did.
- kernel_catalogue.py: The catalogue of kernels: for each row of the table and dtype, the source to compile and the
  names in it.
- loaded_modules.py: Kernels that are loaded: each module once per device, found by the digest of what it is made from.
- packed_kernels.py: Kernels that were compiled when nd4py was built (kernels/pack.py), found by the digest of their
  module.
- row_kernels.py: The kernels of rows as launches need them, and the words for those that have none.
"""
