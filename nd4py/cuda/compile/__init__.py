"""Compilation of kernels: their source, the compiler, and the caches of both.

The files, as the build lists them:

- disk_cache.py: Disk cache of compiled kernels.
- kernel_catalogue.py: Catalogue of kernels: source and kernel names for each row of the table and dtype.
- loaded_modules.py: Loaded kernels: each module once per device, found by the digest of what it is made from.
- machine_code.py: Machine code of modules: what was compiled with nd4py, else what is kept on disk, else what is
  compiled now.
- packed_kernels.py: Kernels compiled when nd4py was built (kernels/pack.py), found by the digest of their module.
- row_kernels.py: Kernels of the rows, and errors for rows without one.
"""
