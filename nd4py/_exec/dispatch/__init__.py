"""Dispatch: from a call to the row of the table, its dtypes and shapes, and the loop that runs it.

The files, as the build lists them:

- backend_function.pyx: BackendFunction: a function that runs the host's driver or that of a device's backend.
- by_backend.py: Functions with a driver for the host and one for each backend, chosen by the arrays they are given.
- dispatch.pyx: Dispatch of calls: the fast path for small arrays of one layout, and the general path for everything
  else.
- eager.pyx: Eager execution of a map row: its outputs, its plan, and its record on the tape.
- output_checks.py: Which arrays results may be written to: one answer for arrays of the host, devices, batches and
  recordings.
- promotion.pyx: Promotion: the dtype and shape that operands have in common: arrays, Python's scalars, which are weak,
  or NumPy's.
- row_functions.py: Rows of the table as functions, for code of this layer that is made of them.
- row_table.pyx: The table of operations as C arrays: what dispatch and chains look up of rows and dtypes.
- selection.py: Calls with NumPy's keywords of universal functions: where, dtype, casting, order, signature.
"""
