"""Automatic differentiation: the tape, its nodes, and changes that happen as a whole or not at all.

The files, as the build lists them:

- committing.pyx: Commit: several arrays and a dictionary changed as a whole or not at all, whatever interrupts the
  thread.
- journal.py: The journal of a change that happens as a whole or not at all, on the host and on devices.
- multiple_outputs.py: Gradients of functions with multiple outputs.
- nodes.pyx: The tape's node of an array, and how often the array's memory has been written.
- tape.py: The tape: reverse-mode differentiation.
"""
