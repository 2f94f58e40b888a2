"""Texts made from the tables and from other sources: functors, tables of loops, functions, stubs, CUDA kernels.

The files, as the build lists them:

- cuda_chains.py: Text made for chains: several steps, each a row of the table or a conversion, as one kernel of
  chain.cu or reduce.cu.
- cuda_functors.py: The kernels that are no row's functor: scans beside rows, and functions such as matrix products and
  pooling.
- cuda_kernels.py: Text made from the rows for CUDA compilers: the kernels of each row and dtype, instances of hand-
  written skeletons.
- cuda_structs.py: The structs that kernels take, in ctypes, made from the header that says what they are:
  kernels/cuda/launch_arguments.cuh.
- cython_definitions.py: What Python can reach in a Cython source: its functions, classes and attributes, with their
  types as written.
- folders.py: The lists of files at the top of every `__init__.py`: each file's name and the first sentence of its
  summary.
- loop_parts.py: Parts of the table of loops: rows that are compiled together, apart from all others.
- row_render.py: Text made from the rows: the functor header for every C++ compiler, the CPU's loop table, and the
  elementwise API.
- stubs.py: Type stubs of the compiled modules, made from their sources: what Python can reach, with its types.
"""
