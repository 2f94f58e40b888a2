"""Code generators: functors, loop tables, functions, stubs and CUDA kernels.

The files, as the build lists them:

- cuda_chains.py: CUDA source of chains: several steps as one kernel of chain.cu or reduce.cu.
- cuda_functors.py: CUDA source of kernels without a functor: scans, matrix products, pooling and others.
- cuda_kernels.py: CUDA source of the kernels of each row and dtype.
- cuda_structs.py: Argument structs of kernels in ctypes, made from the files of kernels/cuda.
- cython_definitions.py: Parser of Cython sources: the functions, classes and attributes that Python can reach.
- dispatch_table.py: The table of operations as C arrays: what dispatch and chains look up of a row while they run.
- driver_tables.py: Tables of drivers: the function that the host, and that a device, runs under one name.
- folders.py: Lists of files at the top of every `__init__.py`.
- loop_headers.py: What drivers see of loops that are written by hand: tables by dtype, and Cython's declarations of C
  headers.
- loop_parts.py: Parts of the loop table: rows that are compiled together, apart from all others.
- row_docstrings.py: Docstrings of the functions that are made from rows: what a caller needs to know.
- row_render.py: Code made from the rows: the functor header, the CPU's loop table, and the elementwise API.
- stubs.py: Type stubs of the compiled modules, made from their sources.
"""
