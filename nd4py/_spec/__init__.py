"""The tables of operations and dtypes, and the code generated from them.  Nothing here is compiled.

The files, as the build lists them:

- costs.py: Cost of an element of each map row on one thread, in picoseconds.
- dtypes.py: The table of dtypes.
- fingerprint.py: Fingerprint of the tables: whether what is compiled was made from the tables that are there.
- formulas.py: Formulas: the expressions of the table as trees, and their derivatives, which are trees again.
- generated.py: All generated files: their paths and texts.
- op.py: Columns of the table of operations.
- ops.py: The table of operations: one row each.
- render/: Code generators: functors, loop tables, functions, stubs and CUDA kernels.
"""
