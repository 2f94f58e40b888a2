"""Automatic differentiation: the tape, its nodes, and changes that happen whole or not at all.

The files, as the build lists them:

- committing.pyx: Several arrays and a dictionary changed together: all of it, or nothing, whatever interrupts the
  thread.
- journal.py: Steps that are done or not done, for the layers above; on every device.
- multiple_outputs.py: Gradients of functions with several results.
- nodes.pyx: An array's place on the tape: the node it carries, and how often its memory has been written.
- tape.py: Reverse-mode differentiation: a tape of nodes behind the arrays that depend on what is being differentiated.
"""
