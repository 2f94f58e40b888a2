"""From a call to a result: which loop runs, on which memory, and what the tape notes.

The files, as the build lists them:

- autodiff/: Automatic differentiation: the tape, its nodes, and changes that happen whole or not at all.
- concat.pyx: Arrays written one after the other into a new one.
- constants.py: Constants: arrays that everybody who asks for the same numbers shares.
- conversion.pyx: Copies, casts, fills, assignment and Python scalars.
- copying.pyx: Elements from one place in memory to another: conversions, fills, and operands that share bytes.
- creation.pyx: New arrays in host memory: uninitialised, filled with one value, or with the plain numbers of nested
  lists.
- device/: Where arrays are made, and operations on arrays that are not on the host.
- dispatch/: Dispatch: the row of a call, its dtypes and shapes, and the loop that runs it.
- drivers/: Functions that the host and devices each have drivers of, and what is made of others where a device has
  none.
- indexing/: x[key], x[key] = value and their kin, where the key holds arrays: one parser, on the host and on devices.
- lazy/: The lazy engine on the host: which operations are deferred, and one pass over memory that runs them.
- loss_operands.py: The operands of losses: outputs first, labels last.
- random_source.py: Where random numbers are drawn: on the host, or on a device from the same place in the stream.
- reductions.pyx: Reductions: which axes, which result, then the backend's driver.
- scans.pyx: Scans: which axis, which dtypes, then the backend's driver; and their gradient.
- upcalls.pyx: The functions of this layer that arrays call.
"""
