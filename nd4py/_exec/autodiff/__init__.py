"""Automatic differentiation: the tape, its nodes, and changes that happen as a whole or not at all.

The files, as the build lists them:

- committing.pyx: Commit: several arrays and a dictionary changed as a whole or not at all, whatever interrupts the
  thread.
- complex_gradients.py: Gradients of rows of complex numbers.
- formula_nodes.py: Formulas of operands on the tape: derivatives that have derivatives.
- journal.py: The journal of a change that happens as a whole or not at all, on the host and on devices.
- multiple_outputs.py: Gradients of functions with multiple outputs.
- nodes.pyx: The tape's node of an array, and how often the array's memory has been written.
- row_gradients.py: Gradients of rows: maps and reductions.
- scan_slopes.py: Gradients of scans that have gradients themselves.
- tape.py: The tape: reverse-mode differentiation.
- view_gradients.py: Gradients of views, conversions and moves between devices.
"""
