"""Dispatch: the row of a call, its dtypes and shapes, and the loop that runs it.

The files, as the build lists them:

- backend_function.pyx: BackendFunction: a driver of the host, or what the backend of its arrays has in its place.
- by_backend.py: Functions with a driver of their own, by where their arrays are: the host's, or what a device's backend
  has instead.
- dispatch.pyx: From a call to a loop: the fast path for small arrays of one layout, and the general path for everything
  else.
- eager.pyx: A map row that runs now, over operands that have their values: its outputs, its plan, and what the tape
  notes.
- promotion.pyx: What the operands of a row have in common: the dtype they promote to, and the shape they broadcast to.
- row_functions.py: Rows of the table as functions, for code of this layer that is made of them.
- row_table.pyx: The table of operations as C arrays, for dispatch.
- scalars.pyx: What may stand beside arrays in a call: Python scalars, which are weak, and NumPy's arrays, which are
  taken over.
"""
