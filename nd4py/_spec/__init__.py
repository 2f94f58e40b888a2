"""The table of operations, the table of dtypes, and all that is made from them.  Nothing here is compiled.

The files, as the build lists them:

- costs.py: What an element of a map row costs on one thread, in picoseconds.
- dtypes.py: One row per dtype: every name it goes by, and the rules that follow from its kind.
- generated.py: Every file that is made from the table of operations or from other sources: its path and its text.
- op.py: The columns of the table: what a row may say about an operation.
- ops.py: The table: every operation of nd4py, one row each.
- render/: Texts made from the tables and from other sources: functors, tables of loops, functions, stubs, CUDA kernels.
"""
